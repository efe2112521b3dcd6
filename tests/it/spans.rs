//! Spans of evidence and claims slice back to their text, for any Unicode in the two texts.
//! A text may be refused with a clear error; it must never break a span or panic.
use crate::common;
use std::collections::HashSet;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use veridic::pipeline::{ClaimExtractor, Settings};
use veridic::rules::{Level, Rules, Thresholds};
use veridic::text::{NormalizedText, sentences};
use veridic::{Scorer, Span};

/// Sentences as claims; the text of each is exactly its span.
static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
    let rules = Rules { screen: None, layout: false, ..Rules::veridic() };
    let settings = Settings { claims: ClaimExtractor::Sentence, rules, ..Settings::default() };
    common::scorer(&common::tiny(), settings)
});

/// Sentences as claims, and every sentence that shares a word with a claim contradicts it.
static ACCUSER: LazyLock<Scorer> = LazyLock::new(|| {
    let thresholds = Thresholds { supported: 2.0, contradicted: 0.0, shared_words: 1 };
    let rules = Rules { thresholds, ..SCORER.settings().rules.clone() };
    SCORER.clone().with_settings(Settings { rules, ..SCORER.settings().clone() })
});

/// Fragments that break sentence splitters and offset arithmetic.
const PIECES: [&str; 55] = [
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
    "\u{0}",
    "\u{1b}[31m",
    "\u{c}",
    "\u{7f}",
    "\u{85}",
    "\u{92}s",
    "\u{93}",
    "\u{9d}",
    "\u{ad}",
    "\u{fffd}",
    "can\u{0}not",
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
        // A space after half of them, so that some sentences end.
        let spaced = pieces.iter().enumerate();
        spaced.map(|(i, piece)| if i % 2 == 0 { format!("{piece} ") } else { piece.clone() }).collect()
    })
}

/// Every sentence of evidence and counter-evidence is one of the document's. Returns the number of claims with
/// counter-evidence.
fn check_accused(document: &str, summary: &str) -> Result<usize, TestCaseError> {
    let Ok(judged) = ACCUSER.score(document, summary) else { return Ok(0) };
    let reading = NormalizedText::of(document);
    let own: HashSet<Span> =
        sentences(reading.text()).into_iter().map(|span| reading.given_span(span)).collect();
    for claim in &judged.claims {
        let counter = claim.counter_evidence.iter().map(|counter| &counter.evidence);
        for evidence in counter.chain([&claim.evidence]) {
            prop_assert!(evidence.spans.iter().all(|span| own.contains(span)), "{:?}", evidence);
        }
        if matches!(claim.level, Level::Sentence | Level::Coref) {
            prop_assert_eq!(&claim.evidence.spans, &[claim.evidence.span]);
        }
    }
    common::assert_spans(&serde_json::to_value(&judged).unwrap(), document, summary);
    Ok(judged.claims.iter().filter(|claim| claim.counter_evidence.is_some()).count())
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
            prop_assert!(
                [document, summary].iter().any(|text| wordless(text)),
                "{message} for {document:?} and {summary:?}"
            );
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
    fn extracts_quote_the_documents_own_sentences(
        document in vec(text(), 1..5), summary in text(),
    ) {
        check_accused(&document.join("\n\n"), &summary)?;
    }

    #[test]
    fn arbitrary_characters_are_refused_or_sliced(document in "\\PC{1,60}", summary in "(?s).{1,40}") {
        check(&document, &summary)?;
    }
}

/// In a document of 497 sentences evidence and counter-evidence were runs of other text.
#[test]
fn counter_evidence_is_the_documents_own_sentences() {
    let sentence = |number: usize| match number % 5 {
        0 => format!("The council of Ward {number} met on Monday and closed the pool."),
        _ => format!("Train {number} was late again, said Dr. Smith."),
    };
    let document: Vec<String> = (0..240).map(sentence).collect();
    let summary = "The council of Ward 7 closed the pool. Train 12 was early. Dr. Smith met the council.";
    assert!(check_accused(&document.join(" "), summary).unwrap() > 0, "no claim has counter-evidence");
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
