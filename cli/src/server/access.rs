//! Who may ask: everybody, or who knows the token. It is compared in a time that does not depend on it.

use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq;

use super::refusal::{Code, Refusal};

/// Fewest characters of a token.
const LEAST_CHARACTERS: usize = 8;

/// What a client must show as `Authorization: Bearer TOKEN`.
#[derive(Clone)]
pub struct Token(Vec<u8>);

/// A text that is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a token is at least {LEAST_CHARACTERS} letters, digits and signs of ASCII on one line, without spaces"
)]
pub struct BadToken;

impl Token {
    /// The token that a text holds; space around it is left out.
    ///
    /// # Errors
    /// A text that is no token.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let token = text.trim();
        let is_good = token.len() >= LEAST_CHARACTERS && token.bytes().all(|byte| byte.is_ascii_graphic());
        if is_good { Ok(Self(token.into())) } else { Err(BadToken) }
    }

    /// Lets in who shows it.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(shown) = headers.get(header::AUTHORIZATION) else {
            return Err(refuse("this server asks for its token: send `Authorization: Bearer TOKEN`"));
        };
        let (scheme, token) = shown.as_bytes().split_at(shown.len().min("Bearer ".len()));
        let is_bearer = scheme.eq_ignore_ascii_case(b"Bearer ");
        if is_bearer && bool::from(token.trim_ascii().ct_eq(&self.0)) {
            return Ok(());
        }
        Err(refuse("this is not the token of this server"))
    }
}

fn refuse(message: &str) -> Refusal {
    Refusal::new(Code::Unauthorized, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_let_in(shown: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.extend(shown.map(|shown| (header::AUTHORIZATION, shown.parse().unwrap())));
        Token::new(" abcdefgh\n").unwrap().check(&headers).is_ok()
    }

    #[test]
    fn only_the_whole_token_lets_in() {
        assert!(is_let_in(Some("Bearer abcdefgh")) && is_let_in(Some("bearer abcdefgh ")));
        for shown in
            ["", "Bearer", "Bearer ", "Bearer abcdefg", "Bearer abcdefghi", "Basic abcdefgh", "abcdefgh"]
        {
            assert!(!is_let_in(Some(shown)), "{shown}");
        }
        assert!(!is_let_in(None));
    }

    #[test]
    fn a_text_that_nobody_can_send_is_no_token() {
        for text in ["", "short", "two words!", "two\nlines", "umläute-ä"] {
            assert!(Token::new(text).is_err(), "{text}");
        }
    }
}
