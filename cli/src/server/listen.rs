//! Connections: taken while there is room, each served until its client leaves. When the server is asked to stop,
//! who has come is still let in for a moment, then the door is closed, and what is in hand is answered.

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

use super::routes::{Shared, router};
use super::stop::Stop;

/// How long a client may take for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// How long requests that are on their way when the server is asked to stop are still let in.
const LAST_CALL: Duration = Duration::from_millis(300);

/// How long it waits when the system has no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves connections until the server is asked to stop and all is answered.
pub(super) fn listen(listener: TcpListener, shared: Arc<Shared>, stop: &Stop) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    listener.set_nonblocking(true)?;
    runtime.block_on(serve(listener, shared, stop))
}

async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: &Stop) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    let service = TowerToHyperService::new(router(shared));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let connections = GracefulShutdown::new();
    let last_call = async {
        stop.asked().await;
        tokio::time::sleep(LAST_CALL).await;
    };
    tokio::pin!(last_call);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut last_call => break,
        };
        let Ok(stream) = accepted.and_then(prepared) else {
            // A client that left again, or no more file handles: both pass.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let connection = connections.watch(builder.serve_connection(TokioIo::new(stream), service.clone()));
        tokio::spawn(async move {
            // What goes wrong with a connection is its client's to see.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    connections.shutdown().await;
    Ok(())
}

/// Answers are not held back to be sent with others.
fn prepared((stream, _): (TcpStream, std::net::SocketAddr)) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
