//! The alignment of one claim: which premises to compute next, and what their scores mean. Pure:
//! it sees probabilities and numbers of premises, no text and no model.
//!
//! A claim asks for its premises in waves, level by level, and stops when its profile allows.
//! What it asks for depends on the profile and on what it was told, so a claim computes the same
//! premises alone, in a batch, and after a resume.

use veridic_models::Probabilities;

use super::profile::{Level, Pooling, Profile};

/// A premise of one document, by its place in the document's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PremiseId(pub usize);

/// Premises by level, in the order in which they are computed; a level may have several waves.
pub type Waves = Vec<(Level, Vec<PremiseId>)>;

/// A premise that was computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Which.
    pub premise: PremiseId,
    /// Its level.
    pub level: Level,
    /// What the model said.
    pub probabilities: Probabilities,
    /// The profile's score.
    pub score: f32,
}

/// What an alignment came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment {
    /// The premise that decides the claim's score.
    pub best: Scored,
    /// The sentence or window premise with the highest contradiction, if any was computed.
    pub most_contradicting: Option<Scored>,
    /// Premises computed.
    pub computed: usize,
    /// Premises left out.
    pub skipped: usize,
}

/// A claim on its way through the levels.
#[derive(Debug)]
pub struct ClaimAlignment<'p> {
    profile: &'p Profile,
    /// Waves not asked for yet, in reverse order.
    waves: Waves,
    scored: Vec<Scored>,
}

impl<'p> ClaimAlignment<'p> {
    /// `waves`: the claim's premises.
    #[must_use]
    pub fn new(profile: &'p Profile, mut waves: Waves) -> Self {
        waves.retain(|(_, premises)| !premises.is_empty());
        waves.reverse();
        Self { profile, waves, scored: Vec::new() }
    }

    /// The premises to compute next; none when the claim is decided.
    pub fn next_wave(&mut self) -> Option<(Level, Vec<PremiseId>)> {
        if self.is_decided() { None } else { self.waves.pop() }
    }

    /// Takes what the model said about one premise of the last wave.
    pub fn record(&mut self, level: Level, premise: PremiseId, probabilities: Probabilities) {
        let score = self.profile.rule.score(&probabilities);
        self.scored.push(Scored { premise, level, probabilities, score });
    }

    /// What it came to; nothing when the claim had no premise at all.
    #[must_use]
    pub fn finish(self) -> Option<Alignment> {
        let contradicting = self.scored.iter().filter(|scored| scored.level != Level::Document);
        Some(Alignment {
            best: self.best()?,
            most_contradicting: first_maximum(contradicting, |scored| scored.probabilities.contradiction),
            computed: self.scored.len(),
            skipped: self.waves.iter().map(|(_, premises)| premises.len()).sum(),
        })
    }

    fn is_decided(&self) -> bool {
        let Some(best) = self.best() else { return false };
        match self.profile.pooling {
            Pooling::Maximum => self.profile.is_enough(best.score),
            Pooling::Cascade { threshold } => {
                let sentences_are_done = self.waves.last().is_none_or(|(level, _)| *level != Level::Sentence);
                match best.level {
                    // The threshold decides once every sentence is known; laziness may end it
                    // sooner where the threshold is sure to be reached.
                    Level::Sentence => {
                        best.score >= threshold && (sentences_are_done || self.profile.is_enough(best.score))
                    }
                    Level::Window | Level::Document => self.profile.is_enough(best.score),
                }
            }
        }
    }

    /// The premise that decides, from what is known so far.
    fn best(&self) -> Option<Scored> {
        let score = |scored: &Scored| scored.score;
        let all = first_maximum(self.scored.iter(), score);
        let Pooling::Cascade { threshold } = self.profile.pooling else {
            return all;
        };
        let of =
            |sentence: bool| self.scored.iter().filter(move |s| (s.level == Level::Sentence) == sentence);
        match (first_maximum(of(true), score), first_maximum(of(false), score)) {
            (Some(sentence), _) if sentence.score >= threshold => Some(sentence),
            (sentence, longer) => longer.or(sentence),
        }
    }
}

