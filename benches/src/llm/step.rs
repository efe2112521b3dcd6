//! The steps, with their names on the command line and in files.

use veridic::named;

/// A step of an evaluator that a chat model answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The claims of a summary (Scirè et al. 2024, figure 2).
    FeniceClaims,
    /// A category and a reason for each summary sentence (Song et al. 2024, figure 3).
    FineSureFacts,
    /// The key facts of a text (Song et al. 2024, figure 5).
    FineSureKeyFacts,
    /// The lines of the summary that have each key fact (Song et al. 2024, figure 4).
    FineSureAlignment,
    /// The entities of a text (Yuan et al., section 3.1).
    SumAutoEvalEntities,
    /// The entities, verified and merged (section 3.1).
    SumAutoEvalVerified,
    /// The phrases that support each entity (section 3.1).
    SumAutoEvalSources,
    /// Whether an entity is present (section 3.2.1, prompt 1).
    SumAutoEvalPresence,
    /// Whether the entity's information is covered (prompt 2).
    SumAutoEvalCoverage,
    /// Whether there is enough material about the entity (prompt 3).
    SumAutoEvalEvidence,
    /// Whether the entity belongs in its section, by the section's definition (section 3.2.3).
    SumAutoEvalDefinition,
    /// Whether the ground truth's section of the same name has the entity (section 3.2.3).
    SumAutoEvalSection,
    /// Sentences that do not follow (section 3.2.4).
    SumAutoEvalFlow,
    /// Issues of language, grammar and spelling (section 3.2.4).
    SumAutoEvalWriting,
    /// A rating of consistency from 1 to 5 (Wu et al. 2024, figure 4).
    RatingConsistency,
    /// A rating of relevance from 1 to 5 (figure 5).
    RatingRelevance,
    /// A rating of faithfulness from 1 to 7 (figure 6).
    RatingFaithfulness,
    /// Yes or no for a sentence (Tang et al. 2024, appendix C.3, DIR).
    TofuEvalSentence,
    /// Yes or no for a sentence, with an explanation (EXP).
    TofuEvalSentenceExplained,
    /// Yes or no for a summary (DIR).
    TofuEvalSummary,
    /// Yes or no for a summary, with an explanation (EXP).
    TofuEvalSummaryExplained,
}

named!(Step, "step", {
    FeniceClaims = "fenice:claims",
    FineSureFacts = "finesure:facts",
    FineSureKeyFacts = "finesure:key-facts",
    FineSureAlignment = "finesure:alignment",
    SumAutoEvalEntities = "sumautoeval:entities",
    SumAutoEvalVerified = "sumautoeval:verified",
    SumAutoEvalSources = "sumautoeval:sources",
    SumAutoEvalPresence = "sumautoeval:presence",
    SumAutoEvalCoverage = "sumautoeval:coverage",
    SumAutoEvalEvidence = "sumautoeval:evidence",
    SumAutoEvalDefinition = "sumautoeval:definition",
    SumAutoEvalSection = "sumautoeval:section",
    SumAutoEvalFlow = "sumautoeval:flow",
    SumAutoEvalWriting = "sumautoeval:writing",
    RatingConsistency = "rating:consistency",
    RatingRelevance = "rating:relevance",
    RatingFaithfulness = "rating:faithfulness",
    TofuEvalSentence = "tofueval:sentence",
    TofuEvalSentenceExplained = "tofueval:sentence-explained",
    TofuEvalSummary = "tofueval:summary",
    TofuEvalSummaryExplained = "tofueval:summary-explained",
});

/// The fields that a template may name, each as `{{field}}`.
pub(super) struct Fields {
    pub(super) known: &'static [&'static str],
    /// How many of the first ones are required.
    pub(super) required: usize,
}

impl Fields {
    const fn new(known: &'static [&'static str], required: usize) -> Self {
        Self { known, required }
    }
}

impl Step {
    /// Whether its answers lead to further requests.
    #[must_use]
    pub fn is_followed(self) -> bool {
        matches!(
            self,
            Self::FineSureKeyFacts
                | Self::SumAutoEvalEntities
                | Self::SumAutoEvalVerified
                | Self::SumAutoEvalSources
        )
    }

    /// Whether it can be asked repeatedly (TofuEval's questions).
    #[must_use]
    pub fn is_repeated(self) -> bool {
        matches!(
            self,
            Self::TofuEvalSentence
                | Self::TofuEvalSentenceExplained
                | Self::TofuEvalSummary
                | Self::TofuEvalSummaryExplained
        )
    }

