//! Tables of quantities that imply each other and that do not; properties of any text.

use proptest::prelude::*;

use super::quantity::{Modifier, RangeEnd, Value};
use super::reading::{self, Read};
use super::{Quantities, ReadClaim};
use crate::text::go_on;
use crate::text::span::Span;

fn quantities(text: &str) -> Read {
    let Ok(read) = reading::quantities(text, &go_on);
    read
}

/// The rows of a table for which the result is not `equal`.
fn wrong(table: &str, equal: bool) -> Vec<String> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let is_found = |claim: &str, document: &str| {
        let (claim, document) = (Quantities::of(claim), Quantities::of(&document.replace("\\n", "\n")));
        let found = claim.found_in(&document);
        assert!(!found.is_empty(), "{claim:?} has no quantity");
        found.iter().all(|(.., found)| *found)
    };
    let pairs = rows.map(|row| row.split_once('\t').expect("a row has two columns"));
    let wrong = pairs.filter(|(claim, document)| is_found(claim, document) != equal);
    wrong.map(|(claim, document)| format!("{claim} / {document}")).collect()
}

#[test]
fn equal_quantities_are_found() {
    let table = include_str!("equal.tsv");
    assert!(table.lines().count() > 150);
    assert_eq!(wrong(table, true), [""; 0]);
}

#[test]
fn unequal_quantities_are_not_found() {
    let table = include_str!("unequal.tsv");
    assert!(table.lines().count() > 150);
    assert_eq!(wrong(table, false), [""; 0]);
}

#[test]
fn list_marks_and_citation_marks_of_a_claim_are_not_missing() {
    let document = Quantities::of("The pool closes after the birth.");
    for claim in
        ["1. The pool closes.", "7) It closes.", "**3.** It closes.", "(5) It closes.", "It closes [5, 7]."]
    {
        assert_eq!(Quantities::of(claim).missing_from(&document).count(), 0, "{claim}");
    }
    let missing = |claim: &str| -> Vec<String> {
        let claim_quantities = Quantities::of(claim);
        claim_quantities.missing_from(&document).map(|(span, _)| claim[span].to_owned()).collect()
    };
    assert_eq!(missing("It closes under Clause 5.2, 3-0, in 1904-05."), ["Clause 5.2", "3-0", "1904-05"]);
}

#[test]
fn spans_include_sign_unit_and_all_words() {
    let text = "About $1,850.00 or 2.4 million euros for a 24-year-old on Friday, 3 May 2024 at 4.30 p.m., up nine per cent.";
    let expected =
        ["$1,850.00", "2.4 million euros", "24-year-old", "Friday, 3 May 2024", "4.30 p.m.", "nine per cent"];
    let found = Quantities::of(text);
    let certain = found.pieces().filter(|(_, readings)| readings[0].certain);
    let spans: Vec<&str> = certain.map(|(span, _)| &text[span]).collect();
    assert_eq!(spans, expected);
    assert_eq!(quantities(text).list[0].modifier, Modifier::About);
}

