//! Requests to the hub: a repository's listing, a file's metadata, and a file's bytes from an offset on. Redirects
//! are followed one by one here, because the token may go only to the endpoint, and because the redirecting response
//! is the one that states a file's ETag and size.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::Read;

use serde::Deserialize;
use ureq::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_RANGE, ETAG, LOCATION, RANGE};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use crate::error::{Location, Result, StoreError};
use crate::headers::{header, plain_etag, range_start};
use crate::hub_id::{Source, is_commit, is_sha256};
use crate::retry::Failure;
use crate::settings::HubSettings;
use crate::status;

const USER_AGENT: &str = concat!("veridic/", env!("CARGO_PKG_VERSION"));
const MAX_REDIRECTS: usize = 10;
const MAX_LISTING_BYTES: u64 = 16 << 20;

type Attempt<T> = std::result::Result<T, Failure>;

/// An HTTP client for one model on a hub.
pub(crate) struct Client {
    agent: Agent,
    source: Source,
    endpoint: String,
    origin: String,
    authorization: Option<String>,
    /// Whether the hub has answered; only then are failed connections retried.
    answered: Cell<bool>,
}

/// A repository at a commit.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) commit: String,
    pub(crate) files: BTreeSet<String>,
}

/// A file's metadata on the hub.
#[derive(Debug, Clone)]
pub(crate) struct Remote {
    /// The blob's name in the cache: the SHA-256 for files in large-file storage, another hash for the others.
    pub(crate) etag: String,
    pub(crate) size: u64,
}

impl Remote {
    pub(crate) fn sha256(&self) -> Option<&str> {
        is_sha256(&self.etag).then_some(self.etag.as_str())
    }
}

/// The hub's answer to a request for bytes.
pub(crate) enum Content {
    /// The bytes from an offset on.
    From(u64, Box<dyn Read>),
    /// The file ends before the offset.
    OutOfRange,
}

impl Client {
    pub(crate) fn new(settings: &HubSettings, source: &Source) -> Result<Self> {
        let endpoint = settings.endpoint.trim_end_matches('/').to_owned();
        let refuse = || {
            let reason = format!("`{}` is not the http(s) address of a hub", settings.endpoint);
            StoreError::Setting { variable: "HF_ENDPOINT", reason }
        };
        let origin = endpoint.parse().ok().and_then(|uri| origin_of(&uri)).ok_or_else(refuse)?;
        let config = Agent::config_builder()
            .user_agent(USER_AGENT)
            // So that lengths and ranges count the file's own bytes.
            .accept_encoding("identity")
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(settings.proxy.clone())
            .timeout_connect(Some(settings.connect_timeout))
            .timeout_recv_response(Some(settings.read_timeout))
            .timeout_per_read(Some(settings.read_timeout))
            .build();
        let authorization = settings.token.as_ref().map(crate::settings::Token::header);
        let (agent, source) = (config.new_agent(), source.clone());
        Ok(Self { agent, source, endpoint, origin, authorization, answered: Cell::new(false) })
    }

    /// Lists the repository's files at the revision.
    pub(crate) fn listing(&self) -> Attempt<Listing> {
        let location = self.source.location(None);
        let Source { repository, revision } = &self.source;
        let url = format!("{}/api/models/{repository}/revision/{}", self.endpoint, revision.escaped());
        let response = self.follow(&location, Method::Get(0), url)?;
        if response.status().as_u16() != 200 {
            return Err(self.status_failure(&location, &response));
        }
        let bytes = response.into_body().with_config().limit(MAX_LISTING_BYTES).read_to_vec();
        let bytes = bytes.map_err(|error| self.connection_failure(&location, &error))?;
        let listing: ListingAnswer = serde_json::from_slice(&bytes)
            .map_err(|error| self.bad_answer(&location, format!("the answer is not a listing ({error})")))?;
        if !is_commit(&listing.sha) {
            return Err(self.bad_answer(&location, "the listing names no commit".to_owned()));
        }
        let files = listing.siblings.into_iter().map(|sibling| sibling.rfilename).collect();
        Ok(Listing { commit: listing.sha, files })
    }

    /// Requests a file's metadata.
    pub(crate) fn remote(&self, file: &str, commit: &str) -> Attempt<Remote> {
        let location = self.source.location(Some(file));
        let response = self.follow(&location, Method::Head, self.url(file, commit))?;
        let headers = response.headers();
        if response.status().as_u16() >= 400 {
            return Err(self.status_failure(&location, &response));
        }
        let etag = header(headers, "x-linked-etag").or_else(|| header(headers, ETAG.as_str()));
        let size = header(headers, "x-linked-size").or_else(|| header(headers, CONTENT_LENGTH.as_str()));
        let etag = etag.and_then(plain_etag);
        match (etag, size.and_then(|size| size.parse().ok())) {
            (Some(etag), Some(size)) => Ok(Remote { etag, size }),
            _ => Err(self.bad_answer(&location, "the answer states no ETag or no size".to_owned())),
        }
    }

    /// Requests a file's bytes from an offset on.
    pub(crate) fn content(&self, file: &str, commit: &str, from: u64) -> Attempt<Content> {
        let location = self.source.location(Some(file));
        let response = self.follow(&location, Method::Get(from), self.url(file, commit))?;
        let start = match response.status().as_u16() {
            200 => 0,
            206 => match header(response.headers(), CONTENT_RANGE.as_str()).and_then(range_start) {
                Some(start) if start == from => start,
                _ => {
                    return Err(self.bad_answer(
                        &location,
                        format!("the answer does not start at byte {from} as requested"),
                    ));
                }
            },
            416 => return Ok(Content::OutOfRange),
            _ => return Err(self.status_failure(&location, &response)),
        };
        Ok(Content::From(start, Box::new(response.into_body().into_reader())))
    }

