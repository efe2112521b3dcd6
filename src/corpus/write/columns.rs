//! The columns of `run`'s own fields. Every table has all of them, whatever the settings, so that tables of different runs
//! can be concatenated. A column has the name of its field, or a shorter one. Columns are added, never renamed. They are
//! followed by `other`, a column `input.NAME` for each field that passed through, and `input`.

use self::Kind::{Integer, Json, Real, Text};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text as it is, any other value as its JSON.
    Text,
    /// JSON.
    Json,
    /// An integer of 64 bits.
    Integer,
    /// A number.
    Real,
}

/// The column of an own field.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnColumn {
    pub(super) name: &'static str,
    /// The path to the value in a row: keys separated by dots; numbers are list indices, from 0.
    pub(super) path: &'static str,
    pub(super) kind: Kind,
}

const fn own(name: &'static str, kind: Kind) -> OwnColumn {
    OwnColumn { name, path: name, kind }
}

const fn at(path: &'static str, name: &'static str, kind: Kind) -> OwnColumn {
    OwnColumn { name, path, kind }
}

/// The row, its judgement or error.
const ROW: &[OwnColumn] = &[
    own("id", Text),
    own("row", Integer),
    own("score", Real),
    own("verdict", Text),
    own("reason", Text),
    own("error.reason", Text),
    own("error.file", Text),
    own("error.line", Integer),
    own("error.row", Integer),
];

/// All claims, in tables with one row per pair.
const CLAIMS: &[OwnColumn] = &[own("claims", Json)];

/// One claim, in tables with one row per claim.
const CLAIM: &[OwnColumn] = &[
    own("claim_index", Integer),
    own("claims", Integer),
    own("claim.text", Text),
    own("claim.score", Real),
    own("claim.verdict", Text),
    own("claim.explanation", Text),
    own("claim.reason", Text),
    own("claim.cap", Text),
    at("claim.probabilities.entailment", "claim.entailment", Real),
    at("claim.probabilities.neutral", "claim.neutral", Real),
    at("claim.probabilities.contradiction", "claim.contradiction", Real),
    own("claim.level", Text),
    own("claim.evidence.text", Text),
    at("claim.evidence.span.0", "claim.evidence.start", Integer),
    at("claim.evidence.span.1", "claim.evidence.end", Integer),
    own("claim.evidence.spans", Json),
    own("claim.evidence.sources", Json),
    own("claim.evidence.turn", Integer),
    own("claim.evidence.last_turn", Integer),
    own("claim.evidence.speaker", Text),
    own("claim.evidence.time", Text),
    own("claim.counter_evidence.text", Text),
    at("claim.counter_evidence.span.0", "claim.counter_evidence.start", Integer),
    at("claim.counter_evidence.span.1", "claim.counter_evidence.end", Integer),
    own("claim.counter_evidence.spans", Json),
    own("claim.counter_evidence.sources", Json),
    own("claim.counter_evidence.turn", Integer),
    own("claim.counter_evidence.last_turn", Integer),
    own("claim.counter_evidence.speaker", Text),
    own("claim.counter_evidence.time", Text),
    own("claim.counter_evidence.contradiction", Real),
    own("claim.counter_evidence.quantity", Json),
    own("claim.instead", Json),
    own("claim.certainty", Text),
    own("claim.unsupported_words", Json),
    own("claim.substitution", Json),
    own("claim.summary_spans", Json),
    own("claim.citations", Json),
];

/// The rules: each key, and its place in results.
const RULES: &[(&str, OwnColumn)] = &[
    ("profile", own("profile.name", Text)),
    ("levels", own("profile.levels", Json)),
    ("score", own("profile.score", Text)),
    ("threshold", own("profile.threshold", Real)),
    ("window", own("profile.window", Integer)),
    ("stride", own("profile.stride", Integer)),
    ("screen", own("profile.screen", Json)),
    ("epsilon", own("profile.epsilon", Real)),
    ("contrast", own("profile.contrast", Json)),
    ("pair_tokens", own("profile.pair_tokens", Integer)),
    ("rewritten_tokens", own("profile.rewritten_tokens", Integer)),
    ("document_tokens", own("profile.document_tokens", Integer)),
    ("run_tokens", own("profile.run_tokens", Integer)),
    ("supported", own("profile.verdicts.supported", Real)),
    ("contradicted", own("profile.verdicts.contradicted", Real)),
    ("max_tokens", own("profile.max_tokens", Integer)),
    ("claims", own("profile.claims", Text)),
    ("layout", own("profile.layout", Json)),
    ("coref", own("profile.coref", Text)),
    ("abstain", own("profile.abstain", Real)),
    ("languages", own("profile.languages", Json)),
    ("over_claims", own("profile.over_claims", Text)),
    ("temperature", own("profile.temperature", Real)),
    ("shared_words", own("profile.verdicts.shared_words", Integer)),
    ("quantity_nowhere", own("profile.caps.quantity_nowhere", Real)),
    ("date_nowhere", own("profile.caps.date_nowhere", Real)),
    ("instead", own("profile.caps.instead", Real)),
];

/// The models, and other values that results state once.
const MODELS: &[OwnColumn] = &[
    own("profile.digest", Text),
    own("models.nli.id", Text),
    own("models.nli.sha256", Text),
    own("models.nli.dtype", Text),
    own("models.screen.id", Text),
    own("models.screen.sha256", Text),
    own("models.screen.dtype", Text),
    own("models.claims.id", Text),
    own("models.claims.sha256", Text),
    own("models.claims.dtype", Text),
    own("models.coref.id", Text),
    own("models.coref.sha256", Text),
    own("models.coref.dtype", Text),
    own("models.token_classifier.id", Text),
    own("models.token_classifier.sha256", Text),
    own("models.token_classifier.dtype", Text),
    own("schema", Integer),
];

/// The work that was done, and the limits.
const RUN: &[OwnColumn] = &[
    own("ledger.sentences", Integer),
    own("ledger.premises", Integer),
    own("ledger.premises_skipped", Integer),
    own("ledger.premises_screened", Integer),
    own("ledger.screen_pairs", Integer),
    own("ledger.contrast_pairs", Integer),
    own("ledger.premises_split", Integer),
    own("ledger.premises_cut", Integer),
    own("ledger.rewritings_left_out", Integer),
    own("ledger.characters_replaced", Integer),
    own("ledger.sources", Json),
    own("ledger.language.document", Text),
    own("ledger.language.summary", Text),
    own("ledger.claims_from", Text),
    own("limits.scale", Text),
    own("limits.supported", Real),
    own("limits.contradicted", Real),
    own("limits.shared_words", Integer),
    own("limits.quantity_nowhere", Real),
    own("limits.instead", Real),
    own("limits.date_nowhere", Real),
    own("limits.unsure_within", Real),
];

/// Returns the columns of a table with one row per claim, or per pair, in order.
pub(super) fn own_columns(per_claim: bool) -> Vec<OwnColumn> {
    let rules: Vec<OwnColumn> = RULES.iter().map(|(_, column)| *column).collect();
    [ROW, if per_claim { CLAIM } else { CLAIMS }, RUN, &rules, MODELS].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_rules_has_a_column() {
        let mut keys: Vec<&str> = RULES.iter().map(|(key, _)| *key).collect();
        let mut known: Vec<&str> = crate::rules::settings().map(|setting| setting.key).collect();
        keys.sort_unstable();
        known.sort_unstable();
        assert_eq!(keys, known);
    }
}
