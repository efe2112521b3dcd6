//! Builds results, each complete: a claim's once everything about it is known, and a pair's once those of all its claims
//! are. The texts and spans of a result are those of the texts as given.

use veridic_models::Probabilities;

use super::case::Case;
use super::counts::Counts;
use super::extracted::Extracted;
use super::judged::Judged;
use crate::claims::Claim;
use crate::decide::{decide_unread, over_claims};
use crate::explained::explanation;
use crate::findings::missing_words;
use crate::findings::words::words_in;
use crate::input::PairLanguage;
use crate::result::{
    Citation, ClaimResult, CounterEvidence, Ledger, Limits, Models, PairResult, ProfileStamp, SCHEMA, Scale,
    digest,
};
use crate::rules::{Level, Rules};
use crate::text::{NoAnswer, Span};
use crate::unjudged::Unjudged;

/// What all results of a scorer record.
pub(super) struct Origin<'s> {
    rules: &'s Rules,
    limits: Limits,
    profile: ProfileStamp,
    models: Models,
}

/// The result of a claim that is not compared with anything, because there is no document.
pub(super) fn claim_without_document(
    extracted: &Extracted<'_>,
    claim: &Claim,
    rules: &Rules,
    citations: Option<Vec<Citation>>,
) -> ClaimResult {
    let read = &extracted.read;
    let (text, summary_spans) = read.claim(claim, extracted.claims.from);
    let is_no_answer = rules.layout && NoAnswer::of(&text).is_some();
    let verdict = decide_unread(is_no_answer);
    let result = ClaimResult {
        text,
        summary_spans,
        score: verdict.score,
        verdict: verdict.verdict,
        explanation: String::new(),
        reason: verdict.reason,
        tested: None,
        cap: None,
        probabilities: Probabilities { entailment: 0.0, neutral: 1.0, contradiction: 0.0 },
        level: Level::Sentence,
        evidence: read.evidence(&[]),
        substitution: None,
        counter_evidence: None,
        instead: None,
        certainty: None,
        unsupported_words: None,
        support: None,
        citations,
    };
    ClaimResult { explanation: explanation(&result, &[]), ..result }
}

/// The result of a claim.
pub(super) fn claim_result(
    extracted: &Extracted<'_>,
    judged: Judged,
    citations: Option<Vec<Citation>>,
) -> ClaimResult {
    let (read, Judged { decided, unsupported_words }) = (&extracted.read, judged);
    let (text, summary_spans) = read.claim(&decided.claim, extracted.claims.from);
    let is_same = text == decided.claim.text;
    let words_in_text = |words| if is_same { words } else { words_in(&text, words) };
    let result = ClaimResult {
        summary_spans,
        score: decided.verdict.score,
        verdict: decided.verdict.verdict,
        explanation: String::new(),
        reason: decided.verdict.reason,
        tested: decided.tested,
        cap: decided.verdict.cap,
        probabilities: decided.probabilities,
        level: decided.level,
        evidence: read.evidence(&decided.evidence),
        support: decided.support,
        substitution: decided.substitution.map(|substitution| read.substitution(substitution)),
        counter_evidence: decided.against.map(|against| CounterEvidence {
            evidence: read.evidence(&against.sentences),
            contradiction: against.contradiction,
            quantity: against.quantity,
        }),
        instead: decided.instead.map(|instead| read.instead(instead, &text)),
        certainty: decided.certainty,
        unsupported_words: unsupported_words.map(words_in_text),
        citations,
        text,
    };
    let missing = missing(extracted, &result, &decided.about);
    ClaimResult { explanation: explanation(&result, &missing), ..result }
}

/// The unsupported words of a claim that neither its evidence nor the sentences about it have.
fn missing(extracted: &Extracted<'_>, result: &ClaimResult, about: &[Span]) -> Vec<String> {
    let document = extracted.read.document().index();
    let counter = result.counter_evidence.iter().map(|counter| counter.evidence.text.as_str());
    let evidence = std::iter::once(result.evidence.text.as_str()).chain(counter);
    let passages: Vec<&str> = evidence.chain(about.iter().map(|span| document.slice(*span))).collect();
    missing_words(result.unsupported_words.as_deref().unwrap_or_default(), &passages)
}

impl<'s> Origin<'s> {
    /// What the results of a scorer with these rules record.
    pub(super) fn new(rules: &'s Rules, profile: ProfileStamp, models: Models) -> Self {
        let limits = Limits {
            scale: if rules.scores_are_probabilities() { Scale::Probability } else { Scale::Score },
            thresholds: rules.thresholds,
            quantity_nowhere: rules.caps.quantity_nowhere,
            date_nowhere: rules.caps.date_nowhere,
            instead: rules.caps.instead.filter(|_| rules.contrast),
            unsure_within: rules.abstain,
        };
        Self { rules, limits, profile, models }
    }

    /// The result of a pair, from those of its claims and the work on them.
    pub(super) fn pair_result(
        &self,
        extracted: &Extracted<'_>,
        ledger: Ledger,
        claims: Vec<ClaimResult>,
    ) -> PairResult {
        let given = claims.iter().map(ClaimResult::claim_verdict).collect();
        let verdicts = over_claims(given, self.rules.over_claims);
        let not_claims = extracted.read.not_claims(&extracted.claims);
        let unjudged = || {
            let refusals =
                not_claims.iter().filter(|other| other.verdict().is_some()).map(|other| other.span);
            let judged: Vec<Span> =
                claims.iter().flat_map(|claim| claim.summary_spans.iter().copied()).chain(refusals).collect();
            Unjudged::of(extracted.read.given().summary, &judged)
        };
        let unjudged = self.rules.layout.then(unjudged);
        PairResult {
            schema: SCHEMA,
            score: verdicts.score,
            verdict: verdicts.verdict,
            reason: verdicts.reason,
            limits: self.limits,
            claims,
            not_claims,
            unjudged,
            ledger,
            profile: self.profile.clone(),
            models: self.models.clone(),
        }
    }
}

/// The work on a pair without a document.
pub(super) fn ledger_without_document(Extracted { read, claims }: &Extracted<'_>) -> Ledger {
    Ledger {
        document_digest: digest(read.given().document),
        sentences: 0,
        premises: 0,
        premises_skipped: 0,
        premises_split: 0,
        premises_screened: 0,
        screen_pairs: 0,
        contrast_pairs: 0,
        premises_cut: 0,
        rewritings_left_out: 0,
        characters_replaced: read.characters_replaced(),
        sources: Vec::new(),
        forms: Vec::new(),
        language: PairLanguage::of(None, "", read.summary().text()).languages,
        claims_from: claims.from,
    }
}

/// The work on a pair.
pub(super) fn ledger(Extracted { read, claims }: &Extracted<'_>, case: &Case<'_>) -> Ledger {
    let Counts { computed, skipped, left_out, cut, too_long, screen_pairs, contrast_pairs } = case.counts;
    let premises = &case.basis.premises;
    Ledger {
        document_digest: digest(read.given().document),
        sentences: premises.sentences().len(),
        premises: computed,
        premises_skipped: skipped,
        premises_split: premises.split_count(),
        premises_screened: left_out,
        screen_pairs,
        contrast_pairs,
        premises_cut: cut,
        rewritings_left_out: premises.rewritings_left_out() + too_long,
        characters_replaced: read.characters_replaced(),
        sources: read.given().sources.map_or_else(Vec::new, |sources| sources.list().to_vec()),
        forms: premises.document().division().forms(),
        language: case.basis.language.languages,
        claims_from: claims.from,
    }
}
