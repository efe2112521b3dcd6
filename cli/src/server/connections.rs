//! Accepts connections, up to a limit, and serves each until its client leaves. At the limit, the longest idle connection
//! gives way to a new one. When the server stops, requests already on their way are still accepted for a moment; then the
//! listener closes, and accepted requests have a moment more to be answered.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::app::AppState;
use super::half_closed::HalfClosed;
use super::idle::{Connections, Watched};
use super::stop::StopSignal;

/// The time limit for receiving the head of a request, including later requests of a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long connections are still accepted after a stop request.
const STOP_DELAY: Duration = Duration::from_millis(300);

/// How long answers may still be sent after the time of their requests is over.
const LAST_ANSWERS: Duration = Duration::from_millis(600);

/// The pause after a connection could not be accepted or no idle connection could be closed.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves connections until a stop is requested and all requests are answered or have run out of time.
pub(super) fn serve(listener: TcpListener, app: Arc<AppState>, stop: &StopSignal) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    listener.set_nonblocking(true)?;
    runtime.block_on(accept(listener, app, stop))
}

async fn accept(listener: TcpListener, app: Arc<AppState>, stop: &StopSignal) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let free_places = Arc::new(Semaphore::new(app.limits.connections));
    let connections = Arc::new(Connections::default());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let open_connections = GracefulShutdown::new();
    let stopped = async {
        stop.requested().await;
        tokio::time::sleep(STOP_DELAY).await;
    };
    tokio::pin!(stopped);
    for number in 0.. {
        let next = async {
            let accepted = listener.accept().await;
            (place(&free_places, &connections).await, accepted)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stopped => break,
        };
        // Small packets are sent at once.
        let Ok(stream) = accepted.and_then(|(stream, _)| stream.set_nodelay(true).map(|()| stream)) else {
            // The client has already left, or no file descriptor is free: both are temporary.
            tokio::time::sleep(RETRY_DELAY).await;
            continue;
        };
        let service = Watched { app: Arc::clone(&app), connections: Arc::clone(&connections), number };
        let io = TokioIo::new(HalfClosed::new(stream));
        let connection = open_connections.watch(builder.serve_connection(io, service));
        let open = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            // A broken connection affects its client only.
            let _ = connection.await;
            open.remove(number);
            drop(place);
        });
        connections.add(number, task.abort_handle());
    }
    drop(listener);
    let last = async {
        stop.over().await;
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        () = open_connections.shutdown() => {}
        () = last => {}
    }
    Ok(())
}

/// Waits for a connection slot. At the limit, idle connections are closed.
async fn place(free: &Arc<Semaphore>, connections: &Connections) -> Option<OwnedSemaphorePermit> {
    loop {
        if free.available_permits() == 0 {
            connections.close_longest_idle();
        }
        let place = tokio::time::timeout(RETRY_DELAY, Arc::clone(free).acquire_owned()).await;
        if let Ok(place) = place {
            return place.ok();
        }
    }
}
