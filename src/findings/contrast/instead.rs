//! What the document says instead of a part of a claim, and what the second question tells of a claim.

use serde::{Deserialize, Serialize};

use crate::findings::quantity_conflict::QuantityConflict;
use crate::input::SourceSpans;
use crate::named;
use crate::text::{Change, Span};

/// A part of a claim, and what the document says instead.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Instead {
    /// The kind of the replaced part.
    pub kind: FillingKind,
    /// The replaced part in the claim's text; for exchanged names, from the start of the first to the end of the
    /// second.
    pub span: Span,
    /// The text of the replaced part.
    pub text: String,
    /// The document's text for this part; for exchanged names, the part with the names exchanged.
    pub document: String,
    /// Its span in the document; for exchanged names, the evidence.
    pub document_span: Span,
    /// The part of the summary that a correction replaces; `None` if the claim is not in the summary word for word, or
    /// if the part is a name that the document has too.
    pub summary_span: Option<Span>,
    /// The entailment of the changed claim minus that of the claim itself.
    pub gain: f32,
    /// The sources that contain it, if the document is a list of sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSpans>,
}

/// The kind of part that a filling replaces.
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
    /// The speaker whom the claim names.
    Speaker,
    /// Two names, exchanged.
    Roles,
    /// The whole claim, replaced by its denial.
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

/// How far a score can be trusted, if less than scores in general.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Certainty {
    /// The judge entails the claim's denial, or all of its fillings, as much as the claim: it does not respond to what
    /// this claim says, so its score proves nothing.
    Insensitive,
}

named!(Certainty, "certainty", { Insensitive = "insensitive" });

/// The result of the second question about a claim.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Contrast {
    /// Whether the judge does not respond to what the claim says.
    pub(crate) is_insensitive: bool,
    /// The document's statement instead, if it has one.
    pub(crate) instead: Option<Found>,
}

/// A statement of the document that stands against a claim, and its evidence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) instead: Instead,
    /// The probability that the premise contradicts the claim.
    pub(crate) contradiction: f32,
    /// The sentence that states it.
    pub(crate) sentence: Span,
}

impl Found {
    /// The conflicting values, if they are quantities or dates.
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
