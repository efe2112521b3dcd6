//! The data that a collector receives: a small one inside the test gets the program's real exports. Spans of requests and of
//! a run, and an event for every judgement.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Content;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};

use crate::common::server::{Server, read};
use crate::common::{Place, article, summary, tiny};

/// The caller's trace, in the header and as the collector receives it.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// An export: its path and its content.
#[derive(Default)]
struct Received {
    spans: Vec<Span>,
    events: Vec<LogRecord>,
    /// Attributes of the resource.
    resource: Vec<KeyValue>,
    /// Lines of the requests' heads.
    heads: Vec<String>,
}

/// A collector on a free port.
struct Collector {
    address: String,
    received: Arc<Mutex<Received>>,
}

impl Collector {
    /// Answers every export with this status.
    fn start(status: &'static str) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Received::default()));
        let shared = Arc::clone(&received);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                thread::spawn(move || while receive(&stream, &shared, status).is_some() {});
            }
        });
        Collector { address, received }
    }

    fn environment(&self, command: &mut Command) {
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &self.address);
    }

    fn spans(&self) -> Vec<Span> {
        self.received.lock().unwrap().spans.clone()
    }

    fn events(&self) -> Vec<LogRecord> {
        self.received.lock().unwrap().events.clone()
    }
}

/// Reads and answers one export of a connection; `None` at its end.
fn receive(stream: &TcpStream, received: &Mutex<Received>, status: &str) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(given) = line.strip_prefix("content-length: ") {
            length = given.parse().unwrap();
        }
        head.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut received = received.lock().unwrap();
    if head[0].starts_with("post /v1/traces ") {
        for resource in ExportTraceServiceRequest::decode(&body[..]).unwrap().resource_spans {
            received.resource = resource.resource.unwrap().attributes;
            received.spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    } else if head[0].starts_with("post /v1/logs ") {
        for resource in ExportLogsServiceRequest::decode(&body[..]).unwrap().resource_logs {
            received.events.extend(resource.scope_logs.into_iter().flat_map(|scope| scope.log_records));
        }
    } else {
        panic!("an export to {}", head[0]);
    }
    received.heads.extend(head);
    let answer =
        format!("HTTP/1.1 {status}\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n");
    (&*stream).write_all(answer.as_bytes()).ok()
}

fn value(value: &AnyValue) -> Value {
    match value.value.as_ref().unwrap() {
        Content::StringValue(text) => json!(text),
        Content::IntValue(number) => json!(number),
        Content::DoubleValue(number) => json!(number),
        other => panic!("{other:?}"),
    }
}

