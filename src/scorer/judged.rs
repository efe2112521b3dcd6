//! Judges aligned claims: asks the second question, decides by the findings, and marks unsupported words.

use veridic_models::Probabilities;

use super::aligned::Aligned;
use super::basis::Basis;
use super::counts::Counts;
use super::ids::Part;
use super::prepared::Hypothesis;
use crate::claims::Claim;
use crate::decide::{ClaimVerdict, Verdict, decide_claim};
use crate::error::Result;
use crate::findings::contrast::{Contrast, ContrastRequest, SecondQuestion};
use crate::findings::words::{WordMarker, WordsRequest};
use crate::findings::{
    Certainty, ClaimFindings, Instead, LookupResult, NotInDocument, QuantityConflict, UnsupportedWords,
    look_up,
};
use crate::premises::{Scored, Substitution};
use crate::result::Support;
use crate::rules::{Level, Rules};
use crate::schedule::Outcome;
use crate::text::Span;

/// A judged claim. Its spans refer to the normalised texts.
pub(super) struct Judged {
    pub(super) part: Part,
    pub(super) claim: Claim,
    pub(super) verdict: ClaimVerdict,
    /// The deciding premise.
    pub(super) probabilities: Probabilities,
    pub(super) level: Level,
    pub(super) evidence: Vec<Span>,
    pub(super) substitution: Option<Substitution>,
    pub(super) support: Option<Support>,
    /// The sentences that contradict the claim, if it is contradicted.
    pub(super) against: Option<Against>,
    pub(super) instead: Option<Instead>,
    pub(super) certainty: Option<Certainty>,
    pub(super) unsupported_words: Option<Vec<UnsupportedWords>>,
    pub(super) counts: Counts,
}

/// Sentences that contradict a claim.
pub(super) struct Against {
    pub(super) sentences: Vec<Span>,
    pub(super) contradiction: f32,
    pub(super) quantity: Option<QuantityConflict>,
}

/// An aligned claim, and the second question about it.
pub(super) struct Asked {
    aligned: Aligned,
    looked_up: LookupResult,
    pub(super) question: ContrastRequest,
}

/// A claim with its verdict, and the request for its unsupported words.
pub(super) struct Decided {
    aligned: Aligned,
    looked_up: LookupResult,
    contrast: Contrast,
    findings: ClaimFindings,
    verdict: ClaimVerdict,
    contrast_pairs: usize,
    pub(super) words: Option<WordsRequest>,
}

/// Judges claims by rules.
pub(super) struct Judge<'s> {
    pub(super) rules: &'s Rules,
    pub(super) second: SecondQuestion<'s>,
    pub(super) marker: WordMarker<'s>,
}

