//! A small HTTP server that behaves like the hub (listings, redirects to another path or to a content server on
//! another port, ETags, ranges, gated repositories) and fails on request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// A fault injected into one answer.
#[derive(Debug, Clone)]
pub enum Fault {
    /// This status and these headers, without a body.
    Status(u16, &'static [(&'static str, &'static str)]),
    /// Another page, as from a captive portal.
    Page(&'static str),
    /// The connection ends after this many bytes of the body.
    CutAfter(usize),
    /// The body and its stated length are this many bytes shorter.
    Shorter(usize),
    /// The body and its stated length are this many bytes longer.
    Longer(usize),
    /// The range header is ignored.
    NoRanges,
    /// One byte of the body is changed.
    OtherBytes,
    /// A pause after every 4,096 bytes.
    Slow(Duration),
    /// A pause before the first byte of the answer.
    Silent(Duration),
}

/// A request received by the hub.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    pub method: String,
    pub path: String,
    pub range: Option<String>,
    pub authorization: Option<String>,
    /// Bytes of the body sent in the answer.
    pub sent: usize,
}

#[derive(Clone)]
pub struct File {
    pub bytes: Vec<u8>,
    /// Whether it is in large-file storage: on the content server under its SHA-256.
    pub large: bool,
    pub sha256: String,
}

impl File {
    pub fn new(bytes: Vec<u8>, large: bool) -> Self {
        let sha256 = sha256(&bytes);
        Self { bytes, large, sha256 }
    }

    /// The ETag. The hub uses another hash than SHA-256 for small files.
    pub fn etag(&self) -> &str {
        if self.large { &self.sha256 } else { &self.sha256[..40] }
    }
}

#[derive(Clone, Default)]
pub struct Repository {
    pub commits: BTreeMap<String, BTreeMap<String, File>>,
    pub branches: BTreeMap<String, String>,
    /// The token that grants access, if the repository is gated.
    pub gate: Option<String>,
    pub moved_to: Option<String>,
}

#[derive(Default)]
struct State {
    repositories: BTreeMap<String, Repository>,
    contents: BTreeMap<String, Vec<u8>>,
    faults: Vec<(&'static str, String, Fault)>,
    requests: Vec<RecordedRequest>,
    content_server: String,
}

pub struct Hub {
    pub endpoint: String,
    state: Arc<Mutex<State>>,
}

impl Hub {
    pub fn start() -> Self {
        let (hub, content) = (listen(), listen());
        let endpoint = address(&hub);
        let state = Arc::new(Mutex::new(State { content_server: address(&content), ..State::default() }));
        for (listener, route) in [(hub, hub_route as Route), (content, content_route as Route)] {
            let state = state.clone();
            thread::spawn(move || serve(&listener, &state, route));
        }
        Self { endpoint, state }
    }

    pub fn put(&self, id: &str, repository: Repository) {
        let mut state = self.state.lock().unwrap();
        for file in repository.commits.values().flat_map(BTreeMap::values) {
            state.contents.insert(file.sha256.clone(), file.bytes.clone());
        }
        state.repositories.insert(id.to_owned(), repository);
    }

    /// Injects a fault into the next request of this method whose path contains `part`.
    pub fn fault(&self, method: &'static str, part: &str, fault: Fault) {
        self.state.lock().unwrap().faults.push((method, part.to_owned(), fault));
    }

    pub fn all_requests(&self) -> Vec<RecordedRequest> {
        self.state.lock().unwrap().requests.clone()
    }

    pub fn clear_requests(&self) {
        self.state.lock().unwrap().requests.clear();
    }

