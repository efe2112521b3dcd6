//! Judges aligned claims: asks the second question, decides by the findings, and marks unsupported words.

use veridic_models::Probabilities;

use super::aligned::Aligned;
use super::basis::{Asking, Basis};
use super::counts::Counts;
use super::place::Part;
use super::prepared::Hypothesis;
use super::setup::Scorer;
use crate::align::Alignment;
use crate::claims::Claim;
use crate::decide::{ClaimVerdict, Verdict, decide_absence, decide_claim, decide_unread};
use crate::error::Result;
use crate::findings::contrast::{AnsweredClaim, Contrast, ContrastRequest, SecondQuestion};
use crate::findings::words::{WordMarker, WordsRequest};
use crate::findings::{
    Certainty, ClaimFindings, Instead, LookupResult, NotInDocument, QuantityConflict, UnsupportedWords,
    look_up, sentences_about,
};
use crate::premises::{Scored, Substitution};
use crate::result::Support;
use crate::rules::{Level, Rules};
use crate::schedule::Outcome;
use crate::text::{Absence, NoAnswer, Span};

/// A claim with its verdict and what it follows from. Spans refer to the normalised texts.
pub(super) struct Decided {
    pub(super) part: Part,
    pub(super) claim: Claim,
    pub(super) verdict: ClaimVerdict,
    /// The statement that was judged in its place.
    pub(super) tested: Option<String>,
    /// The model's output for the deciding premise.
    pub(super) probabilities: Probabilities,
    /// The premise that is shown as evidence.
    pub(super) level: Level,
    pub(super) evidence: Vec<Span>,
    pub(super) substitution: Option<Substitution>,
    /// The document's sentences about it, if its unsupported words are marked.
    pub(super) about: Vec<Span>,
    pub(super) support: Option<Support>,
    /// The sentences that contradict the claim, if it is contradicted.
    pub(super) against: Option<Against>,
    pub(super) instead: Option<Instead>,
    pub(super) certainty: Option<Certainty>,
    pub(super) counts: Counts,
}

/// A judged claim.
pub(super) struct Judged {
    pub(super) decided: Decided,
    /// The words that its evidence does not support, if they were looked for.
    pub(super) unsupported_words: Option<Vec<UnsupportedWords>>,
}

/// Sentences that contradict a claim.
pub(super) struct Against {
    pub(super) sentences: Vec<Span>,
    pub(super) contradiction: f32,
    pub(super) quantity: Option<QuantityConflict>,
}

/// An aligned claim that was looked up in the document.
pub(super) struct LookedUp {
    aligned: Aligned,
    found: LookupResult,
}

