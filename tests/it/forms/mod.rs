//! Documents that are not prose, through the real program: what docs/explanation/forms.md promises of each form.

mod documents;

use serde_json::{Value, json};

use self::documents::{
    ALIGNED, CHAT, COMMANDS, CSV, Case, JSON, JSON_LINES, LOG, MARKDOWN, NAMES, RECORDS, SEMICOLONS, SRT,
    TSV, WEBVTT, YAML, cases,
};
use crate::common::{Place, list, slice, test_each, tiny};

/// Results of these rows, whose claims are given, by the small model.
fn run(rows: &[Value], more: &[&str]) -> Vec<Value> {
    run_with("mini", rows, more)
}

/// The same by a model of one layer, for what does not depend on its verdicts.
fn run_tiny(rows: &[Value], more: &[&str]) -> Vec<Value> {
    run_with(&tiny(), rows, more)
}

fn run_with(model: &str, rows: &[Value], more: &[&str]) -> Vec<Value> {
    let place = Place::new();
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let fixed = ["run", "rows.jsonl", "-o", "-", "-q", "--model", model, "--claims", "given"];
    place.run(fixed.iter().chain(more)).json_lines()
}

fn row(document: &str, claims: &[&str]) -> Value {
    json!({"document": document, "summary": "x", "claims": claims})
}

/// Judges each document with the same claims.
fn run_each<'d>(documents: &[&'d str], claims: &[&str], more: &[&str]) -> Vec<(&'d str, Value)> {
    let rows: Vec<Value> = documents.iter().map(|document| row(document, claims)).collect();
    documents.iter().copied().zip(run(&rows, more)).collect()
}

#[test]
fn each_form_is_recognised_and_quoted_with_its_place() {
    let rows: Vec<Value> = cases().iter().map(|case| row(case.document, &[case.claim])).collect();
    let results = run(&rows, &["--set", "levels=sentence"]);
    test_each(cases().into_iter().zip(results), |(case, result)| {
        assert_eq!(result["ledger"]["forms"], json!(case.forms));
        let evidence = &result["claims"][0]["evidence"];
        assert_eq!(evidence["text"], case.evidence);
        for field in ["place", "turn", "last_turn", "speaker", "time"] {
            assert_eq!(evidence[field], case.place[field], "{field}");
        }
        for span in list(&evidence["spans"]) {
            let given = slice(case.document, span);
            let begins = given.split_whitespace().next().is_some_and(|word| case.evidence.contains(word));
            // Between the cues of a turn are marks.
            assert!(begins && (case.forms == ["transcript"] || case.evidence.ends_with(&given)), "{given}");
        }
    });
}

/// Each document is a source of one list.
#[test]
fn the_terminal_shows_evidence_as_people_know_it() {
    let names = ["CSV", "JSON", "records", "stack trace", "commands", "diff", "quoted mail", "WebVTT"];
    let shown: Vec<Case> = cases().into_iter().filter(|case| names.contains(&case.name)).collect();
    let place = Place::new();
    let mut arguments = vec!["score".to_owned()];
    for (number, case) in (1..).zip(&shown) {
        place.write(&format!("{number}.txt"), case.document);
        arguments.extend(["--source".to_owned(), format!("{number}.txt")]);
    }
    place.write("summary.txt", shown.iter().map(|case| format!("{}\n", case.claim)).collect::<String>());
    arguments.extend(["summary.txt", "-q", "--model", "mini", "--set", "levels=sentence"].map(str::to_owned));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for more in [None, Some("--explain".to_owned())] {
        let terminal = place.run(arguments.iter().chain(&more)).stdout;
        let claims: Vec<&str> = terminal.split("\n\n").skip(1).collect();
        assert!(claims.len() > shown.len(), "{terminal}");
        test_each(shown.iter().zip(claims), |(case, claim)| {
            assert!(claim.contains(case.claim) && claim.contains(case.shown), "{claim}");
            assert!(more.is_none() || words(claim).contains(&words(case.evidence)), "{claim}");
            assert!(!["-->", "<v", "9f3ac1d2"].iter().any(|mark| claim.contains(mark)), "{claim}");
        });
    }
}

#[test]
fn a_premise_is_a_row_an_object_a_record_a_line_or_a_command() {
    let documents = [
        (MARKDOWN, 4),
        (ALIGNED, 3),
        (CSV, 3),
        (TSV, 3),
        (SEMICOLONS, 3),
        (JSON, 3),
        (JSON_LINES, 3),
        (YAML, 3),
        (RECORDS, 3),
        (LOG, 3),
        (COMMANDS, 2),
    ];
    let rows = documents.map(|(document, _)| row(document, &["R. Klein is at sea."]));
    test_each(documents.iter().zip(run_tiny(&rows, &[])), |((_, sentences), result)| {
        assert_eq!(result["ledger"]["sentences"], *sentences);
    });
}

