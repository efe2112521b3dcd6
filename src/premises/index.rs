//! The quantities and names of a whole document, in which those of claims are looked up.

use crate::text::{Names, Quantities};

/// The quantities and names of a document.
#[derive(Debug, Default)]
pub struct DocumentIndex {
    quantities: Quantities,
    names: Names,
}

impl DocumentIndex {
    /// Indexes a text.
    pub fn of(text: &str) -> Self {
        Self { quantities: Quantities::of(text), names: Names::of(text) }
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
