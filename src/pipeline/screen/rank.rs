//! The order of a claim's premises under a screen, and where it is cut. Pure: overlaps, probabilities and sentence numbers
//! in, premises out.
//!
//! Sentences are ranked first. A window or a run is worth what its sentences are worth by their ranks, and less for those
//! that a better one of its level already covers, since neighbouring windows share most of their sentences.

use std::collections::HashMap;
use std::ops::Range;

use veridic_models::Probabilities;

use super::method::{Screen, ScreenMethod};
use crate::pipeline::align::{PremiseId, Waves};
use crate::pipeline::profile::Level;

/// What is added to a rank before its reciprocal is taken (reciprocal rank fusion: Cormack, Clarke, Büttcher 2009). Theirs
/// is 60, for thousands of documents; a document has some dozens of sentences.
const RANK_OFFSET: f64 = 10.0;

/// What a sentence is still worth that a better premise of the level covers.
const COVERED: f64 = 0.3;

/// The share of sentences that are kept because the small model calls them a contradiction: one in so many.
const CONTRADICTED_SHARE: usize = 4;

/// A premise that may be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The premise.
    pub premise: PremiseId,
    /// The sentences that it covers.
    pub sentences: Range<usize>,
    /// The weight of the rare words that it shares with the claim.
    pub overlap: f64,
    /// What the small model makes of it, if it read it.
    pub read: Option<Probabilities>,
}

/// The premises of a claim that the judge reads, the best first, and those that it does not.
pub fn screened(screen: Screen, levels: &[(Level, Vec<Candidate>)]) -> (Waves, Waves) {
    let sentences = levels.iter().find(|(level, _)| *level == Level::Sentence);
    let ranked = sentences.map(|(_, candidates)| by_rank(screen.method, candidates)).unwrap_or_default();
    let worth = worth_of_sentences(&ranked);
    let (mut kept, mut left_out) = (Waves::new(), Waves::new());
    for &(level, ref candidates) in levels {
        let order: Vec<PremiseId> = match level {
            Level::Sentence => with_contradicted(screen, &ranked),
            _ => by_worth(candidates, &worth, screen.most(level)),
        };
        let (first, rest) = order.split_at(screen.most(level).min(order.len()));
        kept.push((level, first.to_vec()));
        left_out.push((level, rest.to_vec()));
    }
    (kept, left_out)
}

/// Sentences, the best first; ties in their order.
fn by_rank(method: ScreenMethod, candidates: &[Candidate]) -> Vec<&Candidate> {
    let words = ranks(candidates, |candidate| candidate.overlap);
    let read = ranks(candidates, |candidate| entailment(candidate));
    let worth = |index: usize| match method {
        ScreenMethod::Words => words[index],
        ScreenMethod::Mini => read[index],
        ScreenMethod::MiniAndWords => words[index] + read[index],
    };
    let order = in_order(candidates.len(), worth);
    order.into_iter().map(|index| &candidates[index]).collect()
}

fn entailment(candidate: &Candidate) -> f64 {
    candidate.read.map_or(0.0, |read| f64::from(read.entailment))
}

fn contradiction(candidate: &Candidate) -> f64 {
    candidate.read.map_or(0.0, |read| f64::from(read.contradiction))
}

/// The reciprocal rank of each candidate by a value.
fn ranks(candidates: &[Candidate], value: impl Fn(&Candidate) -> f64) -> Vec<f64> {
    let mut reciprocal = vec![0.0; candidates.len()];
    let order = in_order(candidates.len(), |index| value(&candidates[index]));
    order.into_iter().enumerate().for_each(|(rank, index)| reciprocal[index] = at_rank(rank));
    reciprocal
}

fn at_rank(rank: usize) -> f64 {
    1.0 / (RANK_OFFSET + rank as f64)
}

/// Indices by falling value; ties in their order.
fn in_order(count: usize, value: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
    order
}

