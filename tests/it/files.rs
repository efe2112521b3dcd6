//! Documents as people have them in files: every command that reads a text, `run` by a path in a row, and the server. How the kinds
//! are read is tested in the crate `files`.
use std::fs;

use insta::assert_snapshot;
use serde_json::json;

use crate::common::{Place, list, repository};

/// A place with a document of tests/fixtures/texts/forms under another name, and a summary.
fn with_document(fixture: &str, name: &str) -> Place {
    let place = Place::new();
    place.write(name, bytes(fixture));
    place.write("summary.txt", "The Ferox Hex held out against the saw for 7:35.");
    place
}

fn bytes(fixture: &str) -> Vec<u8> {
    fs::read(repository("tests/fixtures/texts/forms").join(fixture)).unwrap()
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let broken = [
        "scanned.pdf",
        "encrypted.pdf",
        "truncated.pdf",
        "truncated.docx",
        "bomb.docx",
        "picture.png",
        "utf16-without-mark.txt",
    ];
    let mut told = String::new();
    for fixture in broken {
        let place = with_document(fixture, fixture);
        let output = place.run_tiny(&["score", fixture, "summary.txt"]);
        told += &format!("{}\n", place.told(output));
    }
    assert_snapshot!("files_without_text", told);
}

#[test]
fn a_pdf_is_scored_as_its_text() {
    let place = with_document("report-2.pdf", "report");
    let scored =
        place.run_tiny(&["score", "report", "summary.txt", "--format", "json", "--keep-text", "kept.txt"]);
    assert_eq!(
        scored.stderr.lines().filter(|line| line.starts_with("note: report ")).count(),
        1,
        "{}",
        scored.stderr
    );
    let scored = scored.json();
    assert_eq!(scored["files"], json!({"document": {"name": "report", "read_as": "pdf"}}));
    assert!(
        place.read("kept.txt").contains("| Ferox Hex | 119.00 | 1,980 | not opened | 7:35 | 6:10 | 1.6 |")
    );

    let of_text = place.run_tiny(&["score", "kept.txt", "summary.txt", "--format", "json"]).json();
    assert_eq!((&of_text["claims"], &of_text["files"]), (&scored["claims"], &json!(null)));

    let again = place.run_tiny(&["score", "report", "summary.txt", "--keep-text", "kept.txt"]).error();
    assert!(again.contains("kept.txt exists: remove it"), "{again}");
}

#[test]
fn what_is_read_as_text_is_not_recognised() {
    let place = with_document("page-1.html", "page.html");
    let read_as = |choice| {
        let claims = ["claims", "page.html", "--format", "json", "--read-as", choice];
        place.run(claims).json()["claims"].to_string()
    };
    assert!(read_as("text").contains("tracker"));
    assert!(!read_as("auto").contains("tracker"));
    assert!(read_as("auto").contains("the tower has 112 steps"));
}

#[test]
fn sources_are_files_of_different_kinds() {
    let place = with_document("letter-1.docx", "letter.docx");
    place.write("other.txt", "Nothing of it is here.");
    let arguments = [
        "score",
        "--source",
        "letter.docx",
        "--source",
        "other.txt",
        "summary.txt",
        "--format",
        "json",
        "-q",
    ];
    let scored = place.run_tiny(&arguments);
    assert_eq!(scored.stderr, "");
    assert_eq!(scored.json()["files"], json!({"sources": [{"name": "letter.docx", "read_as": "docx"}]}));
}

#[test]
fn rows_name_files_from_where_they_are() {
    let place = Place::new();
    fs::create_dir(place.path("rows")).unwrap();
    fs::write(place.path("rows/report.pdf"), bytes("report-2.pdf")).unwrap();
    fs::write(place.path("rows/scanned.pdf"), bytes("scanned.pdf")).unwrap();
    fs::write(place.path("rows/note.rtf"), bytes("note-1.rtf")).unwrap();
    let summary = "The Ferox Hex held out against the saw for 7:35.";
    let rows = [
        json!({"document": {"path": "report.pdf"}, "summary": summary}),
        json!({"document": ["A text.", {"id": "r", "path": "report.pdf"}], "summary": {"path": "note.rtf"}}),
        json!({"document": {"path": "scanned.pdf"}, "summary": summary}),
        json!({"document": ["A text.", {"path": "missing.pdf"}], "summary": summary}),
        json!({"document": {"path": 7}, "summary": summary}),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(place.path("rows/rows.jsonl"), lines).unwrap();
    let run = ["run", "rows/rows.jsonl", "-o", "-", "-q", "--on-error", "record"];
    let output = place.run_tiny(&run);
    let results: Vec<serde_json::Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results[0]["claims"][0]["text"], summary);
    assert_eq!(results[1]["ledger"]["sources"][1]["id"], "r");
    assert!(list(&results[1]["claims"]).iter().any(|claim| claim["text"] == "Åsa has the keys."));
    let errors: String = results[2..].iter().map(|row| format!("{}\n", row["error"])).collect();
    assert_snapshot!("rows_with_bad_paths", place.plain(&errors));
}

#[cfg(feature = "server")]
#[test]
fn the_server_reads_files() {
    use crate::common::server::{Server, read};
    let server = Server::tiny(&[]);
    let post = |bytes: &[u8]| {
        let kind = ["Content-Type: application/octet-stream"];
        read(server.send("POST", "/v1/text", &kind, bytes))
    };
    let answer = post(&bytes("mail-2.eml")).ok();
    assert_eq!(answer["read_as"], "eml");
    assert!(answer["text"].as_str().unwrap().contains("Thank you, Fenja Østby!"));
    assert_eq!(post(b"Plain.").ok(), json!({"text": "Plain.", "read_as": "plain"}));
    let refused = post(&bytes("scanned.pdf"));
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("the file has no text layer"), "{}", refused.body);
    assert_eq!(post(b" ").status, 422);
    // A path is for rows of files only.
    let path = json!({"document": {"path": "/etc/hostname"}, "summary": "A name."});
    assert_eq!(server.post("/v1/score", &path).status, 422);
}