#[test]
fn two_cells_never_make_one_number() {
    let documents = [MARKDOWN, ALIGNED, CSV, TSV, SEMICOLONS, JSON, JSON_LINES];
    let claims = ["There were 12,345 vehicles.", "There were 12345 vehicles.", "There were 345 vehicles."];
    test_each(run_each(&documents, &claims, &[]), |(_, result)| {
        let is_nowhere = |claim: &Value| !list(&claim["support"]["not_found"]).is_empty();
        let nowhere: Vec<bool> = list(&result["claims"]).iter().map(is_nowhere).collect();
        assert_eq!(nowhere, [true, true, false], "{result}");
        assert_ne!(result["verdict"], "supported");
    });
}

#[test]
fn evidence_of_a_transcript_never_ends_at_a_question() {
    let documents = [CHAT, WEBVTT, SRT, NAMES];
    let claims =
        ["Where are the keys?", "The keys are there.", "Ana asks where the keys are.", "Ana has keys."];
    for more in [&[][..], &["--set", "levels=sentence"]] {
        test_each(run_each(&documents, &claims, more), |(_, result)| {
            for claim in list(&result["claims"]) {
                for part in ["evidence", "counter_evidence"].map(|part| &claim[part]["text"]) {
                    assert!(!part.as_str().is_some_and(|text| text.trim_end().ends_with('?')), "{claim}");
                }
            }
        });
    }
}

#[test]
fn texts_are_read_as_they_stand_where_the_profile_or_the_row_says_so() {
    let as_found = |rows: &[Value], more: &[&str]| {
        test_each(run_tiny(rows, more), |result| {
            assert_eq!(result["ledger"].get("forms"), None);
            let evidence = &result["claims"][0]["evidence"];
            assert_eq!((&evidence["place"], &evidence["turn"]), (&Value::Null, &Value::Null), "{evidence}");
        });
    };
    let rows: Vec<Value> = cases().iter().map(|case| row(case.document, &[case.claim])).collect();
    as_found(&rows, &["--set", "layout=off"]);
    as_found(&rows, &["--profile", "paper"]);
    as_found(&rows, &["--profile", "released"]);
    let sentences = json!({"document": NAMES, "document_sentences": [NAMES.trim()], "summary": "x", "claims": ["It is so."]});
    as_found(&[sentences], &[]);
}

/// A text in German, as lines of each form.
#[test]
fn the_language_is_detected_of_prose_and_mail_alone() {
    let lines = [
        "die schleuse konnte heute morgen wegen des hohen wassers nicht geöffnet werden",
        "der hafenmeister hat deshalb alle fahrten nach norden bis zum abend abgesagt",
        "am nachmittag wurde die pumpe von zwei arbeitern der werft wieder in gang gesetzt",
    ];
    let joined = |before: &str, after: &str| lines.map(|line| format!("{before}{line}{after}")).join("\n");
    let data: String =
        (1..).zip(lines).map(|(number, line)| format!("  eintrag{number}: {line}\n")).collect();
    let records = (1..).zip(lines).map(|(number, line)| format!("eintrag {number}: {line}\n"));
    let cases = [
        (joined("", "."), json!("de")),
        (format!("From: Anna\nTo: Ben\nSubject: x\n\n{}", joined("", ".")), json!("de")),
        (joined("2024-05-19 04:12:07 INFO ", ""), Value::Null),
        (format!("$ cat notizen\n{}", joined("", "")), Value::Null),
        (format!("+++ b/notizen\n@@ -0,0 +1,3 @@\n{}\n", joined("+", "")), Value::Null),
        (format!("nr\ttext\tzahl\n{}", joined("a\t", "\t1")), Value::Null),
        (format!("hafen:\n  tag: heute\nlager:\n{}", data), Value::Null),
        (records.collect(), Value::Null),
    ];
    let rows: Vec<Value> =
        cases.iter().map(|(document, _)| row(document, &["The sluice is shut."])).collect();
    test_each(cases.iter().zip(run(&rows, &[])), |((_, language), result)| {
        assert_eq!(&result["ledger"]["language"]["document"], language);
        assert_eq!(result["claims"][0]["reason"] == "language", !language.is_null());
    });
}
