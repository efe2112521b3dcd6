//! `POST /v1/score/stream`: sentences are judged while the text is still arriving, and the end equals `/v1/score`.
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::server::{Response, Server};
use crate::common::{article, summary};

const LINES: &str = "Content-Type: application/x-ndjson";

/// A request whose body is sent in pieces.
struct Upload {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Upload {
    fn begin(server: &Server) -> Self {
        let mut stream = server.connect();
        let head = format!(
            "POST /v1/score/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n{LINES}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Self { stream, reader }
    }

    fn send(&mut self, line: &Value) {
        let line = format!("{line}\n");
        write!(self.stream, "{:x}\r\n{line}\r\n", line.len()).unwrap();
    }

    fn end(&mut self) {
        self.stream.write_all(b"0\r\n\r\n").unwrap();
    }

    /// The next line of the answer that is JSON; heads and the lengths of chunks are skipped.
    fn answer(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.reader.read_line(&mut line).unwrap(), 0, "the answer has ended");
            if line.starts_with('{') {
                return serde_json::from_str(&line).unwrap();
            }
        }
    }
}

fn whole(server: &Server, body: &str) -> Response {
    crate::common::server::read(server.send("POST", "/v1/score/stream", &[LINES], body.as_bytes()))
}

#[test]
fn a_sentence_is_judged_while_the_rest_is_still_to_come() {
    let server = Server::tiny(&[]);
    let mut upload = Upload::begin(&server);
    upload.send(&json!({"id": 7, "contexts": article(), "label": 1}));
    for text in ["The pool closes", " in March. It", " opened in 1974"] {
        upload.send(&json!({ "text": text }));
    }
    let first = upload.answer();
    assert_eq!(first["sentence"]["text"], "The pool closes in March.");
    assert_eq!(first["sentence"]["span"], json!([0, 25]));
    assert_eq!(first["sentence"]["claims"][0]["summary_spans"], json!([[0, 25]]));
    upload.send(&json!({"text": "."}));
    upload.end();
    let second = upload.answer();
    assert_eq!(second["sentence"]["claims"][0]["summary_spans"], json!([[26, 44]]));
    let end = upload.answer();
    assert_eq!((&end["id"], &end["result"]["claims"][1]), (&json!(7), &second["sentence"]["claims"][0]));
    assert_eq!(end["input"], json!({"label": 1}));
}

#[test]
fn the_result_equals_that_of_the_whole_text() {
    let server = Server::tiny(&[]);
    let expected = server.post("/v1/score", &json!({"document": article(), "summary": summary()})).ok();
    for size in [1, 9, 1000] {
        let characters: Vec<char> = summary().chars().collect();
        let pieces = characters.chunks(size).map(|piece| json!({"text": piece.iter().collect::<String>()}));
        let lines = std::iter::once(json!({"document": article()})).chain(pieces);
        let body: String = lines.map(|line| format!("{line}\n")).collect();
        let answer = whole(&server, &body).lines();
        assert_eq!(answer.last().unwrap()["result"], expected, "pieces of {size}");
        assert_eq!(answer.len(), expected["claims"].as_array().unwrap().len() + 1);
    }
}

#[test]
fn evidence_names_the_source_of_a_list() {
    let server = Server::tiny(&[]);
    let sources = json!([{"id": "news", "text": article()}, "The library stays open."]);
    let summary = "The pool closes in March. The library stays open.";
    let expected = server.post("/v1/score", &json!({"document": sources, "summary": summary})).ok();
    let body = format!("{}\n{}\n", json!({"document": sources}), json!({"text": summary}));
    let answer = whole(&server, &body).lines();
    assert_eq!(answer.last().unwrap()["result"], expected);
    let claim = &answer[1]["sentence"]["claims"][0];
    assert!(claim["evidence"]["sources"][0]["id"].is_string(), "{claim}");
    let twice = json!([{"id": "x", "text": "A b."}, {"id": "x", "text": "C d."}]);
    let refused = whole(&server, &format!("{}\n", json!({ "document": twice })));
    assert_eq!(refused.status, 422);
    assert_eq!(refused.json()["error"]["field"], "document");
}

#[test]
fn bad_lines_are_errors_of_their_own() {
    let server = Server::tiny(&["--max-body-mb", "1"]);
    let document = json!({"document": article()});
    let mut told = String::new();
    let mut tell = |body: &str| {
        let answer = whole(&server, body);
        let last = answer.body.lines().next_back().unwrap();
        let shown: String = body.lines().last().unwrap_or_default().chars().take(60).collect();
        told += &format!("{shown}\n    {} {last}\n", answer.status);
    };
    for body in [
        "",
        "{\"text\":\"A.\"}",
        "{\"document\":1}",
        "{\"document\":\"...\"}",
        "nonsense",
        "{\"document\":\"A b.\",\"summary\":\"A.\"}",
        "{\"document\":\"A b.\",\"claims\":[\"A.\"]}",
    ] {
        tell(body);
    }
    let [huge, long] = [600_000, 200_000].map(|count| json!({"text": "a ".repeat(count)}).to_string());
    for line in
        ["", "{\"text\":[\"A.\"]}", "{\"text\":", "{\"text\":\"A.\",\"document\":\"B.\"}", &huge, &long]
    {
        tell(&format!("{document}\n{line}\n"));
    }
    assert_snapshot!("bad_lines", told);
}

#[test]
fn a_client_that_leaves_holds_no_worker() {
    let server = Server::tiny(&[]);
    for _ in 0..80 {
        let mut upload = Upload::begin(&server);
        upload.send(&json!({"document": article()}));
        upload.send(&json!({"text": "The pool closes in March. It"}));
        drop(upload);
    }
    let answer = server.post("/v1/score", &json!({"document": article(), "summary": summary()})).ok();
    assert!(answer["score"].is_number());
    let is_idle = || server.metric("veridic_in_hand") == 0.0;
    assert!(crate::common::runs::wait_until(is_idle));
}
