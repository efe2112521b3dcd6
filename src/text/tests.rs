//! Sentences of texts, by category, and properties of any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Span, TextIndex, sentences};

/// The sentences of a text, as text.
fn split(text: &str) -> Vec<&str> {
    let index = TextIndex::new(text);
    sentences(text).into_iter().map(|span| index.slice(span)).collect()
}

/// Asserts that each row, joined by spaces, is split into its sentences again.
fn assert_splits(rows: &[&[&str]]) {
    let texts: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
    let found = texts.iter().map(|text| split(text));
    let wrong: Vec<_> = found.zip(rows).filter(|(found, row)| found != *row).collect();
    assert!(wrong.is_empty(), "found and expected: {wrong:#?}");
}

#[test]
fn plain_stops() {
    assert_splits(&[
        &["It rained.", "We stayed in.", "Why?", "Because it rained!"],
        &["One sentence without a stop"],
        &["He was 28.", "She was older."],
        &["It was over in 2006.", "15 people came."],
        &["Prices rose.", "£5 was too much.", "@smith said so."],
        &["Zoë went to Łódź.", "Élodie stayed."],
        &["I bought it.", "iPhones are dear."],
    ]);
    assert!(split("").is_empty());
    assert!(split(" \n\t\u{a0}\u{3000} ").is_empty());
}

#[test]
fn abbreviations() {
    assert_splits(&[
        &["Mr. Smith met Dr. Jones and Gen. Lee.", "They talked."],
        &["Apple Inc. Chief Tim Cook spoke.", "Nobody listened."],
        &["He works for Apple Inc.", "The firm is large."],
        &["The U.S. Senate voted.", "It was close."],
        &["She lives in the U.S.", "He does not."],
        &["It opens at 9 a.m. and shuts at 5 p.m.", "It is never late."],
        &["See No. 5 and Fig. 3.", "No.", "I said no.", "It was."],
        &["It was on Jan. 5 or Feb. 6.", "The rest is known."],
        &["Use fruit, e.g. Apples, i.e. no meat.", "Fine."],
        &["Smith et al. Report the same.", "Others differ.", "Lee et al. (2010) do not."],
        &["It was Smith v. Jones again.", "Jones won."],
        &["St. Louis is in Mo.", "Jefferson City is too.", "Nobody knows."],
        &["It answered in 600 ms.", "Nobody noticed."],
        &["It came in at 9 a.m.", "Customs opened it.", "By 5 p.m. Smith had it."],
        &["He sells nails, hinges, etc.", "Boots are upstairs."],
        &["It is No. 5.", "Number 4 (left) is shut."],
        &["It weighs 5 kg.", "Customs asked why.", "She landed a 9 kg. Atlantic salmon."],
        &["It is 5 ft. 3 in. wide.", "Stop after 6 p.m.", "(On Sundays it is free.)"],
        &["Then-Lt. Gov. Peeler came.", "He left."],
        &["The gen. is in caps.", "A sea of red sun.", "He sat.", "She may."],
    ]);
}

#[test]
fn initials() {
    assert_splits(&[
        &["J. K. Rowling wrote it.", "J.R.R. Tolkien did not."],
        &["George W. Bush spoke.", "Many left."],
        &["It has vitamin C.", "The rest is sugar."],
        &["He asked J. A. Smith.", "I did not."],
    ]);
}

#[test]
fn quotes_and_brackets() {
    assert_splits(&[
        &["\"I am here.\"", "She left."],
        &["\"Are you?\" he asked.", "\"Yes!\" she said."],
        &["He said: \"It is late.", "We go.\"", "They went."],
        &["“It is late.”", "‘Go on,’ he said.", "‘No.’", "She went."],
        &["'It is late.'", "He went.", "'We know,' they said."],
        &["It is so (he said.)", "(It was not.)", "[Laughs.]", "Well."],
        &["\"It was so late. \"", "Nobody came.", "\"We did, \" he said."],
        &["« Il pleut. »", "He spoke French."],
        &["Nobody came.", "\"and then all did.\""],
        &["`` it works . ''", "The rest is known ."],
        &["It is known.[1]", "It is old.[23][4]", "It is so.¹²", "So be it."],
        &["The \"U.S.\" policy stood.", "It fell."],
    ]);
    assert_eq!(split("She \"left.\"He stayed."), ["She \"left.\"", "He stayed."]);
}

