//! `veridic serve`: its responses equal the output of the commands, in row order, whatever other requests run. Errors and
//! limits are in limits.rs, stopping and disconnecting in stop.rs, the endpoints of other servers in compatible.rs.
mod compatible;
mod limits;
mod stop;
mod stream;

use crate::common;
use std::thread;

use crate::common::runs::{Random, corpus, sentence, wait_until};
use crate::common::server::{Response, Server};
use crate::common::{Place, article, list, summary};
use serde_json::{Value, json};

fn pair() -> Value {
    json!({"document": article(), "summary": summary()})
}

/// The output of `veridic run` with the tiny model for these rows, with further arguments.
fn run(rows: &[Value], more: &[&str]) -> Vec<Value> {
    let place = Place::new();
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let mut rows = place.run_tiny(&[&["run", "rows.jsonl", "-o", "-"], more].concat()).json_lines();
    rows.iter_mut().for_each(|row| _ = row.as_object_mut().unwrap().remove("input"));
    rows
}

/// The events of a response: name and data.
fn events(response: &Response) -> Vec<(String, Value)> {
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
    let event = |block: &str| {
        let (name, data) = block.split_once('\n').unwrap();
        let data = data.strip_prefix("data: ").unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), serde_json::from_str(data).unwrap())
    };
    response.body.split_terminator("\n\n").map(event).collect()
}

