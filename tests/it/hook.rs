//! `veridic hook`: the report of a coding agent against what its tools returned.
use std::fs;

use serde_json::{Value, json};

use crate::common::{Output, Place, list, repository, test_each};

fn hook(input: &str) -> Output {
    Place::new().run_with_stdin(&["hook", "--quiet", "--model", "mini"], input.as_bytes())
}

/// A session in which an agent changes a program and runs its tests. Three sentences of its report are false.
#[test]
fn false_sentences_of_a_recorded_session_are_found() {
    let session = repository("tests/fixtures/agents/session.jsonl");
    let output = hook(&json!({"transcript_path": session, "stop_hook_active": false}).to_string());
    assert_eq!(output.code, 1, "{}", output.stderr);
    let labels = fs::read_to_string(repository("tests/fixtures/agents/session.labels.json")).unwrap();
    let labels: Value = serde_json::from_str(&labels).unwrap();
    let is_accused = |label: &Value| {
        let text = label["text"].as_str().unwrap().replace('`', "");
        output.stdout.lines().any(|line| line.ends_with(&format!("ed: {text}")))
    };
    let (right, wrong): (Vec<&Value>, Vec<&Value>) =
        list(&labels).iter().partition(|label| label["right"] == true);
    assert_eq!(wrong.iter().copied().filter(|label| is_accused(label)).count(), 3, "{}", output.stdout);
    assert!(right.iter().copied().filter(|label| is_accused(label)).count() <= 1, "{}", output.stdout);
}

#[test]
fn an_agent_that_was_stopped_before_or_used_no_tool_is_let_go() {
    let messages =
        json!([{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello. I am here."}]);
    let session = repository("tests/fixtures/agents/session.jsonl");
    for input in [
        json!({"messages": messages}),
        json!({"messages": []}),
        json!({"transcript_path": session, "stop_hook_active": true}),
    ] {
        let Output { code, stdout, stderr } = hook(&input.to_string());
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""), "{input}");
    }
}

#[test]
fn an_input_that_cannot_be_read_says_why() {
    let cases = [
        ("{", "standard input"),
        ("{\"session_id\": 1}", "transcript_path"),
        ("{\"transcript_path\": \"missing.jsonl\"}", "missing.jsonl"),
    ];
    test_each(cases, |(input, part)| {
        hook(input).clear_error(&[part]).unwrap();
    });
}
