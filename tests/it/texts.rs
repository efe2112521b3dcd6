//! Real-world texts: lists, Markdown, greetings, citations, transcripts and several sources, through the real binary.
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::common::{Place, list, repository, slice, tiny};

const NEWS: &str = "The pool closes in March. It cost 4.2 million euros. The library stays open.";

/// Results of these rows by the small model.
fn run(rows: &[Value], more: &[&str]) -> Vec<Value> {
    run_with(rows, &[&["--model", "mini"], more].concat())
}

/// Results of these rows by a model of one layer, for what does not depend on its verdicts.
fn run_tiny(rows: &[Value], more: &[&str]) -> Vec<Value> {
    let tiny = tiny();
    run_with(rows, &[&["--model", &tiny, "--set", "screen=words:8"], more].concat())
}

fn run_with(rows: &[Value], more: &[&str]) -> Vec<Value> {
    let place = Place::new();
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    place.run([&["run", "rows.jsonl", "-o", "-", "-q"], more].concat()).json_lines()
}

fn fixture(name: &str) -> Value {
    let text = std::fs::read_to_string(repository("tests/fixtures/texts").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// "1. The pool closes in March." was unsupported: "the number 1 is nowhere in the document".
#[test]
fn list_marks_are_no_quantities() {
    let marks = ["1.", "1)", "**1.**", "(a)", "IV.", "7.", "-", "- [x]", "[12:31]", "00:12:31", "Assistant:"];
    let summary = |mark: &&str| format!("{mark} The pool closes in March.\n{mark} The library stays open.");
    let rows: Vec<Value> =
        marks.iter().map(|mark| json!({"document": NEWS, "summary": summary(mark)})).collect();
    for (result, mark) in run(&rows, &[]).iter().zip(marks) {
        assert_eq!(result["verdict"], "supported", "{mark} {result}");
        let claims = list(&result["claims"]);
        assert_eq!(claims.len(), 2, "{mark}");
        assert_eq!(claims[0]["text"], "The pool closes in March.", "{mark}");
        let given = slice(&summary(&mark), &claims[1]["summary_spans"][0]);
        assert_eq!(given, "The library stays open.", "{mark}");
    }
}

/// "... after the birth [5]." was unsupported: "the number 5 is nowhere in the document".
#[test]
fn markers_of_citations_are_no_quantities() {
    let sources = json!([NEWS, "Nobody came."]);
    let answer = "The pool closes in March [1]. It cost 4.2 million euros.[1] The library stays open [5].";
    for result in run(
        &[
            json!({"document": NEWS, "summary": answer}),
            json!({"document": sources, "summary": answer}),
            json!({"document": NEWS, "summary": "x", "claims": ["1. The pool closes in March [5]."]}),
        ],
        &[],
    ) {
        let claims = list(&result["claims"]);
        assert!(
            claims.iter().all(|claim| claim["verdict"] != "unsupported" || claim["text"] == "x"),
            "{result}"
        );
    }
    let given = run(
        &[json!({"document": NEWS, "summary": "x", "claims": ["1. It closes in March [5]."]})],
        &["--claims", "given"],
    );
    assert_eq!(given[0]["claims"][0]["text"], "1. It closes in March [5].", "given claims keep their text");
    assert_eq!(given[0]["verdict"], "supported", "{}", given[0]);
}

/// Headings, greetings and questions were judged, and rows of tables lost their header.
#[test]
fn what_is_not_a_claim_is_not_judged() {
    let summary = std::fs::read_to_string(repository("tests/fixtures/texts/summary.md")).unwrap();
    let document = transcript(&fixture("meeting1.json"), Form::Plain);
    let result = run_tiny(&[json!({"document": document, "summary": summary})], &[]).swap_remove(0);
    let labels = fixture("summary_labels.json");
    let (claims, labels) = (list(&result["claims"]), list(&labels));
    assert_eq!(claims.len(), labels.len());
    for (claim, label) in claims.iter().zip(labels) {
        assert_eq!(claim["verdict"].is_string(), label["claim"] == true, "{claim}");
        if label["claim"] == true {
            assert_eq!(claim["text"], label["text"]);
        } else {
            assert_eq!((&claim["reason"], &claim["score"]), (&json!("not a claim"), &Value::Null));
            assert_eq!(slice(&summary, &claim["summary_spans"][0]), claim["text"].as_str().unwrap());
        }
    }
    let place = Place::new();
    let shown =
        place.score("mini", NEWS, "# Summary\n\nThe pool closes in March.\n\nI hope this helps!", &[]);
    let result = shown.json();
    assert_eq!((&result["verdict"], list(&result["claims"]).len()), (&json!("supported"), 3));
    let text = place.run(["score", "document.txt", "summary.txt", "--model", "mini", "-q"]).ok();
    assert!(text.contains("1 of 1 claim supported") && text.contains("not a claim"), "{text}");
    let alone = place.score("mini", NEWS, "Is the pool closed?", &[]).json();
    assert!(
        alone["claims"][0]["verdict"].is_string(),
        "a summary that states nothing is judged as it stands: {alone}"
    );
    let as_given = place.score("mini", NEWS, "1. The pool closes in March.", &["--set", "layout=off"]).json();
    assert_eq!(as_given["claims"][0]["text"], "1. The pool closes in March.");
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Zoom,
    Teams,
    Srt,
    Plain,
    Stamped,
}

const FORMS: [Form; 5] = [Form::Zoom, Form::Teams, Form::Srt, Form::Plain, Form::Stamped];

/// A meeting as a transcript; cues have at most nine words.
fn transcript(meeting: &Value, form: Form) -> String {
    let mut text =
        if matches!(form, Form::Zoom | Form::Teams) { "WEBVTT\n\n".to_owned() } else { String::new() };
    let mut number = 0;
    for turn in list(&meeting["turns"]) {
        let [speaker, time, words] = ["speaker", "time", "text"].map(|name| turn[name].as_str().unwrap());
        let words: Vec<&str> = words.split_whitespace().collect();
        let cues = words.chunks(9).map(|cue| cue.join(" "));
        match form {
            Form::Plain => writeln!(text, "{speaker}: {}", words.join(" ")).unwrap(),
            Form::Stamped => writeln!(text, "[{time}] {speaker}: {}", words.join(" ")).unwrap(),
            _ => {
                for cue in cues {
                    number += 1;
                    match form {
                        Form::Zoom => {
                            write!(text, "{number}\n{time}.000 --> {time}.900\n{speaker}: {cue}\n\n")
                        }
                        Form::Teams => write!(text, "{time}.000 --> {time}.900\n<v {speaker}>{cue}</v>\n\n"),
                        _ => write!(text, "{number}\n{time},000 --> {time},900\n{speaker}: {cue}\n\n"),
                    }
                    .unwrap();
                }
            }
        }
    }
    text
}

/// The five forms of one meeting got different verdicts, and evidence did not say who speaks.
#[test]
fn forms_of_one_meeting_get_the_same_verdicts() {
    let meeting = fixture("meeting2.json");
    let claims: Vec<&Value> = list(&meeting["items"]).iter().map(|item| &item["text"]).collect();
    let row =
        |form: &Form| json!({"document": transcript(&meeting, *form), "summary": "x", "claims": claims});
    let rows: Vec<Value> = FORMS.iter().map(row).collect();
    let results = run_tiny(&rows, &["--claims", "given"]);
    let facts = |result: &Value| -> Vec<Value> {
        let fact = |claim: &Value| {
            let evidence = &claim["evidence"];
            json!([claim["score"], claim["verdict"], evidence["turn"], evidence["speaker"], evidence["text"]])
        };
        list(&result["claims"]).iter().map(fact).collect()
    };
    for (result, form) in results.iter().zip(FORMS) {
        assert_eq!(facts(result), facts(&results[0]), "{form:?}");
        for claim in list(&result["claims"]) {
            let evidence = &claim["evidence"];
            assert!(evidence["speaker"].is_string() && evidence["turn"].is_u64(), "{form:?} {evidence}");
            assert_eq!(evidence["time"].is_string(), form != Form::Plain, "{form:?} {evidence}");
            assert!(!evidence["text"].as_str().unwrap().contains("-->"), "{form:?} {evidence}");
        }
    }
}

#[test]
fn evidence_of_a_transcript_says_who_speaks_and_when() {
    let place = Place::new();
    let talk = "WEBVTT\n\n00:12:31.000 --> 00:12:34.000\n<v Amira>The pool closes</v>\n\n00:12:34.000 --> 00:12:36.000\n<v Amira>in March.</v>\n\n00:12:36.000 --> 00:12:38.000\n<v Ben>The library stays open.</v>\n";
    let result = place.score("mini", talk, "The pool closes in March.", &[]).json();
    let claim = &result["claims"][0];
    assert_eq!(claim["explanation"], "Supported by turn 1 (Amira, 00:12:31).");
    assert_eq!(claim["evidence"]["text"], "The pool closes in March.");
    let given = slice(talk, &claim["evidence"]["spans"][0]);
    assert!(given.starts_with("The pool closes") && given.ends_with("in March."), "{given}");
    let text = place.run(["score", "document.txt", "summary.txt", "--model", "mini", "-q"]).ok();
    assert!(text.contains("turn 1 (Amira, 00:12:31)") && text.contains("]: The pool closes"), "{text}");
}

/// A summary that attributes a position to the other speaker passed.
#[test]
fn a_wrong_speaker_is_told() {
    let place = Place::new();
    let mut meeting = fixture("meeting1.json");
    meeting["turns"] = json!(list(&meeting["turns"])[17..30]);
    let claim = "Daniel would be happy with a single later bus through Wenlow and Hatch.";
    let result = place.score("base", &transcript(&meeting, Form::Plain), claim, &[]).json();
    let claim = &result["claims"][0];
    assert_eq!((&claim["verdict"], &claim["cap"]), (&json!("contradicted"), &json!("instead")), "{claim}");
    assert_eq!(
        (&claim["instead"]["kind"], &claim["instead"]["document"]),
        (&json!("speaker"), &json!("Lucille Okafor"))
    );
    assert_eq!(claim["explanation"], "Not supported: the document says Lucille Okafor.");
}

/// Facts of two sources were read as one premise, or not at all.
#[test]
fn a_claim_that_joins_facts_of_two_sources_names_both() {
    let sources = json!([{"id": "pool", "text": "The pool closes in March."}, {"id": "library", "text": "The library opens in May."}]);
    let rows = [
        json!({"document": sources, "summary": "The pool closes in March, and the library opens in May."}),
        json!({"document": sources, "summary": "The pool closes in March, and the library opens in June."}),
        json!({"document": sources, "summary": "The pool closes in May."}),
    ];
    let results = run(&rows, &[]);
    assert_eq!(results[0]["verdict"], "supported", "{}", results[0]);
    let evidence = &results[0]["claims"][0]["evidence"];
    let ids: Vec<&Value> = list(&evidence["sources"]).iter().map(|source| &source["id"]).collect();
    assert_eq!(ids, ["pool", "library"]);
    assert_eq!(results[0]["claims"][0]["explanation"], "Supported by sources pool and library.");
    for result in &results[1..] {
        assert_ne!(result["verdict"], "supported", "{result}");
        assert!(list(&result["claims"][0]["evidence"]["sources"]).len() == 1, "{result}");
    }
}

/// A wrong citation was visible only in the opened claim.
#[test]
fn a_wrong_citation_fails_and_is_seen() {
    let place = Place::new();
    place.write("a.txt", "The pool closes in March.");
    place.write("b.txt", "The library opens in May.");
    let score = |answer: &str, more: &[&str]| {
        place.write("answer.txt", answer);
        let fixed = [
            "score",
            "--source",
            "a.txt",
            "--source",
            "b.txt",
            "answer.txt",
            "--model",
            "mini",
            "-q",
            "--citations",
        ];
        place.run(fixed.iter().chain(more))
    };
    let wrong = "The pool closes in March [1]. The library opens in May [1].";
    let output = score(wrong, &["--fail-on", "wrong-citation"]);
    assert_eq!(output.code, 1, "{}", output.stderr);
    assert!(
        output.stdout.contains("Wrong citation: source 1 does not say it, source 2 does."),
        "{}",
        output.stdout
    );
    assert_eq!(score("The pool closes in March [1].", &["--fail-on", "wrong-citation"]).code, 0);
    assert_eq!(score("The pool closes in March [9].", &["--fail-on", "wrong-citation"]).code, 1);
    assert_eq!(score(wrong, &["--fail-on", "contradicted"]).code, 0);
}

/// A score at the limit was shown as below it.
#[test]
fn scores_show_on_which_side_of_the_limit_they_are() {
    let place = Place::new();
    let result = place.score("mini", NEWS, "The pool closes in March.", &["--set", "contrast=off"]).json();
    let score = result["claims"][0]["score"].as_f64().unwrap();
    let limit = format!("supported={}", score - 0.0004);
    let text = place
        .run([
            "score",
            "document.txt",
            "summary.txt",
            "--model",
            "mini",
            "-q",
            "--set",
            &limit,
            "--set",
            "contrast=off",
        ])
        .ok();
    let shown: f64 = text.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(text.contains("supported") && shown >= score - 0.0004, "{text}");
}