impl Judge<'_> {
    /// The second question about a claim, which depends on the verdict that it would have. A claim that gets no verdict
    /// is not asked about.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub(super) fn ask(&self, basis: &Basis<'_>, aligned: Aligned) -> Result<Asked> {
        let Aligned { hypothesis, alignment, .. } = &aligned;
        let text = &hypothesis.claim.text;
        let looked_up = look_up(&basis.premises, text, alignment, self.rules);
        let first = decide_claim(&findings(basis, &aligned, &looked_up, false), self.rules);
        let question = match basis.purpose.asks_instead() && first.reason.is_none() {
            true => {
                let is_supported = first.verdict == Verdict::Supported;
                self.second.request(&basis.premises, alignment, text, is_supported)?
            }
            false => ContrastRequest::default(),
        };
        Ok(Asked { aligned, looked_up, question })
    }

    /// The verdict on a claim, given the answers to the second question.
    ///
    /// # Errors
    /// When the model's outputs are not finite, or a tokenizer fails.
    pub(super) fn decide(&self, basis: &Basis<'_>, asked: Asked, answers: &[Outcome]) -> Result<Decided> {
        let Asked { aligned, looked_up, question } = asked;
        let Hypothesis { part, claim, tokens } = &aligned.hypothesis;
        let contrast = question
            .answer(answers, claim, &basis.summary, &basis.premises)
            .ok_or_else(|| self.second.engine.not_finite(part.claim().0, &claim.text))?;
        let findings = findings(basis, &aligned, &looked_up, contrast.instead.is_some());
        let verdict = decide_claim(&findings, self.rules);
        let words = match basis.purpose.marks_words(*part) && verdict.verdict.is_adverse() {
            true => self.marker.request(&basis.premises, &aligned.alignment, &claim.text, tokens)?,
            false => None,
        };
        let contrast_pairs = question.pairs();
        Ok(Decided { aligned, looked_up, contrast, findings, verdict, contrast_pairs, words })
    }

    /// The judgement of a claim, with its unsupported words if they were requested.
    pub(super) fn judge(
        &self,
        basis: &Basis<'_>,
        decided: Decided,
        unsupported_words: Option<Vec<UnsupportedWords>>,
    ) -> Judged {
        let Decided { aligned, looked_up, contrast, findings, verdict, contrast_pairs, .. } = decided;
        let Aligned { hypothesis: Hypothesis { part, claim, .. }, alignment, counts } = aligned;
        let Scored { premise, level, probabilities, .. } = alignment.best;
        let against = against(basis, looked_up, &contrast);
        let Contrast { is_insensitive, instead } = contrast;
        Judged {
            part,
            claim,
            verdict,
            probabilities,
            level,
            evidence: basis.premises.spans(premise),
            substitution: basis.premises.get(premise).substitution.clone(),
            support: self.rules.caps.look_up().then(|| Support {
                not_found: findings.not_in_document.iter().map(NotInDocument::sentence).collect(),
                vetoes: vetoes(&findings, self.rules),
            }),
            against: against.filter(|_| verdict.verdict == Verdict::Contradicted),
            instead: instead.map(|found| found.instead),
            certainty: is_insensitive.then_some(Certainty::Insensitive),
            unsupported_words,
            counts: Counts { contrast_pairs, ..counts },
        }
    }
}

/// The findings about a claim. `has_instead`: whether the document says something else instead of a part of it.
fn findings(
    basis: &Basis<'_>,
    aligned: &Aligned,
    looked_up: &LookupResult,
    has_instead: bool,
) -> ClaimFindings {
    ClaimFindings {
        score: aligned.alignment.best.score,
        contradiction: looked_up.against.map_or(0.0, |scored| scored.probabilities.contradiction),
        not_in_document: looked_up.not_in_document.clone(),
        has_other_value: looked_up.other_value.is_some(),
        has_instead,
        is_unlisted: basis.language.is_unlisted(&aligned.hypothesis.claim.text),
    }
}

/// The sentences against a claim: what the document says instead, else a sentence with another value, else the one that
/// contradicts it most.
fn against(basis: &Basis<'_>, looked_up: LookupResult, contrast: &Contrast) -> Option<Against> {
    let of_sentence = |scored: Scored, quantity: Option<QuantityConflict>| Against {
        sentences: basis.premises.spans(scored.premise),
        contradiction: scored.probabilities.contradiction,
        quantity,
    };
    if let Some(found) = &contrast.instead {
        let (sentences, contradiction) = (vec![found.sentence], found.contradiction);
        return Some(Against { sentences, contradiction, quantity: found.quantity() });
    }
    match looked_up.other_value {
        Some((scored, quantity)) => Some(of_sentence(scored, Some(quantity))),
        None => looked_up.against.map(|scored| of_sentence(scored, None)),
    }
}

/// The facts that are nowhere in the document because of which a claim is not supported although a premise entails it.
fn vetoes(findings: &ClaimFindings, rules: &Rules) -> Vec<String> {
    let limit = rules.thresholds.supported;
    let is_veto = |found: &&NotInDocument| {
        found.cap().and_then(|cap| rules.caps.of(cap)).is_some_and(|most| most < limit)
    };
    let all = findings.not_in_document.iter().filter(|_| findings.score >= limit);
    all.filter(is_veto).map(NotInDocument::sentence).collect()
}