    /// The requests of one method whose path contains `part`.
    pub fn requests(&self, method: &str, part: &str) -> Vec<RecordedRequest> {
        self.all_requests()
            .into_iter()
            .filter(|request| request.method == method && request.path.contains(part))
            .collect()
    }
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

pub fn address(listener: &TcpListener) -> String {
    format!("http://{}", listener.local_addr().unwrap())
}

type Route = fn(&State, &Request) -> Answer;

fn serve(listener: &TcpListener, state: &Arc<Mutex<State>>, route: Route) {
    for stream in listener.incoming().flatten() {
        let state = state.clone();
        thread::spawn(move || answer(stream, &state, route));
    }
}

#[derive(Debug)]
struct Request {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        let first = lines.next()?;
        let mut words = first.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let headers = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_lowercase(), value.trim().to_owned()))
        });
        Some(Self { method, path, headers: headers.collect() })
    }

    fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).cloned()
    }
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn new(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self { status, headers: headers.collect(), body: body.into() }
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>, route: Route) {
    let Some(request) = Request::read(&stream) else { return };
    let (fault, answer) = {
        let mut state = state.lock().unwrap();
        let matches = |(method, part, _): &(&str, String, Fault)| {
            *method == request.method && request.path.contains(part.as_str())
        };
        let fault = state.faults.iter().position(matches).map(|index| state.faults.remove(index).2);
        (fault.clone(), route(&state, &request))
    };
    let (head, body, cut, pause) = shaped(&request, answer, fault.as_ref());
    let sent = if request.method == "HEAD" { 0 } else { cut.min(body.len()) };
    state.lock().unwrap().requests.push(RecordedRequest {
        method: request.method.clone(),
        path: request.path.clone(),
        range: request.header("range"),
        authorization: request.header("authorization"),
        sent,
    });
    // Head and body are written separately; without this, the body would wait for an acknowledgement.
    let _ = stream.set_nodelay(true);
    if let Some(Fault::Silent(wait)) = fault {
        thread::sleep(wait);
    }
    let _ = stream.write_all(head.as_bytes());
    for chunk in body[..sent].chunks(4096) {
        if stream.write_all(chunk).is_err() {
            return;
        }
        thread::sleep(pause);
    }
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.read(&mut [0; 1]);
}

/// Applies the range and the fault: head, body, bytes of the body to send, and the pause between chunks.
fn shaped(request: &Request, answer: Answer, fault: Option<&Fault>) -> (String, Vec<u8>, usize, Duration) {
    let Answer { mut status, mut headers, mut body } = answer;
    let whole = body.len();
    match fault {
        Some(Fault::Status(other, extra)) => {
            let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            (status, headers, body) = (*other, extra.collect(), Vec::new());
        }
        Some(Fault::Page(page)) => (status, headers, body) = (200, Vec::new(), page.as_bytes().to_vec()),
        Some(Fault::Shorter(count)) => body.truncate(whole.saturating_sub(*count)),
        Some(Fault::Longer(count)) => body.extend(vec![b'x'; *count]),
        Some(Fault::OtherBytes) => body[whole / 2] ^= 1,
        _ => {}
    }
    let range = request.header("range").filter(|_| !matches!(fault, Some(Fault::NoRanges)) && status == 200);
    if let Some((from, to)) = range.as_deref().and_then(bounds_of) {
        if from < body.len() {
            let end = body.len().min(to.saturating_add(1));
            headers.push(("Content-Range".to_owned(), format!("bytes {from}-{}/{}", end - 1, body.len())));
            (status, body) = (206, body[from..end].to_vec());
        } else {
            (status, body) = (416, Vec::new());
        }
    }
    let mut head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    let cut = if let Some(Fault::CutAfter(count)) = fault { *count } else { usize::MAX };
    let pause = if let Some(Fault::Slow(pause)) = fault { *pause } else { Duration::ZERO };
    (head, body, cut, pause)
}

/// The first and last byte of `bytes=5-9`, or of `bytes=5-` without an end.
fn bounds_of(range: &str) -> Option<(usize, usize)> {
    let (from, to) = range.strip_prefix("bytes=")?.split_once('-')?;
    let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
    Some((from.parse().ok()?, to))
}

