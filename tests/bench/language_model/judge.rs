//! A small server of chat completions inside the tests.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::finesure;

/// A received request: the head's first line, the authorization, and the body.
pub type Received = Vec<(String, Option<String>, Value)>;

pub struct Judge {
    pub url: String,
    pub received: Arc<Mutex<Received>>,
}

/// Answers a request, given by its number, from 0, and its body, with a status, further header lines, and a body.
pub type Answer = fn(usize, &Value) -> (u16, &'static str, String);

impl Judge {
    pub fn start(answer: Answer) -> Judge {
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

    pub fn posted(&self) -> Received {
        let received = self.received.lock().unwrap().clone();
        received.into_iter().filter(|(line, ..)| line.starts_with("POST /v1/chat/completions ")).collect()
    }
}

/// Reads and answers one request of a connection; `None` at its end.
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
    (&*stream).write_all(answer.as_bytes()).ok()?;
    // An answer may end the connection.
    (!head.contains("Connection: close")).then_some(())
}

/// A completion of a request of FineSurE's fact checking.
pub fn completion(body: &Value) -> String {
    let reply = finesure(&json!({ "step": "finesure:facts", "messages": body["messages"] })).unwrap();
    saying(&reply)
}

/// A completion with this text.
pub fn saying(text: &str) -> String {
    json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 10 },
    })
    .to_string()
}
