//! `veridic mcp`: the messages of a session over the program's real standard input and output. Verdicts are those of
//! `veridic score`; every place in an answer slices to its text.
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::runs::wait_until;
use crate::common::{Place, article, list, screened_by_words, slice, summary, tiny};
use insta::assert_snapshot;

/// A session with a server; killed when dropped.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
    _place: Place,
}

impl Session {
    /// A session with the tiny model.
    pub fn tiny(more: &[&str]) -> Session {
        Session::start(&[&["--model", &tiny()], &screened_by_words(more)[..]].concat())
    }

    /// A session whose handshake is done.
    pub fn start(more: &[&str]) -> Session {
        let mut session = Session::raw(more);
        session.begin_session();
        session
    }

    /// The handshake.
    fn begin_session(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "veridic", "{answer}");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        assert!(
            answer["result"]["capabilities"]["tools"].is_object()
                && answer["result"]["instructions"].is_string()
        );
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    }

    fn raw(more: &[&str]) -> Session {
        let place = Place::new();
        let mut command: Command = place.command(["mcp", "--quiet"].iter().chain(more));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Session { child, stdin, stdout, last_id: 0, _place: place }
    }

    fn send(&mut self, line: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(&[line.as_ref(), b"\n"].concat()).unwrap();
        stdin.flush().unwrap();
    }

    /// Returns the next message of the server. Every line that it writes must be a message.
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    pub fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Returns the structured answer of a call, which equals its text.
    #[track_caller]
    pub fn answer(&mut self, tool: &str, arguments: &Value) -> Value {
        let message = self.call(tool, arguments);
        let result = &message["result"];
        assert_eq!(result["isError"], false, "{message}");
        let content = list(&result["content"]);
        assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
        let text: Value = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// Returns the message of a refused call; the session continues.
    #[track_caller]
    fn refusal(&mut self, tool: &str, arguments: &Value) -> String {
        let message = self.call(tool, arguments);
        assert_eq!(message["result"]["isError"], true, "{message}");
        message["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes standard input; returns the exit code and stderr.
    pub fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        assert!(wait_until(|| self.child.try_wait().unwrap().is_some()), "the server did not end");
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stderr)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Fails if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sources() -> Vec<Value> {
    let (first, second) = article().split_once("\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    vec![json!({"id": "news", "text": first}), json!({"id": 7, "text": second})]
}

/// Asserts that every place of a passage is in a source and holds the passage.
#[track_caller]
fn assert_in_sources(passage: &Value, sources: &[Value]) {
    let places = list(&passage["sources"]);
    assert!(!places.is_empty(), "{passage}");
    for place in places {
        let id = place["id"].as_str().unwrap();
        let source = sources.iter().find(|source| source["id"].to_string().trim_matches('"') == id).unwrap();
        for span in list(&place["spans"]) {
            let slice = slice(source["text"].as_str().unwrap(), span);
            assert!(passage["text"].as_str().unwrap().contains(&slice), "{slice:?} is not in {passage}");
        }
    }
}

/// `rules::every_front_door_gives_the_same_claims` compares the bundled model's.
#[test]
fn check_agrees_with_score_and_names_the_sources() {
    let place = Place::new();
    place.write("rows.jsonl", json!({"document": sources(), "summary": summary()}).to_string());
    let expected = place.run_tiny(&["run", "rows.jsonl", "-o", "-", "-q"]).json();
    let mut session = Session::tiny(&[]);
    let answer = session.answer("check", &json!({"text": summary(), "sources": sources()}));
    for field in ["verdict", "score"] {
        assert_eq!(answer[field], expected[field]);
    }
    let (claims, judged) = (list(&answer["claims"]), list(&expected["claims"]));
    assert_eq!(claims.len(), judged.len());
    for (claim, judged) in claims.iter().zip(judged) {
        assert_eq!((&claim["text"], &claim["spans"]), (&judged["text"], &judged["summary_spans"]));
        assert_eq!((&claim["verdict"], &claim["score"]), (&judged["verdict"], &judged["score"]));
        assert_eq!(claim["evidence"]["text"], judged["evidence"]["text"]);
        assert_in_sources(&claim["evidence"], &sources());
        assert_eq!(claim.get("counter_evidence").is_some(), !judged["counter_evidence"].is_null());
        if let Some(counter) = claim.get("counter_evidence") {
            assert_in_sources(counter, &sources());
        }
        assert_eq!(claim["explanation"], judged["explanation"]);
    }
}

/// The tool had no way to request citations.
#[test]
fn citations_are_checked_where_they_are_asked_for() {
    let sources = json!([{"id": "a", "text": "The pool closes in March."}, {"id": 7, "text": "The library opens in May."}]);
    let text = "The pool closes in March [a]. The library opens in May [a].";
    let mut session = Session::start(&["--model", "mini"]);
    let answer = session.answer("check", &json!({"text": text, "sources": sources, "citations": true}));
    let verdicts: Vec<&Value> =
        list(&answer["claims"]).iter().map(|claim| &claim["citations"][0]["verdict"]).collect();
    assert_eq!(verdicts, ["supports", "other_supports"]);
    let wrong = answer["claims"][1]["explanation"].as_str().unwrap();
    assert!(wrong.contains("Wrong citation: source a does not say it, source 7 does."), "{wrong}");
    let unasked = session.answer("check", &json!({"text": text, "sources": sources}));
    assert!(unasked["claims"][0].get("citations").is_none());
}

/// The default model sees that an amount differs.
#[test]
fn what_the_sources_say_instead_has_its_place() {
    let sources = [
        json!({"id": "a", "text": "The pool closes in March."}),
        json!({"id": "b", "text": "Repairs would cost 4.2 million euros, the report said."}),
    ];
    let text = "The pool closes in March. Repairs would cost 2.4 million euros.";
    let mut session = Session::start(&["--model", "base", "--set", "screen=off"]);
    let answer = session.answer("check", &json!({"text": text, "sources": sources}));
    assert_eq!(answer["verdict"], "contradicted", "{answer}");
    let claim = &answer["claims"][1];
    let instead = &claim["instead"];
    assert_eq!(
        (&instead["text"], &instead["document"]),
        (&json!("2.4 million euros"), &json!("4.2 million euros"))
    );
    assert_eq!(slice(text, &instead["span"]), "2.4 million euros");
    assert_eq!(instead["sources"][0]["id"], "b");
    let place = &instead["sources"][0]["spans"][0];
    assert_eq!(slice(sources[1]["text"].as_str().unwrap(), place), "4.2 million euros");
    assert!(
        claim["explanation"].as_str().unwrap().contains("the document says 4.2 million euros"),
        "{claim}"
    );
    assert_eq!(answer["corrected"], text.replace("2.4", "4.2"));
}

#[test]
fn claims_are_those_of_the_command() {
    let place = Place::new();
    place.write("summary.txt", summary());
    let expected = place.run(["claims", "summary.txt", "--format", "json", "--claims", "sentence"]).json();
    let mut session = Session::tiny(&[]);
    let answer = session.answer("extract_claims", &json!({"text": summary()}));
    assert_eq!(answer["claims"], expected["claims"]);
}

#[test]
fn bad_input_is_an_answer_and_the_session_goes_on() {
    let mut session = Session::tiny(&[]);
    let good = json!({"text": "A cat sat.", "sources": [{"id": "a", "text": "The cat sat on the mat."}]});
    let mut told = String::new();
    for (field, value) in [
        ("text", json!("")),
        ("text", json!("?!")),
        ("text", json!(["A cat."])),
        ("text", Value::Null),
        ("text", json!("cat ".repeat(60_000))),
        ("text", json!("cat ".repeat(5000))),
        ("sources", json!("The cat sat.")),
        ("sources", json!({"id": "a", "text": "A b."})),
        ("sources", json!([])),
        ("sources", json!([7])),
        ("sources", json!([{"id": "a"}])),
        ("sources", json!([{"id": "a", "text": "A."}, {"id": "a", "text": "B."}])),
        ("sources", json!([{"id": "a", "text": ["The cat."]}])),
        ("sources", json!([{"id": "a", "text": "..."}])),
        ("citations", json!("yes")),
        ("document", json!("A cat.")),
    ] {
        let shown: String = value.to_string().chars().take(60).collect();
        let mut arguments = good.clone();
        arguments[field] = value;
        told += &format!("{field} = {shown}\n    {}\n", session.refusal("check", &arguments));
    }
    for (tool, arguments) in [
        ("check", json!({"text": "A b."})),
        ("extract_claims", json!({})),
        ("extract_claims", json!({"text": "A b.", "sources": []})),
    ] {
        told += &format!("{tool} {arguments}\n    {}\n", session.refusal(tool, &arguments));
    }
    assert_snapshot!("bad_input", told);
    let unknown = session.call("delete", &json!({}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_snapshot!(unknown["error"]["message"].as_str().unwrap(), @"no tool has the name delete: known are check, extract_claims");
    let not_arguments = session.request("tools/call", &json!({"name": "check", "arguments": "text"}));
    assert!(not_arguments["error"]["message"].is_string(), "{not_arguments}");
    assert!(session.request("nothing/like/that", &json!({}))["error"].is_object());
    assert!(session.answer("check", &good)["verdict"].is_string());
    assert_eq!(session.end(), (Some(0), String::new()));
}

/// A call of `check` whose text is these bytes.
fn call_with(text: &[u8]) -> Vec<u8> {
    let head =
        br#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"check","arguments":{"text":"#;
    [head, text, br#","sources":[{"text":"The cat sat."}]}}}"#].concat()
}

/// Such lines were dropped, so that a client waited forever for its answer.
#[test]
fn lines_that_are_no_messages_are_answered_and_the_session_goes_on() {
    let mut session = Session::tiny(&[]);
    let whole = call_with(br#""A cat.""#);
    let nested = [r#"{"jsonrpc":"2.0","id":"c","method":"ping","params":"#, &"[".repeat(200)].concat();
    let long =
        [r#"{"jsonrpc":"2.0","id":"c","method":"ping","params":""#, &"x".repeat(17 << 20), "\"}"].concat();
    let mut told = String::new();
    for line in [
        &call_with(br#""A \ud800 cat.""#)[..],
        &call_with(b"\"A \xff cat.\""),
        &call_with(b"NaN"),
        &whole[..whole.len() - 20],
        nested.as_bytes(),
        b"{",
        b"\0",
        br#"{"jsonrpc":"2.0","method":"ping","x":NaN,"id":"c"}"#,
        br#"[{"jsonrpc":"2.0","id":"c","method":"ping"}]"#,
        b"null",
        b"7",
        br#"{"jsonrpc":"2.0"}"#,
        br#"{"jsonrpc":"1.0","id":"c","method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":"c","method":7}"#,
        br#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":7}"#,
        long.as_bytes(),
    ] {
        session.send(line);
        told += &format!("{}\n    {}\n", line[..line.len().min(160)].escape_ascii(), session.receive());
    }
    assert_snapshot!("bad_lines", told);
    // The protocol leaves these unanswered.
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/other"}"#,
        "",
        " \t\r",
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}"#,
    ] {
        session.send(line);
    }
    let tools = session.request("tools/list", &json!({}));
    let annotated = list(&tools["result"]["tools"]).iter().map(|tool| &tool["annotations"]["readOnlyHint"]);
    assert_eq!(annotated.collect::<Vec<_>>(), [true, true]);
    session.send(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"ping\"}\r");
    assert!(session.receive()["result"].is_object());
    assert_eq!(session.end(), (Some(0), String::new()));
}

/// It went on for as long as the client kept standard input open.
#[cfg(unix)]
#[test]
fn a_session_that_nobody_reads_ends() {
    let place = Place::new();
    let model = tiny();
    let mut command: Command = place.command(["mcp", "--quiet", "--model", &model].iter());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let has_ended = wait_until(|| child.try_wait().unwrap().is_some());
    let _ = child.kill();
    assert!(has_ended);
}

/// The process had ended.
#[test]
fn a_client_that_begins_wrongly_may_begin_again() {
    let mut session = Session::raw(&["--model", &tiny()]);
    session.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    session.send("garbage");
    assert_eq!(session.receive()["error"]["code"], -32700);
    for (method, params) in [("tools/list", json!({})), ("initialize", json!({"protocolVersion": 7}))] {
        assert_eq!(session.request(method, &params)["error"]["code"], -32602);
    }
    session.begin_session();
    assert!(session.request("tools/list", &json!({}))["result"].is_object());
    assert_eq!(session.end(), (Some(0), String::new()));
}

/// Texts that take the tiny model a while.
fn long() -> Value {
    let sources: Vec<String> =
        (0..200).map(|number| format!("{number} cats sat on mat {number}. ").repeat(50)).collect();
    let text: Vec<String> = (0..60).map(|number| format!("Cat {number} sat on a mat.")).collect();
    json!({"text": text.join(" "), "sources": sources})
}

#[test]
fn a_cancelled_call_ends_and_others_are_answered() {
    let mut session = Session::tiny(&["--set", "screen=off", "--set", "cache_mb=0"]);
    let cancelled = session.begin("tools/call", &json!({"name": "check", "arguments": long()}));
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": cancelled}});
    session.send(cancel.to_string());
    let small = json!({"text": "A cat sat.", "sources": ["The cat sat on the mat."]});
    assert!(session.answer("check", &small)["verdict"].is_string());
}

/// The process exits even while a call is computed.
#[test]
fn a_client_that_leaves_ends_the_process() {
    let mut session = Session::tiny(&["--set", "screen=off", "--set", "cache_mb=0"]);
    session.begin("tools/call", &json!({"name": "check", "arguments": long()}));
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn unknown_settings_are_refused() {
    let output = Place::new().run(["mcp", "--model", &tiny(), "--set", "metric=rouge"]);
    assert!(output.code == 2 && output.stderr.contains("no setting `metric`"), "{}", output.stderr);
}
