//! The alignment of one claim: which premises to compute next, and the maximum over those that were computed
//! ([`ClaimAlignment::best`]). Pure: it sees probabilities and premise ids, no text and no model.
//!
//! A claim requests its premises in waves, level by level, and stops when the rules allow. What it requests depends on
//! the rules and on its own outcomes alone, so a claim computes the same premises alone, in a batch, and after a
//! resume.

use veridic_models::Probabilities;

use crate::premises::{PremiseId, Scored, Waves, in_waves};
use crate::rules::{Level, Pooling, Rules};
use crate::screen::{Chosen, Screening};

/// The next request of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The probabilities of these premises.
    Compute(Level, Vec<PremiseId>),
    /// The rewritings of its best sentence; they are added by [`ClaimAlignment::add_rewritings`].
    Rewrite(PremiseId),
}

/// The outcome of an alignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment {
    /// The premise that decides the claim's score.
    pub best: Scored,
    /// The premise to show as evidence.
    pub evidence: Scored,
    /// The best premise of each level that was computed, in the order of levels.
    pub levels: Vec<Scored>,
    /// The sentences that were computed, in descending order of contradiction.
    pub contradicting: Vec<Scored>,
    /// Premises computed.
    pub computed: usize,
    /// Premises skipped.
    pub skipped: usize,
    /// Premises that the screen left out.
    pub left_out: usize,
}

impl Alignment {
    /// Returns the premise with the highest score on these levels; ties go to the first.
    #[must_use]
    pub fn best_of(&self, levels: &[Level]) -> Option<Scored> {
        let scored = self.levels.iter().filter(|scored| levels.contains(&scored.level)).copied();
        scored.reduce(|best, other| if other.score > best.score { other } else { best })
    }
}

/// The alignment of a claim in progress.
#[derive(Debug, Clone)]
pub struct ClaimAlignment<'p> {
    rules: &'p Rules,
    /// Waves not requested yet, in reverse order.
    waves: Waves,
    /// Levels that the screen has not chosen from yet.
    screening: Option<Screening>,
    /// How many premises the screen left out.
    left_out: usize,
    /// Whether the best sentence's rewritings are still to be requested.
    awaits_rewriting: bool,
    scored: Vec<Scored>,
}

impl<'p> ClaimAlignment<'p> {
    /// Starts the alignment of a claim with the premises of `waves`.
    #[must_use]
    pub fn new(rules: &'p Rules, waves: Waves) -> Self {
        Self { waves: next_last(waves), ..Self::without_premises(rules) }
    }

    /// Starts the alignment of a claim with a screening, which chooses the premises level by level.
    #[must_use]
    pub fn screened(rules: &'p Rules, screening: Screening) -> Self {
        let mut new = Self { screening: Some(screening), ..Self::without_premises(rules) };
        new.choose();
        new
    }

    fn without_premises(rules: &'p Rules) -> Self {
        Self {
            rules,
            waves: Waves::new(),
            screening: None,
            left_out: 0,
            awaits_rewriting: rules.levels.contains(&Level::Coref),
            scored: Vec::new(),
        }
    }

    /// Adds the premises that the screen keeps on its next level; returns false when no level is left.
    fn choose(&mut self) -> bool {
        let Some(chosen) = self.screening.as_mut().and_then(|screening| screening.choose(&self.scored))
        else {
            return false;
        };
        let Chosen { level, kept, left_out } = chosen;
        self.left_out += left_out.len();
        let later = std::mem::take(&mut self.waves).into_iter().rev();
        self.waves = next_last(later.chain(in_waves(vec![(level, kept)])).collect());
        true
    }

    /// Returns the next request, or `None` once the claim is decided.
    pub fn next_step(&mut self) -> Option<Step> {
        if self.is_decided() {
            return None;
        }
        if self.awaits_rewriting && self.sentences_are_done() {
            self.awaits_rewriting = false;
            let best = self.best_of(|level| level == Level::Sentence).map(|best| best.premise);
            if let Some(best) = best {
                return Some(Step::Rewrite(best));
            }
        }
        while self.waves.is_empty() && self.choose() {}
        self.waves.pop().map(|(level, premises)| Step::Compute(level, premises))
    }

