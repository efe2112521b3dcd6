//! Veridic over HTTP: `veridic serve`. Decides which addresses there are (`routes`), what a request may say
//! (`request`) and how much of it (`limits`), who is next (`line`), and how an answer travels (`stream`); judging
//! is the engine's, as in every command. Nothing of the server, its models and files can be chosen by a request.

mod access;
mod engine;
mod events;
mod limits;
mod line;
mod listen;
mod metrics;
mod page;
mod refusal;
mod request;
mod routes;
mod rows;
mod stop;
mod stream;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

pub use self::access::Token;
pub use self::engine::Engine;
use self::engine::Judge;
pub use self::limits::Limits;
use self::line::Desks;
use self::metrics::ServerMetrics;
use self::routes::Shared;
pub use self::stop::Stop;
use veridic::schedule::ModelQueue;

/// Requests of which parts are judged at the same time. Changes speed and memory, never a result.
const DESKS: usize = 64;

/// Answers requests until it is asked to stop; then finishes what is in hand and comes back.
///
/// # Errors
/// When the listener or the runtime fails.
pub fn serve(
    listener: TcpListener,
    engine: Engine,
    limits: Limits,
    token: Option<Token>,
    stop: &Stop,
) -> io::Result<()> {
    let (queue, metrics) = (Arc::new(ModelQueue::default()), Arc::new(ServerMetrics::new()));
    let line = Arc::new(Desks::new(DESKS, limits.waiting, Arc::clone(&queue), Arc::clone(&metrics)));
    let judge = Arc::new(Judge::new(engine, Arc::clone(&metrics)));
    let shared = Arc::new(Shared {
        judge: Arc::clone(&judge),
        line: Arc::clone(&line),
        metrics: Arc::clone(&metrics),
        room: limits.room(),
        limits,
        token,
        stop: stop.clone(),
    });
    thread::scope(|scope| {
        scope.spawn(|| judge.compute(&queue));
        let desks: Vec<_> = (0..DESKS).map(|_| scope.spawn(|| line.work(&judge))).collect();
        let end = listen::listen(listener, shared, stop);
        line.close();
        for desk in desks {
            // What a request does wrong is caught at the desk.
            let _ = desk.join();
        }
        queue.close();
        end
    })
}