fn hub_route(state: &State, request: &Request) -> Answer {
    let path = request.path.trim_start_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["api", "models", owner, name, "revision", revision] => {
            listing(state, &format!("{owner}/{name}"), revision)
        }
        ["api", "resolve-cache", "models", owner, name, commit, file] => {
            small_file(state, &format!("{owner}/{name}"), commit, file)
        }
        [owner, name, "resolve", revision, file] => {
            resolve(state, request, &format!("{owner}/{name}"), revision, file)
        }
        _ => Answer::new(404, &[], ""),
    }
}

fn refused(status: u16, code: &str) -> Answer {
    Answer::new(status, &[("X-Error-Code", code), ("X-Error-Message", "refused by the test hub")], "")
}

/// The commit of a revision, if the repository has it.
fn commit_of(repository: &Repository, revision: &str) -> Option<String> {
    let revision = revision.replace("%2F", "/");
    let commit = repository.branches.get(&revision).cloned().unwrap_or(revision);
    repository.commits.contains_key(&commit).then_some(commit)
}

fn listing(state: &State, id: &str, revision: &str) -> Answer {
    // Without a token, the hub does not reveal whether a repository exists.
    let Some(repository) = state.repositories.get(id) else { return refused(401, "RepoNotFound") };
    if let Some(other) = &repository.moved_to {
        return Answer::new(307, &[("Location", &format!("/api/models/{other}/revision/{revision}"))], "");
    }
    let Some(commit) = commit_of(repository, revision) else { return refused(404, "RevisionNotFound") };
    let files = repository.commits[&commit].keys().map(|name| serde_json::json!({"rfilename": name}));
    let body = serde_json::json!({"id": id, "sha": commit, "siblings": files.collect::<Vec<_>>()});
    Answer::new(200, &[("Content-Type", "application/json")], body.to_string())
}

fn resolve(state: &State, request: &Request, id: &str, revision: &str, file: &str) -> Answer {
    let Some(repository) = state.repositories.get(id) else { return refused(401, "RepoNotFound") };
    if let Some(other) = &repository.moved_to {
        return Answer::new(307, &[("Location", &format!("/{other}/resolve/{revision}/{file}"))], "");
    }
    if let Some(token) = &repository.gate {
        match request.header("authorization") {
            None => return refused(401, "GatedRepo"),
            Some(given) if given != format!("Bearer {token}") => return refused(403, "GatedRepo"),
            Some(_) => {}
        }
    }
    let Some(commit) = commit_of(repository, revision) else { return refused(404, "RevisionNotFound") };
    let Some(found) = repository.commits[&commit].get(file) else { return refused(404, "EntryNotFound") };
    if !found.large {
        let target = format!("/api/resolve-cache/models/{id}/{commit}/{file}");
        return Answer::new(307, &[("Location", &target), ("X-Repo-Commit", &commit)], "");
    }
    let headers = [
        ("Location", format!("{}/content/{}?signed=yes", state.content_server, found.sha256)),
        ("X-Repo-Commit", commit),
        ("ETag", "\"the-pointer-file\"".to_owned()),
        ("X-Linked-Etag", format!("\"{}\"", found.etag())),
        ("X-Linked-Size", found.bytes.len().to_string()),
    ];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Answer::new(302, &headers, "")
}

fn small_file(state: &State, id: &str, commit: &str, file: &str) -> Answer {
    let found = state.repositories.get(id).and_then(|found| found.commits.get(commit)?.get(file));
    let Some(found) = found else { return refused(404, "EntryNotFound") };
    let etag = format!("\"{}\"", found.etag());
    Answer::new(200, &[("ETag", &etag), ("X-Repo-Commit", commit)], found.bytes.clone())
}

/// The content server rejects requests with a token, as storage with signed URLs does.
fn content_route(state: &State, request: &Request) -> Answer {
    let digest = request.path.trim_start_matches("/content/").split('?').next().unwrap_or_default();
    match state.contents.get(digest) {
        _ if request.header("authorization").is_some() => {
            Answer::new(400, &[], "signed URL and authorization header")
        }
        Some(bytes) => Answer::new(200, &[("ETag", "\"not-the-digest\"")], bytes.clone()),
        None => Answer::new(404, &[], ""),
    }
}
