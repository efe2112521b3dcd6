//! The hosts for which the server answers. A page of another origin can let its own name resolve to this machine (DNS
//! rebinding) and would then read the answers of a server without a token, so such a server answers only for names and
//! addresses that are known to be its own.

use std::net::{IpAddr, SocketAddr};

use hyper::Version;
use hyper::header::HOST;
use hyper::http::uri::Authority;

use super::error::{ErrorCode, RequestError};
use super::response::Request;

/// The hosts of a server without a token.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    listen: IpAddr,
    /// Further names.
    allowed: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(listen: SocketAddr, allowed: Vec<String>) -> Self {
        Self { listen: listen.ip(), allowed }
    }

    /// Checks that a request is for one of the hosts.
    pub(super) fn check(&self, request: &Request) -> Result<(), RequestError> {
        match host(request)? {
            Some(host) if !self.is_own(host.host()) => Err(RequestError::new(
                ErrorCode::Misdirected,
                format!(
                    "this server does not answer for the host {}: start it with --allow-host {0}, or with a token",
                    host.host()
                ),
            )),
            _ => Ok(()),
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        if let Ok(address) = address {
            // No name was resolved. A server on all addresses cannot list them.
            return address.is_loopback() || address == self.listen || self.listen.is_unspecified();
        }
        host.eq_ignore_ascii_case("localhost")
            || self.allowed.iter().any(|name| host.eq_ignore_ascii_case(name))
    }
}

/// The host of a request. Only HTTP/1.0 has requests without one.
///
/// # Errors
/// When there is none, several, or one that is no host.
pub(super) fn host(request: &Request) -> Result<Option<Authority>, RequestError> {
    let refuse = |message: &str| RequestError::new(ErrorCode::BadRequest, message);
    if let Some(authority) = request.uri().authority() {
        return Ok(Some(authority.clone()));
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    let Some(host) = hosts.next() else {
        let needs_host = request.version() > Version::HTTP_10;
        return if needs_host { Err(refuse("the header Host is missing")) } else { Ok(None) };
    };
    if hosts.next().is_some() {
        return Err(refuse("the header Host is there twice"));
    }
    let host = Authority::try_from(host.as_bytes()).ok().filter(|host| !host.as_str().contains('@'));
    host.map(Some).ok_or_else(|| refuse("the header Host is no host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_others_may_resolve_are_refused() {
        let is_own = |listen: &str, host: &str| {
            Hosts::new(listen.parse().unwrap(), vec!["Judge.example".to_owned()]).is_own(host)
        };
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]", "judge.example"] {
            assert!(is_own("127.0.0.1:8080", host) && is_own("[::]:80", host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "10.0.0.7", "judge.example.com", ""] {
            assert!(!is_own("127.0.0.1:8080", host), "{host}");
        }
        assert!(is_own("10.0.0.7:80", "10.0.0.7") && is_own("0.0.0.0:80", "10.0.0.7"));
        assert!(!is_own("0.0.0.0:80", "evil.example"));
    }
}
