//! The result of a pair, in the layout of its JSON (`schema` 1). Fields are added, never renamed.

use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use veridic_models::Probabilities;

pub use crate::claims::{ClaimRecord, ClaimsFrom};
use crate::decide::ClaimVerdict;
pub use crate::decide::{Reason, Verdict};
pub use crate::engine::ModelId;
pub use crate::findings::{
    Certainty, FillingKind, Instead, NotInDocument, QuantityConflict, UnsupportedWords,
};
pub use crate::input::{Place, Source, SourceSpans};
use crate::named;
pub use crate::premises::Substitution;
use crate::rules::{Cap, Level, Rules, Thresholds};
pub use crate::text::Form;
use crate::text::NoAnswer;
use crate::text::{PairLanguages, Span};
pub use crate::unjudged::Unjudged;

/// The version of this layout.
pub const SCHEMA: u32 = 1;

/// The `reason` of a part of a summary that states nothing.
pub const NOT_A_CLAIM: &str = "not a claim";

/// The judgement of one (document, summary) pair.
///
/// In its JSON, `claims` also contains the parts of the summary that state nothing, with a verdict of null.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PairResult {
    /// The version of this layout.
    pub schema: u32,
    /// The lowest score of its claims under the profile `veridic`; under other profiles, the claims' scores pooled by
    /// their rules.
    pub score: f32,
    /// The summary's verdict.
    pub verdict: Verdict,
    /// The reason if the verdict does not follow from the scores.
    pub reason: Option<Reason>,
    /// The limits by which the verdicts of its claims were decided.
    pub limits: Limits,
    /// Its claims, in the summary's order.
    pub claims: Vec<ClaimResult>,
    /// The parts of the summary that state nothing, in order.
    pub not_claims: Vec<NotClaim>,
    /// The words of the summary that have no verdict, if its layout is interpreted.
    pub unjudged: Option<Unjudged>,
    /// The amount of work and the origin of its inputs.
    pub ledger: Ledger,
    /// The rules that decided it.
    pub profile: ProfileStamp,
    /// The models that decided it.
    pub models: Models,
}

/// A part of a summary that states nothing: a heading, a greeting, a question, a refusal to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotClaim {
    /// Its text.
    pub text: String,
    /// Its span in the summary.
    pub span: Span,
}

impl NotClaim {
    /// `no_answer` for a refusal to answer; other parts have no verdict.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        NoAnswer::is_refusal(&self.text).then_some(Verdict::NoAnswer)
    }
}

impl PairResult {
    /// The claims and the parts of the summary that state nothing, in text order, as in the JSON.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries(self)
    }
}

/// The list `claims` of a result's JSON.
pub(crate) struct Entries<'r>(&'r PairResult);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Entry<'r> {
            Claim(&'r ClaimResult),
            Other {
                text: &'r str,
                summary_spans: [Span; 1],
                score: (),
                verdict: Option<Verdict>,
                reason: &'static str,
            },
        }
        let begins = |claim: &ClaimResult| claim.summary_spans.first().map_or(0, |span| span.start);
        let mut others = self.0.not_claims.iter().peekable();
        let mut entries = Vec::with_capacity(self.0.claims.len() + self.0.not_claims.len());
        for claim in &self.0.claims {
            while let Some(other) = others.next_if(|other| other.span.start < begins(claim)) {
                entries.push(Entry::of(other));
            }
            entries.push(Entry::Claim(claim));
        }
        entries.extend(others.map(Entry::of));
        impl<'r> Entry<'r> {
            fn of(other: &'r NotClaim) -> Self {
                let (text, summary_spans, verdict) = (other.text.as_str(), [other.span], other.verdict());
                Self::Other { text, summary_spans, score: (), verdict, reason: NOT_A_CLAIM }
            }
        }
        serializer.collect_seq(entries)
    }
}

impl Serialize for PairResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'r> {
            schema: u32,
            score: f32,
            verdict: Verdict,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<Reason>,
            limits: &'r Limits,
            claims: Entries<'r>,
            #[serde(skip_serializing_if = "Option::is_none")]
            unjudged: Option<&'r Unjudged>,
            ledger: &'r Ledger,
            profile: &'r ProfileStamp,
            models: &'r Models,
        }
        let Self { schema, score, verdict, reason, limits, unjudged, ledger, profile, models, .. } = self;
        let unjudged = unjudged.as_ref();
        let (schema, score, verdict, reason, claims) = (*schema, *score, *verdict, *reason, self.entries());
        Fields { schema, score, verdict, reason, limits, claims, unjudged, ledger, profile, models }
            .serialize(serializer)
    }
}

