//! Claims that join facts from several sources. No premise spans two sources, so a claim that no source supports as a
//! whole is judged statement by statement: it is supported if each statement is and their sources differ. Its evidence
//! then contains that of all statements, and its score is the lowest of theirs. Pure.

use std::collections::BTreeMap;

use super::judged::{Decided, Judged};
use crate::decide::Verdict;
use crate::input::Division;
use crate::text::{Span, coordinated};

/// A claim that is judged by its statements.
pub(super) struct Joining {
    /// Its judgement as a whole.
    whole: Judged,
    /// The number of its statements.
    count: usize,
    /// Those that were judged, by their places in the claim.
    statements: BTreeMap<usize, Judged>,
}

impl Joining {
    pub(super) fn new(whole: Judged, count: usize) -> Self {
        Self { whole, count, statements: BTreeMap::new() }
    }

    /// Adds the judgement of a statement.
    pub(super) fn add(&mut self, number: usize, statement: Judged) {
        self.statements.insert(number, statement);
    }

    /// Whether all statements are judged.
    pub(super) fn is_complete(&self) -> bool {
        self.statements.len() == self.count
    }

    /// The judgement of the claim: by its statements if they support it, else as a whole.
    pub(super) fn judged(self, division: &Division) -> Judged {
        let statements: Vec<Decided> =
            self.statements.into_values().map(|statement| statement.decided).collect();
        let is_supported = |statement: &Decided| statement.verdict.verdict == Verdict::Supported;
        let mut evidence: Vec<Span> =
            statements.iter().flat_map(|statement| statement.evidence.clone()).collect();
        evidence.sort_unstable();
        evidence.dedup();
        let source = |span: &Span| division.source_of(span.start);
        let of_several = evidence.iter().any(|span| source(span) != source(&evidence[0]));
        let is_joined = of_several && statements.iter().all(is_supported);
        let score = |statement: &Decided| statement.verdict.score;
        let weakest = statements.into_iter().min_by(|a, b| score(a).total_cmp(&score(b)));
        match weakest.filter(|_| is_joined) {
            Some(weakest) => {
                let Decided { part, claim, support, .. } = self.whole.decided;
                let decided = Decided { part, claim, support, evidence, ..weakest };
                Judged { decided, unsupported_words: None }
            }
            None => self.whole,
        }
    }
}

/// The statements by which a claim is to be judged; none if it is supported, or states one thing.
pub(super) fn statements(claim: &Decided, division: &Division) -> Vec<String> {
    let is_open =
        claim.verdict.verdict.is_adverse() && claim.verdict.reason.is_none() && claim.tested.is_none();
    if is_open && division.sources.len() > 1 { coordinated(&claim.claim.text) } else { Vec::new() }
}
