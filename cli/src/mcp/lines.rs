//! The messages of a session as lines on standard input and output. An invalid line is answered with a protocol error and
//! the session continues, so a client never waits forever. `rmcp`'s own transport drops such lines.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc};
use veridic_program::output;

/// The longest accepted line.
const MAX_LINE_BYTES: usize = 16 << 20;

/// The maximum number of messages read ahead.
const MESSAGES_WAITING: usize = 16;

/// How often to ask whether standard output is closed.
const CLOSED_CHECK_INTERVAL: Duration = Duration::from_millis(400);

/// The byte order mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

type Output = Arc<Mutex<StdioWriter>>;

/// The transport. Clones share it, so that a session can restart on the same streams.
#[derive(Clone)]
pub(super) struct Lines {
    messages: Arc<Mutex<mpsc::Receiver<ClientJsonRpcMessage>>>,
    output: Output,
}

impl Lines {
    /// Starts reading standard input in a separate task, since `receive` may be dropped while it waits.
    pub(super) fn start() -> Self {
        let (input, output) = stdio_pipes();
        let (to_session, messages) = mpsc::channel(MESSAGES_WAITING);
        let output = Arc::new(Mutex::new(output));
        tokio::spawn(read(BufReader::new(input), to_session, Arc::clone(&output)));
        Self { messages: Arc::new(Mutex::new(messages)), output }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(Arc::clone(&self.output), message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.lock().await.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes messages to the session and answers invalid lines, until the input or the session ends.
async fn read(
    mut input: BufReader<StdioReader>,
    to_session: mpsc::Sender<ClientJsonRpcMessage>,
    to_client: Output,
) {
    let mut line = Vec::new();
    loop {
        let is_read = tokio::select! {
            is_read = next_line(&mut input, &mut line) => is_read,
            () = output_closed() => return,
        };
        if !matches!(is_read, Ok(true)) {
            return;
        }
        let goes_on = match message(&line) {
            Ok(Some(message)) => to_session.send(message).await.is_ok(),
            Ok(None) => true,
            Err((error, id)) => write_line(Arc::clone(&to_client), &refusal(error, id)).await.is_ok(),
        };
        if !goes_on {
            return;
        }
    }
}

/// Returns once nobody can read standard output any more, which a session would notice only at its next answer.
async fn output_closed() {
    loop {
        tokio::time::sleep(CLOSED_CHECK_INTERVAL).await;
        if output::is_closed() {
            return;
        }
    }
}

/// Reads the next line, keeping at most one byte more than [`MAX_LINE_BYTES`]; returns false at the end of the input.
async fn next_line(input: &mut BufReader<StdioReader>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let most = MAX_LINE_BYTES as u64 + 1;
    if (&mut *input).take(most).read_until(b'\n', line).await? == 0 {
        return Ok(false);
    }
    let mut rest = Vec::new();
    while line.len() > MAX_LINE_BYTES && line.last() != Some(&b'\n') && rest.last() != Some(&b'\n') {
        rest.clear();
        if (&mut *input).take(most).read_until(b'\n', &mut rest).await? == 0 {
            break;
        }
    }
    Ok(true)
}

async fn write(output: Output, message: ServerJsonRpcMessage) -> io::Result<()> {
    write_line(output, &message).await
}

/// The answer to an invalid line. Its id is null if it cannot be read (JSON-RPC 2.0, section 5); `rmcp` would leave it out.
fn refusal(error: ErrorData, id: Option<RequestId>) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

async fn write_line(output: Output, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// Parses the message of a line. An invalid notification or response gives `None`, since the protocol leaves it unanswered;
/// anything else invalid gives the error to answer with, and the id if it is readable.
fn message(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, (ErrorData, Option<RequestId>)> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let id = id(line);
    let refused = |code, message: &str| (ErrorData::new(code, message.to_owned(), None), id.clone());
    let invalid = |message: &str| refused(ErrorCode::INVALID_REQUEST, message);
    if line.len() > MAX_LINE_BYTES {
        return Err(invalid(&format!("the message has more than {MAX_LINE_BYTES} bytes")));
    }
    let json: Value = serde_json::from_slice(line)
        .map_err(|error| refused(ErrorCode::PARSE_ERROR, &format!("the line is no valid JSON: {error}")))?;
    if json.is_array() {
        return Err(invalid("batches of messages are not supported: send one message a line"));
    }
    let has = |name| json.get(name).is_some();
    if json.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(r#"a message is an object with `"jsonrpc": "2.0"`"#));
    }
    if has("method") && has("id") && id.is_none() {
        return Err(invalid("`id` must be a string or an integer"));
    }
    match ClientJsonRpcMessage::deserialize(&json) {
        Ok(message) => Ok(Some(message)),
        Err(_) if has("method") && has("id") && json["method"].is_string() => {
            Err(refused(ErrorCode::INVALID_PARAMS, "`params` must be an object"))
        }
        Err(_) if !has("id") && has("method") || has("result") || has("error") => Ok(None),
        Err(_) => Err(invalid("the message is no request, no notification and no response")),
    }
}

/// Returns the id of a message, even if the JSON after it is invalid or the line has invalid characters.
fn id(line: &[u8]) -> Option<RequestId> {
    struct Reader<'r>(&'r mut Option<RequestId>);
    impl<'de> Visitor<'de> for Reader<'_> {
        type Value = ();
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
            while let Some(name) = members.next_key::<Cow<'de, str>>()? {
                match &*name {
                    "id" => *self.0 = Some(members.next_value()?),
                    _ => drop(members.next_value::<IgnoredAny>()?),
                }
            }
            Ok(())
        }
    }
    let mut id = None;
    // Fails if the line is not JSON; an id before the failure has been read by then.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(Reader(&mut id));
    id
}