    /// Returns our wording.
    pub(super) fn template(self) -> &'static str {
        match self {
            Self::FeniceClaims => include_str!("templates/fenice-claims.txt"),
            Self::FineSureFacts => include_str!("templates/finesure-facts.txt"),
            Self::FineSureKeyFacts => include_str!("templates/finesure-key-facts.txt"),
            Self::FineSureAlignment => include_str!("templates/finesure-alignment.txt"),
            Self::SumAutoEvalEntities => include_str!("templates/sumautoeval-entities.txt"),
            Self::SumAutoEvalVerified => include_str!("templates/sumautoeval-verified.txt"),
            Self::SumAutoEvalSources => include_str!("templates/sumautoeval-sources.txt"),
            Self::SumAutoEvalPresence => include_str!("templates/sumautoeval-presence.txt"),
            Self::SumAutoEvalCoverage => include_str!("templates/sumautoeval-coverage.txt"),
            Self::SumAutoEvalEvidence => include_str!("templates/sumautoeval-evidence.txt"),
            Self::SumAutoEvalDefinition => include_str!("templates/sumautoeval-definition.txt"),
            Self::SumAutoEvalSection => include_str!("templates/sumautoeval-section.txt"),
            Self::SumAutoEvalFlow => include_str!("templates/sumautoeval-flow.txt"),
            Self::SumAutoEvalWriting => include_str!("templates/sumautoeval-writing.txt"),
            Self::RatingConsistency => include_str!("templates/rating-consistency.txt"),
            Self::RatingRelevance => include_str!("templates/rating-relevance.txt"),
            Self::RatingFaithfulness => include_str!("templates/rating-faithfulness.txt"),
            Self::TofuEvalSentence => include_str!("templates/tofueval-sentence.txt"),
            Self::TofuEvalSentenceExplained => include_str!("templates/tofueval-sentence-explained.txt"),
            Self::TofuEvalSummary => include_str!("templates/tofueval-summary.txt"),
            Self::TofuEvalSummaryExplained => include_str!("templates/tofueval-summary-explained.txt"),
        }
    }

    /// Returns the fields of its template.
    pub(super) fn fields(self) -> Fields {
        match self {
            Self::FeniceClaims => Fields::new(&["summary"], 1),
            Self::FineSureFacts => Fields::new(&["document", "sentences", "count"], 2),
            Self::FineSureKeyFacts => Fields::new(&["text"], 1),
            Self::FineSureAlignment => Fields::new(&["sentences", "key_facts", "count"], 2),
            Self::SumAutoEvalEntities => Fields::new(&["text"], 1),
            Self::SumAutoEvalVerified | Self::SumAutoEvalSources => Fields::new(&["text", "entities"], 2),
            Self::SumAutoEvalPresence | Self::SumAutoEvalCoverage | Self::SumAutoEvalEvidence => {
                Fields::new(&["entity", "materials", "options", "question"], 2)
            }
            Self::SumAutoEvalDefinition => Fields::new(&["entity", "section", "definition"], 2),
            Self::SumAutoEvalSection => Fields::new(&["entity", "section", "materials"], 2),
            Self::SumAutoEvalFlow | Self::SumAutoEvalWriting => Fields::new(&["sentences"], 1),
            Self::RatingConsistency
            | Self::RatingRelevance
            | Self::RatingFaithfulness
            | Self::TofuEvalSummary
            | Self::TofuEvalSummaryExplained => Fields::new(&["document", "summary"], 2),
            Self::TofuEvalSentence | Self::TofuEvalSentenceExplained => {
                Fields::new(&["document", "sentence"], 2)
            }
        }
    }

    /// Whether our template requests a JSON object.
    pub(super) fn asks_json(self) -> bool {
        let is_rating =
            matches!(self, Self::RatingConsistency | Self::RatingRelevance | Self::RatingFaithfulness);
        !is_rating && !self.is_repeated()
    }

    /// Returns the token limit of a reply. Steps that ask for a word or a number need few, and some more for a model that
    /// explains itself.
    pub(super) fn max_tokens(self) -> u32 {
        match self {
            Self::RatingConsistency
            | Self::RatingRelevance
            | Self::RatingFaithfulness
            | Self::TofuEvalSentence
            | Self::TofuEvalSummary => 256,
            Self::TofuEvalSentenceExplained
            | Self::TofuEvalSummaryExplained
            | Self::SumAutoEvalPresence
            | Self::SumAutoEvalCoverage
            | Self::SumAutoEvalEvidence
            | Self::SumAutoEvalDefinition
            | Self::SumAutoEvalSection => 1024,
            _ => 4096,
        }
    }
}