    fn url(&self, file: &str, commit: &str) -> String {
        format!("{}/{}/resolve/{commit}/{file}", self.endpoint, self.source.repository)
    }

    fn follow(&self, location: &Location, method: Method, mut url: String) -> Attempt<Response<Body>> {
        for _ in 0..=MAX_REDIRECTS {
            let response =
                self.send(method, &url).map_err(|error| self.connection_failure(location, &error))?;
            self.answered.set(true);
            if !response.status().is_redirection() {
                return Ok(response);
            }
            let redirect = header(response.headers(), LOCATION.as_str());
            let Some(target) = redirect.and_then(|redirect| resolve(&url, redirect)) else {
                return Err(self.bad_answer(location, "it redirects without a valid address".to_owned()));
            };
            let states_file =
                ["x-linked-etag", "x-linked-size"].iter().all(|name| response.headers().contains_key(*name));
            if matches!(method, Method::Head) && (states_file || !self.is_endpoint(&target)) {
                return Ok(response);
            }
            url = target;
        }
        Err(self.bad_answer(location, format!("it redirects more than {MAX_REDIRECTS} times")))
    }

    fn send(&self, method: Method, url: &str) -> std::result::Result<Response<Body>, ureq::Error> {
        let mut request = match method {
            Method::Head => self.agent.head(url),
            Method::Get(0) => self.agent.get(url),
            Method::Get(from) => self.agent.get(url).header(RANGE, format!("bytes={from}-")),
        };
        if let Some(authorization) = self.authorization.as_ref().filter(|_| self.is_endpoint(url)) {
            request = request.header(AUTHORIZATION, authorization);
        }
        request.call()
    }

    fn is_endpoint(&self, url: &str) -> bool {
        url.parse().ok().and_then(|uri| origin_of(&uri)).is_some_and(|origin| origin == self.origin)
    }

    fn status_failure(&self, location: &Location, response: &Response<Body>) -> Failure {
        let page = format!("{}/{}", self.endpoint, self.source.repository);
        let request = status::Request { location, page, with_token: self.authorization.is_some() };
        status::failure(&request, response.status().as_u16(), response.headers())
    }

    /// The error for a missing or incomplete answer.
    fn connection_failure(&self, location: &Location, error: &ureq::Error) -> Failure {
        let reason = match error {
            ureq::Error::Timeout(_) => "the hub did not answer in time".to_owned(),
            ureq::Error::Io(error) => error.to_string(),
            error => error.to_string(),
        };
        let error =
            StoreError::NoNetwork { location: location.clone(), endpoint: self.endpoint.clone(), reason };
        if self.answered.get() { Failure::transient(error) } else { error.into() }
    }

    fn bad_answer(&self, location: &Location, reason: String) -> Failure {
        StoreError::BadAnswer { location: location.clone(), reason, endpoint: self.endpoint.clone() }.into()
    }
}

#[derive(Clone, Copy)]
enum Method {
    Head,
    /// From an offset on.
    Get(u64),
}

#[derive(Deserialize)]
struct ListingAnswer {
    sha: String,
    #[serde(default)]
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
}

/// Scheme, host and port of an HTTP address.
fn origin_of(uri: &Uri) -> Option<String> {
    let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme))?;
    Some(format!("{scheme}://{}", uri.authority()?.as_str().to_ascii_lowercase()))
}

/// The absolute address of a redirect.
fn resolve(base: &str, location: &str) -> Option<String> {
    let uri: Uri = base.parse().ok()?;
    let origin = origin_of(&uri)?;
    let target = if location.contains("://") {
        location.to_owned()
    } else if let Some(rest) = location.strip_prefix("//") {
        format!("{}://{rest}", uri.scheme_str()?)
    } else if location.starts_with('/') {
        format!("{origin}{location}")
    } else {
        let folder = uri.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{origin}{folder}/{location}")
    };
    origin_of(&target.parse().ok()?)?;
    Some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_resolved_against_the_request() {
        let base = "https://hub.co/owner/name/resolve/main/config.json";
        for (location, target) in [
            ("/api/x?y=1", Some("https://hub.co/api/x?y=1")),
            ("other.json", Some("https://hub.co/owner/name/resolve/main/other.json")),
            ("//cdn.co/x", Some("https://cdn.co/x")),
            ("http://cdn.co:81/x?a=b/c", Some("http://cdn.co:81/x?a=b/c")),
            ("file:///etc/passwd", None),
            ("ftp://x/y", None),
        ] {
            assert_eq!(resolve(base, location).as_deref(), target, "{location}");
        }
    }

    #[test]
    fn endpoint_must_be_an_http_address() {
        let client = |endpoint: &str| {
            let settings = HubSettings::with_home("h".as_ref());
            Client::new(
                &HubSettings { endpoint: endpoint.to_owned(), ..settings },
                &Source::parse("a/b").unwrap(),
            )
        };
        assert!(client("https://hub.co/").unwrap().is_endpoint("https://HUB.co/x"));
        assert!(!client("https://hub.co").unwrap().is_endpoint("http://hub.co/x"));
        assert!(!client("https://hub.co").unwrap().is_endpoint("https://hub.co.evil.net/x"));
        for endpoint in ["", "hub.co", "ftp://hub.co", "https://", "file:///x", "http://a b"] {
            assert!(client(endpoint).is_err(), "{endpoint}");
        }
    }
}
