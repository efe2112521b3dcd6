//! Asks a server whether it accepts requests: `veridic serve --probe`, the health check of a container that holds no other
//! program. It understands only as much HTTP as our own server sends; anything else at that address counts as not ready.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// The time limit for connecting, and again for the answer.
const TIMEOUT: Duration = Duration::from_secs(3);

const REQUEST: &[u8] = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Succeeds if a server at `listen` reports that it accepts requests.
///
/// # Errors
/// If nothing listens there, or the answer is different.
pub(crate) fn probe(listen: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&reachable(listen), TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.write_all(REQUEST)?;
    let mut status = String::new();
    BufReader::new(io::Read::take(stream, 256)).read_line(&mut status)?;
    let status = status.trim_end();
    match status.strip_prefix("HTTP/1.1 ") {
        Some(code) if code.starts_with("200") => Ok(()),
        Some(code) => Err(io::Error::other(format!("the server answered {code}"))),
        None => Err(io::Error::other("what listens there is no such server")),
    }
}

/// Returns an address at which this machine reaches a server that listens on all addresses.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