/// The limits that decide the verdicts of claims.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// The scale of the summary's and the claims' scores.
    pub scale: Scale,
    /// The limits themselves.
    #[serde(flatten)]
    pub thresholds: Thresholds,
    /// The highest score of a claim with a number that is nowhere in the document, if the rules cap it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity_nowhere: Option<f32>,
    /// The same for a date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_nowhere: Option<f32>,
    /// The highest score of a claim for which the document says something else instead, if the rules cap it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<f32>,
    /// A claim is unsure if its score is closer than this to the limit of support, if the rules abstain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsure_within: Option<f32>,
}

impl Limits {
    /// Formats a score with two decimals, or with as many as are needed to show on which side of the limits it is.
    #[must_use]
    pub fn shown(&self, score: f32) -> String {
        let Thresholds { supported, contradicted, .. } = self.thresholds;
        let is_true = |text: &String| {
            let shown = text.parse::<f32>().unwrap_or(score);
            [supported, contradicted].iter().all(|limit| (shown >= *limit) == (score >= *limit))
        };
        let texts = (2..7).map(|digits| format!("{score:.digits$}"));
        texts.clone().find(is_true).unwrap_or_else(|| score.to_string())
    }
}

/// The scale of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Scale {
    /// Probabilities, 0..=1: the judge's entailment.
    Probability,
    /// Differences of probabilities, -1..=1.
    Score,
}

/// The judgement of one claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClaimResult {
    /// Its text.
    pub text: String,
    /// The parts of the summary that it covers.
    pub summary_spans: Vec<Span>,
    /// The judge's probability, 0..=1, that the deciding premise entails it, or the cap of a rule; under the papers' profiles a
    /// difference of probabilities, -1..=1.
    pub score: f32,
    /// Its verdict.
    pub verdict: Verdict,
    /// The verdict in a plain sentence: by which passage the claim is supported, or why it is not.
    pub explanation: String,
    /// The reason if the verdict does not follow from the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The statement that was judged in its place, of a claim that the document does not say something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<String>,
    /// The rule that capped the score; without it, the score would be higher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap: Option<Cap>,
    /// The model's output for the deciding premise.
    pub probabilities: Probabilities,
    /// The level of the evidence.
    pub level: Level,
    /// The deciding premise; of a supported claim the shortest one that supports it about as well.
    pub evidence: Evidence,
    /// The replaced mention of the evidence, on the level `coref`.
    pub substitution: Option<Substitution>,
    /// The premise that contradicts the claim, if the verdict is contradicted.
    pub counter_evidence: Option<CounterEvidence>,
    /// A part of the claim and what the document says instead, if the judge finds such a statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Instead>,
    /// How far the score can be trusted, if less than scores in general.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// The words that the deciding premise does not support, if the claim is not supported and the model marks words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsupported_words: Option<Vec<UnsupportedWords>>,
    /// The facts that were looked up in the document, if the rules look claims up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
    /// The sources that its sentence cites, and whether they support it, if citations are checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citations: Option<Vec<Citation>>,
}

impl ClaimResult {
    /// Its verdict, as [`ClaimVerdict`].
    pub(crate) fn claim_verdict(&self) -> ClaimVerdict {
        ClaimVerdict { score: self.score, verdict: self.verdict, reason: self.reason, cap: self.cap }
    }

    /// Its first wrong citation: there is no such source, or none of the cited sources supports it, alone or together.
    /// A cited source is not wrong if another cited source supports the claim.
    #[must_use]
    pub fn wrong_citation(&self) -> Option<&Citation> {
        let all = self.citations.as_deref().unwrap_or_default();
        let verdicts: Vec<CitationVerdict> = all.iter().map(|citation| citation.verdict).collect();
        first_wrong(&verdicts).map(|wrong| &all[wrong])
    }
}

/// The facts of a claim that were looked up in the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Support {
    /// Names and quantities of the claim that are nowhere in the document, each as a sentence.
    pub not_found: Vec<String>,
    /// Those that decide the verdict: without them the claim would be supported.
    pub vetoes: Vec<String>,
}

/// Sentences of the document that the model reads together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evidence {
    /// The document's text; for a transcript, the spoken words, with the labels of later speakers between them; for rows of a
    /// table, also its header.
    pub text: String,
    /// From the first sentence's start to the last one's end, in Unicode characters.
    pub span: Span,
    /// The span of each sentence; for a sentence that is too long for the model, the span of the part that it read.
    pub spans: Vec<Span>,
    /// The sources that contain the sentences, if the document is a list of sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceSpans>,
    /// Where it stands in a document that is not prose.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// Sentences of the document that contradict a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CounterEvidence {
    /// The sentences.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// The probability of contradiction.
    pub contradiction: f32,
    /// The quantity for which they give another value, if this is why they contradict the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<QuantityConflict>,
}

