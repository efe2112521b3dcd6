//! `run` with `--judge`: the program's real requests to a server inside the test, which is busy at first, has no JSON mode, is cut
//! off, or does not answer.
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::judge::{Judge, completion, saying};
use super::{run, with_rows};
use crate::common::runs::wait_until;
use crate::common::{Place, finish};
use crate::files::tiny;

fn judged(place: &Place, judge: &Judge, more: &[&str]) -> (Vec<Value>, String) {
    let server = ["--set", &format!("judge={}", judge.url), "--set", "judge_model=m"];
    run(place, "finesure:faithfulness", &[&server[..], more].concat())
}

/// The command that asks about the rows.
fn asking(place: &Place, judge: &Judge, output: &str) -> Command {
    let fixed = ["run", "rows.jsonl", "-o", output, "--model", tiny()];
    let server = format!("judge={}", judge.url);
    let sets = ["metric=finesure:faithfulness", &server, "judge_model=m"].map(|set| ["--set", set]);
    place.command(fixed.into_iter().chain(sets.into_iter().flatten()))
}

#[test]
fn a_server_answers_and_its_answers_are_kept() {
    let place = with_rows();
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    let (results, notes) = judged(&place, &judge, &["--set", "answers=kept.jsonl"]);
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
    let (again, notes) = judged(&place, &judge, &["--set", "answers=kept.jsonl"]);
    assert_eq!(again[0]["faithfulness"], 0.5);
    assert!(notes.contains("m: 0 requests sent, 2 known before"), "{notes}");
    assert_eq!(place.read("kept.jsonl"), kept);
    // Another model's answers are not this one's.
    let server = format!("judge={}", judge.url);
    let other = ["--set", &server, "--set", "judge_model=other", "--set", "answers=kept.jsonl"];
    let (none, error) = run(&place, "finesure:faithfulness", &other);
    assert!(none.is_empty() && error.contains("has answers of the model m"), "{error}");
}

#[test]
fn a_busy_server_is_asked_again_and_one_without_json_mode_without_it() {
    let place = with_rows();
    let judge = Judge::start(|number, body| match (number, body.get("response_format")) {
        (0, _) => (503, "Retry-After: 0\r\n", "{}".to_owned()),
        (_, Some(_)) => (400, "", r#"{"error":{"message":"response_format is not supported"}}"#.to_owned()),
        _ => (200, "", completion(body)),
    });
    let (results, notes) = judged(&place, &judge, &["--set", "judge_concurrency=1"]);
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0], "{notes}");
    // Busy, refused, answered; then the second row without JSON mode.
    let json_modes: Vec<bool> =
        judge.posted().iter().map(|(_, _, body)| body.get("response_format").is_some()).collect();
    assert_eq!(json_modes, [true, true, false, false]);
    assert!(notes.contains("2 requests sent, 2 repeats"), "{notes}");
}

#[test]
fn a_refusal_is_the_error_of_its_row() {
    let place = with_rows();
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
    let place = with_rows();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/v1");
    let (none, error) =
        run(&place, "finesure:faithfulness", &["--set", &format!("judge={}", url), "--set", "judge_model=m"]);
    assert!(none.is_empty(), "{none:?}");
    assert!(error.contains(&url) && error.contains("no server answers there"), "{error}");
}

#[test]
fn texts_go_to_no_proxy_and_follow_no_redirect() {
    let place = with_rows();
    let proxy = Judge::start(|_, body| (200, "", completion(body)));
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    let root = proxy.url.trim_end_matches("/v1");
    let mut command = asking(&place, &judge, "proxied.jsonl");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        command.env(name, root);
    }
    let output = finish(command);
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
    let place = with_rows();
    let judge = Judge::start(|_, body| (200, "", completion(body)));
    for text in ["my notes\nand more without an end", "one line without an end"] {
        place.write("notes.txt", text);
        let (none, error) = judged(&place, &judge, &["--set", "answers=notes.txt"]);
        assert!(none.is_empty() && error.contains("notes.txt, line 1"), "{error}");
        assert_eq!(place.read("notes.txt"), text);
    }
}

