//! The citations of one claim: against which sources it has to be judged next, and whether those that it cites support
//! it. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::result::CitationVerdict;

/// A claim whose citations are checked.
pub(super) struct ClaimCitations {
    /// The indices of its markers.
    pub(super) markers: Vec<usize>,
    /// The indices of the sources that it cites, in order.
    cited: Vec<usize>,
    /// Its judgements, by sorted set of sources.
    judged: BTreeMap<Vec<usize>, SourceJudgement>,
}

/// A claim's judgement against a set of sources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SourceJudgement {
    /// `None` if the sources have no words.
    pub(super) score: Option<f32>,
    pub(super) supports: bool,
}

impl ClaimCitations {
    /// A claim with these markers, which cites these sources.
    pub(super) fn new(markers: Vec<usize>, cited: BTreeSet<usize>) -> Self {
        Self { markers, cited: cited.into_iter().collect(), judged: BTreeMap::new() }
    }

    /// Adds its judgement against a set of sources.
    pub(super) fn record(&mut self, sources: &[usize], judgement: SourceJudgement) {
        self.judged.insert(sources.to_vec(), judgement);
    }

    /// The sets of sources that it has to be judged against next, given the number of sources.
    pub(super) fn wanted(&self, sources: usize) -> Vec<Vec<usize>> {
        if self.cited.is_empty() {
            return Vec::new();
        }
        let missing = |sources: &[usize]| -> Vec<Vec<usize>> {
            let alone = sources.iter().map(|source| vec![*source]);
            alone.filter(|alone| !self.judged.contains_key(alone)).collect()
        };
        let alone = missing(&self.cited);
        if !alone.is_empty() || self.cited.iter().any(|source| self.supports(&[*source])) {
            return alone;
        }
        if !self.judged.contains_key(&self.cited) {
            return vec![self.cited.clone()];
        }
        if self.supports(&self.cited) { Vec::new() } else { missing(&(0..sources).collect::<Vec<_>>()) }
    }

    /// Its score against a source alone, if that has words.
    pub(super) fn score(&self, source: usize) -> Option<f32> {
        self.judged.get([source].as_slice())?.score
    }

    fn supports(&self, sources: &[usize]) -> bool {
        self.judged.get(sources).is_some_and(|against| against.supports)
    }

    /// Whether a cited source supports the claim, and another source that does instead.
    pub(super) fn verdict(&self, source: usize) -> (CitationVerdict, Option<usize>) {
        if self.supports(&[source]) {
            return (CitationVerdict::Supports, None);
        }
        let supporting =
            self.judged.iter().filter(|(sources, against)| sources.len() == 1 && against.supports);
        // The first one on ties.
        let best = supporting.rev().max_by(|(_, a), (_, b)| {
            let score = |against: &SourceJudgement| against.score.unwrap_or(f32::NEG_INFINITY);
            score(a).total_cmp(&score(b))
        });
        match best {
            Some((other, _)) => (CitationVerdict::OtherSupports, other.first().copied()),
            None if self.supports(&self.cited) => (CitationVerdict::SupportsTogether, None),
            None => (CitationVerdict::None, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdicts on the sources that a claim cites if these sets of sources support it, and the number of sets that
    /// it was judged against.
    fn verdicts(
        cited: &[usize],
        sources: usize,
        supporting: &[&[usize]],
    ) -> (Vec<(&'static str, Option<usize>)>, usize) {
        let mut claim = ClaimCitations::new(Vec::new(), cited.iter().copied().collect());
        loop {
            let wanted = claim.wanted(sources);
            if wanted.is_empty() {
                break;
            }
            for set in wanted {
                let place = supporting.iter().position(|other| *other == set);
                let score = Some(place.map_or(0.0, |place| 0.9 - 0.1 * place as f32));
                assert!(!claim.judged.contains_key(&set), "nothing is judged twice");
                claim.record(&set, SourceJudgement { score, supports: place.is_some() });
            }
        }
        let verdict = |source: &usize| {
            let (verdict, other) = claim.verdict(*source);
            (verdict.name(), other)
        };
        (claim.cited.iter().map(verdict).collect(), claim.judged.len())
    }

    #[test]
    fn cited_sources_are_judged_first_alone_then_together_then_the_others() {
        assert_eq!(verdicts(&[1], 4, &[&[1]]), (vec![("supports", None)], 1));
        assert_eq!(verdicts(&[1], 4, &[&[3], &[2]]), (vec![("other_supports", Some(3))], 4));
        assert_eq!(verdicts(&[1], 4, &[]), (vec![("none", None)], 4));
        let one = vec![("supports", None), ("other_supports", Some(0))];
        assert_eq!(verdicts(&[0, 2], 4, &[&[0], &[3]]), (one, 2));
        let together = vec![("supports_together", None); 2];
        assert_eq!(verdicts(&[0, 2], 4, &[&[0, 2], &[3]]), (together, 3));
        assert_eq!(verdicts(&[0, 2], 4, &[&[3]]), (vec![("other_supports", Some(3)); 2], 5));
        assert_eq!(verdicts(&[0, 1], 2, &[]), (vec![("none", None); 2], 3));
        assert_eq!(verdicts(&[], 4, &[&[0]]), (vec![], 0));
    }
}
