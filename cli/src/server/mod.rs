//! Veridic over HTTP: `veridic serve`. `routes` lists the endpoints, `request` parses the fields of requests, `compatible`
//! those of other servers' requests, `limits` bounds what a client may send, `queue` orders the work, and `response` sends
//! answers. Evaluation is the library's, as in every command. A request cannot choose the server's models, settings or
//! files.
//!
//! # When the server is full
//!
//! | Full resource | What happens | Where |
//! |---|---|---|
//! | connections | the one idle longest is closed; if none is idle, new ones wait | `connections`, `idle` |
//! | a body, over `Limits::body_bytes` | 413 `too_large` | `body::receive` |
//! | memory for all bodies, `Limits::total_bytes` | 429 `queue_full`, with `Retry-After` | `body::receive` |
//! | the request queue, `Limits::queued_requests` | 429 `queue_full`, with `Retry-After` | `queue::WorkerPool::submit` |
//! | the time of a request, `Limits::timeout` | 504 `deadline`, 408 `body_timeout` | `routes`, `engine`, `body` |
//!
//! A batch is never refused midway: it holds one place in the queue, and its rows share the workers with other requests.

mod access;
mod app;
mod batch;
mod body;
mod compatible;
mod connections;
mod engine;
mod error;
mod events;
mod file_text;
mod half_closed;
mod host;
mod idle;
mod limits;
mod memory;
mod metrics;
mod page;
mod probe;
mod queue;
mod request;
mod request_state;
mod response;
mod routes;
mod stop;
mod stream;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

pub(crate) use self::access::{Access, Token};
use self::app::AppState;
use self::compatible::{AlignScoreRequest, PredictRequest};
use self::engine::Engine;
pub(crate) use self::engine::Scorers;
pub(crate) use self::host::Hosts;
pub(crate) use self::limits::Limits;
use self::metrics::ServerMetrics;
pub(crate) use self::probe::probe;
use self::queue::WorkerPool;
use self::request::{ClaimsRequest, NliRequest, ScoreRequest};
pub(crate) use self::stop::StopSignal;
use veridic::schedule::ModelQueue;

/// The number of worker threads, each evaluating a part of a request. It affects speed and memory, never a result.
const WORKERS: usize = 64;

/// Reads a body as every endpoint does, and drops what it reads: an error is as good as a value.
pub(crate) fn read_body(bytes: &[u8]) {
    let _ = request::object(bytes).and_then(ScoreRequest::read);
    let _ = request::object(bytes).and_then(ClaimsRequest::read);
    let _ = request::object(bytes).and_then(AlignScoreRequest::read);
    let _ = request::object(bytes).and_then(PredictRequest::read);
    for row in request::rows(bytes).unwrap_or_default() {
        let _ = request::object(row).and_then(NliRequest::read);
    }
}

/// Answers requests until `stop` is requested; those in progress then have a moment to finish.
///
/// # Errors
/// If the listener or the runtime fails.
pub(crate) fn serve(
    listener: TcpListener,
    scorers: Scorers,
    limits: Limits,
    access: Access,
    stop: &StopSignal,
) -> io::Result<()> {
    memory::limit_arenas();
    let model_queue = Arc::new(ModelQueue::new().map_err(io::Error::other)?);
    let metrics = Arc::new(ServerMetrics::new());
    let pool = Arc::new(WorkerPool::new(
        WORKERS,
        limits.queued_requests,
        limits.body_bytes,
        Arc::clone(&model_queue),
        Arc::clone(&metrics),
    ));
    let engine = Arc::new(Engine::new(scorers, Arc::clone(&metrics), stop.clone()));
    let app = Arc::new(AppState {
        engine: Arc::clone(&engine),
        pool: Arc::clone(&pool),
        metrics: Arc::clone(&metrics),
        body_memory: limits.body_memory(),
        limits,
        access,
        stop: stop.clone(),
    });
    thread::scope(|scope| {
        scope.spawn(|| engine.compute(&model_queue));
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(|| pool.work(&engine))).collect();
        let end = connections::serve(listener, app, stop);
        pool.close();
        for worker in workers {
            // The engine catches the panics of a request.
            let _ = worker.join();
        }
        model_queue.close();
        end
    })
}
