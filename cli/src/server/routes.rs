//! The endpoints of the server and their handlers. A test compares the table with `assets/openapi.json`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use hyper::Method;
use hyper::header::{self, HeaderValue};
use tokio::sync::mpsc;

use super::app::{Answer, App, AppState, with_span};
use super::body::{ReceivedBody, receive_parts};
use super::compatible::{AlignScoreRequest, PredictRequest};
use super::engine::Engine;
use super::error::{ErrorCode, RequestError};
use super::file_text::FileText;
use super::metrics::OPEN_METRICS;
use super::page;
use super::request::{self, ClaimsRequest, NliRequest, ScoreRequest};
use super::request_state::RequestState;
use super::response::{
    Body, EVENTS, JSON_LINES, Request, Response, StreamedBody, error_response, json_response, json_text,
    typed,
};
use super::{batch, events, stream};
use crate::telemetry::Span;

/// Every endpoint and its method.
const ROUTES: [(&str, Method); 15] = [
    ("/", Method::GET),
    ("/healthz", Method::GET),
    ("/readyz", Method::GET),
    ("/metrics", Method::GET),
    ("/openapi.json", Method::GET),
    ("/v1/models", Method::GET),
    ("/v1/score", Method::POST),
    ("/v1/score/batch", Method::POST),
    ("/v1/score/events", Method::POST),
    ("/v1/score/stream", Method::POST),
    ("/v1/claims", Method::POST),
    ("/v1/nli", Method::POST),
    ("/v1/text", Method::POST),
    ("/alignscore_base", Method::POST),
    ("/predict", Method::POST),
];

/// The endpoint label of unknown paths in metrics.
const OTHER: &str = "other";

/// The endpoints that never need the token.
const OPEN: [&str; 4] = ["/", "/healthz", "/readyz", "/openapi.json"];

/// The accepted media types of bodies.
const JSON_TYPES: [&str; 1] = ["application/json"];
const ROW_TYPES: [&str; 4] = ["application/json", JSON_LINES, "application/jsonl", "application/json-lines"];

const FILE_TYPES: [&str; 1] = ["application/octet-stream"];

const OPENAPI: &str = include_str!("assets/openapi.json");

/// Checks the access, and counts every response.
pub(super) async fn respond(app: Arc<AppState>, request: Request) -> Response {
    let start = Instant::now();
    let path = request.uri().path();
    let endpoint = ROUTES.iter().map(|(known, _)| *known).find(|known| *known == path).unwrap_or(OTHER);
    let access = app.access.check(&request, OPEN.contains(&path));
    let does_work = request.method() == Method::POST && endpoint != OTHER;
    let span = if does_work { app.engine.request_span(endpoint, request.headers()) } else { Span::default() };
    let answer = match access {
        Ok(()) => with_span(span.clone(), handle(&app, request)).await,
        Err(error) => Err(error),
    };
    let response = answer.unwrap_or_else(|error| error_response(&error));
    span.answered(response.status().as_u16());
    app.metrics.request(endpoint, response.status().as_u16(), start.elapsed());
    response
}

