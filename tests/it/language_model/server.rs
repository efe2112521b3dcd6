//! `--judge`: a small server inside the test answers the program's real requests, busy at first, without a JSON mode, or not at all.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::{finesure, requests, run};
use crate::common::Place;

/// What the server got: the head's first line, the authorization, and the body.
type Received = Vec<(String, Option<String>, Value)>;

struct Judge {
    url: String,
    received: Arc<Mutex<Received>>,
}

/// Answers a request: its number, from 0, and its body; a status, more of the head, and a body.
type Answer = fn(usize, &Value) -> (u16, &'static str, String);

impl Judge {
    fn start(answer: Answer) -> Judge {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Received::new()));
        let shared = Arc::clone(&received);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                thread::spawn(move || while serve(&stream, &shared, answer).is_some() {});
            }
        });
        Judge { url, received }
    }

    fn posted(&self) -> Received {
        let received = self.received.lock().unwrap().clone();
        received.into_iter().filter(|(line, ..)| line.starts_with("POST /v1/chat/completions ")).collect()
    }
}

/// Reads one request of a connection and answers it; nothing at its end.
fn serve(stream: &TcpStream, received: &Mutex<Received>, answer: Answer) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    if reader.read_line(&mut first).ok()? == 0 {
        return None;
    }
    let (mut length, mut key) = (0, None);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => key = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let number = {
        let mut received = received.lock().unwrap();
        received.push((first.clone(), key, body.clone()));
        received.iter().filter(|(line, ..)| line.starts_with("POST")).count()
    };
    let (status, head, text) = if first.starts_with("POST") {
        answer(number - 1, &body)
    } else {
        (200, "", r#"{"data":[]}"#.to_owned())
    };
    let answer = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{head}Content-Length: {}\r\n\r\n{text}",
        text.len()
    );
    (&*stream).write_all(answer.as_bytes()).ok()
}

/// A completion of a request of FineSurE's fact checking.
fn completion(body: &Value) -> String {
    let reply = finesure(&json!({ "step": "finesure:facts", "messages": body["messages"] })).unwrap();
    json!({
        "choices": [{ "message": { "role": "assistant", "content": reply } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 10 },
    })
    .to_string()
}

fn judged(place: &Place, judge: &Judge, more: &[&str]) -> (Vec<Value>, String) {
    let server = ["--judge", &judge.url, "--judge-model", "m"];
    run(place, "finesure:faithfulness", &[&server[..], more].concat())
}

#[test]
fn a_server_answers_and_its_answers_are_kept() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    let (results, notes) = judged(&place, &judge, &["--answers", "kept.jsonl"]);
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0], "{notes}");
    assert!(notes.contains("m: 2 requests sent, 0 known before; 200 tokens read, 20 written"), "{notes}");
    assert_eq!(results[0]["profile"]["answers"].as_str().unwrap().split(' ').next(), Some("judge=m"));
    let posted = judge.posted();
    assert_eq!(posted.len(), 2);
    for (_, key, body) in &posted {
        assert_eq!((key, &body["model"], &body["temperature"]), (&None, &json!("m"), &json!(0.0)));
        assert_eq!(body["response_format"], json!({ "type": "json_object" }));
    }
    // A second run asks nothing, even after the file lost the end of its last line and got a piece of one.
    let kept = place.read("kept.jsonl");
    place.write("kept.jsonl", format!("{kept}{{\"answer\":\"12"));
    let (again, notes) = judged(&place, &judge, &["--answers", "kept.jsonl"]);
    assert_eq!(again[0]["faithfulness"], 0.5);
    assert!(notes.contains("m: 0 requests sent, 2 known before"), "{notes}");
    assert_eq!(place.read("kept.jsonl"), kept);
    // Another model's answers are not this one's.
    let server = ["--judge", &judge.url, "--judge-model", "other", "--answers", "kept.jsonl"];
    let (none, error) = run(&place, "finesure:faithfulness", &server);
    assert!(none.is_empty() && error.contains("has answers of the model m"), "{error}");
}