#[test]
fn repeated_marks() {
    assert_splits(&[
        &["What?!", "No!!!", "Really??", "Yes."],
        &["Well...", "He left.", "But…", "She stayed."],
        &["He was... not here.", "So … it goes."],
        &["Wait . . .", "He left."],
        &["Yahoo! is a firm.", "So was Excite."],
        &["Stop! ! !", "He did."],
        &["'It is so.' .", "He left.", "So .) .", "We too."],
    ]);
}

#[test]
fn numbers_and_addresses() {
    assert_splits(&[
        &["It rose 2.5 per cent to $7.25.", "Then it fell."],
        &["It rose 2. 5 miles.", "The level was 0. 114 then."],
        &["See www.example.com/a.b?c=D.E!f for more.", "Or example.org.", "Bye."],
        &["Write to J.Doe@Example.Com or a.b@c.de.", "Thanks."],
        &["Frys.com Open, Node.js, ASP.NET, the .NET API and System.Out are names.", "Yes."],
        &["Version 1.2.3 is out.", "It runs."],
        &["It was on 3.4.2020.", "Then it was not."],
    ]);
}

#[test]
fn missing_space_after_the_stop() {
    assert_eq!(split("So he said.The rest left."), ["So he said.", "The rest left."]);
    assert_eq!(split("Was it?It was!Well, no."), ["Was it?", "It was!", "Well, no."]);
    assert_eq!(split("In 2006.Then it fell."), ["In 2006.", "Then it fell."]);
    assert_eq!(split("Amazon.Com fell."), ["Amazon.Com fell."]);
    assert_eq!(split("a/b.The c"), ["a/b.The c"]);
}

#[test]
fn other_scripts_and_spaces() {
    assert_eq!(split("今日は。明日は！「本当？」はい。"), ["今日は。", "明日は！", "「本当？」", "はい。"]);
    assert_eq!(split("यह है। वह है।"), ["यह है।", "वह है।"]);
    assert_eq!(split("\u{a0}One.\u{2003}Two.\u{3000}Three. "), ["One.", "Two.", "Three."]);
    assert_eq!(
        split("Nul\0 is. \u{7}Seven\u{200b}. Bom\u{feff}."),
        ["Nul\0 is.", "\u{7}Seven\u{200b}.", "Bom\u{feff}."]
    );
}

#[test]
fn lower_cased_text() {
    assert_splits(&[
        &["( cnn ) two heroes are among the survivors , we hear .", "they are struggling ."],
        &["`` we are suffering , '' said dr. koirala .", "`` it is hard , '' he said in the u.s. today ."],
        &["is this text without any capital letters ?", "it is , says no. 5 ... or so !", "fine ."],
        &["all letters are small in this text, and stops end it.", "nothing else does."],
    ]);
}

#[test]
fn lone_marks_join_the_sentence_before() {
    assert_eq!(split("It is so. \" ' ) — ."), ["It is so. \" ' ) — ."]);
    assert_eq!(split("* * *"), ["* * *"]);
    assert_eq!(split("..."), ["..."]);
    assert_eq!(split("... And he left. ."), ["... And he left. ."]);
    assert_eq!(split("One.\n\n***\n\nTwo."), ["One.", "***", "Two."]);
}

#[test]
fn blank_lines_end_sentences() {
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
    assert_eq!(split("First,\nSecond and\nthird."), ["First,\nSecond and\nthird."]);
    assert_eq!(split("One\r\nTwo\rThree\u{2028}Four"), ["One", "Two", "Three", "Four"]);
}

#[test]
fn list_items() {
    assert_eq!(split("Buy:\n- milk\n- some eggs\n* tea"), ["Buy:", "- milk", "- some eggs", "* tea"]);
    assert_eq!(
        split("Steps:\n1. Go there.\n2. Come back. Rest.\n3) sleep\n(4) wake"),
        ["Steps:", "1. Go there.", "2. Come back.", "Rest.", "3) sleep", "(4) wake"]
    );
    assert_eq!(split("1. Go. 2. Stay."), ["1. Go.", "2. Stay."]);
    assert_eq!(split("Step 1. Go. Clause 12. Stay."), ["Step 1. Go.", "Clause 12. Stay."]);
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