/// The sentences in their order, the last places that are kept given to those that the small model finds most
/// contradicted, so that counter-evidence is among them.
fn with_contradicted(screen: Screen, ranked: &[&Candidate]) -> Vec<PremiseId> {
    let most = screen.sentences.get().min(ranked.len());
    let places = if screen.method.has_reader() { most / CONTRADICTED_SHARE } else { 0 };
    let (first, rest) = ranked.split_at(most - places);
    let by_contradiction = in_order(rest.len(), |index| contradiction(rest[index]));
    let chosen = &by_contradiction[..places];
    let others = (0..rest.len()).filter(|index| !chosen.contains(index));
    let order =
        first.iter().chain(chosen.iter().map(|index| &rest[*index])).chain(others.map(|index| &rest[index]));
    order.map(|candidate| candidate.premise).collect()
}

/// The worth of each sentence by its rank; of one in pieces that of its best piece.
fn worth_of_sentences(ranked: &[&Candidate]) -> HashMap<usize, f64> {
    let mut worth = HashMap::new();
    for (rank, candidate) in ranked.iter().enumerate() {
        for sentence in candidate.sentences.clone() {
            worth.entry(sentence).or_insert(at_rank(rank));
        }
    }
    worth
}

/// Windows or runs, the `most` worthiest first, each chosen after the sentences that those before it cover lost worth. Those
/// that the small model read are ordered by its entailment. Ties are broken by overlap, then by order.
fn by_worth(candidates: &[Candidate], worth: &HashMap<usize, f64>, most: usize) -> Vec<PremiseId> {
    if candidates.iter().all(|candidate| candidate.read.is_some()) {
        let order = in_order(candidates.len(), |index| entailment(&candidates[index]));
        return order.into_iter().map(|index| candidates[index].premise).collect();
    }
    let mut worth = worth.clone();
    let mut rest: Vec<&Candidate> = candidates.iter().collect();
    let mut order = Vec::with_capacity(rest.len());
    for _ in 0..most.min(candidates.len()) {
        let best = worthiest(&rest, &worth);
        let chosen = rest.remove(best);
        order.push(chosen.premise);
        for sentence in chosen.sentences.clone() {
            worth.entry(sentence).and_modify(|worth| *worth *= COVERED);
        }
    }
    order.extend(rest.into_iter().map(|candidate| candidate.premise));
    order
}

