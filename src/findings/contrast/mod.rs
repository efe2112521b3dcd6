//! The second question to the judge: if not this number, date, name or order of names, which one? Fillings that the
//! evidence offers are put in the place of a part of the claim, and the judge reads these claims against the same
//! premise.
//!
//! `requests` decides which of the fillings (`veridic_text`'s `fillings`) are read and has them read, `decide` what follows
//! from their entailment, `places` where the replaced part is in the texts.

mod decide;
mod places;
mod requests;

use serde::{Deserialize, Serialize};
use veridic_text::{Change, Span};

use crate::findings::QuantityConflict;
use crate::input::SourceSpans;
use crate::named;
pub(crate) use places::relocate;
pub(crate) use requests::{ContrastRequest, contrast_request, read_fillings};

/// What the document says in place of a part of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Instead {
    /// What was replaced.
    pub kind: FillingKind,
    /// The replaced part, in the claim's text; of exchanged names, from the first to the end of the second.
    pub span: Span,
    /// The replaced part as the claim has it.
    pub text: String,
    /// The same part as the document has it; of exchanged names, the part with the names exchanged.
    pub document: String,
    /// Where the document has it; of exchanged names, the evidence.
    pub document_span: Span,
    /// The replaced part in the summary; none where the claim is not in the summary word for word.
    pub summary_span: Option<Span>,
    /// The entailment of the claim so changed, less that of the claim itself.
    pub gain: f32,
    /// The source that the document has it in, where the document is a list of sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSpans>,
}

/// What a filling replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FillingKind {
    /// A number, an amount, a share or a measure.
    Quantity,
    /// A date or a time of day.
    Date,
    /// A name.
    Name,
    /// The speaker whom the claim tells of.
    Speaker,
    /// Two names, by each other.
    Roles,
    /// The claim, by its denial.
    Denial,
}

named!(FillingKind, "filling", {
    Quantity = "quantity",
    Date = "date",
    Name = "name",
    Speaker = "speaker",
    Roles = "roles",
    Denial = "denial",
});

/// What a score is worth, where it is not worth what scores usually are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Certainty {
    /// The judge entails the claim's denial, or all of its fillings, as much as the claim: it does not read this claim, and
    /// its score proves nothing.
    Insensitive,
}

named!(Certainty, "certainty", { Insensitive = "insensitive" });

/// What the second question found for a claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contrast {
    /// The highest entailment of a filling less that of the claim itself; 0 where none is higher.
    pub(crate) gain: f32,
    /// Whether the judge does not read the claim.
    pub(crate) is_insensitive: bool,
    /// What the document says instead.
    pub(crate) instead: Option<Found>,
}

/// What the document says instead, and what says it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) instead: Instead,
    /// The probability that the premise that was asked about contradicts the claim.
    pub(crate) contradiction: f32,
    /// The sentence that says it.
    pub(crate) sentence: Span,
}

impl Found {
    /// The quantity or date that the claim and the document give different values, if it is one.
    pub(crate) fn quantity(&self) -> Option<QuantityConflict> {
        let Instead { kind, text, document, .. } = &self.instead;
        let (claim, document) = (text.clone(), document.clone());
        matches!(kind, FillingKind::Quantity | FillingKind::Date)
            .then_some(QuantityConflict { claim, document })
    }
}

impl From<Change> for FillingKind {
    fn from(change: Change) -> Self {
        match change {
            Change::Quantity => Self::Quantity,
            Change::Date => Self::Date,
            Change::Name => Self::Name,
            Change::Speaker => Self::Speaker,
            Change::Roles => Self::Roles,
            Change::Denial => Self::Denial,
        }
    }
}
