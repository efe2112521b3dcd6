//! The measured axes: the paper's four, then SummEval's four ratings.

use veridic::{Error, Result, named};

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Whether the summary has the ground truth's entities (section 3.2.1).
    Completeness,
    /// Whether its entities are true (section 3.2.2).
    Correctness,
    /// Whether its entities are in the right sections (section 3.2.3).
    Alignment,
    /// 1 minus the issues of writing per sentence (section 3.2.4).
    Readability,
    /// SummEval's rating of correct entities.
    Consistency,
    /// SummEval's rating of entities shared with the references.
    Relevance,
    /// SummEval's rating of spelling and grammar.
    Fluency,
    /// SummEval's rating of flow.
    Coherence,
}

named!(Axis, "axis", {
    Completeness = "completeness",
    Correctness = "correctness",
    Alignment = "alignment",
    Readability = "readability",
    Consistency = "consistency",
    Relevance = "relevance",
    Fluency = "fluency",
    Coherence = "coherence",
});

impl Axis {
    /// The paper's own axes.
    pub(crate) const OF_PAPER: [Self; 4] =
        [Self::Completeness, Self::Correctness, Self::Alignment, Self::Readability];

    /// The name of its number in a result.
    pub(super) fn number_name(self) -> &'static str {
        match self {
            Self::Completeness => "sumautoeval_completeness",
            Self::Correctness => "sumautoeval_correctness",
            Self::Alignment => "sumautoeval_alignment",
            Self::Readability => "sumautoeval_readability",
            Self::Consistency => "sumautoeval_consistency",
            Self::Relevance => "sumautoeval_relevance",
            Self::Fluency => "sumautoeval_fluency",
            Self::Coherence => "sumautoeval_coherence",
        }
    }

    /// Whether it is about the summary's entities.
    pub(super) fn is_of_entities(self) -> bool {
        matches!(self, Self::Correctness | Self::Consistency | Self::Relevance | Self::Alignment)
    }

    /// Checks that it can be measured without a language model: completeness by rules is no better than shared words
    /// (docs/measurements/evaluators.md), and there are no rules for writing.
    ///
    /// # Errors
    /// Completeness, readability and fluency.
    pub(crate) fn check_without_answers(self) -> Result<()> {
        if !matches!(self, Self::Completeness | Self::Readability | Self::Fluency) {
            return Ok(());
        }
        Err(Error::setting(
            "metric",
            format!("sumautoeval:{self}"),
            "needs a language model's answers: give them with --answers FILE, or a server with --judge URL",
        ))
    }
}
