//! Stopping `veridic serve`: requests in progress are answered, within a moment; the work of a client that disconnects is
//! cancelled.
#![cfg(unix)]
use std::net::TcpStream;

use crate::common::runs::{Random, corpus, sentence, wait_until};
use crate::common::server::{Server, read};
use crate::common::{Output, Place};
use serde_json::{Value, json};

/// Request bodies with documents of `sentences` sentences.
fn bodies(rows: usize, sentences: usize) -> Vec<String> {
    let body = |row: &Value| json!({"document": row["document"], "summary": row["summary"]}).to_string();
    corpus(41, rows, sentences).iter().map(body).collect()
}

/// The number of requests for scores that the server has answered, and of tasks in hand.
fn begun(server: &Server) -> u64 {
    let metrics = server.get("/metrics").body;
    let counted = ["veridic_in_hand ", "veridic_requests_total{endpoint=\"/v1/score"];
    let lines = metrics.lines().filter(|line| counted.iter().any(|name| line.starts_with(name)));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn stop_answers_requests_in_progress_and_closes_the_listener() {
    for signal in ["-TERM", "-INT"] {
        let server = Server::tiny(&["--set", "cache_mb=0"]);
        let bodies = bodies(20, 20);
        let sent: Vec<TcpStream> = bodies.iter().map(|body| server.send_post("/v1/score", body)).collect();
        // Only what the server has begun to read is answered.
        assert!(wait_until(|| begun(&server) == 20));
        let batch = server.send_post("/v1/score/batch", &format!("[{}]", bodies.join(",")));
        assert!(wait_until(|| begun(&server) > 20));
        server.signal(signal);
        for stream in sent {
            let answer = read(stream);
            assert!(answer.ok()["score"].is_number());
        }
        assert_eq!(read(batch).lines().len(), 20);
        let address = server.address.clone();
        let (code, stderr) = server.ended();
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert!(TcpStream::connect(address).is_err());
    }
}

/// The stop had waited for them, however long they took.
#[test]
fn long_requests_are_refused_after_a_moment() {
    let server = Server::tiny(&["--set", "cache_mb=0", "--set", "screen=off"]);
    let text = |count: usize, words: usize| {
        let random = &mut Random(count as u64);
        (0..count).map(|_| sentence(random, words)).collect::<Vec<_>>().join(" ")
    };
    let long = json!({"document": text(2000, 9), "summary": text(200, 9)}).to_string();
    let rows = vec![long.clone(); 30].join(",");
    let one = server.send_post("/v1/score", &long);
    let events = server.send_post("/v1/score/events", &long);
    let batch = server.send_post("/v1/score/batch", &format!("[{rows}]"));
    assert!(wait_until(|| server.metric("veridic_in_hand") > 2.0));
    server.signal("-INT");
    let one = read(one);
    assert_eq!((one.status, &one.json()["error"]["code"]), (503, &json!("stopping")), "{one:?}");
    assert!(read(events).body.contains("event: error\ndata: {\"error\":{\"code\":\"stopping\""));
    let lines = read(batch).lines();
    assert_eq!(lines.len(), 30);
    assert!(lines.iter().all(|line| line["error"]["code"] == "stopping"), "{lines:?}");
    let (code, stderr) = server.ended();
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn second_signal_ends_it_at_once() {
    let mut server = Server::tiny(&["--set", "cache_mb=0"]);
    let bodies = bodies(200, 300);
    let batch = server.send_post("/v1/score/batch", &format!("[{}]", bodies.join(",")));
    assert!(wait_until(|| server.metric("veridic_in_hand") > 0.0));
    // Signals that arrive together count as one.
    assert!(wait_until(|| {
        server.signal("-TERM");
        server.child.try_wait().unwrap().is_some()
    }));
    assert_eq!(server.ended().0, Some(2));
    drop(batch);
}

/// An idle connection does not keep the server running.
#[test]
fn idle_connection_does_not_delay_the_stop() {
    let server = Server::tiny(&[]);
    let idle = server.connect();
    server.signal("-TERM");
    assert_eq!(server.ended().0, Some(0));
    drop(idle);
}

/// The tokens that are computed until a request is answered.
fn tokens_of_another(server: &Server) -> f64 {
    let before = server.metric("veridic_tokens_total");
    server.post("/v1/score", &json!({"document": "A cat sat.", "summary": "The cat sat."})).ok();
    server.metric("veridic_tokens_total") - before
}

#[test]
fn disconnecting_cancels_the_work() {
    let server = Server::tiny(&["--set", "cache_mb=0"]);
    let tokens = tokens_of_another(&server);
    let (bodies, random) = (bodies(1000, 100), &mut Random(5));
    for path in ["/v1/score/batch", "/v1/score", "/v1/score/events", "/alignscore_base", "/predict"] {
        let (document, summary) = ("A cat sat on the mat. ".repeat(5000), "The dog left. ".repeat(50));
        let pairs: Vec<[String; 2]> = (0..30_000).map(|_| [(); 2].map(|()| sentence(random, 12))).collect();
        let body = match path {
            "/v1/score/batch" => format!("[{}]", bodies.join(",")),
            "/alignscore_base" => json!({"evidence": document, "claim": summary}).to_string(),
            "/predict" => json!({"inputs": pairs}).to_string(),
            _ => json!({"document": document, "summary": summary}).to_string(),
        };
        let client = server.send_post(path, &body);
        assert!(wait_until(|| server.metric("veridic_in_hand") > 0.0), "{path}");
        drop(client);
        assert!(wait_until(|| server.metric("veridic_in_hand") == 0.0), "{path}");
        assert_eq!(server.metric("veridic_queue_depth"), 0.0, "{path}");
        // Another request costs what it cost before: nothing else is computed.
        assert_eq!(tokens_of_another(&server), tokens, "{path}");
    }
    let judged = r#"veridic_rows_total{outcome="judged"} 1000"#;
    assert!(!server.get("/metrics").body.contains(judged), "all rows were judged");
}

#[test]
fn probe_tells_a_server_that_accepts_requests_from_everything_else() {
    let place = Place::new();
    let token = place.write("token", "a-token-of-some-length\n");
    let server = Server::tiny(&["--token-file", token.to_str().unwrap()]);
    let probe = |address: &str| place.run(["serve", "--probe", "--listen", address]);
    assert_eq!(probe(&server.address).code, 0);
    // The address that a container listens on, as the health check gives it.
    let port = server.address.rsplit(':').next().unwrap();
    assert_eq!(probe(&format!("0.0.0.0:{port}")).code, 0);
    let address = server.address.clone();
    drop(server);
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let others = other.local_addr().unwrap().to_string();
    let greets = std::thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        std::io::Write::write_all(&mut stream, b"220 mail.example\r\n").unwrap();
    });
    for address in [address, others] {
        let Output { code, stdout, stderr } = probe(&address);
        assert_eq!((code, stdout.as_str()), (1, ""));
        assert!(stderr.starts_with(&format!("veridic: {address} is not ready: ")), "{stderr}");
        assert_eq!(stderr.lines().count(), 1);
    }
    greets.join().unwrap();
}