#[test]
fn a_busy_server_is_asked_again_and_one_without_json_mode_without_it() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let judge = Judge::start(|number, body| match (number, body.get("response_format")) {
        (0, _) => (503, "Retry-After: 0\r\n", "{}".to_owned()),
        (_, Some(_)) => (400, "", r#"{"error":{"message":"response_format is not supported"}}"#.to_owned()),
        _ => (200, "", completion(body)),
    });
    let (results, notes) = judged(&place, &judge, &["--judge-concurrency", "1"]);
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0], "{notes}");
    // Busy, refused, answered; then the second row without JSON mode.
    let json_modes: Vec<bool> =
        judge.posted().iter().map(|(_, _, body)| body.get("response_format").is_some()).collect();
    assert_eq!(json_modes, [true, true, false, false]);
    assert!(notes.contains("2 requests sent, 2 of them again"), "{notes}");
}

#[test]
fn a_refusal_is_the_error_of_its_row() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let judge = Judge::start(|_, body| {
        if super::asked(&json!({ "body": body, "messages": body["messages"] })).contains("twelve") {
            (401, "", r#"{"error":{"message":"no key"}}"#.to_owned())
        } else {
            (200, "", completion(body))
        }
    });
    let (results, notes) = judged(&place, &judge, &[]);
    let reason = results[0]["error"]["reason"].as_str().unwrap();
    assert!(reason.contains("failed: the server answers 401: no key"), "{reason}");
    assert_eq!(results[1]["faithfulness"], 1.0);
    assert!(notes.contains("1 of 2 answers read (success ratio 1.000), 1 failed"), "{notes}");
}

#[test]
fn an_address_without_a_server_is_one_clear_error() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/v1");
    let (none, error) = run(&place, "finesure:faithfulness", &["--judge", &url, "--judge-model", "m"]);
    assert!(none.is_empty(), "{none:?}");
    assert!(error.contains(&url) && error.contains("no server answers there"), "{error}");
}

#[test]
fn texts_go_to_no_proxy_and_follow_no_redirect() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let proxy = Judge::start(|_, body| (200, "", completion(body)));
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    let root = proxy.url.trim_end_matches("/v1");
    let mut command = place.command([
        "run",
        "rows.jsonl",
        "-o",
        "proxied.jsonl",
        "--metric",
        "finesure:faithfulness",
        "--model",
        &crate::common::tiny(),
        "--judge",
        &judge.url,
        "--judge-model",
        "m",
    ]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        command.env(name, root);
    }
    let output = crate::common::finish(command);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!((judge.posted().len(), proxy.received.lock().unwrap().len()), (2, 0));
    let away =
        Judge::start(|_, _| (307, "Location: http://192.0.2.1/v1/chat/completions\r\n", "{}".to_owned()));
    let (results, notes) = judged(&place, &away, &[]);
    let reason = results[0]["error"]["reason"].as_str().unwrap();
    assert!(reason.contains("the server answers 307, a redirect"), "{reason} {notes}");
}

#[test]
fn a_file_that_is_not_of_answers_stays_as_it_is() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    for text in ["my notes\nand more without an end", "one line without an end"] {
        place.write("notes.txt", text);
        let (none, error) = judged(&place, &judge, &["--answers", "notes.txt"]);
        assert!(none.is_empty() && error.contains("notes.txt, line 1"), "{error}");
        assert_eq!(place.read("notes.txt"), text);
    }
}

#[test]
fn an_empty_answer_is_a_failure_and_not_kept() {
    let place = Place::new();
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let judge = Judge::start(|_, _| (200, "", r#"{"choices":[{"message":{"content":null}}]}"#.to_owned()));
    let (results, _) = judged(&place, &judge, &["--answers", "kept.jsonl"]);
    assert!(results[0]["error"]["reason"].as_str().unwrap().contains("the answer is empty"));
    assert_eq!(place.read("kept.jsonl"), "");
}
