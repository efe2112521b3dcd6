//! Spans of evidence and claims slice back to their text, whatever Unicode the two texts are made of.
//! A text may be refused, by a clear error; it may never break a span or panic.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use veridic::pipeline::ClaimExtractor;
use veridic::{LoadOptions, Scorer, Settings};

/// Sentences as claims, whose spans must be their very text.
static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
    let settings = Settings { claims: ClaimExtractor::Sentence, ..Settings::default() };
    Scorer::load(&common::tiny(), &LoadOptions::default(), settings).unwrap()
});

/// Pieces on which sentence splitters and offset arithmetic go wrong.
const PIECES: [&str; 44] = [
    "The cat sat",
    "Dr. Smith",
    "U.S.A.",
    "3.14",
    "e.g. a dog",
    "J. R. Reyes",
    "https://a.example/b.c?d=1.",
    "No",
    ".",
    "!",
    "?",
    "...",
    "…",
    "。",
    "؟",
    "।",
    ";",
    ":",
    "\"",
    "”",
    "’s",
    "(",
    ")",
    "«",
    "- ",
    "• ",
    "1. ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    " ",
    "  ",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{200b}",
    "e\u{301}",
    "👩‍👩‍👧",
    "🇵🇹",
    "שלום",
    "猫坐在垫子上",
    "ﷺ",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        2 => "[a-zA-Z]{1,8}",
        1 => "\\PC{1,6}",
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text() -> impl Strategy<Value = String> {
    vec(piece(), 1..30).prop_map(|pieces| {
        // A space after half of them, so that sentences have a chance to end.
        let spaced = pieces.iter().enumerate();
        spaced.map(|(i, piece)| if i % 2 == 0 { format!("{piece} ") } else { piece.clone() }).collect()
    })
}

fn check(document: &str, summary: &str) -> Result<(), TestCaseError> {
    match SCORER.score(document, summary) {
        Ok(result) => {
            let result = serde_json::to_value(&result).unwrap();
            common::assert_spans(&result, document, summary);
            prop_assert!(!common::list(&result["claims"]).is_empty());
            prop_assert!(common::number(&result["score"]).abs() <= 1.0);
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
            let wordless = |text: &str| !text.chars().any(char::is_alphanumeric);
            let control = |text: &str| text.chars().any(|c| c.is_control() && !c.is_whitespace());
            let explained = [document, summary].iter().any(|text| wordless(text) || control(text));
            prop_assert!(explained, "{message} for {document:?} and {summary:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_slice_back_to_their_text(document in text(), summary in text()) {
        check(&document, &summary)?;
    }

    #[test]
    fn arbitrary_characters_are_refused_or_sliced(document in "\\PC{1,60}", summary in "(?s).{1,40}") {
        check(&document, &summary)?;
    }
}

#[test]
fn pieces_alone_and_in_pairs() {
    for (index, piece) in PIECES.iter().enumerate() {
        let next = PIECES[(index + 1) % PIECES.len()];
        for text in [format!("{piece}cat"), format!("cat{piece}"), format!("A cat.{piece}{next} A dog.")] {
            check(&text, &text).unwrap();
        }
    }
}