fn attribute(attributes: &[KeyValue], key: &str) -> Value {
    let found = attributes.iter().find(|attribute| attribute.key == key);
    found.map_or(Value::Null, |attribute| value(attribute.value.as_ref().unwrap()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pair() -> Value {
    json!({"document": article(), "summary": summary()})
}

/// The headers of a request within the caller's trace.
fn headers() -> [String; 2] {
    ["Content-Type: application/json".to_owned(), format!("traceparent: 00-{TRACE}-{CALLER}-01")]
}

fn server(collector: &Collector, more: &[(&str, &str)]) -> Server {
    Server::start_with(&["--model", &tiny(), "--set", "screen=words:8"], |command| {
        collector.environment(command);
        command.envs(more.iter().copied());
    })
}

#[test]
fn a_request_is_a_span_of_the_callers_trace_with_its_event() {
    let collector = Collector::start("200 OK");
    let server = server(&collector, &[]);
    let headers = headers();
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let mut request = pair();
    request["id"] = json!("answer-1");
    let body = request.to_string();
    let result = read(server.send("POST", "/v1/score", &headers, body.as_bytes())).ok();
    assert_eq!(read(server.send("POST", "/v1/score", &headers, b"{}")).status, 422);
    assert_eq!(server.get("/metrics").status, 200);
    server.signal("-TERM");
    assert_eq!(server.ended(), (Some(0), String::new()));

    let spans = collector.spans();
    assert_eq!(spans.len(), 2, "only requests that do work have a span: {spans:?}");
    let span =
        spans.iter().find(|span| attribute(&span.attributes, "http.response.status_code") == 200).unwrap();
    assert_eq!((span.name.as_str(), span.kind), ("POST /v1/score", 2));
    assert_eq!(
        (hexadecimal(&span.trace_id), hexadecimal(&span.parent_span_id)),
        (TRACE.to_owned(), CALLER.to_owned())
    );
    assert_eq!(attribute(&span.attributes, "http.route"), "/v1/score");
    assert!(span.end_time_unix_nano > span.start_time_unix_nano);
    assert!(spans.iter().any(|span| attribute(&span.attributes, "http.response.status_code") == 422));

    let events = collector.events();
    assert_eq!(events.len(), 1, "a request that is refused has no judgement: {events:?}");
    let event = &events[0];
    assert_eq!(event.event_name, "gen_ai.evaluation.result");
    assert_eq!((&event.trace_id, &event.span_id), (&span.trace_id, &span.span_id));
    let of = |key: &str| attribute(&event.attributes, key);
    assert_eq!(of("gen_ai.evaluation.name"), "factuality");
    assert_eq!(of("gen_ai.evaluation.score.value"), result["score"]);
    assert_eq!(of("gen_ai.evaluation.score.label"), result["verdict"]);
    assert_eq!(of("gen_ai.response.id"), "answer-1");
    let explanation = of("gen_ai.evaluation.explanation");
    assert!(explanation.as_str().unwrap().contains("of 3 claims supported"), "{explanation}");
    // Texts stay here unless they are asked for.
    assert!(!format!("{events:?} {spans:?}").contains("bakery"));
    let received = collector.received.lock().unwrap();
    assert_eq!(attribute(&received.resource, "service.name"), "veridic");
    assert!(received.heads.iter().any(|line| line == "content-type: application/x-protobuf"));
}

#[test]
fn every_way_to_judge_has_its_events() {
    let collector = Collector::start("200 OK");
    let server = server(
        &collector,
        &[("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true"), ("OTEL_SERVICE_NAME", "checker")],
    );
    let bad = json!({"id": 2, "document": article(), "summary": "cat ".repeat(5000)});
    server.post("/v1/score/batch", &json!([pair(), bad, pair()])).lines();
    assert_eq!(server.post("/v1/score/events", &pair()).status, 200);
    server.post("/alignscore_base", &json!({"evidence": article(), "claim": summary()})).ok();
    let lines = [json!({"id": 9, "document": article()}), json!({ "text": summary() })];
    let lines = lines.map(|line| format!("{line}\n")).concat();
    let kind = "Content-Type: application/x-ndjson";
    read(server.send("POST", "/v1/score/stream", &[kind], lines.as_bytes())).lines();
    server.signal("-TERM");
    server.ended();
    let events = collector.events();
    assert_eq!(events.len(), 6, "{events:?}");
    let failed: Vec<&LogRecord> =
        events.iter().filter(|event| attribute(&event.attributes, "error.type") == "invalid").collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(attribute(&failed[0].attributes, "gen_ai.response.id"), "2");
    assert!(attribute(&failed[0].attributes, "gen_ai.evaluation.score.value").is_null());
    let explanations = format!("{events:?}");
    assert!(explanations.contains("bakery"), "texts may be quoted");
    let spans = collector.spans();
    let batch = spans.iter().find(|span| span.name == "POST /v1/score/batch").unwrap();
    assert_eq!(events.iter().filter(|event| event.span_id == batch.span_id).count(), 3);
    let stream = spans.iter().find(|span| span.name == "POST /v1/score/stream").unwrap();
    let event = events.iter().find(|event| event.span_id == stream.span_id).unwrap();
    assert_eq!(attribute(&event.attributes, "gen_ai.response.id"), "9");
    assert_eq!(attribute(&collector.received.lock().unwrap().resource, "service.name"), "checker");
}

#[test]
fn a_run_is_a_span_with_an_event_for_every_new_row() {
    let collector = Collector::start("200 OK");
    let place = Place::new();
    let row = |id: usize, summary: &str| json!({"id": id, "document": article(), "summary": summary});
    let rows = [row(1, &summary()), row(2, "The bakery opened."), row(3, &"cat ".repeat(5000))];
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let run = |more: &[&str]| {
        let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--model"];
        let tiny = tiny();
        let mut command =
            place.command(fixed.iter().chain([&tiny.as_str(), &"--set", &"screen=words:8"]).chain(more));
        collector.environment(&mut command);
        command.env("TRACEPARENT", format!("00-{TRACE}-{CALLER}-01"));
        crate::common::finish(command)
    };
    assert_eq!(run(&[]).code, 2, "one row failed");
    let (spans, events) = (collector.spans(), collector.events());
    assert_eq!((spans.len(), spans[0].name.as_str()), (1, "veridic run"));
    assert_eq!(hexadecimal(&spans[0].trace_id), TRACE);
    assert_eq!(attribute(&spans[0].attributes, "veridic.rows.judged"), 2);
    assert_eq!(attribute(&spans[0].attributes, "veridic.rows.failed"), 1);
    assert!(events.iter().all(|event| event.span_id == spans[0].span_id));
    let named = |name: &str| -> Vec<_> {
        let is_named = |event: &&LogRecord| attribute(&event.attributes, "gen_ai.evaluation.name") == name;
        events.iter().filter(is_named).collect()
    };
    let written = place.json_rows("out.jsonl");
    let judged: Vec<Value> = named("factuality")
        .into_iter()
        .map(|event| attribute(&event.attributes, "gen_ai.evaluation.score.value"))
        .collect();
    assert_eq!(judged, [written[0]["score"].clone(), written[1]["score"].clone(), Value::Null]);
    // Known rows are not judged again.
    let before = events.len();
    run(&["--resume"]);
    assert_eq!(collector.events().len(), before, "rows of the journal have no events");
}

#[test]
fn nothing_is_sent_without_an_endpoint_or_when_it_is_disabled() {
    let collector = Collector::start("200 OK");
    for variables in [
        &[][..],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.address), ("OTEL_SDK_DISABLED", "true")],
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.address),
            ("OTEL_TRACES_EXPORTER", "none"),
            ("OTEL_LOGS_EXPORTER", "none"),
        ],
    ] {
        let server = Server::start_with(&["--model", &tiny(), "--set", "screen=words:8"], |command| {
            command.envs(variables.iter().copied());
        });
        server.post("/v1/score", &pair()).ok();
        server.signal("-TERM");
        assert_eq!(server.ended(), (Some(0), String::new()), "{variables:?}");
    }
    assert!(collector.received.lock().unwrap().heads.is_empty());
}

