//! Builds results, each complete: a claim's once everything about it is known, and a pair's once those of all its claims
//! are. The texts and spans of a result are those of the texts as given.

use super::case::Case;
use super::counts::Counts;
use super::extracted::Extracted;
use super::judged::{Against, Judged};
use crate::decide::over_claims;
use crate::explained::{Grounds, explanation};
use crate::findings::words::words_in;
use crate::result::{
    Citation, ClaimResult, CounterEvidence, Ledger, Limits, Models, PairResult, ProfileStamp, SCHEMA, Scale,
    digest,
};
use crate::rules::Rules;

/// What all results of a scorer record.
pub(super) struct Origin<'s> {
    rules: &'s Rules,
    limits: Limits,
    profile: ProfileStamp,
    models: Models,
}

/// The result of a claim.
pub(super) fn claim_result(
    extracted: &Extracted<'_>,
    judged: Judged,
    citations: Option<Vec<Citation>>,
) -> ClaimResult {
    let read = &extracted.read;
    let (text, summary_spans) = read.claim(&judged.claim, extracted.claims.from);
    let evidence = read.evidence(&judged.evidence);
    let counter_evidence = judged.against.map(|Against { sentences, contradiction, quantity }| {
        CounterEvidence { evidence: read.evidence(&sentences), contradiction, quantity }
    });
    let instead = judged.instead.map(|instead| read.instead(instead, &text));
    let unsupported_words = match text == judged.claim.text {
        true => judged.unsupported_words,
        false => judged.unsupported_words.map(|words| words_in(&text, words)),
    };
    let explanation = explanation(&Grounds {
        verdict: judged.verdict.verdict,
        reason: judged.verdict.reason,
        evidence: &evidence,
        counter_evidence: counter_evidence.as_ref(),
        instead: instead.as_ref(),
        support: judged.support.as_ref(),
        certainty: judged.certainty,
        unsupported_words: unsupported_words.as_deref().unwrap_or_default(),
        citations: citations.as_deref().unwrap_or_default(),
    });
    ClaimResult {
        text,
        summary_spans,
        score: judged.verdict.score,
        verdict: judged.verdict.verdict,
        explanation,
        reason: judged.verdict.reason,
        cap: judged.verdict.cap,
        probabilities: judged.probabilities,
        level: judged.level,
        evidence,
        support: judged.support,
        substitution: judged.substitution.map(|substitution| read.substitution(substitution)),
        counter_evidence,
        instead,
        certainty: judged.certainty,
        unsupported_words,
        citations,
    }
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

    /// The result of a pair, from those of its claims and the case in which they were judged.
    pub(super) fn pair_result(
        &self,
        extracted: &Extracted<'_>,
        case: &Case<'_>,
        claims: Vec<ClaimResult>,
    ) -> PairResult {
        let given = claims.iter().map(ClaimResult::claim_verdict).collect();
        let verdicts = over_claims(given, self.rules.over_claims);
        PairResult {
            schema: SCHEMA,
            score: verdicts.score,
            verdict: verdicts.verdict,
            reason: verdicts.reason,
            limits: self.limits,
            claims,
            not_claims: extracted.read.not_claims(&extracted.claims),
            ledger: ledger(extracted, case),
            profile: self.profile.clone(),
            models: self.models.clone(),
        }
    }
}

fn ledger(Extracted { read, claims }: &Extracted<'_>, case: &Case<'_>) -> Ledger {
    let Counts { computed, skipped, left_out, cut, too_long, screen_pairs, contrast_pairs } = case.counts();
    let premises = &case.basis.premises;
    Ledger {
        document_digest: digest(read.given().document),
        sentences: premises.sentence_count(),
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
        language: case.basis.language.languages,
        claims_from: claims.from,
    }
}
