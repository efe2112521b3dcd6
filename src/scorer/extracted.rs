//! A pair with the claims of its summary. Refuses texts that cannot be judged.

use super::normalized::Normalized;
use crate::claims::Claims;
use crate::error::Result;
use crate::input::check_claims;

/// A pair with its claims.
pub(super) struct Extracted<'p> {
    pub(super) read: Normalized<'p>,
    pub(super) claims: Claims,
}

impl<'p> Extracted<'p> {
    /// # Errors
    /// When a text cannot be judged, or the claims were not extracted.
    pub(super) fn new(read: Normalized<'p>, claims: Result<Claims>) -> Result<Self> {
        read.pair().check_words()?;
        let claims = claims?;
        check_claims(claims.claims.len())?;
        Ok(Self { read, claims })
    }
}
