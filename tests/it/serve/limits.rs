//! The errors and limits of `veridic serve`: each has a status, a code and a message as JSON, and the server keeps serving.
use crate::common;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::runs::{Random, sentence};
use crate::common::server::{Response, Server, parse, read};
use crate::common::{Place, article, summary, tiny, with_tiny};
use insta::assert_snapshot;
use serde_json::{Value, json};

const TOKEN: &str = "a-token-of-some-length";

fn pair() -> Value {
    json!({"document": article(), "summary": summary()})
}

/// A pair that keeps the tiny model busy for a while: forty claims on two thousand sentences, all different.
fn long(seed: u64) -> String {
    let random = &mut Random(seed);
    let mut text = |count: usize, words: usize| {
        let sentences: Vec<String> = (0..count).map(|_| sentence(random, words)).collect();
        sentences.join(" ")
    };
    json!({"document": text(2000, 6), "summary": text(40, 5)}).to_string()
}

#[track_caller]
fn refused(response: &Response, status: u16, code: &str, field: Option<&str>) {
    assert_eq!(response.status, status, "{response:?}");
    assert_eq!(response.header("content-type"), Some("application/json"));
    let error = &response.json()["error"];
    assert_eq!((error["code"].as_str(), error["field"].as_str()), (Some(code), field), "{response:?}");
    assert!(error["message"].as_str().unwrap().len() > 10);
}