#[test]
fn an_empty_answer_cannot_be_read_and_is_not_kept() {
    let place = with_rows();
    let judge = Judge::start(|_, _| (200, "", r#"{"choices":[{"message":{"content":null}}]}"#.to_owned()));
    let (results, _) = judged(&place, &judge, &["--set", "answers=kept.jsonl"]);
    assert!(results[0]["error"]["reason"].as_str().unwrap().contains("the answer is empty"));
    assert_eq!(place.read("kept.jsonl"), "");
}

#[test]
fn a_cut_answer_cannot_be_read_and_is_not_kept() {
    let place = with_rows();
    let judge = Judge::start(|_, body| {
        let cut = json!({ "message": { "content": "<think>So" }, "finish_reason": "length" });
        let is_long = body["max_tokens"].as_u64().unwrap() > 5000;
        (200, "", if is_long { completion(body) } else { json!({ "choices": [cut] }).to_string() })
    });
    let (results, notes) = judged(&place, &judge, &["--set", "answers=kept.jsonl"]);
    let reason = results[0]["error"]["reason"].as_str().unwrap();
    assert!(reason.contains("cannot be read: the answer was cut at its limit"), "{reason}");
    assert!(notes.contains("0 of 2 answers read (success ratio 0.000), 2 cannot be read"), "{notes}");
    assert_eq!(place.read("kept.jsonl"), "");
    // The ids are the same: the answers do not depend on what more was allowed.
    let (results, notes) =
        judged(&place, &judge, &["--set", "answers=kept.jsonl", "--set", "judge_max_tokens=8000"]);
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0], "{notes}");
    let (results, notes) = run(&place, "finesure:faithfulness", &["--set", "answers=kept.jsonl"]);
    assert_eq!(results[0]["faithfulness"], 0.5, "{notes}");
    let (none, error) =
        run(&place, "finesure:faithfulness", &["--set", "answers=kept.jsonl", "--set", "judge_max_tokens=9"]);
    assert!(none.is_empty() && error.contains("--judge-max-tokens is for requests that are sent"), "{error}");
}

#[test]
fn a_response_that_ends_early_is_asked_again() {
    let place = with_rows();
    // The head promises more bytes than come.
    let judge = Judge::start(|number, body| match number {
        0 => (200, "Content-Length: 100000\r\nConnection: close\r\nX-", "{".to_owned()),
        _ => (200, "", completion(body)),
    });
    let (results, notes) = judged(&place, &judge, &["--set", "judge_concurrency=1"]);
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0], "{notes}");
    assert!(notes.contains("2 requests sent, 1 repeats"), "{notes}");
}

/// Claims are asked for all rows at once; one that is refused is the error of its row, and is not sent again.
#[test]
fn refused_claims_are_sent_once() {
    let place = with_rows();
    let judge = Judge::start(|_, body| {
        if super::asked(&json!({ "messages": body["messages"] })).contains("twelve") {
            (400, "", r#"{"error":{"message":"too long"}}"#.to_owned())
        } else {
            (200, "", saying(r#"{"claims": ["The council rejected the plan."]}"#))
        }
    });
    let more = ["--claims", "answers", "--set", &format!("judge={}", judge.url), "--set", "judge_model=m"];
    let (results, notes) = run(&place, "fenice", &more);
    let reason = results[0]["error"]["reason"].as_str().unwrap();
    assert!(reason.contains("failed: the server answers 400: too long"), "{reason}");
    assert_eq!(results[1]["claims"][0]["text"], "The council rejected the plan.", "{notes}");
    // The refused request is sent again without JSON mode, which could have been the reason.
    assert!(notes.contains("2 requests sent, 1 repeats"), "{notes}");
    assert_eq!(judge.posted().len(), 3);
}

#[cfg(unix)]
#[test]
fn an_open_request_does_not_delay_the_stop() {
    let place = with_rows();
    let judge = Judge::start(|_, _| {
        std::thread::sleep(Duration::from_secs(600));
        (200, "", String::new())
    });
    let mut command = asking(&place, &judge, "stopped.jsonl");
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    assert!(wait_until(|| !judge.posted().is_empty()), "nothing was sent");
    let start = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(wait_until(|| child.try_wait().unwrap().is_some()), "the program did not end");
    assert!(start.elapsed() < Duration::from_secs(60), "it waited for the server");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn rows_without_an_answer_are_asked_about_again() {
    let place = with_rows();
    let judge = Judge::start(|number, body| match number {
        0 | 1 => (404, "", "{}".to_owned()),
        _ => (200, "", completion(body)),
    });
    let first = finish(asking(&place, &judge, "out.jsonl"));
    assert!(first.code == 2 && first.stderr.contains("2 failed"), "{}", first.stderr);
    let mut again = asking(&place, &judge, "out.jsonl");
    again.arg("--resume");
    let again = finish(again);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let results = super::lines(&place.read("out.jsonl"));
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0]);
    assert_eq!(judge.posted().len(), 4);
}