impl Scorer {
    pub(super) fn second_question(&self) -> SecondQuestion<'_> {
        SecondQuestion { engine: &self.engine, rules: &self.settings.rules }
    }

    pub(super) fn word_marker(&self) -> WordMarker<'_> {
        let (engine, rules) = (&self.engine, &self.settings.rules);
        WordMarker { engine, rules, classifier: self.token_classifier.as_deref() }
    }

    /// An aligned claim with the second question about it, which depends on the verdict that it would have. A claim that
    /// gets no verdict is not asked about.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub(super) fn ask(
        &self,
        basis: &Basis<'_>,
        aligned: Aligned,
    ) -> Result<Asking<LookedUp, ContrastRequest>> {
        let Aligned { hypothesis, alignment, .. } = &aligned;
        let (claim, rules) = (&hypothesis.claim, &self.settings.rules);
        let found = look_up(&basis.premises, hypothesis.stated(), alignment, rules);
        let first = decide_claim(&findings(basis, claim, alignment, &found, false), rules);
        let mut requests = Vec::new();
        if basis.purpose.asks_instead() && first.reason.is_none() && hypothesis.no_answer.is_none() {
            let (second, is_supported) = (self.second_question(), first.verdict == Verdict::Supported);
            requests.extend(second.request(
                &basis.premises,
                alignment,
                &hypothesis.read.text,
                is_supported,
            )?);
        }
        Ok(Asking { item: LookedUp { aligned, found }, requests })
    }

    /// The verdict on a claim, given the answers to the second question, with the request for its unsupported words.
    ///
    /// # Errors
    /// When the model's outputs are not finite, or a tokenizer fails.
    pub(super) fn decide(
        &self,
        basis: &Basis<'_>,
        LookedUp { aligned, found }: LookedUp,
        answers: Vec<(ContrastRequest, Vec<Outcome>)>,
    ) -> Result<Asking<Decided, WordsRequest>> {
        let Aligned { hypothesis, alignment, counts } = aligned;
        let Hypothesis { part, claim, no_answer, read, tokens } = hypothesis;
        let (premises, rules) = (&basis.premises, &self.settings.rules);
        let answered = AnsweredClaim { claim: &claim, read: &read, summary: &basis.summary };
        let (mut contrast, mut contrast_pairs) = (Contrast::default(), 0);
        for (question, outcomes) in answers {
            contrast_pairs += question.pairs();
            contrast = question
                .answer(&outcomes, answered, premises)
                .ok_or_else(|| self.engine.not_finite(part.claim().0, &claim.text))?;
        }
        let findings = findings(basis, &claim, &alignment, &found, contrast.instead.is_some());
        let verdict = match &no_answer {
            None => decide_claim(&findings, rules),
            Some(NoAnswer::Refusal) => decide_unread(true),
            Some(NoAnswer::Absence(absence)) => decide_absence(&findings, absence.is_open, rules),
        };
        let mut requests = Vec::new();
        let mut about = Vec::new();
        if basis.purpose.marks_words(part) && verdict.verdict.is_adverse() && no_answer.is_none() {
            let marker = self.word_marker();
            requests.extend(marker.request(premises, &alignment, &claim.text, &read, &tokens)?);
            about = sentences_about(premises, &claim.text, rules);
        }
        let decided = deciding(no_answer.as_ref(), &alignment, &found);
        let is_supported = verdict.verdict == Verdict::Supported;
        let Scored { premise, level, .. } = if is_supported { alignment.evidence } else { decided };
        let against = against(basis, found, &contrast);
        let item = Decided {
            part,
            claim,
            verdict,
            tested: no_answer.and_then(NoAnswer::statement),
            probabilities: decided.probabilities,
            level,
            evidence: premises.spans(premise),
            substitution: premises.get(premise).substitution.as_deref().cloned(),
            about,
            support: rules.caps.look_up().then(|| support(&findings, rules)),
            against: against.filter(|_| verdict.verdict == Verdict::Contradicted),
            instead: contrast.instead.map(|found| found.instead),
            certainty: contrast.is_insensitive.then_some(Certainty::Insensitive),
            counts: Counts { contrast_pairs, ..counts },
        };
        Ok(Asking { item, requests })
    }
}

/// The premise that decides: of an absence that the document refutes by a denial, the sentence that denies it.
fn deciding(no_answer: Option<&NoAnswer>, alignment: &Alignment, found: &LookupResult) -> Scored {
    let is_open = matches!(no_answer, Some(NoAnswer::Absence(Absence { is_open: true, .. })));
    let denial = found.against.filter(|scored| scored.probabilities.contradiction > alignment.best.score);
    denial.filter(|_| is_open).unwrap_or(alignment.best)
}

/// The findings about a claim. `has_instead`: whether the document says something else instead of a part of it.
fn findings(
    basis: &Basis<'_>,
    claim: &Claim,
    alignment: &Alignment,
    found: &LookupResult,
    has_instead: bool,
) -> ClaimFindings {
    ClaimFindings {
        score: alignment.best.score,
        contradiction: found.against.map_or(0.0, |scored| scored.probabilities.contradiction),
        not_in_document: found.not_in_document.clone(),
        has_other_value: found.other_value.is_some(),
        has_instead,
        is_unlisted: basis.language.is_unlisted(&claim.text),
    }
}

/// The sentences against a claim: what the document says instead, else a sentence with another value, else the one that
/// contradicts it most.
fn against(basis: &Basis<'_>, found: LookupResult, contrast: &Contrast) -> Option<Against> {
    let of_sentence = |scored: Scored, quantity: Option<QuantityConflict>| Against {
        sentences: basis.premises.spans(scored.premise),
        contradiction: scored.probabilities.contradiction,
        quantity,
    };
    if let Some(instead) = &contrast.instead {
        let (sentences, contradiction) = (vec![instead.sentence], instead.contradiction);
        return Some(Against { sentences, contradiction, quantity: instead.quantity() });
    }
    match found.other_value {
        Some((scored, quantity)) => Some(of_sentence(scored, Some(quantity))),
        None => found.against.map(|scored| of_sentence(scored, None)),
    }
}

/// The facts of a claim that were looked up. Vetoes are those because of which it is not supported although a premise
/// entails it.
fn support(findings: &ClaimFindings, rules: &Rules) -> Support {
    let limit = rules.thresholds.supported;
    let is_veto = |found: &&NotInDocument| {
        let most = found.cap().and_then(|cap| rules.caps.of(cap));
        findings.score >= limit && most.is_some_and(|most| most < limit)
    };
    let all = &findings.not_in_document;
    Support {
        not_found: all.iter().map(NotInDocument::sentence).collect(),
        vetoes: all.iter().filter(is_veto).map(NotInDocument::sentence).collect(),
    }
}
