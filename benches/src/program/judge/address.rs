//! The address of a server: on this machine, unless others are allowed.

use std::net::{IpAddr, ToSocketAddrs};

use anyhow::{Result, bail, ensure};

/// The base of an API, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address(String);

impl Address {
    /// # Errors
    /// If the address lacks http or https, or is another machine's without `remote`.
    pub(super) fn parse(url: &str, remote: bool) -> Result<Self> {
        let parts = url.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
        let Some((scheme, rest)) = parts.filter(|(scheme, _)| matches!(scheme.as_str(), "http" | "https"))
        else {
            bail!("give an address such as http://localhost:8000/v1");
        };
        ensure!(!rest.contains(['?', '#']), "give the address without what follows `?` or `#`");
        let authority = rest.split('/').next().unwrap_or_default();
        ensure!(!authority.contains('@'), "give the key in VERIDIC_JUDGE_KEY, not in the address");
        let (host, port) = host_and_port(authority, if scheme == "https" { 443 } else { 80 })?;
        ensure!(!host.is_empty(), "it names no host: give an address such as http://localhost:8000/v1");
        if !remote && !is_this_machine(host, port) {
            bail!(
                "{host} is not this machine, and documents and summaries would be sent there: give --judge-remote on to allow it"
            );
        }
        // Documentation often gives the whole address of completions.
        let base = rest.trim_end_matches('/').trim_end_matches("/chat/completions").trim_end_matches('/');
        Ok(Self(format!("{scheme}://{base}")))
    }

    pub(super) fn completions(&self) -> String {
        format!("{}/chat/completions", self.0)
    }

    pub(super) fn models(&self) -> String {
        format!("{}/models", self.0)
    }
}

fn host_and_port(authority: &str, usual: u16) -> Result<(&str, u16)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => bail!("its host has no closing bracket"),
        },
        None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    match port {
        None => Ok((host, usual)),
        Some(port) => match port.parse() {
            Ok(port) => Ok((host, port)),
            Err(_) => bail!("`{port}` is not a port"),
        },
    }
}

/// Whether a host is this machine: a loopback address, or the name `localhost` if all its addresses are loopback. Any other
/// name could resolve to a different address by the time texts are sent.
fn is_this_machine(host: &str, port: u16) -> bool {
    if let Ok(address) = host.parse::<IpAddr>() {
        return address.is_loopback();
    }
    if !host.eq_ignore_ascii_case("localhost") {
        return false;
    }
    match (host, port).to_socket_addrs() {
        Ok(addresses) => {
            let addresses: Vec<_> = addresses.collect();
            !addresses.is_empty() && addresses.iter().all(|address| address.ip().is_loopback())
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_unless_another_is_allowed() {
        for url in
            ["http://127.0.0.1:8000/v1", "http://[::1]:8000/v1/", "http://localhost/v1", "http://127.8.9.1"]
        {
            assert!(Address::parse(url, false).is_ok(), "{url}");
        }
        for url in [
            "http://192.168.1.2:8000/v1",
            "https://8.8.8.8/v1",
            "http://[2001:db8::1]/v1",
            "http://0.0.0.0:80",
        ] {
            let error = Address::parse(url, false).unwrap_err().to_string();
            assert!(error.contains("--judge-remote on"), "{url}: {error}");
            assert!(Address::parse(url, true).is_ok(), "{url}");
        }
    }

    #[test]
    fn addresses_that_are_none_are_refused() {
        for (url, part) in [
            ("localhost:8000", "give an address such as"),
            ("ftp://localhost", "give an address such as"),
            ("http://:80/v1", "names no host"),
            ("http://localhost/v1?key=1", "without what follows"),
            ("http://localhost:x/v1", "`x` is not a port"),
            ("http://[::1/v1", "closing bracket"),
            ("http://me:key@localhost/v1", "VERIDIC_JUDGE_KEY"),
        ] {
            let error = Address::parse(url, false).unwrap_err().to_string();
            assert!(error.contains(part), "{url}: {error}");
        }
        for url in ["HTTP://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"] {
            let address = Address::parse(url, false).unwrap();
            assert_eq!(address.completions(), "http://localhost:8000/v1/chat/completions");
        }
    }
}
