//! Chooses the premises of a claim that a screen keeps. Pure: overlaps, probabilities and sentence numbers in, premises
//! out.
//!
//! Sentences are ranked before the judge reads any premise. Windows and runs are ranked later, by the judge's
//! probabilities for the kept sentences and by the ranks of the others.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use veridic_models::Probabilities;

use crate::premises::{PremiseId, Scored};
use crate::rules::Level;
use crate::rules::{Screen, ScreenMethod};

/// The constant k of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009), added to a rank before the reciprocal.
/// Theirs is 60, for thousands of documents; a document has some dozens of sentences.
const RANK_OFFSET: f64 = 10.0;

/// One in this many of the kept sentences is chosen by the small model's contradiction.
const CONTRADICTED_SHARE: usize = 4;

/// Number of sentences that are kept regardless of the small model's probabilities.
const ALWAYS_KEPT: usize = 2;

/// Other sentences are kept only if the small model's entailment or contradiction reaches its minimum.
const MIN_ENTAILMENT: f64 = 0.1;
const MIN_CONTRADICTION: f64 = 0.3;

/// The weight of the small model's entailment of a sentence, relative to the judge's.
const READER_WEIGHT: f64 = 0.5;

/// A premise that may be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The premise.
    pub premise: PremiseId,
    /// The sentences that it covers.
    pub sentences: Range<usize>,
    /// Its overlap with the claim's rare words.
    pub overlap: f64,
    /// The small model's probabilities, if it read the premise.
    pub read: Option<Probabilities>,
}

/// The chosen premises of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The level.
    pub level: Level,
    /// The premises that the judge reads, best first.
    pub kept: Vec<PremiseId>,
    /// The others.
    pub left_out: Vec<PremiseId>,
}

/// The candidate premises of a claim.
#[derive(Debug, Clone)]
pub struct Screening {
    screen: Screen,
    /// The sentences, best first.
    sentences: Vec<Candidate>,
    /// The remaining levels, in order.
    levels: VecDeque<(Level, Vec<Candidate>)>,
}

impl Screening {
    /// A screen over the candidates of each level.
    #[must_use]
    pub fn new(screen: Screen, levels: Vec<(Level, Vec<Candidate>)>) -> Self {
        let is_sentences = |(level, _): &&(Level, Vec<Candidate>)| *level == Level::Sentence;
        let sentences = levels.iter().find(is_sentences).map(|(_, candidates)| &candidates[..]);
        let sentences = by_rank(screen.method, sentences.unwrap_or_default());
        Self { screen, sentences, levels: levels.into() }
    }

    /// Chooses from the next level; `None` if no level is left. `judged`: the premises that the judge has read for the
    /// claim.
    pub fn choose(&mut self, judged: &[Scored]) -> Option<Chosen> {
        let (level, candidates) = self.levels.pop_front()?;
        let most = self.screen.most(level);
        let (kept, left_out) = match level {
            Level::Sentence => self.choose_sentences(most),
            _ => {
                let mut kept = by_value(&candidates, &self.values(judged));
                let left_out = kept.split_off(most.min(kept.len()));
                (kept, left_out)
            }
        };
        Some(Chosen { level, kept, left_out })
    }

    /// The sentences that are kept, at most `most`, and the others. After the first two, sentences in which the small
    /// model sees neither entailment nor contradiction are not kept.
    fn choose_sentences(&self, most: usize) -> (Vec<PremiseId>, Vec<PremiseId>) {
        let order = self.with_contradicted();
        let is_kept = |place: usize, candidate: &Candidate| {
            let is_idle = candidate.read.is_some()
                && entailment(candidate) < MIN_ENTAILMENT
                && contradiction(candidate) < MIN_CONTRADICTION;
            place < most && (place < ALWAYS_KEPT || !is_idle)
        };
        let (kept, left_out): (Vec<_>, Vec<_>) =
            order.into_iter().enumerate().partition(|(place, candidate)| is_kept(*place, candidate));
        let premises = |chosen: Vec<(usize, &Candidate)>| {
            chosen.into_iter().map(|(_, candidate)| candidate.premise).collect()
        };
        (premises(kept), premises(left_out))
    }

