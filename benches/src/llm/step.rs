//! The steps: their names on the command line and in files, the fields of their templates, and what they ask for.

use veridic::named;

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

/// What a step asks for.
pub(super) struct Spec {
    /// Our wording.
    pub(super) template: &'static str,
    /// The fields that every template has to name, each as `{{field}}`.
    pub(super) required: &'static [&'static str],
    /// The fields that a template may name besides.
    pub(super) optional: &'static [&'static str],
    pub(super) reply: ReplyKind,
}

/// Makes the steps of a table: name, file of our wording, required and optional fields, kind of reply.
macro_rules! steps {
    ($($(#[$doc:meta])+ $step:ident = $name:literal, $file:literal, $required:expr, $optional:expr, $reply:ident;)+) => {
        /// A step of an evaluator that a chat model answers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Step {
            $($(#[$doc])+ $step,)+
        }

        named!(Step, "step", { $($step = $name),+ });

        impl Step {
            /// Returns what it asks for.
            pub(super) fn spec(self) -> Spec {
                match self {
                    $(Self::$step => Spec {
                        template: include_str!(concat!("templates/", $file, ".txt")),
                        required: &$required,
                        optional: &$optional,
                        reply: ReplyKind::$reply,
                    },)+
                }
            }
        }
    };
}

steps! {
    /// The claims of a summary (Scirè et al. 2024, figure 2).
    FeniceClaims = "fenice:claims", "fenice-claims", ["summary"], [], Lists;
    /// A category and a reason for each summary sentence (Song et al. 2024, figure 3).
    FineSureFacts = "finesure:facts", "finesure-facts", ["document", "sentences"], ["count"], Lists;
    /// The key facts of a text (Song et al. 2024, figure 5).
    FineSureKeyFacts = "finesure:key-facts", "finesure-key-facts", ["text"], [], Lists;
    /// The lines of the summary that have each key fact (Song et al. 2024, figure 4).
    FineSureAlignment = "finesure:alignment", "finesure-alignment", ["sentences", "key_facts"], ["count"], Lists;
    /// The entities of a text (Yuan et al., section 3.1).
    SumAutoEvalEntities = "sumautoeval:entities", "sumautoeval-entities", ["text"], [], Lists;
    /// The entities, verified and merged (section 3.1).
    SumAutoEvalVerified = "sumautoeval:verified", "sumautoeval-verified", ["text", "entities"], [], Lists;
    /// The phrases that support each entity (section 3.1).
    SumAutoEvalSources = "sumautoeval:sources", "sumautoeval-sources", ["text", "entities"], [], Lists;
    /// Whether an entity is present (section 3.2.1, prompt 1).
    SumAutoEvalPresence = "sumautoeval:presence", "sumautoeval-presence", ["entity", "materials"], ["options", "question"], Reasoned;
    /// Whether the entity's information is covered (prompt 2).
    SumAutoEvalCoverage = "sumautoeval:coverage", "sumautoeval-coverage", ["entity", "materials"], ["options", "question"], Reasoned;
    /// Whether there is enough material about the entity (prompt 3).
    SumAutoEvalEvidence = "sumautoeval:evidence", "sumautoeval-evidence", ["entity", "materials"], ["options", "question"], Reasoned;
    /// Whether the entity belongs in its section, by the section's definition (section 3.2.3).
    SumAutoEvalDefinition = "sumautoeval:definition", "sumautoeval-definition", ["entity", "section"], ["definition"], Reasoned;
    /// Whether the ground truth's section of the same name has the entity (section 3.2.3).
    SumAutoEvalSection = "sumautoeval:section", "sumautoeval-section", ["entity", "section"], ["materials"], Reasoned;
    /// Sentences that do not follow (section 3.2.4).
    SumAutoEvalFlow = "sumautoeval:flow", "sumautoeval-flow", ["sentences"], [], Lists;
    /// Issues of language, grammar and spelling (section 3.2.4).
    SumAutoEvalWriting = "sumautoeval:writing", "sumautoeval-writing", ["sentences"], [], Lists;
    /// A rating of consistency from 1 to 5 (Wu et al. 2024, figure 4).
    RatingConsistency = "rating:consistency", "rating-consistency", ["document", "summary"], [], Brief;
    /// A rating of relevance from 1 to 5 (figure 5).
    RatingRelevance = "rating:relevance", "rating-relevance", ["document", "summary"], [], Brief;
    /// A rating of faithfulness from 1 to 7 (figure 6).
    RatingFaithfulness = "rating:faithfulness", "rating-faithfulness", ["document", "summary"], [], Brief;
    /// Yes or no for a sentence (Tang et al. 2024, appendix C.3, DIR).
    TofuEvalSentence = "tofueval:sentence", "tofueval-sentence", ["document", "sentence"], [], Brief;
    /// Yes or no for a sentence, with an explanation (EXP).
    TofuEvalSentenceExplained = "tofueval:sentence-explained", "tofueval-sentence-explained", ["document", "sentence"], [], Explained;
    /// Yes or no for a summary (DIR).
    TofuEvalSummary = "tofueval:summary", "tofueval-summary", ["document", "summary"], [], Brief;
    /// Yes or no for a summary, with an explanation (EXP).
    TofuEvalSummaryExplained = "tofueval:summary-explained", "tofueval-summary-explained", ["document", "summary"], [], Explained;
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
        self.name().starts_with("tofueval:")
    }
}
