//! A server under test, and a minimal HTTP client that returns raw responses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::runs::wait_until;
use super::{Place, screened_by_words, tiny};

/// The longest wait for bytes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// `veridic serve` on a free port; killed when dropped.
pub struct Server {
    pub child: Child,
    pub address: String,
    place: Place,
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// The status line and the headers as sent.
    pub head: String,
    pub body: String,
}

impl Server {
    pub fn tiny(more: &[&str]) -> Server {
        Server::start(&[&["--model", &tiny()], &screened_by_words(more)[..]].concat())
    }

    pub fn start(arguments: &[&str]) -> Server {
        Server::start_with(arguments, |_| {})
    }

    /// Starts a server whose command has additional environment variables.
    pub fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Server {
        let place = Place::new();
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--quiet"];
        let mut command = place.command(fixed.iter().chain(arguments));
        command.env_remove("VERIDIC_TOKEN").stdout(Stdio::piped()).stderr(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("printed {line:?}")).to_owned();
        Server { child, address, place }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends a request; the response remains to be read.
    pub fn send(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        stream
    }

    pub fn get(&self, path: &str) -> Response {
        read(self.send("GET", path, &[], b""))
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.post_text(path, &body.to_string())
    }

    pub fn post_text(&self, path: &str, body: &str) -> Response {
        read(self.send_post(path, body))
    }

    pub fn send_post(&self, path: &str, body: &str) -> TcpStream {
        self.send("POST", path, &["Content-Type: application/json"], body.as_bytes())
    }

    /// The answers to these posts, all of which must be errors as JSON: for a snapshot.
    pub fn refusals(&self, posts: &[(&str, String)]) -> String {
        let answer = |(path, body): &(&str, String)| {
            let answer = self.post_text(path, body);
            assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
            let given: String = body.chars().take(100).collect();
            format!("{path} {given}\n    {} {}\n", answer.status, answer.body.trim_end())
        };
        posts.iter().map(answer).collect()
    }

    /// The value of a metric.
    pub fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the end; returns the exit code and stderr.
    pub fn ended(mut self) -> (Option<i32>, String) {
        assert!(wait_until(|| self.child.try_wait().unwrap().is_some()), "the server did not end");
        let code = self.child.wait().unwrap().code();
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (code, stderr)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = &self.place;
    }
}

impl Response {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The JSON of a response with status 200.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{self:?}");
        self.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Reads a whole response.
#[track_caller]
pub fn read(mut stream: TcpStream) -> Response {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    parse(&bytes)
}

#[track_caller]
pub fn parse(bytes: &[u8]) -> Response {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = &bytes[end + 4..];
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_vec() };
    Response { status, head, body: String::from_utf8(body).unwrap() }
}

/// Decodes the chunked coding of RFC 9112, section 7.1.
#[track_caller]
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").expect("the answer broke off");
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return whole;
        }
        whole.extend(&rest[end + 2..][..size]);
        rest = &rest[end + 2 + size + 2..];
    }
}
