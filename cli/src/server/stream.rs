//! A text that is judged while it is written. The body is a sequence of JSON lines: first the document, then pieces of the
//! text. The answer also consists of lines: one per sentence as soon as it is judged and, at the end of the body, the result
//! of the whole text or an error. A worker is held only while sentences are judged, never while the client writes.

use std::sync::Arc;

use hyper::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::app::{AppState, in_span};
use super::body::ArrivingBody;
use super::engine::{Engine, json};
use super::error::{ErrorBody, ErrorCode, RequestError};
use super::request::{self, Reader};
use super::request_state::RequestState;
use veridic::corpus::Fields;
use veridic::result::PairResult;
use veridic::{JudgedSentence, ScoreStream};

#[derive(Serialize)]
struct SentenceLine<'s> {
    sentence: &'s JudgedSentence,
}

#[derive(Serialize)]
struct ResultLine<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'r RawValue>,
    result: &'r PairResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'r Fields>,
}

/// The memory that the premises of a document take while its stream is open, as a multiple of its bytes.
const HELD: usize = 32;

/// What the first line gives beside the document.
struct Asked {
    id: Option<Box<RawValue>>,
    /// The other fields, if there are any.
    input: Option<Fields>,
}

/// Reads the first line, then answers the rest of the body with lines.
pub(super) async fn begin(
    app: Arc<AppState>,
    body: ArrivingBody,
) -> Result<UnboundedReceiver<Bytes>, RequestError> {
    let mut lines = Lines { body, bytes: Vec::new(), is_ended: false };
    let first = lines.next().await?.ok_or_else(|| {
        RequestError::new(ErrorCode::Invalid, "the body has no line: begin with {\"document\": ..}")
    })?;
    let mut reader = Reader::of(request::object(&first)?);
    let (document, sources) = reader.document(&reader.document_name()?)?;
    if let Ok(name) = reader.summary_name() {
        let message = "the first line has no text to judge: send it in later lines, as {\"text\": ..}";
        return Err(RequestError::invalid(name, message));
    }
    let asked = Asked { id: reader.id()?, input: reader.others()? };
    let work = move |engine: &Engine, state: &RequestState, deadline| {
        engine.stream(&document, sources, state, deadline)
    };
    lines.body.hold(first.len().saturating_mul(HELD))?;
    let stream = app.answer(first.len(), work).await?;
    let (to_client, parts) = unbounded_channel();
    let stop = app.stop.clone();
    tokio::spawn(in_span(async move {
        let client_left = to_client.clone();
        tokio::select! {
            () = client_left.closed() => {}
            () = answer(app, lines, stream, asked, &to_client) => {}
            () = stop.over() => {
                let error = json(&ErrorBody { error: &RequestError::stopping() });
                let _ = to_client.send(line(error.unwrap_or_default()));
            }
        }
    }));
    Ok(parts)
}

/// Judges the lines as they arrive, and sends the end.
async fn answer(
    app: Arc<AppState>,
    mut lines: Lines,
    stream: ScoreStream,
    Asked { id, input }: Asked,
    to_client: &UnboundedSender<Bytes>,
) {
    let last = match judge(&app, &mut lines, stream, id.clone(), to_client).await {
        Ok(result) => json(&ResultLine { id: id.as_deref(), result: &result, input: input.as_ref() }),
        Err(error) => json(&ErrorBody { error: &error }),
    };
    // Fails when the client has left.
    let _ = to_client.send(line(last.unwrap_or_default()));
}

async fn judge(
    app: &Arc<AppState>,
    lines: &mut Lines,
    mut stream: ScoreStream,
    id: Option<Box<RawValue>>,
    to_client: &UnboundedSender<Bytes>,
) -> Result<PairResult, RequestError> {
    let send = |judged: &[JudgedSentence]| {
        for sentence in judged {
            let _ = to_client.send(line(json(&SentenceLine { sentence }).unwrap_or_default()));
        }
    };
    while let Some(piece) = lines.next().await? {
        let mut reader = Reader::of(request::object(&piece)?);
        let text = reader.text("text")?;
        reader.end("text")?;
        // Most pieces complete no sentence and need no worker.
        let is_complete = stream.add(&text).map_err(|error| RequestError::of(&error))?;
        if !is_complete {
            continue;
        }
        let work =
            move |engine: &Engine, state: &RequestState, deadline| engine.judge(stream, state, deadline);
        let (back, judged) = app.answer(text.len(), work).await?;
        stream = back;
        send(&judged);
    }
    let work = move |engine: &Engine, state: &RequestState, deadline| {
        engine.finish(stream, id.as_deref(), state, deadline)
    };
    let (judged, result) = app.answer(0, work).await?;
    send(&judged);
    Ok(result)
}

fn line(mut json: String) -> Bytes {
    json.push('\n');
    json.into()
}

/// The lines of an arriving body; empty ones are skipped.
struct Lines {
    body: ArrivingBody,
    /// Bytes received after the last complete line.
    bytes: Vec<u8>,
    is_ended: bool,
}

impl Lines {
    /// Returns the next line, or `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, RequestError> {
        loop {
            if let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') {
                let rest = self.bytes.split_off(end + 1);
                let line = std::mem::replace(&mut self.bytes, rest);
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(line));
                }
            } else if self.is_ended {
                let line = std::mem::take(&mut self.bytes);
                return Ok(Some(line).filter(|line| !line.trim_ascii().is_empty()));
            } else {
                match self.body.next().await? {
                    Some(part) => self.bytes.extend_from_slice(&part),
                    None => self.is_ended = true,
                }
            }
        }
    }
}