#[test]
fn invalid_requests_are_errors() {
    let server = Server::tiny(&["--max-body-mb", "1"]);
    let misspelt = r#"{"document":"A b.","summary":"A b.","citation":true}"#;
    let long = format!(r#"{{"hypothesis":"A cat.","premise":"{}"}}"#, "cat ".repeat(5000));
    let large = " ".repeat((1 << 20) + 1);
    let scores = [
        "{",
        "[]",
        r#"{"document":"A","document":"B"}"#,
        r#"{"document":"A b."}"#,
        r#"{"summary":"A b."}"#,
        r#"{"document":null,"summary":"A b."}"#,
        r#"{"document":1,"summary":"A b."}"#,
        r#"{"document":"A b.","summary":5}"#,
        r#"{"document":"","summary":"A b."}"#,
        r#"{"document":["A",2],"summary":"A b."}"#,
        r#"{"document":["A"," "],"summary":"A b."}"#,
        r#"{"document":[{"id":"x","text":"A b."},{"id":"x","text":"C."}],"summary":"A b."}"#,
        r#"{"document":"A b.","summary":"..."}"#,
        r#"{"document":"\u0000\ud800","summary":"A"}"#,
        r#"{"document":"A","summary":"A","id":{}}"#,
        r#"{"document":"A","summary":"A","claims":"A"}"#,
        r#"{"document":"A","summary":"A b.","summary_sentences":["b.","A"]}"#,
        r#"{"document":"A","summary":"A","claim":["A"]}"#,
        r#"{"document":"A","summary":"A","document_sentance":["A"]}"#,
        r#"{"documnet":"A","answer":"A"}"#,
        r#"{"contexts":["A b."],"text":"A b.","label":1}"#,
        r#"{"contexts":["A",2],"answer":"A b."}"#,
        r#"{"contexts":["A b."],"answer":"..."}"#,
        r#"{"document":{"path":"/etc/passwd"},"summary":"A"}"#,
        r#"{"document":"A","summary":{"path":"/etc/passwd"}}"#,
        r#"{"document":[{"path":"/etc/passwd"}],"summary":"A"}"#,
        r#"{"document":"A","summary":"A","citations":1}"#,
        r#"{"document":"A","summary":"A","citations":true}"#,
        misspelt,
        &large,
    ];
    let others = [
        ("/v1/score/events", misspelt),
        ("/v1/score/batch", "[]"),
        ("/v1/claims", r#"{"summary":"\u0007"}"#),
        ("/v1/claims", r#"{"claims":["A."],"text":"A."}"#),
        ("/v1/claims", r#"{"answer":"A.","clams":["A."]}"#),
        ("/v1/nli", r#"[{"premise":"A","hypothesis":"B"},{"premise":"A"}]"#),
        ("/v1/nli", &long),
    ];
    let posts = scores.map(|body| ("/v1/score", body)).into_iter().chain(others);
    let posts: Vec<_> = posts.map(|(path, body)| (path, body.to_owned())).collect();
    assert_snapshot!("invalid_requests", server.refusals(&posts));
    refused(&server.get("/v2"), 404, "not_found", None);
    let wrong = server.get("/v1/score");
    refused(&wrong, 405, "method_not_allowed", None);
    assert_eq!(wrong.header("allow"), Some("POST"));
    refused(&read(server.send("POST", "/v1/score", &[], b"{}")), 415, "unsupported_media_type", None);
    assert_eq!(server.post("/v1/score", &pair()).status, 200);
}

/// The length of the body is not announced, so the server counts.
#[test]
fn chunked_body_is_counted() {
    let server = Server::tiny(&["--max-body-mb", "1"]);
    let mut stream = server.connect();
    let head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, " ".repeat(1 << 16));
    for _ in 0..17 {
        // The server may already have closed the connection.
        let _ = stream.write_all(chunk.as_bytes());
    }
    let mut bytes = [0; 1024];
    let count = stream.read(&mut bytes).unwrap();
    assert!(bytes[..count].starts_with(b"HTTP/1.1 413"), "{:?}", String::from_utf8_lossy(&bytes[..count]));
}

#[test]
fn requests_without_the_token_are_refused() {
    let place = Place::new();
    let file = place.write("token", format!("{TOKEN}\n"));
    let server = Server::tiny(&["--token-file", file.to_str().unwrap()]);
    for path in ["/v1/models", "/metrics"] {
        let without = server.get(path);
        refused(&without, 401, "unauthorized", None);
        assert_eq!(without.header("www-authenticate"), Some("Bearer"));
        let status = |header: &str| read(server.send("GET", path, &[header], b"")).status;
        assert_eq!(status(&format!("Authorization: Bearer {TOKEN}")), 200);
        assert_eq!(status(&format!("Authorization: Bearer {TOKEN}x")), 401);
        assert_eq!(status("Authorization: Bearer "), 401);
    }
    refused(&server.post("/v1/score", &pair()), 401, "unauthorized", None);
    for open in ["/", "/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(server.get(open).status, 200, "{open}");
    }
}

#[test]
fn public_server_without_a_token_warns() {
    let place = Place::new();
    let mut command = place.command(with_tiny(&["serve", "--listen", "0.0.0.0:0"]));
    command
        .env_remove("VERIDIC_TOKEN")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 12];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(&first, b"listening on");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("warning: ") && stderr.contains("--token-file"), "{stderr}");
}

#[test]
fn invalid_settings_are_errors_at_the_start() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    place.write("short", "abc");
    let commands = [
        format!("serve --listen {taken}"),
        "serve --listen 127.0.0.1:0 --token-file short".to_owned(),
        "serve --listen 127.0.0.1:0 --token-file missing".to_owned(),
        "serve --listen 127.0.0.1:0 --timeout 0".to_owned(),
    ];
    assert_snapshot!("settings", place.refusals(&commands).replace(&taken, "TAKEN"));
}

/// Announced bodies hold their memory until their clients leave.
#[test]
fn full_body_memory_is_an_error_with_retry_after() {
    let server = Server::tiny(&["--max-body-mb", "1"]);
    let head = format!(
        "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{{",
        1 << 20
    );
    let announced: Vec<TcpStream> = (0..32)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let mut response = None;
    assert!(common::runs::wait_until(|| {
        let answer = server.post("/v1/score", &pair());
        let is_full = answer.status == 429;
        response = Some(answer);
        is_full
    }));
    let response = response.unwrap();
    refused(&response, 429, "queue_full", None);
    assert_eq!(response.header("retry-after"), Some("1"));
    drop(announced);
    assert!(common::runs::wait_until(|| server.post("/v1/score", &pair()).status == 200));
}

/// All 64 workers are busy, and one request waits.
#[test]
fn full_queue_is_an_error() {
    let server = Server::tiny(&["--queue", "1", "--set", "cache_mb=0"]);
    let body = long(1);
    let waiting: Vec<TcpStream> = (0..66).map(|_| server.send_post("/v1/score", &body)).collect();
    assert!(common::runs::wait_until(|| server.metric("veridic_in_hand") == 64.0));
    refused(&server.post("/v1/score", &pair()), 429, "queue_full", None);
    assert_eq!(server.get("/healthz").status, 200);
    drop(waiting);
    assert!(common::runs::wait_until(|| server.post("/v1/score", &pair()).status == 200));
}

#[test]
fn slow_answer_is_an_error_at_the_deadline() {
    let server = Server::tiny(&["--timeout", "0.05", "--set", "cache_mb=0"]);
    refused(&server.post_text("/v1/score", &long(1)), 504, "deadline", None);
    let batch = server.post_text("/v1/score/batch", &format!("[{}]", long(1))).lines();
    assert_eq!(batch[0]["error"]["code"], "deadline");
    let events = server.post_text("/v1/score/events", &long(1)).body;
    assert!(events.contains("event: error\ndata: {\"error\":{\"code\":\"deadline\""), "{events}");
    assert!(common::runs::wait_until(|| server.metric("veridic_in_hand") == 0.0));
    // Repeated, in case the machine is busy.
    let cat = json!({"premise": "A cat sat.", "hypothesis": "A cat."});
    assert!(common::runs::wait_until(|| server.post("/v1/nli", &cat).status == 200));
}

#[test]
fn missing_body_is_an_error_at_the_timeout() {
    let server = Server::tiny(&["--timeout", "0.2"]);
    let mut stream = server.connect();
    stream.write_all(b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{").unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    refused(&parse(&bytes), 408, "body_timeout", None);
}

/// A request waited for the head of another connection, 30 seconds.
#[test]
fn half_open_connections_give_way_to_a_request() {
    let sent: [&[u8]; 2] = [b"", b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\n"];
    let half_open = sent.map(|sent| {
        let server = Server::tiny(&["--connections", "4"]);
        let open = |_| {
            let mut stream = server.connect();
            stream.write_all(sent).unwrap();
            stream
        };
        let mut half_open: Vec<TcpStream> = (0..12).map(open).collect();
        assert_eq!(server.post("/v1/score", &pair()).status, 200);
        let last = half_open.last_mut().unwrap();
        last.set_nonblocking(true).unwrap();
        let waits = last.read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(waits, "the last connection was closed too, so the request waited for its time to be over");
        last.set_nonblocking(false).unwrap();
        (server, half_open)
    });
    for (_server, mut half_open) in half_open {
        // It is closed at the time for a head, and the oldest one was before.
        assert_eq!(half_open.last_mut().unwrap().read(&mut [0]).unwrap(), 0);
        assert_eq!(half_open[0].read(&mut [0]).unwrap(), 0);
    }
}

/// Connections kept open for the next request also give way; those with a request do not.
#[test]
fn idle_connections_give_way_and_busy_ones_do_not() {
    let server = Server::tiny(&["--connections", "2"]);
    let mut idle = server.connect();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut bytes = [0; 1024];
    assert!(idle.read(&mut bytes).unwrap() > 0);
    // Its body is still to come.
    let body = pair().to_string();
    let length = body.len();
    let head = format!(
        "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    let mut busy = server.connect();
    busy.write_all(head.as_bytes()).unwrap();
    let asked = Instant::now();
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(idle.read(&mut bytes).unwrap(), 0, "it is closed");
    assert!(asked.elapsed() < Duration::from_secs(4), "it was closed at its time only");
    busy.write_all(body.as_bytes()).unwrap();
    assert_eq!(read(busy).status, 200);
}

#[test]
fn brackets_that_nobody_closes_are_not_json() {
    let server = Server::tiny(&[]);
    for path in ["/v1/score", "/v1/score/batch"] {
        let answer = server.post_text(path, &"[".repeat(5000));
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &"not_json".into()), "{path}");
    }
    assert_eq!(server.post_text("/v1/score", "[]").status, 422);
}

#[test]
fn invalid_http_leaves_the_server_running() {
    let server = Server::tiny(&[]);
    let random = &mut Random(77);
    for _ in 0..60 {
        let length = random.below(4000);
        let mut bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        if random.below(2) == 0 {
            bytes.splice(..0, b"POST /v1/score HTTP/1.1\r\nContent-Length: 50\r\n".iter().copied());
        }
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
        // The server may close the connection at any byte.
        let _ = stream.write_all(&bytes);
        let _ = stream.read(&mut [0; 64]);
    }
    for head in [
        "GET / HTTP/9.9\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.read(&mut [0; 64]);
    }
    assert_eq!(server.post("/v1/score", &pair()).status, 200);
}

/// A page can let its own name resolve to this machine: a server without a token answers for its own hosts only.
#[test]
fn a_server_without_a_token_answers_for_its_own_hosts() {
    let server = Server::tiny(&["--allow-host", "judge.example"]);
    let status = |head: &str| {
        let mut stream = server.connect();
        stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        read(stream).status
    };
    let address = &server.address;
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080", "judge.example:80", address] {
        assert_eq!(status(&format!("GET /v1/models HTTP/1.1\r\nHost: {host}")), 200, "{host}");
    }
    for path in ["/", "/healthz", "/v1/models", "/metrics"] {
        assert_eq!(status(&format!("GET {path} HTTP/1.1\r\nHost: evil.example")), 421, "{path}");
    }
    assert_eq!(status("GET http://evil.example/v1/models HTTP/1.1\r\nHost: localhost"), 421);
    for head in ["GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\nHost: b", "GET / HTTP/1.1\r\nHost: a/b"] {
        assert_eq!(status(head), 400, "{head}");
    }
    assert_eq!(status("GET / HTTP/1.0"), 200);
    // Whoever has the token may call it by any name.
    let server =
        Server::start_with(&["--model", &tiny()], |command| _ = command.env("VERIDIC_TOKEN", "a-long-token"));
    let mut stream = server.connect();
    let head = "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n";
    stream.write_all(format!("{head}Authorization: Bearer a-long-token\r\n\r\n").as_bytes()).unwrap();
    assert_eq!(read(stream).status, 200);
}

#[test]
fn a_compressed_body_is_refused() {
    let server = Server::tiny(&[]);
    let send = |encoding: &str| {
        let headers = ["Content-Type: application/json", encoding];
        read(server.send("POST", "/v1/score", &headers, br#"{"document": "A cat.", "summary": "A cat."}"#))
    };
    assert_eq!(send("Content-Encoding: identity").status, 200);
    for encoding in ["Content-Encoding: gzip", "Content-Encoding: identity, br"] {
        let answer = send(encoding);
        assert_eq!(answer.status, 415, "{encoding}");
        assert!(answer.body.contains("compressed"), "{}", answer.body);
    }
}

/// `nc -N` and others close their sending side after the request and wait for the answer.
#[test]
fn a_half_closed_client_gets_its_answer() {
    let server = Server::tiny(&[]);
    let stream = server.send_post("/v1/score", &pair().to_string());
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(read(stream).status, 200);
}