#[test]
fn ranges_have_two_ends_and_share_their_unit() {
    let found = quantities("It costs between 5 and 10 million euros.").list;
    let ends: Vec<(f64, Option<RangeEnd>)> = found
        .iter()
        .filter_map(|quantity| match quantity.value {
            Value::Amount(amount) if amount.unit == "EUR" => Some((amount.number, quantity.range)),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [(5e6, Some(RangeEnd::From)), (1e7, Some(RangeEnd::To))]);
}

#[test]
fn names_with_numbers_and_vague_words_are_not_certain() {
    for text in
        "the M25|Covid-19|one of them|an hour|multi-million pound|the second man|he may march".split('|')
    {
        assert!(!quantities(text).list.iter().any(|quantity| quantity.certain), "{text}");
    }
}

#[test]
fn malformed_numbers_do_not_panic() {
    for text in
        "1/0|31 February 2023|0/0/0000|99:99|1.2.3.4.5|$|half|1,2,3|-|a a half and|point five".split('|')
    {
        let _ = quantities(text);
    }
    let huge = format!("{} and 1{}", "9".repeat(500), "0".repeat(400));
    assert!(Quantities::of(&huge).pieces().all(|(_, readings)| Quantities::of(&huge).contains(readings)));
    assert!(!Quantities::of("12").contains(&quantities(&huge).list));
}

proptest! {
    #[test]
    fn any_text_is_read_and_spans_are_valid(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn any_text_of_numbers_is_read(parts in pieces()) {
        check(&parts.concat())?;
        check(&parts.join(" "))?;
    }

    #[test]
    fn any_claim_is_read_beside_any_document(claim in pieces(), document in pieces()) {
        for (claim, document) in [(claim.concat(), document.join(" ")), (claim.join(" "), document.concat())] {
            let whole = |text: &str| Span { start: 0, end: text.chars().count() };
            let found = read(&claim, &document);
            prop_assert_eq!(found.given(whole(&found.text)), whole(&claim));
            prop_assert_eq!(read(&claim, &claim).text, claim);
        }
    }
}

/// Pieces of texts with numbers.
fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(
        prop::sample::select(vec![
            "1",
            "31",
            "2024",
            "1,850.00",
            "1850",
            "17:00",
            "2024-05-03",
            "3/5",
            ".5",
            "0",
            "99999999999999999999",
            "half",
            "a",
            "third",
            "twenty",
            "one",
            "hundred",
            "million",
            "and",
            "point",
            "past",
            "to",
            "five",
            "quarter",
            "May",
            "Feb",
            "Friday",
            "th",
            "st",
            "s",
            "pm",
            "at",
            "night",
            ":",
            "/",
            "-",
            ".",
            ",",
            "$",
            "£",
            "%",
            "per",
            "cent",
            "in",
            "out",
            "of",
            "years",
            "old",
            "century",
            "½",
            "é",
            " ",
            "  ",
            "'",
        ]),
        0..14,
    )
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let found = quantities(text).list;
    let mut last = 0;
    for quantity in &found {
        prop_assert!(!text[quantity.span.clone()].is_empty());
        prop_assert!(quantity.span.start >= last);
        last = quantity.span.start;
        prop_assert!(quantity.is_implied_by(quantity), "{:?}", quantity);
    }
    Ok(())
}

/// A claim as it is read beside a document.
fn read(claim: &str, document: &str) -> ReadClaim {
    ReadClaim::in_notation_of(document, &Quantities::of(document), claim)
}

#[test]
fn claims_are_read_in_the_notation_of_the_document() {
    let rows = include_str!("notation.tsv").lines().filter(|line| !line.starts_with('#'));
    let wrong = rows.filter_map(|row| {
        let [claim, document, expected] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let read = read(claim, document).text;
        (read != expected).then(|| format!("{claim} / {document}: {read}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn parts_of_a_read_claim_are_parts_of_the_claim_as_given() {
    let claim = "Çirka fifty-eight sheep at 17:00, some white.";
    let read = read(claim, "58 sheep at 5 p.m.");
    assert_eq!(read.text, "Çirka 58 sheep at 5 p.m., some white.");
    let given = |part: &str| {
        let start = read.text[..read.text.find(part).unwrap()].chars().count();
        read.given(Span { start, end: start + part.chars().count() }).slice(claim)
    };
    for (part, expected) in [
        ("Çirka", "Çirka"),
        ("58", "fifty-eight"),
        ("8", "fifty-eight"),
        ("58 sheep", "fifty-eight sheep"),
        ("sheep", "sheep"),
        ("5 p.m.", "17:00"),
        ("p.m., some", "17:00, some"),
        ("white", "white"),
        (read.text.as_str(), claim),
    ] {
        assert_eq!(given(part), expected, "{part}");
    }
    assert_eq!(ReadClaim::as_given(claim).given(Span { start: 2, end: 9 }), Span { start: 2, end: 9 });
}

#[test]
fn what_a_layout_leaves_out_is_found() {
    let document = "meter: 40117; peak kW: 66,8; cost: 1.118,20; temp: max: 0.9\nsown: 04-11\nMon: E; Tue: N\n\
                    They leave on 8 February and come back on the 9th. rtt min/avg/max = 11.2/14.9/21.6 ms\n\
                    #define POLL_MS 500\n23:32:40 restart";
    let document = Quantities::of(document);
    let missing = |claim: &str| {
        let claim_quantities = Quantities::of(claim);
        let missing: Vec<String> =
            claim_quantities.missing_from(&document).map(|(span, _)| claim[span].to_owned()).collect();
        missing
    };
    for claim in [
        "The peak was 66.8 kW.",
        "It cost 1,118.20 euros.",
        "It was 0.9 degrees Celsius.",
        "They were sown on 11 April.",
        "She works on Monday and Tuesday.",
        "They come back on 9 February.",
        "The mean was 14.9 ms.",
        "It was 500 milliseconds.",
        "It was restarted at 23:32.",
    ] {
        assert_eq!(missing(claim), [""; 0], "{claim}");
    }
    for (claim, text) in [
        ("The peak was 61.8 kW.", "61.8 kW"),
        ("It cost 1,018.20 euros.", "1,018.20 euros"),
        ("They were sown on 12 April.", "12 April"),
        ("She works on Friday.", "Friday"),
        ("They come back on 10 February.", "10 February"),
        ("It was restarted at 23:33.", "23:33"),
    ] {
        assert_eq!(missing(claim), [text], "{claim}");
    }
}
