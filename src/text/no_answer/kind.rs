//! What a sentence is that gives no answer.

/// A sentence that gives no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The writer does not answer.
    Refusal,
    /// The writer says that the document does not say something.
    Absence(Absence),
}

/// What a document is said not to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// A statement that the document supports if it says it all the same.
    pub statement: String,
    /// Whether the document would also say it by a denial: "whether dental care is covered".
    pub is_open: bool,
}

impl NoAnswer {
    /// What the document would have to say for it to be wrong.
    #[must_use]
    pub fn statement(self) -> Option<String> {
        match self {
            Self::Refusal => None,
            Self::Absence(absence) => Some(absence.statement),
        }
    }
}
