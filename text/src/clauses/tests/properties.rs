//! Properties of the claims of any text, however hostile.

use std::collections::HashSet;

use proptest::prelude::*;

use super::super::super::index::TextIndex;
use super::super::super::sentences::sentences;
use super::super::super::span::Span;
use super::super::{Clause, clauses};
use super::{all, check, check_whole, texts};

#[test]
fn texts_without_a_sentence_are_unchanged() {
    check_whole(&[
        "Hello",
        "Ünter die Räder",
        "🦀🦀🦀",
        "Sehr geehrte Damen und Herren, wir haben das Haus verkauft.",
        "2014",
        "A night to remember",
        "Read more here",
    ]);
    assert!(texts("").is_empty());
    assert!(clauses(&TextIndex::new("short"), Span { start: 90, end: 99 }).is_empty());
}

#[test]
fn markup_bullets_and_capitals() {
    check_whole(&["<p>The man <b>fled</b> to <a href=\"x\">Spain</a> and hid.</p>", "-", "...", "\""]);
    check(&[
        (
            "THE MAN WAS ARRESTED IN PARIS ON MONDAY.",
            &["THE MAN WAS ARRESTED.", "THE MAN WAS ARRESTED IN PARIS.", "THE MAN WAS ARRESTED ON MONDAY."],
        ),
        ("1. The bank lost money and cut jobs.", &["The bank lost money.", "The bank cut jobs."]),
        ("The\tman \n fled\u{a0}to Spain and hid.", &["The man fled to Spain.", "The man hid."]),
    ]);
}

#[test]
fn letter_without_a_single_capital_is_unchanged() {
    check(&[("ßa came and ßa left.", &["ßa came.", "ßa left."])]);
}

/// Sentences below and above the maximum number of words that is split.
#[test]
fn long_and_odd_texts_terminate() {
    let pieces = [
        "and ",
        "that he said ",
        "who was ",
        "\"",
        "' ",
        "if ",
        ", ",
        "of the man ",
        "because he ran ",
        "( ",
        "to be ",
        "(",
        ")",
        "“",
        "!",
        "?! ",
        "a's ",
        "- a ",
        "arrested ",
        "🦀",
        "e\u{301}",
        "\u{200b}",
        "<b>",
        "A.",
        "1 - ",
    ];
    for piece in pieces {
        for times in [130, 5_000] {
            let text = piece.repeat(times);
            let claims = all(&text);
            assert!(!claims.is_empty(), "{piece}");
            check_valid(&text, &claims);
        }
    }
    assert!(all(&" \n".repeat(5_000)).is_empty());
}

proptest! {
    #[test]
    fn claims_of_any_text_are_valid(text in any_text()) {
        let index = TextIndex::new(&text);
        for sentence in sentences(&text) {
            let claims = clauses(&index, sentence);
            assert!(!claims.is_empty());
            check_valid(&text, &claims);
            prop_assert_eq!(&claims, &clauses(&index, sentence));
        }
    }
}

/// Checks that spans lie in the text and every word comes from it.
fn check_valid(text: &str, claims: &[Clause]) {
    let (length, known) = (text.chars().count(), words(text));
    for claim in claims {
        assert!(!claim.text.trim().is_empty() && !claim.spans.is_empty());
        for span in &claim.spans {
            assert!(!span.is_empty() && span.end <= length && !span.slice(text).trim().is_empty());
        }
        for word in words(&claim.text) {
            assert!(is_known(&word, &known), "{word} in {}", claim.text);
        }
    }
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a word is in the text, unchanged or in its base form, or is a function word.
fn is_known(word: &str, known: &HashSet<String>) -> bool {
    let singular = |end: &str, base: &str| {
        word.strip_suffix(end).is_some_and(|stem| known.contains(&format!("{stem}{base}")))
    };
    known.contains(word)
        || matches!(word, "is" | "are" | "was" | "were" | "a" | "an" | "has" | "does" | "isn" | "wasn")
        || singular("s", "")
        || singular("es", "")
        || singular("ies", "y")
}

/// Words that rules look for, in any order, between arbitrary text.
fn any_text() -> impl Strategy<Value = String> {
    let words = "The man was arrested in Paris, who said that and or not if 'quote' \"x\" ( ) - : ; Ann Hall, 41, \
        the mayor of Rome told him to win because it is 3,000 £5m Zoë’s 🦀 does n't seen by Smith & Co. May 5, 2014 \
        both neither nor 's while running has been is. according first best two weeks ago 4 - 1 per cent $ Texas, \
        which only than except including back may had following all a an would try police women had,";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let sentence =
        prop::collection::vec(prop::sample::select(words), 0..40).prop_map(|words| words.join(" "));
    prop_oneof![3 => sentence, 1 => ".{0,200}"]
}
