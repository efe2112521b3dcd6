//! The words of awkward texts against spaCy's: the fixture is made by scripts/fixtures/make_words.py.

use std::ops::Range;

use serde_json::Value;
use veridic_models::words;

const FIXTURE: &str = include_str!("../fixtures/words/words.jsonl");

/// Texts whose repetition could make a rule slow.
const AWKWARD: &[&str] = &[
    "a", "A", ".", "-", "(", ")", "'", "’s", "'s", "…", ":", ":)", "))(", " ", "\n", " \n", "a ", "@", "a@",
    "a@b.c", "@a.b", ".a", "a.", "a.A", "A.", "a-", "a/", "5", "5m", "5%", "$", "US$", "1.", "1.2.3.4@",
    "+5", "http://", "a:80@", "://", "_", "é", "中", "。", "😀", "\u{301}", "\u{a0}", "\0", "don't", "<3",
    "(._.)", "0.0", "a. )", "and/or", ">.<",
];

fn in_characters(text: &str, words: &[Range<usize>]) -> Vec<(usize, usize)> {
    let mut characters = vec![usize::MAX; text.len() + 1];
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.enumerate().for_each(|(number, at)| characters[at] = number);
    words.iter().map(|word| (characters[word.start], characters[word.end])).collect()
}

#[test]
fn words_agree_with_spacy() {
    let mut lines = FIXTURE.lines();
    let head: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(head["made_by"], "scripts/fixtures/make_words.py");
    let mut rows = 0;
    for line in lines {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let expected: Vec<(usize, usize)> = serde_json::from_value(row["words"].clone()).unwrap();
        assert_eq!(in_characters(text, &words(text)), expected, "{text:?}");
        rows += 1;
    }
    assert!(rows > 5_000);
}

/// Only single spaces lie between words, and no word is empty.
#[test]
fn words_cover_the_text_except_single_spaces() {
    for line in FIXTURE.lines().skip(1) {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let mut end = 0;
        for word in words(text) {
            assert!(matches!(&text[end..word.start], "" | " ") && !word.is_empty(), "{text:?}");
            end = word.end;
        }
        assert!(matches!(&text[end..], "" | " "), "{text:?}");
    }
}

/// Cuts `before`, `length` bytes of repetitions of `unit`, and `after`.
fn cut_repetition(before: &str, unit: &str, after: &str, length: usize) {
    let text = [before, &unit.repeat(length / unit.len()), after].concat();
    let found = words(&text);
    assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
    assert!(found.iter().all(|word| text.get(word.clone()).is_some_and(|word| !word.is_empty())));
}

#[test]
fn awkward_repetitions_are_cut() {
    for unit in AWKWARD {
        for (before, after) in [("", ""), ("x", "x"), ("(", ".com"), ("http://", ":"), ("5", "km")] {
            cut_repetition(before, unit, after, 200_000);
        }
    }
}

#[test]
fn long_repetitions_are_cut() {
    for unit in ["a", "(", ".", "-", "'s", ":)", "a@b.c", "a.A", "5", "中", "😀", "\n", "a "] {
        cut_repetition("", unit, "", 5_000_000);
    }
}

/// The rules depend on a few characters around each position, so that long runs are cut like short ones.
#[test]
fn long_runs_are_cut_like_short_ones() {
    for unit in ["(", ")", "-", ".", "a-", "a.A", "5m ", "’s", "😀"] {
        let counts = [500, 1_000].map(|times| words(&unit.repeat(times)).len());
        assert!(counts == [1, 1] || counts[1].abs_diff(2 * counts[0]) <= 2, "{unit}: {counts:?}");
    }
}
