//! The second question to the judge: what the document says instead of a part of a claim, and where.
use crate::common::{Place, list, number, slice};
use serde_json::{Value, json};

const DOCUMENT: &str = "The council of Harwell will close its swimming pool in May. The pool opened in 1974. Engineers said \
                        on Friday that repairs would cost 4.2 million euros and take eighteen months. Mayor Anna \
                        Lindqvist said the council had no choice.";
const SUMMARY: &str = "The pool opened in 1984. Mayor John Okafor said the council had no choice. \
                       The council will close its pool in May.";

fn score(document: &str, summary: &str, more: &[&str]) -> Value {
    let place = Place::new();
    place.write("document.txt", document);
    place.write("summary.txt", summary);
    let fixed = ["score", "document.txt", "summary.txt", "--format", "json"];
    place.run(fixed.iter().chain(more)).json()
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
    let result = score(DOCUMENT, SUMMARY, &[]);
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
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", format!("{SUMMARY}\n"));
    let fixed = ["score", "document.txt", "summary.txt"];
    let corrected = |more: &[&str]| place.run(fixed.iter().chain(&["--format", "corrected"]).chain(more));
    let output = corrected(&[]);
    assert!(output.stderr.contains("note: 2 corrections\n"), "{}", output.stderr);
    let expected = SUMMARY.replace("1984", "1974").replace("Mayor John Okafor", "Mayor Anna Lindqvist");
    assert_eq!(output.ok(), format!("{expected}\n"));
    let output = corrected(&["--fail-on", "contradicted", "-q"]);
    assert_eq!((output.code, output.stdout, output.stderr), (1, format!("{expected}\n"), String::new()));
    let error = corrected(&["--set", "contrast=off"]).error();
    assert!(error.contains("--set contrast=on"), "{error}");
    let text = place.run(fixed).ok();
    let at = DOCUMENT.find("1974").unwrap();
    assert!(text.contains("Not supported: the document says 1974.\n"), "{text}");
    assert!(text.contains("against it, ") && text.contains(&format!("[{}, ", at - 19)), "{text}");
}

#[test]
fn the_question_is_not_asked_where_it_is_off() {
    let off = score(DOCUMENT, SUMMARY, &["--set", "contrast=off"]);
    assert_eq!((&off["profile"]["contrast"], number(&off["ledger"]["contrast_pairs"])), (&json!(false), 0.0));
    let on = score(DOCUMENT, SUMMARY, &["--set", "contrast=on"]);
    for (on, off) in list(&on["claims"]).iter().zip(list(&off["claims"])) {
        assert!(off.get("instead").is_none());
        assert_eq!((&on["probabilities"], &on["evidence"]), (&off["probabilities"], &off["evidence"]));
        assert_ne!(off["cap"], "instead");
        if on.get("instead").is_none() {
            assert_eq!(on["score"], off["score"]);
        }
    }
    let paper = score(DOCUMENT, SUMMARY, &["--profile", "paper", "--model", "mini"]);
    assert_eq!(paper["profile"]["contrast"], false);
}

#[test]
fn places_are_those_of_the_texts_as_given() {
    let document = DOCUMENT.replace("The pool", "The\u{200b} pool");
    let summary = SUMMARY.replace("The pool", "T\u{ad}he pool");
    let result = score(&document, &summary, &[]);
    assert_eq!(result["claims"][0]["instead"]["document"], "1974");
    assert_places(&result["claims"][0], &document, &summary);
}

#[test]
fn a_row_has_the_result_that_it_has_alone() {
    let place = Place::new();
    let sentences: Vec<&str> = SUMMARY.split_inclusive(". ").map(str::trim).collect();
    let rows =
        sentences.iter().chain([&SUMMARY]).map(|summary| json!({"document": DOCUMENT, "summary": summary}));
    let rows: Vec<String> = rows.map(|row| row.to_string()).collect();
    place.write("rows.jsonl", rows.join("\n"));
    let together = place.run(["run", "rows.jsonl", "-o", "-", "--quiet"]).json_lines();
    for (row, summary) in together.iter().zip(sentences.iter().chain([&SUMMARY])) {
        let alone = score(DOCUMENT, summary, &[]);
        assert_eq!((&row["claims"], &row["ledger"]), (&alone["claims"], &alone["ledger"]), "{summary}");
    }
}