/// Dispatches a request to its handler.
async fn handle(app: App<'_>, request: Request) -> Answer {
    let unknown =
        || RequestError::new(ErrorCode::NotFound, "unknown address: /openapi.json lists all of them");
    let found = ROUTES.iter().find(|(path, _)| *path == request.uri().path());
    let (path, method) = found.ok_or_else(unknown)?;
    let is_head = request.method() == Method::HEAD && method == Method::GET;
    if request.method() != method && !is_head {
        return Ok(wrong_method(method));
    }
    match *path {
        "/" => Ok(page::response(&app.engine.judged_by())),
        "/healthz" => Ok(json_text(r#"{"status":"ok"}"#.into())),
        "/readyz" => app.check_open().map(|()| json_text(r#"{"status":"ready"}"#.into())),
        "/metrics" => Ok(typed(OPEN_METRICS, app.metrics.text().into())),
        "/openapi.json" => Ok(json_text(openapi())),
        "/v1/models" => Ok(json_response(&app.engine.models())),
        "/v1/score" => score(app, request).await,
        "/v1/score/batch" => batch(app, request).await,
        "/v1/score/events" => watch(app, request).await,
        "/v1/score/stream" => stream(app, request).await,
        "/v1/claims" => claims(app, request).await,
        "/v1/nli" => nli(app, request).await,
        "/v1/text" => text(app, request).await,
        "/alignscore_base" => align_score(app, request).await,
        "/predict" => predict(app, request).await,
        _ => Err(unknown()),
    }
}

fn wrong_method(method: &Method) -> Response {
    let allowed = if method == Method::POST { "POST" } else { "GET, HEAD" };
    let message = format!("this address accepts {allowed}");
    let mut response = error_response(&RequestError::new(ErrorCode::MethodNotAllowed, message));
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

async fn score(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&body.bytes)?)?;
    let work = move |engine: &Engine, state: &RequestState, deadline| {
        engine.score(&[row], state, deadline).pop().unwrap_or_else(|| Err(RequestError::internal()))
    };
    Ok(json_text(app.answer(body.bytes.len(), work).await?))
}

async fn claims(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let summary = ClaimsRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.claims(&summary, state, deadline);
    Ok(json_text(app.answer(body.bytes.len(), work).await?))
}

async fn nli(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let is_list = body.bytes.trim_ascii_start().starts_with(b"[");
    let mut pairs = Vec::new();
    if is_list {
        for (number, row) in request::rows(&body.bytes)?.into_iter().enumerate() {
            let pair = request::object(row).and_then(NliRequest::read);
            pairs.push(pair.map_err(|error| error.of_row(number))?);
        }
    } else {
        pairs.push(NliRequest::read(request::object(&body.bytes)?)?);
    }
    let work = move |engine: &Engine, state: &RequestState, deadline| engine.nli(&pairs, state, deadline);
    let answers = app.answer(body.bytes.len(), work).await?;
    Ok(if is_list { json_response(&answers) } else { json_response(&answers[0]) })
}

/// Reads the text of a file.
async fn text(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &FILE_TYPES).await?;
    let bytes = body.bytes.len();
    let work = move |_: &Engine, _: &RequestState, _| FileText::read(&body.bytes);
    Ok(json_response(&app.answer(bytes, work).await?))
}

async fn align_score(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let claim = AlignScoreRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.align_score(&claim, state, deadline);
    Ok(json_response(&app.answer(body.bytes.len(), work).await?))
}

async fn predict(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let texts = PredictRequest::read(request::object(&body.bytes)?)?;
    let is_batch = texts.is_batch;
    let work = move |engine: &Engine, state: &RequestState, deadline| engine.predict(&texts, state, deadline);
    let outputs = app.answer(body.bytes.len(), work).await?;
    Ok(if is_batch { json_response(&outputs) } else { json_response(&outputs[0]) })
}

async fn batch(app: App<'_>, request: Request) -> Answer {
    let ReceivedBody { bytes, memory } = app.receive(request, &ROW_TYPES).await?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let tasks = batch::tasks(&bytes, app.limits.timeout, to_client)?;
    app.stream(JSON_LINES, tasks, parts, memory)
}

async fn watch(app: App<'_>, request: Request) -> Answer {
    let ReceivedBody { bytes, memory } = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&bytes)?)?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let task = events::task(row, bytes.len(), app.limits.timeout, to_client);
    app.stream(EVENTS, VecDeque::from([task]), parts, memory)
}

async fn stream(app: App<'_>, request: Request) -> Answer {
    let body = receive_parts(request, &ROW_TYPES[1..], &app.limits, &app.body_memory)?;
    let parts = stream::begin(Arc::clone(app), body).await?;
    Ok(typed(JSON_LINES, Body::Parts(StreamedBody { parts, request: None })))
}

fn openapi() -> String {
    OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION"))
}