    /// The sentences in order of rank, except that the last kept places go to those with the small model's highest
    /// contradiction, so that counter-evidence is among them.
    fn with_contradicted(&self) -> Vec<&Candidate> {
        let most = self.screen.sentences.get().min(self.sentences.len());
        let places = if self.screen.method.has_reader() { most / CONTRADICTED_SHARE } else { 0 };
        let (first, rest) = self.sentences.split_at(most - places);
        let by_contradiction = in_order(rest.len(), |index| contradiction(&rest[index]));
        let (chosen, others) = by_contradiction.split_at(places);
        let mut others = others.to_vec();
        others.sort_unstable();
        let rest = chosen.iter().chain(&others).map(|index| &rest[*index]);
        first.iter().chain(rest).collect()
    }

    /// The value of each sentence of the document: the judge's entailment if it read the sentence, else a fraction of
    /// the small model's, plus its reciprocal rank. The value of a sentence in pieces is that of its best piece.
    fn values(&self, judged: &[Scored]) -> HashMap<usize, f64> {
        let judged = judged.iter().map(|scored| (scored.premise, f64::from(scored.probabilities.entailment)));
        let judged: HashMap<PremiseId, f64> = judged.collect();
        let mut values: HashMap<usize, f64> = HashMap::new();
        for (rank, candidate) in self.sentences.iter().enumerate() {
            let by_judge = judged.get(&candidate.premise).copied();
            let value = by_judge.unwrap_or(READER_WEIGHT * entailment(candidate)) + at_rank(rank);
            for sentence in candidate.sentences.clone() {
                let best = values.entry(sentence).or_insert(value);
                *best = best.max(value);
            }
        }
        values
    }
}

/// Sorts sentences, best first; ties keep their order.
fn by_rank(method: ScreenMethod, candidates: &[Candidate]) -> Vec<Candidate> {
    let words = ranks(candidates, |candidate| candidate.overlap);
    let read = ranks(candidates, entailment);
    let value = |index: usize| match method {
        ScreenMethod::Words => words[index],
        ScreenMethod::Mini => read[index],
        ScreenMethod::MiniAndWords => words[index] + read[index],
    };
    in_order(candidates.len(), value).into_iter().map(|index| candidates[index].clone()).collect()
}

/// Sorts windows or runs, highest value first: the sum over their sentences, or if the small model read them all, its
/// entailment. Ties are broken by overlap, then by order.
fn by_value(candidates: &[Candidate], sentences: &HashMap<usize, f64>) -> Vec<PremiseId> {
    let is_read = candidates.iter().all(|candidate| candidate.read.is_some());
    let value = |candidate: &Candidate| -> f64 {
        if is_read {
            return entailment(candidate);
        }
        candidate.sentences.clone().filter_map(|sentence| sentences.get(&sentence)).sum()
    };
    let values: Vec<(f64, f64)> =
        candidates.iter().map(|candidate| (value(candidate), candidate.overlap)).collect();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| values[*b].0.total_cmp(&values[*a].0).then(values[*b].1.total_cmp(&values[*a].1)));
    order.into_iter().map(|index| candidates[index].premise).collect()
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

