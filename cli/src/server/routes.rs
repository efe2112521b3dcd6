//! The endpoints of the server and their handlers. A test compares the table with `assets/openapi.json`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::access::Token;
use super::body::{ReceivedBody, receive, receive_parts};
use super::compatible::{AlignScoreRequest, PredictRequest};
use super::engine::Engine;
use super::error::{ErrorCode, RequestError};
use super::limits::Limits;
use super::metrics::{OPEN_METRICS, ServerMetrics};
use super::page;
use super::queue::{RequestState, Task, WorkerPool};
use super::request::{self, ClaimsRequest, NliRequest, ScoreRequest};
use super::response::{
    Body, EVENTS, JSON_LINES, Request, Response, StreamedBody, StreamedRequest, json_response, json_text,
    typed,
};
use super::stop::StopSignal;
use super::{batch, events, stream};
use crate::telemetry::Span;

/// Every endpoint and its method.
const ROUTES: [(&str, Method); 14] = [
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
    ("/alignscore_base", Method::POST),
    ("/predict", Method::POST),
];

/// The endpoint label of unknown paths in metrics.
const OTHER: &str = "other";

tokio::task_local! {
    /// The span of the current request.
    static SPAN: Span;
}

/// The endpoints that never need the token.
const OPEN: [&str; 4] = ["/", "/healthz", "/readyz", "/openapi.json"];

/// The accepted media types of bodies.
const JSON_TYPES: [&str; 1] = ["application/json"];
const ROW_TYPES: [&str; 4] = ["application/json", JSON_LINES, "application/jsonl", "application/json-lines"];

const OPENAPI: &str = include_str!("assets/openapi.json");

/// The state shared by all handlers.
pub(super) struct AppState {
    pub(super) engine: Arc<Engine>,
    pub(super) pool: Arc<WorkerPool>,
    pub(super) metrics: Arc<ServerMetrics>,
    /// Memory for the bodies of requests in progress.
    pub(super) body_memory: Arc<Semaphore>,
    pub(super) limits: Limits,
    pub(super) token: Option<Token>,
    pub(super) stop: StopSignal,
}

type App<'a> = &'a Arc<AppState>;
type Answer = Result<Response, RequestError>;

/// Checks the token where one is needed, and counts every response.
pub(super) async fn respond(app: Arc<AppState>, request: Request) -> Response {
    let start = Instant::now();
    let path = request.uri().path();
    let endpoint = ROUTES.iter().map(|(known, _)| *known).find(|known| *known == path).unwrap_or(OTHER);
    let token = app.token.as_ref().filter(|_| !OPEN.contains(&path));
    let does_work = request.method() == Method::POST && endpoint != OTHER;
    let span = if does_work { app.engine.request_span(endpoint, request.headers()) } else { Span::default() };
    let answer = match token.map_or(Ok(()), |token| token.check(request.headers())) {
        Ok(()) => SPAN.scope(span.clone(), handle(&app, request)).await,
        Err(error) => Err(error),
    };
    let response = answer.unwrap_or_else(RequestError::into_response);
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
        "/alignscore_base" => align_score(app, request).await,
        "/predict" => predict(app, request).await,
        _ => Err(unknown()),
    }
}

fn wrong_method(method: &Method) -> Response {
    let allowed = if method == Method::POST { "POST" } else { "GET, HEAD" };
    let message = format!("this address accepts {allowed}");
    let mut response = RequestError::new(ErrorCode::MethodNotAllowed, message).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

async fn score(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&body.bytes)?)?;
    let work = move |engine: &Engine, state: &RequestState, deadline| {
        engine.score(&[row], state, deadline).pop().unwrap_or_else(|| Err(RequestError::internal()))
    };
    Ok(json_text(app.answer(work).await?))
}

async fn claims(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let summary = ClaimsRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.claims(&summary, state, deadline);
    Ok(json_text(app.answer(work).await?))
}

async fn nli(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let is_list = body.bytes.trim_ascii_start().starts_with(b"[");
    let pairs = if is_list {
        let rows = request::rows(&body.bytes)?.into_iter().enumerate();
        let read = |(number, row): (usize, &[u8])| {
            request::object(row).and_then(NliRequest::read).map_err(|error| error.of_row(number))
        };
        rows.map(read).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![NliRequest::read(request::object(&body.bytes)?)?]
    };
    let work = move |engine: &Engine, state: &RequestState, deadline| engine.nli(&pairs, state, deadline);
    let answers = app.answer(work).await?;
    Ok(if is_list { json_response(&answers) } else { json_response(&answers[0]) })
}

async fn align_score(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let claim = AlignScoreRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.align_score(&claim, state, deadline);
    Ok(json_response(&app.answer(work).await?))
}

async fn predict(app: App<'_>, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let texts = PredictRequest::read(request::object(&body.bytes)?)?;
    let is_batch = texts.is_batch;
    let work = move |engine: &Engine, state: &RequestState, deadline| engine.predict(&texts, state, deadline);
    let outputs = app.answer(work).await?;
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
    let task = events::task(row, app.limits.timeout, to_client);
    app.stream(EVENTS, VecDeque::from([task]), parts, memory)
}

async fn stream(app: App<'_>, request: Request) -> Answer {
    let body = receive_parts(request, &ROW_TYPES[1..], &app.limits, &app.body_memory)?;
    let parts = stream::begin(Arc::clone(app), body).await?;
    Ok(typed(JSON_LINES, Body::Parts(StreamedBody { parts, request: None })))
}

impl AppState {
    /// Refuses requests once the server is stopping.
    fn check_open(&self) -> Result<(), RequestError> {
        if self.stop.is_requested() {
            return Err(RequestError::stopping());
        }
        Ok(())
    }

    async fn receive(&self, request: Request, types: &[&str]) -> Result<ReceivedBody, RequestError> {
        receive(request, types, &self.limits, &self.body_memory).await
    }

    /// Runs work on a worker and waits for the answer until the deadline or the end of the server.
    pub(super) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Engine, &RequestState, Instant) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let deadline = self.limits.deadline();
        let (to_client, answer) = oneshot::channel();
        let task: Task = Box::new(move |engine, state| {
            // Fails when the client has left.
            let _ = to_client.send(work(engine, state, deadline));
        });
        let _client = self.pool.submit(VecDeque::from([task]), span())?;
        tokio::select! {
            answer = answer => answer.unwrap_or_else(|_| Err(RequestError::internal())),
            () = tokio::time::sleep_until(deadline.into()) => Err(RequestError::deadline()),
            () = self.stop.over() => Err(RequestError::stopping()),
        }
    }

    /// Runs tasks on workers and streams their parts to the client.
    fn stream(
        &self,
        media_type: &'static str,
        tasks: VecDeque<Task>,
        parts: mpsc::UnboundedReceiver<Bytes>,
        memory: OwnedSemaphorePermit,
    ) -> Answer {
        let request = StreamedRequest { client: self.pool.submit(tasks, span())?, _memory: memory };
        Ok(typed(media_type, Body::Parts(StreamedBody { parts, request: Some(request) })))
    }
}

/// Runs a future alongside the handler, within the request's span.
pub(super) fn in_span<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    SPAN.scope(span(), work)
}

/// Returns the span of the current request.
fn span() -> Span {
    SPAN.try_with(Clone::clone).unwrap_or_default()
}

fn openapi() -> String {
    OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION"))
}
