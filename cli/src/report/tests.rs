//! Whole reports: their content, what is refused, and that a file appears only when complete.

use std::io::Write as _;
use std::path::Path;

use flate2::read::ZlibDecoder;
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::agreement::Agreement;
use super::error::ReportError;
use super::write::RowCounts;
use super::*;
use veridic::corpus::read::{RowNames, Source};
#[cfg(feature = "bundled")]
use veridic::{ModelSource, find_model};

fn claim(text: &str, verdict: &str, score: f64, span: [usize; 2], evidence: &str) -> Value {
    json!({
        "text": text, "summary_spans": [[0, 3]], "score": score, "verdict": verdict,
        "probabilities": {"entailment": 0.5, "neutral": 0.25, "contradiction": 0.25},
        "level": "sentence", "evidence": {"text": evidence, "span": span},
        "substitution": null, "counter_evidence": null
    })
}

fn scored(id: Value, score: f64, verdict: &str, input: Value) -> Value {
    json!({
        "schema": 1, "id": id, "score": score, "verdict": verdict,
        "claims": [claim("One.", verdict, score, [0, 4], "Döc.")],
        "ledger": {"sentences": 1}, "profile": {"name": "veridic"}, "models": {"nli": {"id": "mini"}},
        "input": input
    })
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn source(id: Value, document: &str) -> Value {
    json!({"id": id, "document": document, "summary": "One."})
}

/// Returns the pairs of files with these contents.
fn pairs<'l>(folder: &Path, scores: &str, sources: Option<&str>, own: OwnFields<'l>) -> Pairs<'l> {
    let rows = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        Source::find(&[path], None).unwrap().rows()
    };
    let sources = sources.map(|text| rows("pairs.jsonl", text));
    Pairs::new(rows("scores.jsonl", scores), sources, RowNames::default(), own)
}

/// Returns the report of these rows, or the error message.
fn report(scores: &str, sources: Option<&str>, label: Option<&str>) -> Result<(String, RowCounts), String> {
    report_by(scores, sources, OwnFields { label, group_by: None })
}

fn report_by(scores: &str, sources: Option<&str>, own: OwnFields<'_>) -> Result<(String, RowCounts), String> {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Vec::new();
    let written = write(&mut page, "scores.jsonl", own, pairs(folder.path(), scores, sources, own));
    let written = written.map(|counts| (String::from_utf8(page).unwrap(), counts));
    let above = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    written.map_err(|error| error.to_string().replace(&above, ""))
}

/// Returns the JSON of an element of a report.
fn unpacked(page: &str, id: &str) -> Value {
    let data = page.split(&format!("id=\"{id}\">")).nth(1).unwrap().split('<').next().unwrap();
    let bits = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = data.trim_end_matches('=').bytes().map(bits).collect();
    let bytes: Vec<u8> = letters
        .chunks(4)
        .flat_map(|group| {
            let word = (0..4).fold(0u32, |word, i| word << 6 | u32::from(*group.get(i).unwrap_or(&0)));
            word.to_be_bytes()[1..group.len()].to_vec()
        })
        .collect();
    serde_json::from_reader(ZlibDecoder::new(&bytes[..])).unwrap()
}

/// Returns the details of a row in a report's list.
fn detail(page: &str, row: &Value) -> Value {
    let place = &row["row"];
    unpacked(page, &format!("part-{}", place[0]))[place[1].as_u64().unwrap() as usize].clone()
}

