//! Accepts connections, up to a limit, and serves each until its client leaves. When the server stops, requests that are
//! already under way are still accepted for a moment; then the listener closes and all accepted requests are answered.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::routes::{AppState, router};
use super::stop::StopSignal;

/// How long a client may take for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// How long connections are still accepted after the stop was requested.
const STOP_DELAY: Duration = Duration::from_millis(300);

/// The pause after a connection could not be accepted.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves connections until the stop is requested and all requests are answered.
pub(super) fn serve(listener: TcpListener, app: Arc<AppState>, stop: &StopSignal) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    listener.set_nonblocking(true)?;
    runtime.block_on(accept(listener, app, stop))
}

async fn accept(listener: TcpListener, app: Arc<AppState>, stop: &StopSignal) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let free_connections = Arc::new(Semaphore::new(app.limits.connections));
    let service = TowerToHyperService::new(router(app));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let open_connections = GracefulShutdown::new();
    let stopped = async {
        stop.requested().await;
        tokio::time::sleep(STOP_DELAY).await;
    };
    tokio::pin!(stopped);
    loop {
        let next = async {
            let permit = Arc::clone(&free_connections).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = &mut stopped => break,
        };
        let Ok(stream) = accepted.and_then(without_delay) else {
            // The client has left already, or no file handle is free: both are temporary.
            tokio::time::sleep(RETRY_DELAY).await;
            continue;
        };
        let connection =
            open_connections.watch(builder.serve_connection(TokioIo::new(stream), service.clone()));
        tokio::spawn(async move {
            // A broken connection concerns its client alone.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    open_connections.shutdown().await;
    Ok(())
}

/// Sends small packets at once (`TCP_NODELAY`).
fn without_delay((stream, _): (TcpStream, std::net::SocketAddr)) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