    /// Adds the rewritings that [`Step::Rewrite`] requested.
    pub fn add_rewritings(&mut self, premises: Vec<PremiseId>) {
        if !premises.is_empty() {
            self.waves.push((Level::Coref, premises));
        }
    }

    /// Records the model's output for a premise of the last wave.
    pub fn record(&mut self, level: Level, premise: PremiseId, probabilities: Probabilities) {
        let score = self.rules.score_of(&probabilities);
        self.scored.push(Scored { premise, level, probabilities, score });
    }

    /// Returns the outcome, or `None` if no premise was computed. `sentences`: the number of sentences of a premise.
    #[must_use]
    pub fn finish(mut self, sentences: impl Fn(PremiseId) -> usize) -> Option<Alignment> {
        while self.choose() {}
        let best_of = |level| self.best_of(|other| other == level);
        let best = self.best()?;
        Some(Alignment {
            best,
            evidence: self.shortest_support(sentences).unwrap_or(best),
            levels: self.rules.levels.iter().filter_map(|level| best_of(*level)).collect(),
            contradicting: self.by_contradiction(),
            computed: self.scored.len(),
            skipped: self.waves.iter().map(|(_, premises)| premises.len()).sum(),
            left_out: self.left_out,
        })
    }

    /// The shortest of the premises that support the claim about as well as the best one: within the rules' epsilon, to
    /// which a score counts as certain too. With an epsilon of 0 it is the best one.
    fn shortest_support(&self, sentences: impl Fn(PremiseId) -> usize) -> Option<Scored> {
        let rules = self.rules;
        let best = self.best()?;
        let least = rules.thresholds.supported.max(best.score - rules.epsilon);
        let supporting = self.scored.iter().filter(|scored| rules.epsilon > 0.0 && scored.score >= least);
        let shortest = supporting.clone().map(|scored| sentences(scored.premise)).min()?;
        first_maximum(supporting.filter(|scored| sentences(scored.premise) == shortest), |scored| {
            scored.score
        })
    }

    fn by_contradiction(&self) -> Vec<Scored> {
        let is_sentence = |scored: &&Scored| scored.level == Level::Sentence;
        let mut sentences: Vec<Scored> = self.scored.iter().filter(is_sentence).copied().collect();
        let contradiction = |scored: &Scored| scored.probabilities.contradiction;
        sentences
            .sort_by(|a, b| contradiction(b).total_cmp(&contradiction(a)).then(a.premise.cmp(&b.premise)));
        sentences
    }

    fn is_decided(&self) -> bool {
        let Some(best) = self.best() else { return false };
        match self.rules.pooling {
            Pooling::Maximum => self.rules.is_enough(best.score),
            // The threshold decides once every sentence and rewriting is computed, or earlier if the score is nearly
            // certain.
            Pooling::Cascade { threshold } if best.level <= Level::Coref => {
                best.score >= threshold && (self.first_levels_are_done() || self.rules.is_enough(best.score))
            }
            Pooling::Cascade { .. } => self.rules.is_enough(best.score),
        }
    }

    fn sentences_are_done(&self) -> bool {
        self.waves.last().is_none_or(|(level, _)| *level != Level::Sentence)
    }

    fn first_levels_are_done(&self) -> bool {
        !self.awaits_rewriting && self.waves.last().is_none_or(|(level, _)| *level > Level::Coref)
    }

    /// The premise that decides among those computed so far: the maximum over all levels, or by FENICE's cascade the
    /// maximum of the first levels if it reaches the threshold, else the maximum of the longer ones (equation 7).
    fn best(&self) -> Option<Scored> {
        let Pooling::Cascade { threshold } = self.rules.pooling else {
            return self.best_of(|_| true);
        };
        match (self.best_of(|level| level <= Level::Coref), self.best_of(|level| level > Level::Coref)) {
            (Some(first), _) if first.score >= threshold => Some(first),
            (first, longer) => longer.or(first),
        }
    }

    /// The premise with the highest score on the wanted levels.
    fn best_of(&self, wanted: impl Fn(Level) -> bool) -> Option<Scored> {
        first_maximum(self.scored.iter().filter(|scored| wanted(scored.level)), |scored| scored.score)
    }
}

/// The waves with premises, in reverse order.
fn next_last(mut waves: Waves) -> Waves {
    waves.retain(|(_, premises)| !premises.is_empty());
    waves.reverse();
    waves
}

