//! The quantities and names of a whole document, in which those of claims are looked up.

use crate::text::{Names, Poll, Quantities};

/// The quantities and names of a document.
#[derive(Debug, Default)]
pub struct DocumentIndex {
    quantities: Quantities,
    names: Names,
}

impl DocumentIndex {
    /// Indexes a text.
    ///
    /// # Errors
    /// That of `poll`.
    pub fn of<E>(text: &str, poll: &Poll<'_, E>) -> Result<Self, E> {
        Ok(Self { quantities: Quantities::read(text, poll)?, names: Names::read(text, poll)? })
    }

    /// Its quantities.
    pub fn quantities(&self) -> &Quantities {
        &self.quantities
    }

    /// Its names.
    pub fn names(&self) -> &Names {
        &self.names
    }
}
