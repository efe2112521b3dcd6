//! Access to the server: by a token, which is compared in constant time, or open to whoever reaches it under its own name.

use hyper::header::{self, HeaderMap};
use subtle::ConstantTimeEq;

use super::error::{ErrorCode, RequestError};
use super::host::{Hosts, host};
use super::response::Request;

/// The minimum length of a token in characters.
const MIN_CHARACTERS: usize = 8;

/// Who may use the server.
#[derive(Clone)]
pub(crate) enum Access {
    /// Whoever sends the token.
    Token(Token),
    /// Whoever asks for one of these hosts.
    Hosts(Hosts),
}

impl Access {
    /// Checks a request. `is_open`: the endpoint needs no token.
    pub(super) fn check(&self, request: &Request, is_open: bool) -> Result<(), RequestError> {
        host(request)?;
        match self {
            Self::Token(_) if is_open => Ok(()),
            Self::Token(token) => token.check(request.headers()),
            Self::Hosts(hosts) => hosts.check(request),
        }
    }
}

/// The token that clients send as `Authorization: Bearer TOKEN`.
#[derive(Clone)]
pub(crate) struct Token(Vec<u8>);

/// A text that cannot be a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token has at least {MIN_CHARACTERS} printable ASCII characters, on one line and without spaces")]
pub(crate) struct BadToken;

impl Token {
    /// Creates a token from a text, ignoring surrounding white space.
    ///
    /// # Errors
    /// If the text is too short or has characters other than printable ASCII.
    pub(crate) fn new(text: &str) -> Result<Self, BadToken> {
        let token = text.trim();
        let is_good = token.len() >= MIN_CHARACTERS && token.bytes().all(|byte| byte.is_ascii_graphic());
        if is_good { Ok(Self(token.into())) } else { Err(BadToken) }
    }

    /// Checks that a request carries the token.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), RequestError> {
        let Some(sent) = headers.get(header::AUTHORIZATION) else {
            return Err(unauthorized("this server requires a token: send `Authorization: Bearer TOKEN`"));
        };
        let (scheme, token) = sent.as_bytes().split_at(sent.len().min("Bearer ".len()));
        let is_bearer = scheme.eq_ignore_ascii_case(b"Bearer ");
        if is_bearer && bool::from(token.trim_ascii().ct_eq(&self.0)) {
            return Ok(());
        }
        Err(unauthorized("the token is wrong"))
    }
}

fn unauthorized(message: &str) -> RequestError {
    RequestError::new(ErrorCode::Unauthorized, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(sent: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.extend(sent.map(|sent| (header::AUTHORIZATION, sent.parse().unwrap())));
        Token::new(" abcdefgh\n").unwrap().check(&headers).is_ok()
    }

    #[test]
    fn only_the_whole_token_is_accepted() {
        assert!(is_accepted(Some("Bearer abcdefgh")) && is_accepted(Some("bearer abcdefgh ")));
        for sent in
            ["", "Bearer", "Bearer ", "Bearer abcdefg", "Bearer abcdefghi", "Basic abcdefgh", "abcdefgh"]
        {
            assert!(!is_accepted(Some(sent)), "{sent}");
        }
        assert!(!is_accepted(None));
    }

    #[test]
    fn unusable_tokens_are_errors() {
        for text in ["", "short", "two words!", "two\nlines", "umläute-ä"] {
            assert!(Token::new(text).is_err(), "{text}");
        }
    }
}
