//! Sentences of texts, by category, and properties of any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Span, TextIndex, sentences};

/// The sentences of a text, as text.
fn split(text: &str) -> Vec<&str> {
    let index = TextIndex::new(text);
    sentences(text).into_iter().map(|span| index.slice(span)).collect()
}

#[test]
fn texts_are_split_into_their_sentences() {
    let rows: Vec<&str> =
        include_str!("tests/sentences.txt").lines().filter(|row| !row.starts_with('#')).collect();
    assert_eq!(rows.len(), 79);
    for row in rows {
        let row = row.replace("\\n", "\n");
        let expected: Vec<&str> = row.split('‖').map(str::trim).collect();
        assert_eq!(split(&row.replace('‖', "")), expected, "{row}");
    }
}

#[test]
fn other_spaces_and_control_characters() {
    assert!(split("").is_empty() && split(" \n\t\u{a0}\u{3000} ").is_empty());
    assert_eq!(split("\u{a0}One.\u{2003}Two.\u{3000}Three. "), ["One.", "Two.", "Three."]);
    let controls = "Nul\0 is. \u{7}Seven\u{200b}. Bom\u{feff}.";
    assert_eq!(split(controls), ["Nul\0 is.", "\u{7}Seven\u{200b}.", "Bom\u{feff}."]);
    assert_eq!(split("A heading\n\nthe text of it\r\n \t\r\nmore"), ["A heading", "the text of it", "more"]);
    assert_eq!(split("No stop\u{c}Next page\u{2029}Next"), ["No stop", "Next page", "Next"]);
}

#[test]
fn single_line_ends() {
    let wrapped = "The committee met for the first time on Monday in New\n\
                   York and it agreed on a plan that its chairman, Mr.\n\
                   Smith, had laid before it. The rest of the countries of\n\
                   Europe wait.";
    assert_eq!(split(wrapped).len(), 2);
    let heading = "Europe waits\nThe committee met for the first time on Monday in New York, we hear.";
    assert_eq!(split(heading).len(), 2);
    let dialogue = "Ann: Buy some butter, please\nMike: OK\nAnn: and milk\nand jam";
    assert_eq!(split(dialogue), ["Ann: Buy some butter, please", "Mike: OK", "Ann: and milk\nand jam"]);
    assert_eq!(split("One\r\nTwo\rThree\u{2028}Four"), ["One", "Two", "Three", "Four"]);
}

#[test]
fn byte_order_mark_is_counted_but_in_no_sentence() {
    let spans = sentences("\u{feff}It rained. We left.");
    assert_eq!(spans, [Span { start: 1, end: 11 }, Span { start: 12, end: 20 }]);
}

/// For the stops that end a sentence, marked with ‖, and the others, marked with ¦: the number that is recognised and
/// the total.
fn boundaries(table: &str) -> [[usize; 2]; 2] {
    let mut counts = [[0; 2]; 2];
    for line in table.lines() {
        let text = line.replace(['‖', '¦'], "");
        let ends: Vec<usize> = sentences(&text).iter().map(|span| span.end).collect();
        let mut position = 0;
        for letter in line.chars() {
            match ['‖', '¦'].iter().position(|mark| *mark == letter) {
                None => position += 1,
                Some(kind) => {
                    counts[kind][0] += usize::from(ends.contains(&position) == (kind == 0));
                    counts[kind][1] += 1;
                }
            }
        }
    }
    counts
}

#[test]
fn stops_after_abbreviations_and_units_end_sentences_where_people_say_so() {
    let tables = [include_str!("tests/boundaries_dev.txt"), include_str!("tests/boundaries_held.txt")];
    let counts = tables.map(boundaries);
    println!("[ends, others] of each set: {counts:?}");
    let right = counts.map(|set| set.map(|[right, _]| right));
    let least = [[125, 121], [128, 123]];
    assert!(
        right.as_flattened().iter().zip(least.as_flattened()).all(|(right, least)| right >= least),
        "{counts:?}"
    );
}

/// Checks the properties of the sentences of any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let letters: Vec<char> = text.chars().collect();
    let found = sentences(text);
    // A byte order mark at the start is in no sentence.
    let mut covered = usize::from(text.starts_with('\u{feff}'));
    for pair in found.windows(2) {
        prop_assert!(pair[0].end <= pair[1].start);
    }
    for Span { start, end } in found {
        prop_assert!(start < end && end <= letters.len());
        prop_assert!(!letters[start].is_whitespace() && !letters[end - 1].is_whitespace());
        prop_assert!(letters[covered..start].iter().all(|letter| letter.is_whitespace()));
        covered = end;
    }
    prop_assert!(letters[covered..].iter().all(|letter| letter.is_whitespace()));
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_covered_in_order(text in "[\\s\\S]{0,200}") {
        check(&text)?;
    }

    #[test]
    fn any_text_of_marks_is_covered_in_order(
        text in "([.?!…。\"'’”)(\\[`,:;0-9-]|[ \\t\\r\\n\u{a0}]|[aAzÉé]|Mr|U\\.S|1\\.|\0){0,80}"
    ) {
        check(&text)?;
    }

    #[test]
    fn a_blank_line_splits_like_two_texts(first in "[A-Z][a-z .?!\"]{0,60}", second in "[A-Z][a-z .?!]{0,60}") {
        let (one, two) = (split(&first), split(&second));
        prop_assume!(first.chars().filter(|letter| letter.is_lowercase()).count() < 40);
        prop_assume!(second.chars().filter(|letter| letter.is_lowercase()).count() < 40);
        let both = format!("{first}\n\n{second}");
        prop_assert_eq!(split(&both), [one, two].concat());
    }
}

/// Adversarial texts, long enough to show anything worse than linear time.
#[test]
fn hostile_texts_take_linear_time() {
    let units = [
        ".", "\"", "'", " ", "a", "\n", "\r\n", "(", ". ", ".\"", "\" ", ". (", ".(", ". '", "A.", "a.A",
        "1. ", "- a\n", "a\nA ", ".\n", "。", "é", "\0", ". . .a", "U.S. ", "Mr. ", "?\"A", ",", "- ",
    ];
    for unit in units {
        let text = unit.repeat(100_000 / unit.len());
        let started = Instant::now();
        check(&text).unwrap();
        assert!(started.elapsed() < Duration::from_secs(5), "{unit:?} took {:?}", started.elapsed());
    }
}
