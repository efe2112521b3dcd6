//! The result of one pair, as JSON shows it (`schema` 1). Fields are added, never renamed.

use serde::Serialize;
use sha2::{Digest, Sha256};
use veridic_models::Probabilities;

use super::claims::ClaimsFrom;
use super::coref::Substitution;
use super::evidence::{Facts, QuantityConflict, Support};
use super::profile::{Level, Profile, Thresholds};
use super::unsupported_words::UnsupportedWords;
use super::verdict::{Reason, Verdict};
use veridic_text::{PairLanguages, Span, TextIndex, hull, quotation};

/// The version of this layout.
pub const SCHEMA: u32 = 1;

/// The judgement of one (document, summary) pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResult {
    /// The version of this layout.
    pub schema: u32,
    /// With a calibration that of its weakest claim, the probability that people call the summary consistent; without one
    /// the claims' scores as one, -1..=1: their mean, unless the profile says otherwise.
    pub score: f32,
    /// The summary's verdict.
    pub verdict: Verdict,
    /// Why the verdict is not what the scores say, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The limits that decided the verdicts of its claims.
    pub limits: Limits,
    /// Its claims, in the summary's order.
    pub claims: Vec<ClaimResult>,
    /// What was computed for it.
    pub ledger: Ledger,
    /// The settings that decided it.
    pub profile: ProfileStamp,
    /// The models that decided it.
    pub models: Models,
}

/// What decided the verdicts of claims.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limits {
    /// What scores are, the summary's and the claims'.
    pub scale: Scale,
    /// The limits themselves.
    #[serde(flatten)]
    pub thresholds: Thresholds,
    /// The highest score of a claim one of whose quantities is nowhere in the document, where there is a calibration that says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity_nowhere: Option<f32>,
}

/// What scores are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Probabilities, 0..=1: there is a calibration.
    Probability,
    /// Scores of the profile's rule, -1..=1.
    Score,
}

/// The judgement of one claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimResult {
    /// What it says.
    pub text: String,
    /// The parts of the summary that it covers.
    pub summary_spans: Vec<Span>,
    /// The profile's score, -1..=1; with a calibration the probability that people call a summary consistent of which
    /// this is the weakest claim.
    pub score: f32,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why the verdict is not what the score says, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What the model said about the deciding premise.
    pub probabilities: Probabilities,
    /// That premise's level.
    pub level: Level,
    /// That premise.
    pub evidence: Evidence,
    /// The mention that was replaced in it, on the level `coref`.
    pub substitution: Option<Substitution>,
    /// The premise that contradicts the claim, if the verdict says so.
    pub counter_evidence: Option<CounterEvidence>,
    /// The words that this premise does not support, of a claim that is not supported, where the model says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsupported_words: Option<Vec<UnsupportedWords>>,
    /// What the model said on each level, and what of the claim's wording is in the document, where the profile
    /// looks at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// What the facts come to, where there is a calibration for the NLI model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
}

/// Sentences of the document that the model read together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The document's own text; ` [...] ` stands for what an extract left out between two sentences.
    pub text: String,
    /// From the first sentence's start to the last one's end, in Unicode characters.
    pub span: Span,
    /// Where each sentence stands; of a sentence that is too long for the model, the part that it read.
    pub spans: Vec<Span>,
}

/// Sentences of the document that contradict a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CounterEvidence {
    /// What the document says there.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// The probability of contradiction.
    pub contradiction: f32,
    /// The claim's quantity that they give otherwise, where that is what contradicts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<QuantityConflict>,
}

impl Evidence {
    /// The sentences `spans` of a document.
    #[must_use]
    pub fn of(document: &TextIndex<'_>, spans: Vec<Span>) -> Self {
        let span = hull(&spans).unwrap_or(Span { start: 0, end: 0 });
        Self { text: quotation(document, &spans), span, spans }
    }
}

/// What was computed for a pair, and what was not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ledger {
    /// Which document it was: the first 16 digits of the SHA-256 of its text.
    pub document_digest: String,
    /// Sentences of the document.
    pub sentences: usize,
    /// (premise, claim) pairs computed.
    pub premises: usize,
    /// Those left out because the claim was decided.
    pub premises_skipped: usize,
    /// Premises that were split instead of cut: documents longer than a run, and what did not fit beside some claim.
    pub premises_split: usize,
    /// (premise, claim) pairs that lost tokens to a limit of the profile or model.
    pub premises_cut: usize,
    /// Rewritten sentences that were too many, or too long beside some claim.
    pub rewritings_left_out: usize,
    /// Characters of the two texts that were read as something else, or as nothing: control characters and the like.
    pub characters_replaced: usize,
    /// What the two texts are written in, where that can be told.
    pub language: PairLanguages,
    /// Where the claims came from.
    pub claims_from: ClaimsFrom,
    /// What was taken out of the document before, if anything was; the counts above are those of the extract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extract: Option<Extract>,
}

/// How an extract was taken out of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Extract {
    /// How sentences were chosen.
    pub method: &'static str,
    /// Most tokens.
    pub budget: usize,
    /// How wording counted, and what happened at the budget: `authors` or `fill`.
    pub rule: &'static str,
    /// Sentences of the whole document.
    pub sentences: usize,
}

/// The settings that decided a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileStamp {
    /// The profile as it was used.
    #[serde(flatten)]
    pub profile: Profile,
    /// Longest pair in tokens that the model and `--max-tokens` allowed.
    pub max_tokens: usize,
    /// SHA-256 of the calibration, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<String>,
    /// The claim extractor that was asked for.
    pub claims: &'static str,
    /// The coreference resolver that was asked for.
    pub coref: &'static str,
    /// The languages that the card of the NLI model lists: texts that are surely in others get no verdict of its. None where
    /// that is not known, or any language is judged.
    pub languages: Option<Vec<String>>,
}

/// The models that decided a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Models {
    /// The NLI model.
    pub nli: ModelId,
    /// The claim extractor's model; none for rules.
    pub claims: Option<ModelId>,
    /// The coreference model; none without.
    pub coref: Option<ModelId>,
}

/// A model and the digest of its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelId {
    /// Name or folder as given.
    pub id: String,
    /// SHA-256 of the weights.
    pub sha256: String,
    /// SHA-256 over what it is made of beside them: configuration, tokenizer, order of labels.
    pub settings_sha256: String,
    /// The numbers that it was computed in.
    pub dtype: &'static str,
    /// The processor's unit that these depend on in their last digits; not written where every processor computes the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Where it was computed; not written for the CPU.
    #[serde(skip_serializing_if = "is_host")]
    pub device: &'static str,
}

/// What a document is known by, the same for every summary of it.
pub(crate) fn digest(document: &str) -> String {
    Sha256::digest(document).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn is_host(device: &&'static str) -> bool {
    *device == veridic_models::Device::Host.name()
}
