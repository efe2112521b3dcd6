//! The result of one pair, as JSON shows it (`schema` 1). Fields are added, never renamed.

use serde::Serialize;
use veridic_models::Probabilities;

use super::claims::ClaimsFrom;
use super::coref::Substitution;
use super::evidence::{Facts, Support};
use super::profile::{Level, Profile};
use super::verdict::Verdict;
use crate::text::Span;

/// The version of this layout.
pub const SCHEMA: u32 = 1;

/// The judgement of one (document, summary) pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResult {
    /// The version of this layout.
    pub schema: u32,
    /// The claims' scores as one, -1..=1: their mean, unless the profile says otherwise.
    pub score: f32,
    /// The probability that people call the summary consistent, where there is a calibration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// The summary's verdict.
    pub verdict: Verdict,
    /// Its claims, in the summary's order.
    pub claims: Vec<ClaimResult>,
    /// What was computed for it.
    pub ledger: Ledger,
    /// The settings that decided it.
    pub profile: ProfileStamp,
    /// The models that decided it.
    pub models: Models,
}

/// The judgement of one claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimResult {
    /// What it says.
    pub text: String,
    /// The parts of the summary that it covers.
    pub summary_spans: Vec<Span>,
    /// The profile's score, -1..=1; under a calibration the probability that it is supported.
    pub score: f32,
    /// Its verdict.
    pub verdict: Verdict,
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
    /// What the model said on each level, and what of the claim's wording is in the document, where the profile
    /// looks at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// What the facts come to, where there is a calibration for the NLI model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
}

/// A slice of the document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The document's own text.
    pub text: String,
    /// Where it stands, in Unicode characters.
    pub span: Span,
}

/// A slice of the document that contradicts a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CounterEvidence {
    /// The document's own text.
    pub text: String,
    /// Where it stands, in Unicode characters.
    pub span: Span,
    /// The probability of contradiction.
    pub contradiction: f32,
}

/// What was computed for a pair, and what was not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ledger {
    /// Sentences of the document.
    pub sentences: usize,
    /// (premise, claim) pairs computed.
    pub premises: usize,
    /// Those left out because the claim was decided.
    pub premises_skipped: usize,
    /// Premises of the document that did not fit beside some claim and were split instead of cut.
    pub premises_split: usize,
    /// (premise, claim) pairs that lost tokens to a limit of the profile or model.
    pub premises_cut: usize,
    /// Rewritten sentences that were too many, or too long beside some claim.
    pub rewritings_left_out: usize,
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
    /// Where it was computed; not written for the CPU.
    #[serde(skip_serializing_if = "is_host")]
    pub device: &'static str,
}

fn is_host(device: &&'static str) -> bool {
    *device == veridic_models::Device::Host.name()
}
