//! The addresses of the server and their handlers. A test compares the table with `assets/openapi.json`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
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
use super::response::{EVENTS, JSON_LINES, StreamedBody, StreamedRequest, json_response, json_text, typed};
use super::stop::StopSignal;
use super::{batch, events, stream};
use crate::telemetry::Span;

/// Every address and its method.
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

/// The endpoint of other addresses in metrics.
const OTHER: &str = "other";

tokio::task_local! {
    /// The span of the request that is handled.
    static SPAN: Span;
}

/// The addresses that never need the token.
const OPEN: [&str; 4] = ["/", "/healthz", "/readyz", "/openapi.json"];

/// The media types of bodies.
const JSON_TYPES: [&str; 1] = ["application/json"];
const ROW_TYPES: [&str; 4] = ["application/json", JSON_LINES, "application/jsonl", "application/json-lines"];

const OPENAPI: &str = include_str!("assets/openapi.json");

/// What all handlers share.
pub(super) struct AppState {
    pub(super) engine: Arc<Engine>,
    pub(super) pool: Arc<WorkerPool>,
    pub(super) metrics: Arc<ServerMetrics>,
    /// Memory for the bodies of the requests in progress.
    pub(super) body_memory: Arc<Semaphore>,
    pub(super) limits: Limits,
    pub(super) token: Option<Token>,
    pub(super) stop: StopSignal,
}

type App = State<Arc<AppState>>;
type Answer = Result<Response, RequestError>;

pub(super) fn router(app: Arc<AppState>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/healthz", get(async || json_text(r#"{"status":"ok"}"#.into())))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(async || json_text(openapi())))
        .route("/v1/models", get(models))
        .route("/v1/score", post(score))
        .route("/v1/score/batch", post(batch))
        .route("/v1/score/events", post(watch))
        .route("/v1/score/stream", post(stream))
        .route("/v1/claims", post(claims))
        .route("/v1/nli", post(nli))
        .route("/alignscore_base", post(align_score))
        .route("/predict", post(predict))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

/// Checks the token of addresses that need one, and counts every response.
async fn guard(State(app): App, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.uri().path();
    let endpoint = ROUTES.iter().map(|(known, _)| *known).find(|known| *known == path).unwrap_or(OTHER);
    let token = app.token.as_ref().filter(|_| !OPEN.contains(&path));
    let does_work = request.method() == Method::POST && endpoint != OTHER;
    let span = if does_work { app.engine.request_span(endpoint, request.headers()) } else { Span::default() };
    let response = match token.map_or(Ok(()), |token| token.check(request.headers())) {
        Ok(()) => SPAN.scope(span.clone(), next.run(request)).await,
        Err(error) => error.into_response(),
    };
    span.answered(response.status().as_u16());
    app.metrics.request(endpoint, response.status().as_u16(), start.elapsed());
    response
}

async fn unknown() -> RequestError {
    RequestError::new(ErrorCode::NotFound, "unknown address: /openapi.json lists all of them")
}

async fn wrong_method(request: Request) -> Response {
    let found = ROUTES.iter().find(|(path, _)| *path == request.uri().path());
    let allowed = match found {
        Some((_, Method::POST)) => "POST",
        _ => "GET, HEAD",
    };
    let message = format!("this address accepts {allowed}");
    let mut response = RequestError::new(ErrorCode::MethodNotAllowed, message).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

/// The page.
async fn page(State(app): App) -> Response {
    page::response(&app.engine.judged_by())
}

async fn ready(State(app): App) -> Answer {
    app.check_open()?;
    Ok(json_text(r#"{"status":"ready"}"#.into()))
}

async fn metrics(State(app): App) -> Response {
    typed(OPEN_METRICS, Body::from(app.metrics.text()))
}

async fn models(State(app): App) -> Response {
    json_response(&app.engine.models())
}

async fn score(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&body.bytes)?)?;
    let work = move |engine: &Engine, state: &RequestState, deadline| {
        engine.score(&[row], state, deadline).pop().unwrap_or_else(|| Err(RequestError::internal()))
    };
    Ok(json_text(app.answer(work).await?))
}

async fn claims(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let summary = ClaimsRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.claims(&summary, state, deadline);
    Ok(json_text(app.answer(work).await?))
}

async fn nli(State(app): App, request: Request) -> Answer {
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

async fn align_score(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let claim = AlignScoreRequest::read(request::object(&body.bytes)?)?;
    let work =
        move |engine: &Engine, state: &RequestState, deadline| engine.align_score(&claim, state, deadline);
    Ok(json_response(&app.answer(work).await?))
}

async fn predict(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let texts = PredictRequest::read(request::object(&body.bytes)?)?;
    let is_batch = texts.is_batch;
    let work = move |engine: &Engine, state: &RequestState, deadline| engine.predict(&texts, state, deadline);
    let outputs = app.answer(work).await?;
    Ok(if is_batch { json_response(&outputs) } else { json_response(&outputs[0]) })
}

async fn batch(State(app): App, request: Request) -> Answer {
    let ReceivedBody { bytes, memory } = app.receive(request, &ROW_TYPES).await?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let tasks = batch::tasks(&bytes, app.limits.timeout, to_client)?;
    app.stream(JSON_LINES, tasks, parts, memory)
}

async fn watch(State(app): App, request: Request) -> Answer {
    let ReceivedBody { bytes, memory } = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&bytes)?)?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let task = events::task(row, app.limits.timeout, to_client);
    app.stream(EVENTS, VecDeque::from([task]), parts, memory)
}

async fn stream(State(app): App, request: Request) -> Answer {
    let body = receive_parts(request, &ROW_TYPES[1..], &app.limits, &app.body_memory)?;
    let parts = stream::begin(app, body).await?;
    Ok(typed(JSON_LINES, Body::new(StreamedBody { parts, request: None })))
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

    /// Has a worker do this and waits for the answer until the deadline or the end of the server.
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

    /// Has workers do these tasks and streams their parts to the client.
    fn stream(
        &self,
        media_type: &'static str,
        tasks: VecDeque<Task>,
        parts: mpsc::UnboundedReceiver<Bytes>,
        memory: OwnedSemaphorePermit,
    ) -> Answer {
        let request = StreamedRequest { client: self.pool.submit(tasks, span())?, _memory: memory };
        Ok(typed(media_type, Body::new(StreamedBody { parts, request: Some(request) })))
    }
}

/// Work that goes on beside the handling of the request, in its span.
pub(super) fn in_span<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    SPAN.scope(span(), work)
}

/// The span of the request that is handled, for its work.
fn span() -> Span {
    SPAN.try_with(Clone::clone).unwrap_or_default()
}

fn openapi() -> String {
    OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION"))
}