/// `rules::every_front_door_gives_the_same_claims` compares the bundled model's.
#[test]
fn score_equals_that_of_the_command() {
    let expected = Place::new().score_tiny(&article(), &summary(), &[]).json();
    let server = Server::tiny(&[]);
    assert_eq!(server.post("/v1/score", &pair()).ok(), expected);
    let mut with_id = pair();
    with_id["id"] = json!("a/1");
    let answer = server.post_text("/v1/score", &with_id.to_string());
    assert!(answer.body.starts_with(r#"{"id":"a/1","schema":1,"#), "{}", answer.body);
}

#[test]
fn batch_equals_the_output_of_run() {
    let rows = corpus(5, 40, 9);
    let fields =
        |row: &Value| json!({"id": row["id"], "document": row["document"], "summary": row["summary"]});
    let rows: Vec<Value> = rows.iter().map(fields).collect();
    let expected = run(&rows, &[]);
    let server = Server::tiny(&[]);
    assert_eq!(server.post("/v1/score/batch", &json!(rows)).lines(), expected);
    let lines: String = rows.iter().map(|row| format!("{row}\r\n\n")).collect();
    for kind in ["application/x-ndjson", "application/jsonl; charset=utf-8"] {
        let header = format!("Content-Type: {kind}");
        let sent = server.send("POST", "/v1/score/batch", &[&header], lines.as_bytes());
        assert_eq!(common::server::read(sent).lines(), expected);
    }
}

/// Such a row was refused, and so was a request with an unpaired surrogate.
#[test]
fn unclean_text_is_judged_and_spans_refer_to_it() {
    let server = Server::tiny(&["--claims", "sentence"]);
    let (document, summary) = ("The ca\u{ad}t\u{92}s mat\u{c}It sat.\u{fffd}", "\u{feff}The \u{0}cat sat.");
    let row = json!({"document": document, "summary": summary}).to_string().replace('\u{fffd}', "\\ud83d");
    let lines = server
        .post_text("/v1/score/batch", &format!("[{row},{{\"document\":\"\\u0000\",\"summary\":\"A\"}}]"));
    let lines = lines.lines();
    common::assert_spans(&lines[0], document, summary);
    assert_eq!(lines[0]["ledger"]["characters_replaced"], 6);
    assert_eq!(lines[1]["error"]["field"], "document");
    let events = events(&server.post_text("/v1/score/events", &row));
    let claim = &events[0].1["claims"][0];
    assert_eq!(common::slice(summary, &claim["summary_spans"][0]), claim["text"].as_str().unwrap());
    let decided = &events[1].1["claim"];
    assert_eq!(
        common::slice(document, &decided["evidence"]["span"]),
        decided["evidence"]["text"].as_str().unwrap()
    );
}

/// Rows whose texts have other names and whose other fields have many digits.
fn rows_as_found() -> Vec<String> {
    let (document, summary) = (json!(article()), json!(summary()));
    vec![
        format!(
            r#"{{"label":1.10,"contexts":[{document},"The sun rose."],"answer":{summary},"id":"a","meta":{{"z":1,"a":12345678901234567890123}}}}"#
        ),
        format!(r#"{{"claim":{summary},"question":"Why?","source":{document},"context":"Other."}}"#),
        format!(r#"{{"transcript":{document},"system_output":{summary},"id":3}}"#),
    ]
}

#[test]
fn rows_are_read_as_run_reads_them() {
    let rows = rows_as_found();
    let place = Place::new();
    place.write("rows.jsonl", rows.join("\n"));
    let expected = place.run_tiny(&["run", "rows.jsonl", "-o", "-"]).stdout;
    let server = Server::tiny(&[]);
    let answer = server.post_text("/v1/score/batch", &format!("[{}]", rows.join(",")));
    let (lines, expected): (Vec<&str>, Vec<&str>) =
        (answer.body.lines().collect(), expected.lines().collect());
    assert_eq!(lines.len(), expected.len());
    for (row, (line, expected)) in rows.iter().zip(lines.iter().zip(expected)) {
        let parsed = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let fields = line.as_object_mut().unwrap();
            fields.retain(|_, value| *value != Value::Null && *value != json!({}));
            line
        };
        assert_eq!(parsed(line), parsed(expected));
        let input = &expected[expected.rfind(",\"input\":").unwrap()..];
        assert!(line.ends_with(input) || input == ",\"input\":{}}", "{line}");
        assert_eq!(server.post_text("/v1/score", row).body, *line);
        let events = events(&server.post_text("/v1/score/events", row));
        assert_eq!(events.last().unwrap().1, serde_json::from_str::<Value>(line).unwrap());
    }
    assert!(!lines[2].contains("\"input\""), "there are no other fields");
}

#[test]
fn claims_are_those_of_the_row() {
    let server = Server::tiny(&[]);
    let expected = server.post("/v1/claims", &json!({"id": "a", "summary": summary()})).body;
    let answer = server.post_text("/v1/claims", &rows_as_found()[0]).body;
    let input = r#","input":{"label":1.10,"meta":{"z":1,"a":12345678901234567890123}}}"#;
    assert_eq!(answer, format!("{}{input}", expected.strip_suffix('}').unwrap()));
}

#[test]
fn bad_row_is_an_error_line_and_the_others_are_judged() {
    let server = Server::tiny(&[]);
    let rows = [
        pair().to_string(),
        r#"{"id":7,"label":1.0,"contexts":["A cat sat."],"answer":""}"#.into(),
        "{".into(),
        r#"{"id":"x","summary":"A cat."}"#.into(),
        pair().to_string(),
    ];
    let answer = server.send(
        "POST",
        "/v1/score/batch",
        &["Content-Type: application/x-ndjson"],
        rows.join("\n").as_bytes(),
    );
    let lines = common::server::read(answer).lines();
    assert_eq!(lines.len(), 5);
    assert!(lines[0]["score"].is_number() && lines[0] == lines[4]);
    let error =
        |line: &Value| (line["id"].clone(), line["error"]["row"].clone(), line["error"]["field"].clone());
    assert_eq!(error(&lines[1]), (json!(7), json!(2), json!("answer")));
    assert_eq!(lines[1]["input"], json!({"label": 1.0, "contexts": ["A cat sat."], "answer": ""}));
    assert_eq!(error(&lines[2]), (Value::Null, json!(3), Value::Null));
    assert_eq!(lines[2]["error"]["code"], "not_json");
    assert_eq!(error(&lines[3]), (json!("x"), json!(4), json!("document")));
}

#[test]
fn concurrent_clients_get_the_same_results() {
    let rows = corpus(6, 24, 12);
    let body = |row: &Value| json!({"document": row["document"], "summary": row["summary"]});
    let server = Server::tiny(&["--set", "cache_mb=0"]);
    let alone: Vec<Value> = rows.iter().map(|row| server.post("/v1/score", &body(row)).ok()).collect();
    let together: Vec<Value> = thread::scope(|scope| {
        let post = |row| {
            let (server, body) = (&server, body(row));
            scope.spawn(move || server.post("/v1/score", &body).ok())
        };
        let requests: Vec<_> = rows.iter().map(post).collect();
        requests.into_iter().map(|request| request.join().unwrap()).collect()
    });
    assert!(alone == together);
    assert!(server.metric("veridic_batch_requests_sum") > server.metric("veridic_batch_requests_count"));
}

#[test]
fn events_have_every_claim_and_end_with_the_result() {
    let server = Server::tiny(&[]);
    let expected = server.post("/v1/score", &pair()).ok();
    let events = events(&server.post("/v1/score/events", &pair()));
    let (first, last) = (&events[0], events.last().unwrap());
    assert_eq!((first.0.as_str(), last.0.as_str()), ("claims", "result"));
    assert_eq!(last.1, expected);
    let claims = list(&expected["claims"]);
    for (found, claim) in list(&first.1["claims"]).iter().zip(claims) {
        assert_eq!((&found["text"], &found["summary_spans"]), (&claim["text"], &claim["summary_spans"]));
    }
    let mut decided: Vec<&Value> = events[1..events.len() - 1].iter().map(|event| &event.1).collect();
    decided.sort_by_key(|event| event["index"].as_u64());
    assert_eq!(decided.len(), claims.len());
    for (index, (event, claim)) in decided.iter().zip(claims).enumerate() {
        assert_eq!((&event["index"], &event["claim"]), (&json!(index), claim));
    }
}

#[test]
fn given_claims_are_judged_as_by_run() {
    let given = json!({"id": 1, "document": article(), "summary": summary(), "claims": ["The bakery opened.", "Bread sold."]});
    let expected = run(std::slice::from_ref(&given), &["--claims", "given"]);
    let server = Server::tiny(&[]);
    assert_eq!(server.post("/v1/score", &given).ok(), expected[0]);
    let twice = [&expected[0]; 2].map(Clone::clone);
    assert_eq!(server.post("/v1/score/batch", &json!([given, given])).lines(), twice);
}

#[test]
fn claims_and_nli_equal_the_commands() {
    let place = Place::new();
    let server = Server::tiny(&[]);
    place.write("rows.jsonl", format!("{}\n", json!({"id": "s", "summary": summary()})));
    let expected = place.run(["claims", "rows.jsonl", "--format", "json", "--claims", "sentence"]).json();
    assert_eq!(server.post("/v1/claims", &json!({"id": "s", "summary": summary()})).ok(), expected);
    let pairs: Vec<Value> = common::SENTENCES
        .iter()
        .map(|premise| json!({"premise": premise, "hypothesis": "The bakery opened in 1962."}))
        .collect();
    place.write("pairs.jsonl", pairs.iter().map(|pair| format!("{pair}\n")).collect::<String>());
    let expected = place.run(["nli", "--input", "pairs.jsonl", "--model", &common::tiny()]).json_lines();
    assert_eq!(server.post("/v1/nli", &json!(pairs)).ok(), json!(expected));
    assert_eq!(server.post("/v1/nli", &pairs[2]).ok(), expected[2]);
}

#[test]
fn small_request_does_not_wait_for_a_batch() {
    let server = Server::tiny(&["--set", "cache_mb=0"]);
    let rows = corpus(8, 400, 60);
    let rows: Vec<Value> =
        rows.iter().map(|row| json!({"document": row["document"], "summary": row["summary"]})).collect();
    let batch = server.send_post("/v1/score/batch", &json!(rows).to_string());
    assert!(wait_until(|| server.metric("veridic_in_hand") >= 1.0));
    for _ in 0..5 {
        server.post("/v1/score", &pair()).ok();
    }
    assert!(server.metric("veridic_in_hand") >= 1.0, "five small requests took longer than 400 rows");
    drop(batch);
}

/// The request waited for up to eight batches of 2,048 tokens of the other one, and again in every round.
#[test]
fn small_request_waits_for_few_tokens_of_a_large_one() {
    let random = &mut Random(49);
    let mut sentences = |count: usize| (0..count).map(|_| sentence(random, 9)).collect::<Vec<_>>();
    let document = sentences(40).join(" ");
    let claims = json!({"document": document, "summary": "The cat sat.", "claims": sentences(3000)});
    let rows: Vec<Value> = (0..60)
        .map(|_| json!({"document": sentences(40).join(" "), "summary": sentences(4).join(" ")}))
        .collect();
    let small: Vec<Value> = (0..5)
        .map(|_| json!({"document": sentences(2).join(" "), "summary": sentences(1).join(" ")}))
        .collect();
    let more = ["--threads", "2", "--set", "cache_mb=0", "--timeout", "3600"];
    let server = Server::start(&[&["--model", "mini"], &more[..]].concat());
    for (path, large) in [("/v1/score", claims), ("/v1/score/batch", json!(rows))] {
        let client = server.send_post(path, &large.to_string());
        assert!(wait_until(|| server.metric("veridic_tokens_total") > 4096.0));
        let tokens_meanwhile = |pair: &Value| {
            let before = server.metric("veridic_tokens_total");
            server.post("/v1/score", pair).ok();
            server.metric("veridic_tokens_total") - before
        };
        // The least, since a busy machine may compute others' tokens before it sees the request.
        let least = small.iter().map(tokens_meanwhile).fold(f64::INFINITY, f64::min);
        assert!(server.metric("veridic_in_hand") > 0.0, "{path}: the large request was answered before");
        assert!(least < 4096.0, "{path}: {least} tokens were computed meanwhile");
        drop(client);
        assert!(wait_until(|| server.metric("veridic_in_hand") == 0.0));
    }
}

#[test]
fn server_describes_itself() {
    let server = Server::tiny(&[]);
    assert_eq!(server.get("/healthz").ok(), json!({"status": "ok"}));
    assert_eq!(server.get("/readyz").ok(), json!({"status": "ready"}));
    let result = server.post("/v1/score", &pair()).ok();
    let models = server.get("/v1/models").ok();
    assert_eq!((&models["models"], &models["profile"]), (&result["models"], &result["profile"]));
    let metrics = server.get("/metrics").body;
    for name in [
        "veridic_requests_total{endpoint=\"/v1/score\",status=\"200\"} 1",
        "veridic_request_seconds_bucket{le=\"0.001\",endpoint=\"/v1/score\"}",
        "veridic_stage_seconds_count{stage=\"model\"} 1",
        "veridic_rows_total{outcome=\"judged\"} 1",
        "veridic_queue_depth 0",
        "veridic_tokens_total ",
        "veridic_pairs_reused_total ",
        "veridic_batch_fill_count ",
    ] {
        assert!(metrics.contains(name), "{name} is not in {metrics}");
    }
    assert!(metrics.ends_with("# EOF\n"));
}

#[test]
fn page_runs_its_own_scripts_alone() {
    let page = Server::tiny(&[]).get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    for part in ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "script-src 'sha256-"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !page.body.contains("http"));
}

/// The endpoints accept exactly the methods of the description.
#[test]
fn openapi_description_matches_the_addresses() {
    let server = Server::tiny(&[]);
    let description = server.get("/openapi.json").ok();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, other) in [("GET", "POST"), ("POST", "GET")] {
            let status = common::server::read(server.send(method, path, &[], b"")).status;
            let is_described = operations.get(method.to_lowercase()).is_some();
            assert_eq!(is_described, status != 405, "{method} {path}: {status}, {other} is described");
            assert_ne!(status, 404, "{path}");
        }
    }
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
}
