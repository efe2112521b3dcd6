//! The addresses of a server and what each answers. The table is held against `assets/openapi.json` by a test.

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
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::access::Token;
use super::engine::Judge;
use super::limits::{Limits, Received, receive};
use super::line::{Desks, Task, Ticket};
use super::metrics::{OPEN_METRICS, ServerMetrics};
use super::page;
use super::refusal::{Code, Refusal};
use super::request::{self, ClaimsRequest, NliRequest, ScoreRequest};
use super::stop::Stop;
use super::stream::{EVENTS, JSON_LINES, Parts, json_response, json_text, typed};
use super::{events, rows};

/// Every address and its method.
const ROUTES: [(&str, Method); 11] = [
    ("/", Method::GET),
    ("/healthz", Method::GET),
    ("/readyz", Method::GET),
    ("/metrics", Method::GET),
    ("/openapi.json", Method::GET),
    ("/v1/models", Method::GET),
    ("/v1/score", Method::POST),
    ("/v1/score/batch", Method::POST),
    ("/v1/score/events", Method::POST),
    ("/v1/claims", Method::POST),
    ("/v1/nli", Method::POST),
];

/// What bodies may be.
const JSON_TYPES: [&str; 1] = ["application/json"];
const ROW_TYPES: [&str; 4] = ["application/json", JSON_LINES, "application/jsonl", "application/json-lines"];

const OPENAPI: &str = include_str!("assets/openapi.json");

/// What all requests share.
pub(super) struct Shared {
    pub(super) judge: Arc<Judge>,
    pub(super) line: Arc<Desks>,
    pub(super) metrics: Arc<ServerMetrics>,
    /// For the bodies of the requests in hand.
    pub(super) room: Arc<Semaphore>,
    pub(super) limits: Limits,
    pub(super) token: Option<Token>,
    pub(super) stop: Stop,
}

type App = State<Arc<Shared>>;
type Answer = Result<Response, Refusal>;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(person))
        .route("/healthz", get(async || json_text(r#"{"status":"ok"}"#.into())))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(async || json_text(openapi())))
        .route("/v1/models", get(models))
        .route("/v1/score", post(score))
        .route("/v1/score/batch", post(batch))
        .route("/v1/score/events", post(watch))
        .route("/v1/claims", post(claims))
        .route("/v1/nli", post(nli))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Lets in who may ask, and counts every answer.
async fn guard(State(app): App, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.uri().path();
    let endpoint = ROUTES.iter().map(|(known, _)| *known).find(|known| *known == path).unwrap_or("other");
    let is_open = !path.starts_with("/v1/") && path != "/metrics";
    let token = app.token.as_ref().filter(|_| !is_open);
    let response = match token.map_or(Ok(()), |token| token.check(request.headers())) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    app.metrics.answered(endpoint, response.status().as_u16(), start.elapsed());
    response
}

async fn unknown() -> Refusal {
    Refusal::new(Code::NotFound, "nothing is at this address: /openapi.json lists what there is")
}

async fn wrong_method(request: Request) -> Response {
    let found = ROUTES.iter().find(|(path, _)| *path == request.uri().path());
    let allowed = match found {
        Some((_, Method::POST)) => "POST",
        _ => "GET, HEAD",
    };
    let message = format!("this address takes {allowed}");
    let mut response = Refusal::new(Code::MethodNotAllowed, message).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

/// The page for people.
async fn person(State(app): App) -> Response {
    page::response(&app.judge.judged_by())
}

async fn ready(State(app): App) -> Answer {
    app.check_open()?;
    Ok(json_text(r#"{"status":"ready"}"#.into()))
}

async fn metrics(State(app): App) -> Response {
    typed(OPEN_METRICS, Body::from(app.metrics.text()))
}

async fn models(State(app): App) -> Response {
    json_response(&app.judge.told())
}

async fn score(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&body.bytes)?, app.judge.measures())?;
    let work = move |judge: &Judge, ticket: &Ticket, deadline| {
        judge.score(&[row], ticket, deadline).pop().unwrap_or_else(|| Err(Refusal::internal()))
    };
    Ok(json_text(app.answer(work).await?))
}

async fn claims(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let wanted = ClaimsRequest::read(request::object(&body.bytes)?)?;
    let work = move |judge: &Judge, ticket: &Ticket, deadline| judge.claims(&wanted, ticket, deadline);
    Ok(json_text(app.answer(work).await?))
}

async fn nli(State(app): App, request: Request) -> Answer {
    let body = app.receive(request, &JSON_TYPES).await?;
    let is_list = body.bytes.trim_ascii_start().starts_with(b"[");
    let pairs = if is_list {
        let rows = request::rows(&body.bytes)?.into_iter().enumerate();
        let read = |(number, row): (usize, &[u8])| {
            request::object(row).and_then(NliRequest::read).map_err(|refusal| refusal.of_row(number))
        };
        rows.map(read).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![NliRequest::read(request::object(&body.bytes)?)?]
    };
    let work = move |judge: &Judge, ticket: &Ticket, deadline| judge.nli(&pairs, ticket, deadline);
    let said = app.answer(work).await?;
    Ok(if is_list { json_response(&said) } else { json_response(&said[0]) })
}

async fn batch(State(app): App, request: Request) -> Answer {
    let Received { bytes, share } = app.receive(request, &ROW_TYPES).await?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let tasks = rows::tasks(&bytes, app.limits.timeout, to_client)?;
    app.stream(JSON_LINES, tasks, parts, share)
}

async fn watch(State(app): App, request: Request) -> Answer {
    let Received { bytes, share } = app.receive(request, &JSON_TYPES).await?;
    let row = ScoreRequest::read(request::object(&bytes)?, app.judge.measures())?;
    let (to_client, parts) = mpsc::unbounded_channel();
    let task = events::task(row, app.limits.timeout, to_client);
    app.stream(EVENTS, VecDeque::from([task]), parts, share)
}

impl Shared {
    /// Refuses who comes after the server was asked to stop.
    fn check_open(&self) -> Result<(), Refusal> {
        if self.stop.is_asked() {
            return Err(Refusal::new(Code::Stopping, "this server is stopping"));
        }
        Ok(())
    }

    async fn receive(&self, request: Request, types: &[&str]) -> Result<Received, Refusal> {
        receive(request, types, &self.limits, &self.room).await
    }

    /// Has something done at a desk and waits for it, no longer than the deadline.
    async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Judge, &Ticket, Instant) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let deadline = self.limits.deadline();
        let (to_client, answer) = oneshot::channel();
        let task: Task = Box::new(move |judge, ticket| {
            // A client that is gone misses nothing.
            let _ = to_client.send(work(judge, ticket, deadline));
        });
        let _visit = self.line.enter(VecDeque::from([task]))?;
        match tokio::time::timeout_at(deadline.into(), answer).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(Refusal::internal())),
            Err(_) => Err(Refusal::deadline()),
        }
    }

    /// Has something done at desks; the client sees the parts as they come.
    fn stream(
        &self,
        kind: &'static str,
        tasks: VecDeque<Task>,
        parts: mpsc::UnboundedReceiver<Bytes>,
        share: tokio::sync::OwnedSemaphorePermit,
    ) -> Answer {
        let visit = self.line.enter(tasks)?;
        Ok(typed(kind, Body::new(Parts { parts, visit, _share: share })))
    }
}

fn openapi() -> String {
    OPENAPI.replace("{{version}}", env!("CARGO_PKG_VERSION"))
}