/// The index of the candidate whose sentences are worth most; of equals the one with the highest overlap, then the first.
fn worthiest(candidates: &[&Candidate], worth: &HashMap<usize, f64>) -> usize {
    let value = |candidate: &Candidate| -> f64 {
        candidate.sentences.clone().filter_map(|sentence| worth.get(&sentence)).sum()
    };
    let values: Vec<(f64, f64)> =
        candidates.iter().map(|candidate| (value(candidate), candidate.overlap)).collect();
    let is_better = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt();
    (1..values.len()).fold(0, |best, index| if is_better(values[index], values[best]) { index } else { best })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn screen(method: ScreenMethod, sentences: usize) -> Screen {
        Screen::new(method, NonZeroUsize::new(sentences).unwrap())
    }

    fn candidate(id: usize, sentences: Range<usize>, overlap: f64, read: Option<(f32, f32)>) -> Candidate {
        let read = read.map(|(entailment, contradiction)| Probabilities {
            entailment,
            neutral: 1.0 - entailment - contradiction,
            contradiction,
        });
        Candidate { premise: PremiseId(id), sentences, overlap, read }
    }

    /// Sentences with (overlap, entailment, contradiction), the windows of two that they have, and two runs.
    fn levels(sentences: &[(f64, f32, f32)]) -> Vec<(Level, Vec<Candidate>)> {
        let count = sentences.len();
        let of = |(index, &(overlap, e, t)): (usize, &(f64, f32, f32))| {
            candidate(index, index..index + 1, overlap, Some((e, t)))
        };
        let window = |index: usize| candidate(count + index, index..index + 2, 0.0, None);
        let half = count / 2;
        let runs = [0..half, half..count].into_iter().enumerate();
        vec![
            (Level::Sentence, sentences.iter().enumerate().map(of).collect()),
            (Level::Window, (0..count - 1).map(window).collect()),
            (Level::Document, runs.map(|(index, run)| candidate(100 + index, run, 0.0, None)).collect()),
        ]
    }

    fn ids(waves: &Waves, level: Level) -> Vec<usize> {
        let of_level = waves.iter().filter(|(other, _)| *other == level);
        of_level.flat_map(|(_, ids)| ids.iter().map(|id| id.0)).collect()
    }

    const SENTENCES: [(f64, f32, f32); 8] = [
        (0.1, 0.9, 0.0),
        (0.9, 0.1, 0.0),
        (0.8, 0.2, 0.0),
        (0.0, 0.0, 0.9),
        (0.7, 0.3, 0.0),
        (0.0, 0.0, 0.1),
        (0.0, 0.0, 0.2),
        (0.6, 0.8, 0.0),
    ];

    #[test]
    fn each_method_ranks_sentences_by_what_it_is_named_for() {
        let kept =
            |method, most| ids(&screened(screen(method, most), &levels(&SENTENCES)).0, Level::Sentence);
        assert_eq!(kept(ScreenMethod::Words, 4), [1, 2, 4, 7]);
        assert_eq!(kept(ScreenMethod::Mini, 2), [0, 7]);
        // Sentences 0 and 1 have ranks 5 and 1, and 1 and 5; sentence 7 has 4 and 2.
        assert_eq!(kept(ScreenMethod::MiniAndWords, 3), [0, 1, 7]);
    }

    #[test]
    fn the_last_quarter_of_places_is_for_what_the_small_model_finds_contradicted() {
        let (kept, left_out) = screened(screen(ScreenMethod::Mini, 4), &levels(&SENTENCES));
        assert_eq!(ids(&kept, Level::Sentence), [0, 7, 4, 3]);
        assert_eq!(ids(&left_out, Level::Sentence), [2, 1, 5, 6]);
    }

    #[test]
    fn windows_hold_the_best_sentences_and_do_not_repeat_each_other() {
        let (kept, left_out) = screened(screen(ScreenMethod::Words, 4), &levels(&SENTENCES));
        // Sentences 1 and 2, then 4 with a neighbour, rather than the neighbours of 1 and 2.
        assert_eq!(ids(&kept, Level::Window), [8 + 1, 8 + 3]);
        assert_eq!(ids(&left_out, Level::Window).len(), 5);
        assert_eq!(ids(&kept, Level::Document), [100]);
    }

    #[test]
    fn runs_that_the_small_model_read_are_ordered_by_its_entailment() {
        let mut levels = levels(&SENTENCES);
        levels[2].1 =
            vec![candidate(100, 0..4, 0.9, Some((0.2, 0.0))), candidate(101, 4..8, 0.0, Some((0.7, 0.0)))];
        let (kept, _) = screened(screen(ScreenMethod::Mini, 2), &levels);
        assert_eq!(ids(&kept, Level::Document), [101]);
    }

    #[test]
    fn nothing_is_lost_and_short_documents_are_kept_whole() {
        for method in ScreenMethod::ALL {
            for most in [1, 2, 3, 8, 100] {
                let (kept, left_out) = screened(screen(method, most), &levels(&SENTENCES));
                for (level, count) in [(Level::Sentence, 8), (Level::Window, 7), (Level::Document, 2)] {
                    let mut all = [ids(&kept, level), ids(&left_out, level)].concat();
                    assert_eq!(ids(&kept, level).len(), screen(method, most).most(level).min(count));
                    all.sort_unstable();
                    all.dedup();
                    assert_eq!(all.len(), count, "{method} {most} {level}");
                }
            }
        }
    }
}