/// The premise with the highest value. Ties go to the first by level, then by position in the document, regardless of
/// the order of computation.
fn first_maximum<'s>(
    scored: impl Iterator<Item = &'s Scored>,
    value: impl Fn(&Scored) -> f32,
) -> Option<Scored> {
    let place = |scored: &Scored| std::cmp::Reverse((scored.level, scored.premise));
    scored.copied().max_by(|a, b| value(a).total_cmp(&value(b)).then_with(|| place(a).cmp(&place(b))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Screen, ScreenMethod};
    use crate::screen::Candidate;

    fn probabilities(entailment: f32, contradiction: f32) -> Probabilities {
        Probabilities { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
    }

    /// Runs an alignment over (entailment, contradiction) by level, one wave per level.
    fn align(rules: &Rules, levels: &[(Level, &[(f32, f32)])]) -> Alignment {
        let mut next = 0;
        let all_waves: Waves = levels
            .iter()
            .map(|(level, premises)| {
                let ids = premises.iter().map(|_| {
                    next += 1;
                    PremiseId(next - 1)
                });
                (*level, ids.collect())
            })
            .collect();
        let (coref, waves): (Waves, Waves) =
            all_waves.into_iter().partition(|(level, _)| *level == Level::Coref);
        let rewritings: Vec<PremiseId> = coref.into_iter().flat_map(|(_, ids)| ids).collect();
        let mut claim = ClaimAlignment::new(rules, waves);
        let all: Vec<(f32, f32)> = levels.iter().flat_map(|(_, premises)| premises.iter().copied()).collect();
        while let Some(step) = claim.next_step() {
            let (level, wave) = match step {
                Step::Compute(level, wave) => (level, wave),
                Step::Rewrite(_) => {
                    claim.add_rewritings(rewritings.clone());
                    continue;
                }
            };
            for id in wave {
                claim.record(level, id, probabilities(all[id.0].0, all[id.0].1));
            }
        }
        claim.finish(|_| 1).unwrap()
    }

    /// The rules with the level `coref`.
    fn with_coref(mut rules: Rules) -> Rules {
        rules.levels.insert(1, Level::Coref);
        rules
    }

    const SENTENCE: Level = Level::Sentence;
    const COREF: Level = Level::Coref;
    const WINDOW: Level = Level::Window;
    const DOCUMENT: Level = Level::Document;

    #[test]
    fn maximum_wins_and_ties_go_to_the_first() {
        let rules = Rules { epsilon: 0.0, ..Rules::veridic() };
        let result = align(
            &rules,
            &[
                (SENTENCE, &[(0.2, 0.0), (0.7, 0.1)]),
                (WINDOW, &[(0.7, 0.1), (0.5, 0.0)]),
                (DOCUMENT, &[(0.5, 0.0)]),
            ],
        );
        assert_eq!((result.best.premise, result.best.level), (PremiseId(1), SENTENCE));
        assert_eq!((result.computed, result.skipped), (5, 0));
    }

    #[test]
    fn ties_do_not_depend_on_the_order_of_waves() {
        let rules = Rules { epsilon: 0.0, ..Rules::veridic() };
        let waves = vec![(SENTENCE, vec![PremiseId(2)]), (SENTENCE, vec![PremiseId(1), PremiseId(0)])];
        let mut claim = ClaimAlignment::new(&rules, waves);
        while let Some(Step::Compute(level, wave)) = claim.next_step() {
            wave.into_iter().for_each(|id| claim.record(level, id, probabilities(0.5, 0.2)));
        }
        let result = claim.finish(|_| 1).unwrap();
        assert_eq!(result.best.premise, PremiseId(0));
    }

    #[test]
    fn a_claim_that_is_nearly_certain_skips_the_rest() {
        let levels: [(Level, &[(f32, f32)]); 2] =
            [(SENTENCE, &[(0.995, 0.0)]), (WINDOW, &[(1.0, 0.0), (0.9, 0.0)])];
        let lazy = align(&Rules::veridic(), &levels);
        assert_eq!((lazy.best.level, lazy.computed, lazy.skipped), (SENTENCE, 1, 2));
        let full = align(&Rules { epsilon: 0.0, ..Rules::veridic() }, &levels);
        assert_eq!((full.best.level, full.computed, full.skipped), (WINDOW, 3, 0));
    }

    #[test]
    fn the_papers_cascade_replaces_a_low_sentence_score_even_by_a_lower_one() {
        let result = align(
            &Rules::paper(),
            &[(SENTENCE, &[(0.79, 0.0)]), (WINDOW, &[(0.4, 0.0)]), (DOCUMENT, &[(0.5, 0.0)])],
        );
        assert_eq!((result.best.level, result.best.score), (DOCUMENT, 0.5));
        assert_eq!(result.skipped, 0);
    }

    #[test]
    fn the_papers_cascade_ends_at_the_threshold() {
        let result =
            align(&Rules::paper(), &[(SENTENCE, &[(0.8, 0.0), (0.9, 0.0)]), (DOCUMENT, &[(1.0, 0.0)])]);
        assert_eq!((result.best.level, result.best.score, result.skipped), (SENTENCE, 0.9, 1));
    }

    #[test]
    fn rewritings_of_the_best_sentence_count_before_windows() {
        let levels: [(Level, &[(f32, f32)]); 4] = [
            (SENTENCE, &[(0.2, 0.0), (0.6, 0.0)]),
            (COREF, &[(0.5, 0.0), (0.85, 0.0)]),
            (WINDOW, &[(0.9, 0.0)]),
            (DOCUMENT, &[(0.1, 0.0)]),
        ];
        let paper = align(&with_coref(Rules::paper()), &levels);
        assert_eq!((paper.best.level, paper.best.premise, paper.skipped), (COREF, PremiseId(3), 2));
        let maximum = align(&with_coref(Rules { epsilon: 0.0, ..Rules::veridic() }), &levels);
        assert_eq!((maximum.best.level, maximum.computed, maximum.skipped), (WINDOW, 6, 0));
    }

    #[test]
    fn rewritings_are_requested_once_and_only_while_they_matter() {
        let rules = with_coref(Rules::veridic());
        let waves = vec![(SENTENCE, vec![PremiseId(0), PremiseId(1)]), (DOCUMENT, vec![PremiseId(2)])];
        let mut claim = ClaimAlignment::new(&rules, waves.clone());
        assert!(matches!(claim.next_step(), Some(Step::Compute(SENTENCE, _))));
        claim.record(SENTENCE, PremiseId(0), probabilities(0.3, 0.0));
        claim.record(SENTENCE, PremiseId(1), probabilities(0.6, 0.0));
        assert_eq!(claim.next_step(), Some(Step::Rewrite(PremiseId(1))));
        claim.add_rewritings(Vec::new());
        assert_eq!(claim.next_step(), Some(Step::Compute(DOCUMENT, vec![PremiseId(2)])));
        let mut sure = ClaimAlignment::new(&rules, waves);
        sure.next_step();
        sure.record(SENTENCE, PremiseId(0), probabilities(1.0, 0.0));
        assert_eq!(sure.next_step(), None);
    }

    #[test]
    fn the_papers_cascade_computes_rewritings_of_a_sentence_over_the_threshold() {
        let levels: [(Level, &[(f32, f32)]); 3] =
            [(SENTENCE, &[(0.85, 0.0)]), (COREF, &[(0.95, 0.0)]), (WINDOW, &[(1.0, 0.0)])];
        let paper = align(&with_coref(Rules::paper()), &levels);
        assert_eq!((paper.best.level, paper.computed, paper.skipped), (COREF, 2, 1));
    }

    #[test]
    fn a_document_without_windows_falls_back_to_the_document_level() {
        let result =
            align(&Rules::paper(), &[(SENTENCE, &[(0.5, 0.0)]), (WINDOW, &[]), (DOCUMENT, &[(0.1, 0.0)])]);
        assert_eq!((result.best.level, result.best.score), (DOCUMENT, 0.1));
    }

    /// Four sentences, two windows and two runs, screened by words to one of each.
    fn screening() -> Screening {
        let candidate = |id: usize, sentences, overlap| Candidate {
            premise: PremiseId(id),
            sentences,
            overlap,
            read: None,
        };
        let sentences = [0.1, 0.9, 0.0, 0.5].into_iter().enumerate();
        let sentences = sentences.map(|(id, overlap)| candidate(id, id..id + 1, overlap)).collect();
        let windows = vec![candidate(4, 0..2, 0.0), candidate(5, 2..4, 0.0)];
        let runs = vec![candidate(6, 0..2, 0.0), candidate(7, 2..4, 0.0)];
        let screen = Screen::new(ScreenMethod::Words, std::num::NonZeroUsize::MIN);
        Screening::new(screen, vec![(SENTENCE, sentences), (WINDOW, windows), (DOCUMENT, runs)])
    }

    /// Computes every premise that a claim requests, all with the same outcome, and returns their ids.
    fn requested(claim: &mut ClaimAlignment<'_>) -> Vec<usize> {
        let mut requested = Vec::new();
        while let Some(step) = claim.next_step() {
            match step {
                Step::Compute(level, wave) => {
                    requested.extend(wave.iter().map(|id| id.0));
                    wave.iter().for_each(|id| claim.record(level, *id, probabilities(0.1, 0.0)));
                }
                Step::Rewrite(best) => claim.add_rewritings(vec![PremiseId(10 + best.0)]),
            }
        }
        requested
    }

    #[test]
    fn a_screened_claim_computes_what_is_kept_and_counts_the_rest() {
        let rules = with_coref(Rules { epsilon: 0.0, ..Rules::veridic() });
        let mut claim = ClaimAlignment::screened(&rules, screening());
        assert_eq!(requested(&mut claim), [1, 11, 4, 6]);
        let result = claim.finish(|_| 1).unwrap();
        assert_eq!((result.computed, result.skipped, result.left_out), (4, 0, 5));
    }

    #[test]
    fn a_screened_claim_that_is_nearly_certain_skips_the_levels_that_are_left() {
        let rules = Rules::veridic();
        let mut claim = ClaimAlignment::screened(&rules, screening());
        claim.next_step();
        claim.record(SENTENCE, PremiseId(1), probabilities(1.0, 0.0));
        assert_eq!(claim.next_step(), None);
        let result = claim.finish(|_| 1).unwrap();
        assert_eq!((result.computed, result.skipped, result.left_out), (1, 2, 5));
    }

    #[test]
    fn the_evidence_of_a_supported_claim_is_the_shortest_passage_that_supports_it() {
        let evidence = |rules: &Rules, scores: [f32; 4]| {
            let levels = [SENTENCE, SENTENCE, WINDOW, DOCUMENT];
            let mut claim = ClaimAlignment::new(rules, Waves::new());
            for (id, (level, score)) in levels.into_iter().zip(scores).enumerate() {
                claim.record(level, PremiseId(id), probabilities(score, 0.0));
            }
            let result = claim.finish(|id| [1, 1, 5, 16][id.0]).unwrap();
            assert_eq!(result.best.score, scores.into_iter().fold(0.0, f32::max));
            result.evidence.premise.0
        };
        let rules = Rules::veridic();
        assert_eq!(evidence(&rules, [0.66, 0.67, 0.95, 0.94]), 1);
        assert_eq!(evidence(&rules, [0.1, 0.6, 0.66, 0.95]), 2);
        assert_eq!(evidence(&rules, [0.1, 0.6, 0.64, 0.95]), 3);
        // A premise that does not support the claim is no evidence of it.
        assert_eq!(evidence(&rules, [0.49, 0.2, 0.3, 0.52]), 3);
        assert_eq!(evidence(&rules, [0.3, 0.4, 0.45, 0.2]), 2);
        assert_eq!(evidence(&Rules::released(), [0.99, 0.98, 0.97, 1.0]), 3);
    }

    #[test]
    fn only_sentences_are_evidence_against_a_claim() {
        let result =
            align(&Rules::veridic(), &[(SENTENCE, &[(0.1, 0.6), (0.0, 0.7)]), (DOCUMENT, &[(0.0, 0.9)])]);
        let order: Vec<PremiseId> = result.contradicting.iter().map(|scored| scored.premise).collect();
        assert_eq!(order, [PremiseId(1), PremiseId(0)]);
    }

    #[test]
    fn the_released_program_subtracts_neutral() {
        let result = align(&Rules::released(), &[(SENTENCE, &[(0.6, 0.4), (0.7, 0.0)])]);
        assert_eq!(result.best.premise, PremiseId(0));
        assert!((result.best.score - 0.6).abs() < 1e-6);
    }
}