/// A source that a claim's sentence cites.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Citation {
    /// The marker's text.
    pub marker: String,
    /// Its span in the answer.
    pub span: Span,
    /// The id of the source that it names.
    pub source: String,
    /// Whether that source supports the claim.
    pub verdict: CitationVerdict,
    /// The score of the claim against that source alone; `None` for an unknown id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// Another source that supports the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
}

/// Whether a cited source supports a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CitationVerdict {
    /// The source alone supports the claim.
    Supports,
    /// No cited source supports the claim alone, but all of them together do.
    SupportsTogether,
    /// This source does not support the claim, but another source alone does.
    OtherSupports,
    /// No source alone supports the claim.
    None,
    /// No source has this id.
    UnknownSource,
}

/// The index of the first wrong citation of a claim.
pub(crate) fn first_wrong(verdicts: &[CitationVerdict]) -> Option<usize> {
    let is_good = |verdict: &CitationVerdict| {
        matches!(verdict, CitationVerdict::Supports | CitationVerdict::SupportsTogether)
    };
    let unknown = verdicts.iter().position(|verdict| *verdict == CitationVerdict::UnknownSource);
    unknown.or_else(|| (!verdicts.is_empty() && !verdicts.iter().any(is_good)).then_some(0))
}

named!(CitationVerdict, "citation verdict", {
    Supports = "supports",
    SupportsTogether = "supports_together",
    OtherSupports = "other_supports",
    None = "none",
    UnknownSource = "unknown_source",
});

/// The work that was done and skipped for a pair, and the origin of its inputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ledger {
    /// The first 16 hexadecimal digits of the SHA-256 of the document's text.
    pub document_digest: String,
    /// Sentences of the document.
    pub sentences: usize,
    /// (premise, claim) pairs computed.
    pub premises: usize,
    /// (premise, claim) pairs skipped because the claim was decided.
    pub premises_skipped: usize,
    /// Premises that were split: documents longer than a run, and premises that did not fit into a pair with some
    /// claim.
    pub premises_split: usize,
    /// (premise, claim) pairs that the screen excluded, so that the judge never read them.
    pub premises_screened: usize,
    /// (premise, claim) pairs that the small model of the screen read.
    pub screen_pairs: usize,
    /// Changed claims that the judge read to find what the document says instead.
    pub contrast_pairs: usize,
    /// (premise, claim) pairs that were truncated to a limit of the profile or model.
    pub premises_cut: usize,
    /// Rewritten sentences that were dropped because a sentence had too many, or that did not fit into a pair with some
    /// claim.
    pub rewritings_left_out: usize,
    /// Characters of the two texts that normalisation replaced or removed, such as control characters.
    pub characters_replaced: usize,
    /// The sources of the document and their spans, if it is a list of sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// The forms of the document's parts that are not prose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<Form>,
    /// The languages of the two texts, if they were detected.
    pub language: PairLanguages,
    /// Where the claims came from.
    pub claims_from: ClaimsFrom,
}

impl Ledger {
    /// Adds the work on another part of the same summary, against the same document.
    pub(crate) fn add(&mut self, part: &Self) {
        self.premises += part.premises;
        self.premises_skipped += part.premises_skipped;
        self.premises_screened += part.premises_screened;
        self.screen_pairs += part.screen_pairs;
        self.contrast_pairs += part.contrast_pairs;
        self.premises_cut += part.premises_cut;
        self.rewritings_left_out += part.rewritings_left_out;
        self.premises_split = self.premises_split.max(part.premises_split);
    }
}

/// The rules that decided a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ProfileStamp {
    /// The rules.
    #[serde(flatten)]
    pub rules: Rules,
    /// Their digest.
    pub digest: String,
    /// Identifies what a language model's answers depend on, if one was asked: the file's digest or the model, and the
    /// templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
}

impl ProfileStamp {
    /// The same rules, with the identification of a language model's answers.
    #[must_use]
    pub fn with_answers(self, answers: String) -> Self {
        Self { answers: Some(answers), ..self }
    }
}

/// The models that decided a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Models {
    /// The NLI model.
    pub nli: ModelId,
    /// The small model that screened premises, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<ModelId>,
    /// The claim extractor's model; `None` for sentences and given claims.
    pub claims: Option<ModelId>,
    /// The coreference model; `None` for rules and without coreference.
    pub coref: Option<ModelId>,
    /// The token classifier that found unsupported words; `None` if the NLI model's own head did, or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_classifier: Option<ModelId>,
}

/// The digest of a document, for [`Ledger::document_digest`].
pub(crate) fn digest(document: &str) -> String {
    Sha256::digest(document).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
