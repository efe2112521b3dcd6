//! The second question to the judge: what the document says instead of a part of a claim, and where.
use std::sync::LazyLock;

use crate::common::{Output, Place, list, number, slice};
use insta::assert_snapshot;
use serde_json::{Value, json};

const DOCUMENT: &str = "The council of Harwell will close its swimming pool in May. The pool opened in 1974. Engineers said \
                        on Friday that repairs would cost 4.2 million euros and take eighteen months. Mayor Anna \
                        Lindqvist said the council had no choice.";
const SUMMARY: &str = "The pool opened in 1984. Mayor John Okafor said the council had no choice. \
                       The council will close its pool in May.";

/// A text with a character that is not read, in the place that follows `before`.
fn odd(text: &str, before: &str, odd: char) -> String {
    text.replace(before, &format!("{before}{odd}"))
}

/// Results by the default model, judged together: of the whole, of its sentences, and of texts with odd characters.
static RESULTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let sentences =
        SUMMARY.split_inclusive(". ").map(|sentence| [DOCUMENT.to_owned(), sentence.trim().to_owned()]);
    let whole = [DOCUMENT, SUMMARY].map(str::to_owned);
    let odd = [odd(DOCUMENT, "The", '\u{200b}'), odd(SUMMARY, "T", '\u{ad}')];
    let texts = [whole].into_iter().chain(sentences).chain([odd]);
    let rows =
        texts.map(|[document, summary]| json!({"document": document, "summary": summary}).to_string() + "\n");
    let place = Place::new();
    place.write("rows.jsonl", rows.collect::<String>());
    place.run(["run", "rows.jsonl", "-o", "-", "--quiet"]).json_lines()
});

/// `score` of the two texts in a process of its own.
fn score(more: &[&str]) -> Output {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", format!("{SUMMARY}\n"));
    place.run([&["score", "document.txt", "summary.txt"], more].concat())
}

/// The parts in their texts: of the claim, the document and the summary.
fn assert_places(claim: &Value, document: &str, summary: &str) {
    let instead = &claim["instead"];
    let (text, said) = (instead["text"].as_str().unwrap(), instead["document"].as_str().unwrap());
    assert_eq!(slice(claim["text"].as_str().unwrap(), &instead["span"]), text);
    assert_eq!(slice(document, &instead["document_span"]), said);
    assert_eq!(slice(summary, &instead["summary_span"]), text);
    assert!(claim["counter_evidence"]["text"].as_str().unwrap().contains(said), "{claim}");
}

#[test]
fn a_wrong_date_and_a_wrong_name_have_what_the_document_says_instead() {
    let result = &RESULTS[0];
    let claims = list(&result["claims"]);
    let expected = [("date", "1984", "1974"), ("name", "Mayor John Okafor", "Mayor Anna Lindqvist")];
    for (claim, (kind, text, document)) in claims.iter().zip(expected) {
        let instead = &claim["instead"];
        assert_eq!(
            (&instead["kind"], &instead["text"], &instead["document"]),
            (&json!(kind), &json!(text), &json!(document))
        );
        assert_places(claim, DOCUMENT, SUMMARY);
        assert_eq!(claim["verdict"], "contradicted");
        let most = number(&result["limits"]["instead"]);
        assert!(number(&claim["score"]) <= most && most < number(&result["limits"]["supported"]), "{claim}");
    }
    assert_eq!(claims[2]["verdict"], "supported");
    assert!(claims[2].get("instead").is_none() && claims[2].get("certainty").is_none());
    assert!(number(&result["ledger"]["contrast_pairs"]) >= 2.0);
    assert_eq!(result["profile"]["contrast"], true);
}

#[test]
fn a_corrected_summary_has_what_the_document_says() {
    let output = score(&["--format", "corrected", "--fail-on", "contradicted"]);
    let expected = SUMMARY.replace("1984", "1974").replace("Mayor John Okafor", "Mayor Anna Lindqvist");
    assert_eq!((output.code, output.stdout), (1, format!("{expected}\n")));
    assert_eq!(output.stderr, "note: 2 corrections\n");
    let error = score(&["--format", "corrected", "--set", "contrast=off", "--model", "mini"]).error();
    assert_snapshot!(error, @"veridic: --format corrected needs what the document says instead: add --set contrast=on");
}

/// The text of `score` by the default model.
#[test]
fn what_the_document_says_instead_is_shown() {
    assert_snapshot!("shown", score(&[]).ok());
}

#[test]
fn the_question_is_not_asked_where_it_is_off() {
    let off = score(&["--format", "json", "--set", "contrast=off"]).json();
    assert_eq!((&off["profile"]["contrast"], number(&off["ledger"]["contrast_pairs"])), (&json!(false), 0.0));
    for (on, off) in list(&RESULTS[0]["claims"]).iter().zip(list(&off["claims"])) {
        assert!(off.get("instead").is_none());
        assert_eq!((&on["probabilities"], &on["evidence"]), (&off["probabilities"], &off["evidence"]));
        assert_ne!(off["cap"], "instead");
        if on.get("instead").is_none() {
            assert_eq!(on["score"], off["score"]);
        }
    }
    let paper = score(&["--format", "json", "--profile", "paper", "--model", "mini"]).json();
    assert_eq!(paper["profile"]["contrast"], false);
}

#[test]
fn places_are_those_of_the_texts_as_given() {
    let claim = &RESULTS.last().unwrap()["claims"][0];
    assert_eq!(claim["instead"]["document"], "1974");
    assert_places(claim, &odd(DOCUMENT, "The", '\u{200b}'), &odd(SUMMARY, "T", '\u{ad}'));
}

#[test]
fn a_row_has_the_result_that_it_has_alone() {
    let alone = score(&["--format", "json"]).json();
    assert_eq!((&RESULTS[0]["claims"], &RESULTS[0]["ledger"]), (&alone["claims"], &alone["ledger"]));
}