/// Indices in descending order of value; ties keep their order.
fn in_order(count: usize, value: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
    order
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

    /// Sentences with (overlap, entailment, contradiction), their windows of two, and two runs.
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

    /// The premises kept and left out on each level, given the judge's scores of sentences.
    fn chosen(screen: Screen, levels: Vec<(Level, Vec<Candidate>)>, judged: &[(usize, f32)]) -> Vec<Chosen> {
        let scored = |&(id, score): &(usize, f32)| {
            let probabilities = Probabilities { entailment: score, neutral: 1.0 - score, contradiction: 0.0 };
            Scored { premise: PremiseId(id), level: Level::Sentence, probabilities, score }
        };
        let judged: Vec<Scored> = judged.iter().map(scored).collect();
        let mut screening = Screening::new(screen, levels);
        std::iter::from_fn(|| screening.choose(&judged)).collect()
    }

    fn ids(premises: &[PremiseId]) -> Vec<usize> {
        premises.iter().map(|id| id.0).collect()
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
        let kept = |method, most| ids(&chosen(screen(method, most), levels(&SENTENCES), &[])[0].kept);
        assert_eq!(kept(ScreenMethod::Words, 4), [1, 2, 4, 7]);
        assert_eq!(kept(ScreenMethod::Mini, 2), [0, 7]);
        // Their ranks are 5 and 1, 1 and 5, 2 and 4.
        assert_eq!(kept(ScreenMethod::MiniAndWords, 3), [0, 1, 2]);
    }

    #[test]
    fn the_last_quarter_of_places_is_for_what_the_small_model_finds_contradicted() {
        let of_sentences = &chosen(screen(ScreenMethod::Mini, 4), levels(&SENTENCES), &[])[0];
        assert_eq!(ids(&of_sentences.kept), [0, 7, 4, 3]);
        assert_eq!(ids(&of_sentences.left_out), [2, 1, 5, 6]);
    }

    #[test]
    fn sentences_without_entailment_or_contradiction_are_left_out_after_the_first_two() {
        let of_sentences = |method| chosen(screen(method, 7), levels(&SENTENCES), &[]).remove(0);
        let by_mini = of_sentences(ScreenMethod::Mini);
        assert_eq!(ids(&by_mini.kept), [0, 7, 4, 2, 1, 3]);
        assert_eq!(ids(&by_mini.left_out), [6, 5]);
        let mut unread = levels(&SENTENCES);
        unread[0].1.iter_mut().for_each(|sentence| sentence.read = None);
        assert_eq!(chosen(screen(ScreenMethod::Mini, 7), unread, &[])[0].kept.len(), 7);
        let idle = [(0.1, 0.0, 0.0), (0.2, 0.0, 0.0), (0.3, 0.0, 0.0), (0.4, 0.0, 0.0)];
        assert_eq!(ids(&chosen(screen(ScreenMethod::MiniAndWords, 3), levels(&idle), &[])[0].kept), [0, 3]);
    }

    #[test]
    fn windows_and_runs_follow_what_the_judge_made_of_sentences() {
        let screen = screen(ScreenMethod::Words, 4);
        let mut levels = levels(&SENTENCES);
        levels[0].1.iter_mut().for_each(|sentence| sentence.read = None);
        let windows = |judged: &[(usize, f32)]| ids(&chosen(screen, levels.clone(), judged)[1].kept);
        assert_eq!(windows(&[(1, 0.1), (2, 0.1), (4, 0.1), (7, 0.1)]), [8 + 1, 8]);
        assert_eq!(windows(&[(1, 0.1), (2, 0.1), (4, 0.9), (7, 0.1)]), [8 + 3, 8 + 4]);
        let run = |judged: &[(usize, f32)]| ids(&chosen(screen, levels.clone(), judged)[2].kept);
        assert_eq!((run(&[]), run(&[(7, 0.9)])), (vec![100], vec![101]));
    }

    #[test]
    fn runs_that_the_small_model_read_are_ordered_by_its_entailment() {
        let mut levels = levels(&SENTENCES);
        levels[2].1 =
            vec![candidate(100, 0..4, 0.9, Some((0.2, 0.0))), candidate(101, 4..8, 0.0, Some((0.7, 0.0)))];
        assert_eq!(ids(&chosen(screen(ScreenMethod::Mini, 2), levels, &[])[2].kept), [101]);
    }

    #[test]
    fn nothing_is_lost_and_short_documents_are_kept_whole() {
        for method in ScreenMethod::ALL {
            for most in [1, 2, 3, 8, 100] {
                // The small model sees something in every sentence.
                let seen = SENTENCES.map(|(overlap, e, t)| (overlap, e.max(0.1), t));
                let chosen = chosen(screen(method, most), levels(&seen), &[(0, 0.5)]);
                for (Chosen { level, kept, left_out }, count) in chosen.iter().zip([8, 7, 2]) {
                    assert_eq!(kept.len(), screen(method, most).most(*level).min(count), "{method} {level}");
                    let mut all = ids(&[&kept[..], left_out].concat());
                    all.sort_unstable();
                    all.dedup();
                    assert_eq!(all.len(), count, "{method} {most} {level}");
                }
            }
        }
    }
}