/// The one with the highest value; of several, the first by level and place in the document,
/// whatever the order in which they were computed.
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

    fn probabilities(entailment: f32, contradiction: f32) -> Probabilities {
        Probabilities { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
    }

    /// Runs an alignment over (entailment, contradiction) by level, one wave a level.
    fn align(profile: &Profile, levels: &[(Level, &[(f32, f32)])]) -> Alignment {
        let mut next = 0;
        let waves = levels.iter().map(|(level, premises)| {
            let ids = premises.iter().map(|_| {
                next += 1;
                PremiseId(next - 1)
            });
            (*level, ids.collect())
        });
        let mut claim = ClaimAlignment::new(profile, waves.collect());
        let all: Vec<(f32, f32)> = levels.iter().flat_map(|(_, premises)| premises.iter().copied()).collect();
        while let Some((level, wave)) = claim.next_wave() {
            for id in wave {
                claim.record(level, id, probabilities(all[id.0].0, all[id.0].1));
            }
        }
        claim.finish().unwrap()
    }

    const SENTENCE: Level = Level::Sentence;
    const WINDOW: Level = Level::Window;
    const DOCUMENT: Level = Level::Document;

    #[test]
    fn the_maximum_wins_and_ties_go_to_the_first() {
        let profile = Profile { epsilon: 0.0, ..Profile::veridic() };
        let result = align(
            &profile,
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
        let profile = Profile { epsilon: 0.0, ..Profile::veridic() };
        let waves = vec![(SENTENCE, vec![PremiseId(2)]), (SENTENCE, vec![PremiseId(1), PremiseId(0)])];
        let mut claim = ClaimAlignment::new(&profile, waves);
        while let Some((level, wave)) = claim.next_wave() {
            wave.into_iter().for_each(|id| claim.record(level, id, probabilities(0.5, 0.2)));
        }
        let result = claim.finish().unwrap();
        assert_eq!(result.best.premise, PremiseId(0));
        assert_eq!(result.most_contradicting.unwrap().premise, PremiseId(0));
    }

    #[test]
    fn a_claim_that_is_nearly_certain_leaves_the_rest_out() {
        let levels: [(Level, &[(f32, f32)]); 2] =
            [(SENTENCE, &[(0.995, 0.0)]), (WINDOW, &[(1.0, 0.0), (0.9, 0.0)])];
        let lazy = align(&Profile::veridic(), &levels);
        assert_eq!((lazy.best.level, lazy.computed, lazy.skipped), (SENTENCE, 1, 2));
        let full = align(&Profile { epsilon: 0.0, ..Profile::veridic() }, &levels);
        assert_eq!((full.best.level, full.computed, full.skipped), (WINDOW, 3, 0));
    }

    #[test]
    fn the_papers_cascade_replaces_a_low_sentence_score_even_by_a_lower_one() {
        let result = align(
            &Profile::paper(),
            &[(SENTENCE, &[(0.79, 0.0)]), (WINDOW, &[(0.4, 0.0)]), (DOCUMENT, &[(0.5, 0.0)])],
        );
        assert_eq!((result.best.level, result.best.score), (DOCUMENT, 0.5));
        assert_eq!(result.skipped, 0);
    }

    #[test]
    fn the_papers_cascade_ends_at_the_threshold() {
        let result =
            align(&Profile::paper(), &[(SENTENCE, &[(0.8, 0.0), (0.9, 0.0)]), (DOCUMENT, &[(1.0, 0.0)])]);
        assert_eq!((result.best.level, result.best.score, result.skipped), (SENTENCE, 0.9, 1));
    }

    #[test]
    fn a_document_of_few_sentences_has_the_document_level_alone_behind_the_threshold() {
        let result =
            align(&Profile::paper(), &[(SENTENCE, &[(0.5, 0.0)]), (WINDOW, &[]), (DOCUMENT, &[(0.1, 0.0)])]);
        assert_eq!((result.best.level, result.best.score), (DOCUMENT, 0.1));
    }

    #[test]
    fn counter_evidence_never_comes_from_the_document_level() {
        let result =
            align(&Profile::veridic(), &[(SENTENCE, &[(0.1, 0.6), (0.0, 0.7)]), (DOCUMENT, &[(0.0, 0.9)])]);
        assert_eq!(result.most_contradicting.unwrap().premise, PremiseId(1));
    }

    #[test]
    fn the_released_program_subtracts_neutral() {
        let result = align(&Profile::released(), &[(SENTENCE, &[(0.6, 0.4), (0.7, 0.0)])]);
        assert_eq!(result.best.premise, PremiseId(0));
        assert!((result.best.score - 0.6).abs() < 1e-6);
    }
}