/// Returns the digest of a document, as stored in ledgers.
fn digest(document: &str) -> String {
    Sha256::digest(document).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn rows_are_sorted_by_risk() {
    let rows = [
        ("supported", 0.9, "a"),
        ("contradicted", 0.7, "b"),
        ("unsupported", 0.1, "c"),
        ("contradicted", -0.2, "d"),
        ("unsupported", 0.1, "e"),
    ];
    let scores: Vec<Value> =
        rows.iter().map(|(verdict, score, id)| scored(json!(id), *score, verdict, json!({}))).collect();
    let sources: Vec<Value> = rows.iter().map(|row| source(json!(row.2), "Döc. More.")).collect();
    let (page, counts) = report(&lines(&scores), Some(&lines(&sources)), None).unwrap();
    assert_eq!(counts, RowCounts { rows: 5, agreement: Agreement::default(), failed: 0 });
    let index = unpacked(&page, "index");
    let ids: Vec<&str> =
        index["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["d", "b", "c", "e", "a"]);
    assert_eq!(index["settings"].as_array().unwrap().len(), 1);
}

/// A report did not say which share of claims a system invents.
#[test]
fn report_has_the_rates_of_each_group() {
    let row =
        |id: u64, verdict: &str, system: Value| scored(json!(id), 0.5, verdict, json!({"system": system}));
    let scores = lines(&[
        row(1, "unsupported", json!("b")),
        row(2, "supported", json!("a")),
        row(3, "supported", json!("b")),
        json!({"schema": 1, "id": 4, "error": {"file": "f", "line": 4, "row": null, "reason": "is empty"}}),
    ]);
    let sources = lines(&(1..5).map(|id| source(json!(id), "Döc. More.")).collect::<Vec<_>>());
    let by = |field: &'static str| OwnFields { label: None, group_by: Some(field) };
    let (page, _) = report_by(&scores, Some(&sources), by("system")).unwrap();
    let rates = &unpacked(&page, "index")["rates"];
    let counted = |rates: &Value| {
        (rates["rows"].clone(), rates["claims"].clone(), rates["unsupported"]["share"].clone())
    };
    assert_eq!(counted(rates), (json!(3), json!(3), json!(1.0 / 3.0)));
    let [b, a] = &rates["groups"].as_array().unwrap()[..] else { panic!("{rates}") };
    assert_eq!((&b["group"], counted(b)), (&json!("b"), (json!(2), json!(2), json!(0.5))));
    assert_eq!((&a["group"], counted(a)), (&json!("a"), (json!(1), json!(1), json!(0.0))));
    let error = report_by(&scores, Some(&sources), by("sytem")).unwrap_err();
    assert!(error.contains("has the field `sytem`") && error.contains("--group-by"), "{error}");
}

/// The note on the bundled model was only on stderr, and a report had no note on rows in languages that the model does not
/// know.
#[cfg(feature = "bundled")]
#[test]
fn report_notes_the_model_and_unread_rows() {
    let ModelSource::Embedded(mini) = find_model("mini").unwrap() else { panic!("it is compiled in") };
    let row = |id: &str, reason: Value| {
        let mut row = scored(json!(id), 0.9, "unsupported", json!({}));
        row["reason"] = reason.clone();
        row["claims"][0]["reason"] = reason;
        row["profile"]["languages"] = json!(["en"]);
        row["models"]["nli"]["sha256"] = json!(mini.sha256);
        row["ledger"] = json!({"sentences": 45, "language": {"document": "en", "summary": "zh"}});
        row
    };
    let rows = [row("a", json!("language")), row("b", Value::Null)];
    let sources = [source(json!("a"), "Döc. More."), source(json!("b"), "Döc. More.")];
    let (page, _) = report(&lines(&rows), Some(&lines(&sources)), None).unwrap();
    let index = unpacked(&page, "index");
    let judged_by = veridic::notes::judged_by("mini", mini.sha256);
    assert_eq!(index["judged_by"], json!([judged_by]));
    assert!(
        index["notes"][0]
            .as_str()
            .unwrap()
            .starts_with("1 of 2 rows is in a language which the card of the model `mini`")
    );
    for row in index["rows"].as_array().unwrap() {
        let detail = detail(&page, row);
        if row["id"] == "a" {
            let note = detail["notes"][0].as_str().unwrap();
            assert_eq!(
                (&row["reason"], &detail["claims"][0]["reason"]),
                (&json!("language"), &json!("language"))
            );
            assert!(note.starts_with("the summary is in Chinese, which"), "{note}");
        } else {
            assert_eq!((row.get("reason"), &detail["notes"]), (None, &json!([])));
        }
    }
}

/// A heading counted as a claim without support.
#[test]
fn parts_that_state_nothing_are_kept_in_their_place_and_do_not_count() {
    let with = |span: Value| {
        let mut row = scored(json!(1), 0.4, "unsupported", json!({"l": 0}));
        let claim = row["claims"][0].clone();
        let heading = json!({
            "text": "On", "summary_spans": [span], "score": null, "verdict": null, "reason": "not a claim"
        });
        row["claims"] = json!([heading, claim]);
        row["limits"] = json!({"scale": "probability", "supported": 0.5, "contradicted": 0.7});
        report(&lines(&[row]), Some(&lines(&[source(json!(1), "Döc.")])), Some("l"))
    };
    let (page, _) = with(json!([0, 2])).unwrap();
    let index = unpacked(&page, "index");
    let row = &index["rows"][0];
    assert_eq!((&row["claims"], &row["lowest"]), (&json!([0, 0, 0, 1, 0]), &json!(0.4)));
    let claims = &detail(&page, row)["claims"];
    let heading = json!({"text": "On", "summary_spans": [[0, 2]], "reason": "not a claim"});
    assert_eq!((&claims[0], &claims[1]["text"]), (&heading, &json!("One.")));
    let error = with(json!([0, 9])).unwrap_err();
    assert!(error.contains("claim 1 covers [0, 9] of a summary of 4 characters"), "{error}");
}

/// A row whose summary has no claim is not a row of a report.
#[test]
fn a_row_of_headings_alone_has_no_claims() {
    let mut row = scored(json!(1), 0.4, "unsupported", json!({}));
    row["claims"] = json!([{"text": "On", "summary_spans": [[0, 2]], "score": null, "verdict": null, "reason": "not a claim"}]);
    let error = report(&lines(&[row]), Some(&lines(&[source(json!(1), "Döc.")])), None).unwrap_err();
    assert!(error.contains("line 1: has no claims"), "{error}");
}

/// A report refused the evidence of a transcript, whose text is not the document's own slice.
#[test]
fn evidence_of_a_transcript_keeps_its_words_and_its_speaker() {
    let document = "Amira: It rusts\n00:20 badly.\nBen: No.";
    let evidence = json!({
        "text": "It rusts badly.\nBen: No.", "span": [7, 37], "spans": [[7, 28], [34, 37]],
        "turn": 1, "last_turn": 2, "speaker": "Amira", "time": "00:12"
    });
    let with = |judged: &str, evidence: &Value, explanation: Value| {
        let mut row = scored(json!(1), 0.9, "supported", json!({}));
        row["claims"][0]["evidence"] = evidence.clone();
        row["claims"][0]["explanation"] = explanation;
        row["ledger"]["document_digest"] = json!(digest(judged));
        report(&lines(&[row]), Some(&lines(&[source(json!(1), document)])), None)
    };
    let explanation = json!("Supported by turns 1 to 2 (from Amira, 00:12).");
    let (page, _) = with(document, &evidence, explanation.clone()).unwrap();
    let claim = &detail(&page, &unpacked(&page, "index")["rows"][0])["claims"][0];
    assert_eq!((&claim["evidence"], &claim["explanation"]), (&evidence, &explanation));
    let error = with("Amira: It rusts.", &evidence, Value::Null).unwrap_err();
    assert!(error.contains("line 1: has the digest of another document"), "{error}");
    let mut beyond = evidence;
    beyond["spans"] = json!([[7, 38]]);
    let error = with(document, &beyond, Value::Null).unwrap_err();
    assert!(error.contains("claim 1 quotes other text than the document has at [7, 38]"), "{error}");
}

/// Results of earlier versions have no sentence, ` [...] ` for omitted text, and the extract in the ledger.
#[test]
fn results_of_extracts_without_explanations_are_still_read() {
    let of = |text: &str| {
        let mut row = scored(json!(1), 0.9, "supported", json!({}));
        row["claims"][0]["evidence"] = json!({"text": text, "span": [0, 16], "spans": [[0, 4], [11, 16]]});
        row["ledger"]["extract"] =
            json!({"method": "rouge-1", "budget": 512, "rule": "fill", "sentences": 3});
        report(&lines(&[row]), Some(&lines(&[source(json!(1), "Döc. More. Last.")])), None)
    };
    let (page, _) = of("Döc. [...] Last.").unwrap();
    let claim = &detail(&page, &unpacked(&page, "index")["rows"][0])["claims"][0];
    assert_eq!(claim["evidence"], json!({"span": [0, 16], "spans": [[0, 4], [11, 16]]}));
    assert_eq!(claim.get("explanation"), None);
    assert!(of("Döc. Last.").is_ok());
    for other in ["Döc. More.", "Last. Döc.", "So: Döc. Last."] {
        assert!(of(other).unwrap_err().contains("claim 1 quotes other text"), "{other}");
    }
}

/// A wrong citation was visible only in the opened claim.
#[test]
fn wrong_citations_are_counted_in_the_list() {
    let of = |verdicts: &[&str]| {
        let mut row = scored(json!(1), 0.9, "supported", json!({}));
        let citation =
            |verdict: &&str| json!({"marker": "[1]", "span": [0, 1], "source": "1", "verdict": verdict});
        row["claims"][0]["citations"] = verdicts.iter().map(citation).collect();
        let (page, _) = report(&lines(&[row]), Some(&lines(&[source(json!(1), "Döc.")])), None).unwrap();
        unpacked(&page, "index")["rows"][0]["wrong_citations"].as_u64().unwrap_or(0)
    };
    for (verdicts, wrong) in [
        (&[][..], 0),
        (&["supports"][..], 0),
        (&["none", "supports"][..], 0),
        (&["supports_together", "supports_together"][..], 0),
        (&["other_supports"][..], 1),
        (&["none", "other_supports"][..], 1),
        (&["supports", "unknown_source"][..], 1),
    ] {
        assert_eq!(of(verdicts), wrong, "{verdicts:?}");
    }
}

/// The page named no limits.
#[test]
fn rows_have_the_limits_that_decided_them() {
    let limits =
        |supported: f64| json!({"scale": "probability", "supported": supported, "contradicted": 0.7});
    let rows =
        [(1, limits(0.5)), (2, limits(0.6)), (3, limits(0.5)), (4, Value::Null)].map(|(id, limits)| {
            let mut row = scored(json!(id), 0.9, "supported", json!({}));
            row["limits"] = limits;
            row
        });
    let sources: Vec<Value> = (1..5).map(|id| source(json!(id), "Döc.")).collect();
    let (page, _) = report(&lines(&rows), Some(&lines(&sources)), None).unwrap();
    let index = unpacked(&page, "index");
    let of_row =
        |row: &Value| index["settings"][row["settings"].as_u64().unwrap() as usize]["limits"].clone();
    let found: Vec<Value> = index["rows"].as_array().unwrap().iter().map(of_row).collect();
    assert_eq!(found, [limits(0.5), limits(0.6), limits(0.5), Value::Null]);
    assert_eq!(index["settings"].as_array().unwrap().len(), 3);
}

#[test]
fn shared_document_is_written_once() {
    let scores = [
        scored(json!(7), 0.5, "supported", json!({"model": "x"})),
        scored(json!(8), 0.5, "supported", json!({})),
    ];
    let sources = [source(json!(7), "Döc. One."), source(json!(8), "Döc. One.")];
    let (page, _) = report(&lines(&scores), Some(&lines(&sources)), None).unwrap();
    let index = unpacked(&page, "index");
    let [row, other] = [&index["rows"][0], &index["rows"][1]];
    assert_eq!(
        (&row["id"], &row["summary"], &row["claims"]),
        (&json!("7"), &json!("One."), &json!([0, 1, 0, 0, 0]))
    );
    assert_eq!(row["document"], other["document"]);
    let [part, place] = [0, 1].map(|at| row["document"][at].as_u64().unwrap() as usize);
    assert_eq!(unpacked(&page, &format!("part-{part}"))[place], "Döc. One.");
    let detail = detail(&page, row);
    assert_eq!(detail["claims"][0]["evidence"], json!({"span": [0, 4]}));
    assert_eq!(detail["input"], json!([["model", "x"]]));
}

#[test]
fn corrections_are_kept_and_lie_in_the_texts() {
    let with = |document_span: Value, summary_span: Value| {
        let mut row = scored(json!(1), 0.1, "contradicted", json!({}));
        row["claims"][0]["instead"] = json!({
            "kind": "quantity", "span": [0, 3], "text": "One", "document": "Döc", "document_span": document_span,
            "summary_span": summary_span, "gain": 0.5,
        });
        report(&lines(&[row]), Some(&lines(&[source(json!(1), "Döc.")])), None)
    };
    for summary_span in [json!([0, 3]), Value::Null] {
        let (page, _) = with(json!([0, 3]), summary_span.clone()).unwrap();
        let claim = &detail(&page, &unpacked(&page, "index")["rows"][0])["claims"][0];
        let expected = json!({
            "kind": "quantity", "text": "One", "document": "Döc", "document_span": [0, 3],
            "summary_span": summary_span,
        });
        assert_eq!(claim["instead"], expected);
    }
    let error = with(json!([0, 5]), Value::Null).unwrap_err();
    assert!(error.contains("corrected by [0, 5] of a document of 4 characters"), "{error}");
    let error = with(json!([0, 3]), json!([0, 5])).unwrap_err();
    assert!(error.contains("covers [0, 5] of a summary of 4 characters"), "{error}");
}

fn failed(id: Value) -> Value {
    let error = json!({"file": "pairs.jsonl", "line": 4, "row": null, "reason": "the summary is empty"});
    json!({"schema": 1, "id": id, "error": error, "input": {}})
}

#[test]
fn sources_are_found_by_id() {
    let scores = [
        scored(json!("b"), 0.5, "supported", json!({})),
        failed(json!("c")),
        scored(json!("d"), 0.5, "supported", json!({})),
    ];
    let mut sources: Vec<Value> = ["a", "b", "c", "d", "e"]
        .map(|id| source(json!(id), if id == "b" || id == "d" { "Döc." } else { "Other." }))
        .to_vec();
    sources[2] = json!({"id": "c"});
    let (page, counts) = report(&lines(&scores), Some(&lines(&sources)), None).unwrap();
    assert_eq!(counts, RowCounts { rows: 2, agreement: Agreement::default(), failed: 1 });
    let expected = json!([{"number": 2, "id": "c", "reason": "pairs.jsonl: line 4: the summary is empty"}]);
    assert_eq!(unpacked(&page, "index")["failed"], expected);
}

#[test]
fn sources_without_ids_must_be_the_judged_rows() {
    let judged = scored(json!(null), 0.5, "supported", json!({}));
    let fits = source(json!(null), "Döc.").to_string();
    let scores = lines(&[judged.clone(), failed(json!(null)), failed(json!(null)), judged]);
    let sources = |rows: &[&str]| rows.join("\n");
    assert!(report(&scores, Some(&sources(&[&fits, "{", "{}", &fits])), None).is_ok());
    assert!(
        report(&scores, Some(&sources(&[&fits, "{", &fits])), None)
            .unwrap_err()
            .contains("has no row in --source")
    );
    let more = report(&scores, Some(&sources(&[&fits, "{", "{}", &fits, &fits])), None).unwrap_err();
    assert!(more.contains("pairs.jsonl has more rows than were judged"));
}

#[test]
fn rows_may_contain_their_texts() {
    let input = json!({"article": "Döc.", "summary": "One.", "system": "s"});
    let (page, _) = report(&lines(&[scored(json!(1), 0.5, "supported", input)]), None, None).unwrap();
    assert_eq!(unpacked(&page, "index")["rows"][0]["found"], "s");
}

#[test]
fn bad_rows_are_errors_with_their_line() {
    let good = scored(json!(1), 0.5, "supported", json!({"label": 2}));
    let with = |name: &str, value: Value| {
        let mut row = good.clone();
        row[name] = value;
        lines(&[good.clone(), row])
    };
    let pairs = lines(&[source(json!(1), "Döc."), source(json!(1), "Döc.")]);
    let one = lines(std::slice::from_ref(&good));
    let mut told = String::new();
    for (what, scores) in [
        ("no rows", String::new()),
        ("no fields", "{}\n".into()),
        ("schema 2", with("schema", json!(2))),
        ("score high", with("score", json!("high"))),
        ("verdict fine", with("verdict", json!("fine"))),
        ("no claims", with("claims", json!([]))),
        ("id 9", with("id", json!(9))),
        ("error too long", with("error", json!("too long"))),
        ("a shard", with("shard", json!({}))),
        ("failed", lines(&[failed(json!(1))])),
        ("other text", with("claims", json!([claim("x", "supported", 0.1, [1, 4], "Döc.")]))),
        ("a reversed span", with("claims", json!([claim("x", "supported", 0.1, [4, 1], "")]))),
        ("a cut line", format!("{good}\n{{\"schema\":")),
    ] {
        told += &format!("{what}\n    {}\n", report(&scores, Some(&pairs), None).unwrap_err());
    }
    for (what, sources, label) in [
        ("no source", None, None),
        ("no document", Some("{\"id\":1}"), None),
        ("a label 2", Some(&*pairs), Some("label")),
        ("no label", Some(&*pairs), Some("gold")),
    ] {
        told += &format!("{what}\n    {}\n", report(&one, sources, label).unwrap_err());
    }
    insta::assert_snapshot!("bad_rows", told);
}

#[test]
fn labels_may_be_in_either_file() {
    let scores = [
        scored(json!(1), 0.5, "supported", json!({"label": 1})),
        scored(json!(2), 0.1, "unsupported", json!({})),
    ];
    let mut sources = [source(json!(1), "Döc."), source(json!(2), "Döc.")];
    sources[1]["label"] = json!(false);
    let (page, counts) = report(&lines(&scores), Some(&lines(&sources)), Some("label")).unwrap();
    assert_eq!(counts.agreement.labelled(), 2);
    let index = unpacked(&page, "index");
    let agreement = &index["agreement"];
    assert_eq!(agreement["consistent"], json!({"supported": 1, "not_supported": 0}));
    assert_eq!(agreement["inconsistent"], json!({"supported": 0, "not_supported": 1}));
    assert!(agreement["sentences"][0].as_str().unwrap().starts_with("2 rows compared: accuracy 100.0%"));
    let labels: Vec<&Value> = index["rows"].as_array().unwrap().iter().map(|row| &row["label"]).collect();
    assert_eq!(labels, [false, true]);
}

#[test]
fn text_never_becomes_markup() {
    let trap = "</script><script>alert(1)</script><!--\u{2028}\u{202e}\"'";
    let mut row = scored(json!(trap), 0.5, "supported", json!({trap: trap}));
    row["claims"][0]["text"] = json!(trap);
    let pairs = lines(&[json!({"id": trap, "document": format!("Döc.{trap}"), "summary": trap})]);
    let (page, _) = report(&lines(&[row]), Some(&pairs), None).unwrap();
    assert!(!page.contains("alert(1)"));
    assert!(!page.contains(['\u{2028}', '\u{202e}']));
    assert_eq!(unpacked(&page, "index")["rows"][0]["summary"], trap);
}

#[test]
fn single_result_is_a_report() {
    let result = scored(json!(null), 0.5, "supported", json!({})).to_string();
    let pair = JudgedPair::of_result(&result, "Döc.".into(), "One.".into()).unwrap();
    let pair = ReportRow::Judged(Box::new(pair));
    let mut page = Vec::new();
    write(&mut page, "summary.txt", OwnFields::default(), [Ok(pair)]).unwrap();
    let index = unpacked(&String::from_utf8(page).unwrap(), "index");
    assert_eq!((&index["rows"][0]["id"], &index["name"]), (&json!(null), &json!("summary.txt")));
    assert!(JudgedPair::of_result(&result, "Other.".into(), "One.".into()).is_err());
    assert!(JudgedPair::of_result("{", "Döc.".into(), "One.".into()).is_err());
}

#[test]
fn same_rows_give_the_same_bytes() {
    let scores = lines(&[scored(json!(1), 0.5, "supported", json!({}))]);
    let pairs = lines(&[source(json!(1), "Döc.")]);
    assert_eq!(report(&scores, Some(&pairs), None), report(&scores, Some(&pairs), None));
}

#[test]
fn file_appears_only_when_it_is_complete() {
    let (inputs, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let written = |path: &Path, scores: &str| {
        let sources = lines(&[source(json!(1), "Döc.")]);
        write_file(
            path,
            "s",
            OwnFields::default(),
            pairs(inputs.path(), scores, Some(&sources), OwnFields::default()),
        )
    };
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let path = folder.path().join("report.html");
    let good = lines(&[scored(json!(1), 0.5, "supported", json!({}))]);
    written(&path, &format!("{good}{{")).unwrap_err();
    assert_eq!(files(), 0);
    written(&path, &good).unwrap();
    assert_eq!(files(), 1);
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("</html>\n"));
    assert!(matches!(written(&path, &good), Err(ReportError::File(_))));
    let missing = folder.path().join("no/such/folder.html");
    assert!(matches!(written(&missing, &good), Err(ReportError::File(_))));
}

#[test]
fn full_disk_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let scores = lines(&[scored(json!(1), 0.5, "supported", json!({"document": "Döc.", "summary": "One."}))]);
    let folder = tempfile::tempdir().unwrap();
    for capacity in [0, 100, 40_000] {
        let mut out = Full(capacity);
        let written = write(
            &mut out,
            "s",
            OwnFields::default(),
            pairs(folder.path(), &scores, None, OwnFields::default()),
        );
        assert!(matches!(written, Err(ReportError::Write(_))));
        out.flush().unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_line_gives_a_report_or_an_error(line in "\\PC{0,80}", document in "\\PC{0,40}") {
        let row = scored(json!(1), 0.5, "supported", json!({"document": document, "summary": line.clone()}));
        let _ = report(&format!("{line}\n"), None, None);
        let _ = report(&lines(&[row]), None, Some(&line));
    }
}
