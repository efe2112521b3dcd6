//! The columns of `run`'s own fields. All of them are in every table, whatever the settings, so that tables of different
//! runs can be concatenated. A column has the name of its field, or a shorter one. Columns are added, never renamed. After
//! them come `other`, a column `input.NAME` for each field that passed through, and `input`.

use self::Kind::{Integer, Json, Real, Text};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text as it is, another value as its JSON.
    Text,
    /// JSON.
    Json,
    /// An integer of 64 bits.
    Integer,
    /// A number.
    Real,
}

/// A column of an own field.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnColumn {
    pub(super) name: &'static str,
    /// The path to the value in a row: keys separated by dots; numbers are indices of lists, from 0.
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
    own("claim.reason", Text),
    at("claim.probabilities.entailment", "claim.entailment", Real),
    at("claim.probabilities.neutral", "claim.neutral", Real),
    at("claim.probabilities.contradiction", "claim.contradiction", Real),
    own("claim.level", Text),
    own("claim.evidence.text", Text),
    at("claim.evidence.span.0", "claim.evidence.start", Integer),
    at("claim.evidence.span.1", "claim.evidence.end", Integer),
    own("claim.evidence.spans", Json),
    own("claim.evidence.sources", Json),
    own("claim.counter_evidence.text", Text),
    at("claim.counter_evidence.span.0", "claim.counter_evidence.start", Integer),
    at("claim.counter_evidence.span.1", "claim.counter_evidence.end", Integer),
    own("claim.counter_evidence.spans", Json),
    own("claim.counter_evidence.sources", Json),
    own("claim.counter_evidence.contradiction", Real),
    own("claim.counter_evidence.quantity", Json),
    own("claim.instead", Json),
    own("claim.certainty", Text),
    own("claim.unsupported_words", Json),
    own("claim.substitution", Json),
    own("claim.summary_spans", Json),
    own("claim.risk", Real),
    own("claim.citations", Json),
];

/// The work that was done, with its settings and models.
const RUN: &[OwnColumn] = &[
    own("ledger.sentences", Integer),
    own("ledger.premises", Integer),
    own("ledger.premises_skipped", Integer),
    own("ledger.premises_screened", Integer),
    own("ledger.screen_pairs", Integer),
    own("ledger.claims_escalated", Integer),
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
    own("limits.unsure_above_risk", Real),
    own("limits.precision_of_rest", Real),
    own("profile.name", Text),
    own("profile.levels", Json),
    own("profile.score", Text),
    own("profile.threshold", Real),
    own("profile.window", Integer),
    own("profile.stride", Integer),
    own("profile.windows", Text),
    own("profile.screen", Json),
    own("profile.escalate", Real),
    own("profile.epsilon", Real),
    own("profile.contrast", Json),
    own("profile.pair_tokens", Integer),
    own("profile.rewritten_tokens", Integer),
    own("profile.document_tokens", Integer),
    own("profile.run_tokens", Integer),
    own("profile.overflow", Text),
    own("profile.verdicts.supported", Real),
    own("profile.verdicts.contradicted", Real),
    own("profile.max_tokens", Integer),
    own("profile.claims", Text),
    own("profile.coref", Text),
    own("profile.abstain", Real),
    own("profile.languages", Json),
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

/// The columns of a table with one row per claim, or per pair, in order.
pub(super) fn own_columns(per_claim: bool) -> Vec<OwnColumn> {
    [ROW, if per_claim { CLAIM } else { CLAIMS }, RUN].concat()
}
