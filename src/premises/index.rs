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
    pub fn of<E: Send>(text: &str, poll: &Poll<'_, E>) -> Result<Self, E> {
        let (quantities, names) = rayon::join(|| Quantities::read(text, poll), || Names::read(text, poll));
        Ok(Self { quantities: quantities?, names: names? })
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