#[test]
fn a_collector_that_refuses_or_is_away_is_noted_once_and_answers_go_on() {
    let away = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refuses = Collector::start("400 Bad Request");
    for (address, part) in
        [(format!("http://{away}"), "not received by"), (refuses.address.clone(), "400 Bad Request")]
    {
        let server = Server::start_with(&["--model", &tiny(), "--set", "screen=words:8"], |command| {
            command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address).env("OTEL_EXPORTER_OTLP_TIMEOUT", "500");
        });
        for _ in 0..3 {
            server.post("/v1/score", &pair()).ok();
        }
        server.signal("-TERM");
        let (code, stderr) = server.ended();
        assert_eq!(code, Some(0));
        assert!(stderr.contains(part) && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
fn unsupported_settings_are_noted_and_nothing_is_sent() {
    let collector = Collector::start("200 OK");
    for (name, text) in [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "not an address"),
    ] {
        let server = server(&collector, &[(name, text)]);
        server.post("/v1/score", &pair()).ok();
        server.signal("-TERM");
        let (code, stderr) = server.ended();
        assert_eq!((code, stderr.lines().count()), (Some(0), 1), "{stderr}");
        assert!(stderr.contains("no telemetry"), "{stderr}");
    }
    assert!(collector.received.lock().unwrap().heads.is_empty());
}
