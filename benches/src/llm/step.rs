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

/// What a step asks for.
pub(super) struct Spec {
    /// Our wording.
    pub(super) template: &'static str,
    /// The fields that its template may name, each as `{{field}}`.
    pub(super) fields: &'static [&'static str],
    /// How many of the first fields are required.
    pub(super) required: usize,
    pub(super) reply: ReplyKind,
}

/// What our template asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyKind {
    /// A JSON object with a list.
    Lists,
    /// A JSON object with a reason and an answer.
    Reasoned,
    /// A text with an explanation.
    Explained,
    /// A word or a number.
    Brief,
}

impl ReplyKind {
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::Lists | Self::Reasoned)
    }

    /// Returns the token limit of a reply. A word or a number needs few, and some more from a model that explains itself.
    pub(super) fn max_tokens(self) -> u32 {
        match self {
            Self::Lists => 4096,
            Self::Reasoned | Self::Explained => 1024,
            Self::Brief => 256,
        }
    }
}

/// `spec!("file of our wording", the fields, the number of required ones, the kind of reply)`.
macro_rules! spec {
    ($file:literal, $fields:expr, $required:literal, $reply:ident) => {
        Spec {
            template: include_str!(concat!("templates/", $file, ".txt")),
            fields: &$fields,
            required: $required,
            reply: ReplyKind::$reply,
        }
    };
}

impl Step {
    /// Whether its answers lead to further requests.
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
    pub fn is_repeated(self) -> bool {
        matches!(
            self,
            Self::TofuEvalSentence
                | Self::TofuEvalSentenceExplained
                | Self::TofuEvalSummary
                | Self::TofuEvalSummaryExplained
        )
    }

    /// Returns what it asks for.
    pub(super) fn spec(self) -> Spec {
        const CHECK: [&str; 4] = ["entity", "materials", "options", "question"];
        const PAIR: [&str; 2] = ["document", "summary"];
        match self {
            Self::FeniceClaims => spec!("fenice-claims", ["summary"], 1, Lists),
            Self::FineSureFacts => spec!("finesure-facts", ["document", "sentences", "count"], 2, Lists),
            Self::FineSureKeyFacts => spec!("finesure-key-facts", ["text"], 1, Lists),
            Self::FineSureAlignment => {
                spec!("finesure-alignment", ["sentences", "key_facts", "count"], 2, Lists)
            }
            Self::SumAutoEvalEntities => spec!("sumautoeval-entities", ["text"], 1, Lists),
            Self::SumAutoEvalVerified => spec!("sumautoeval-verified", ["text", "entities"], 2, Lists),
            Self::SumAutoEvalSources => spec!("sumautoeval-sources", ["text", "entities"], 2, Lists),
            Self::SumAutoEvalPresence => spec!("sumautoeval-presence", CHECK, 2, Reasoned),
            Self::SumAutoEvalCoverage => spec!("sumautoeval-coverage", CHECK, 2, Reasoned),
            Self::SumAutoEvalEvidence => spec!("sumautoeval-evidence", CHECK, 2, Reasoned),
            Self::SumAutoEvalDefinition => {
                spec!("sumautoeval-definition", ["entity", "section", "definition"], 2, Reasoned)
            }
            Self::SumAutoEvalSection => {
                spec!("sumautoeval-section", ["entity", "section", "materials"], 2, Reasoned)
            }
            Self::SumAutoEvalFlow => spec!("sumautoeval-flow", ["sentences"], 1, Lists),
            Self::SumAutoEvalWriting => spec!("sumautoeval-writing", ["sentences"], 1, Lists),
            Self::RatingConsistency => spec!("rating-consistency", PAIR, 2, Brief),
            Self::RatingRelevance => spec!("rating-relevance", PAIR, 2, Brief),
            Self::RatingFaithfulness => spec!("rating-faithfulness", PAIR, 2, Brief),
            Self::TofuEvalSentence => spec!("tofueval-sentence", ["document", "sentence"], 2, Brief),
            Self::TofuEvalSentenceExplained => {
                spec!("tofueval-sentence-explained", ["document", "sentence"], 2, Explained)
            }
            Self::TofuEvalSummary => spec!("tofueval-summary", PAIR, 2, Brief),
            Self::TofuEvalSummaryExplained => spec!("tofueval-summary-explained", PAIR, 2, Explained),
        }
    }
}
