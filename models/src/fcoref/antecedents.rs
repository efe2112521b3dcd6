//! The antecedent of each mention. For mentions a and b with starts s and ends e,
//! `score(a, b) = m(a) + m(b) + s_a S s_b + e_a E e_b + s_a T e_b + e_a U s_b` (Kirstain, Ram, Levy 2021, equation 5; m
//! are the mention scores); no antecedent scores 0.
//!
//! The four terms are one product of `[s_a S + e_a U, s_a T + e_a E]` and `[s_b, e_b]`, computed block by block, so that
//! the scores of all pairs are never in memory at once.

use candle_core::Tensor;
use rayon::prelude::*;
use veridic_kernels::{Linear, Precision};

use super::config::FCorefConfig;
use super::mentions::{MentionSpan, Representation};
use crate::error::Result;
use crate::transformer::linear;
use crate::weights::Weights;

/// Mentions of a block of rows or of columns.
const BLOCK: usize = 512;

/// The best antecedent of a mention.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Antecedent {
    /// Its index among the mentions.
    pub mention: usize,
    /// The pair's score.
    pub score: f32,
}

pub(super) struct AntecedentHead {
    start: Representation,
    end: Representation,
    start_to_start: Linear,
    end_to_end: Linear,
    start_to_end: Linear,
    end_to_start: Linear,
}

/// The factors of mentions in the score of a pair.
struct PairFactors {
    /// As the later mention, (mentions, 2 * head size).
    later: Tensor,
    /// As the earlier mention, (mentions, 2 * head size).
    earlier: Tensor,
}

/// Scores of pairs of a text's mentions.
pub struct Antecedents {
    /// The mention scores.
    own: Vec<f32>,
    /// Factors of the later mention by block, (mentions, 2 * head size).
    later: Vec<Tensor>,
    /// Factors of the earlier mention by block.
    earlier: Vec<Linear>,
    best: Vec<Option<Antecedent>>,
    has_nan: bool,
}

impl AntecedentHead {
    pub(super) fn load(config: &FCorefConfig, weights: &Weights) -> Result<Self> {
        let size = config.head_size;
        let classifier = |part: &str| {
            linear(weights, &format!("antecedent_{part}_classifier"), size, size, Precision::F32)
        };
        Ok(Self {
            start: Representation::load(config, weights, "start_coref_mlp")?,
            end: Representation::load(config, weights, "end_coref_mlp")?,
            start_to_start: classifier("s2s")?,
            end_to_end: classifier("e2e")?,
            start_to_end: classifier("s2e")?,
            end_to_start: classifier("e2s")?,
        })
    }

    /// `states`: the text's, `(tokens, hidden)`.
    fn factors(&self, states: &Tensor, mentions: &[MentionSpan]) -> Result<PairFactors> {
        let rows = |token: fn(&MentionSpan) -> usize| {
            let tokens: Vec<u32> = mentions.iter().map(|mention| token(mention) as u32).collect();
            states.index_select(&Tensor::new(tokens, states.device())?, 0)
        };
        let start = self.start.forward(&rows(|mention| mention.start)?)?; // (mentions, head size)
        let end = self.end.forward(&rows(|mention| mention.end)?)?;
        let to_start = (self.start_to_start.forward(&start)? + self.end_to_start.forward(&end)?)?;
        let to_end = (self.start_to_end.forward(&start)? + self.end_to_end.forward(&end)?)?;
        Ok(PairFactors {
            later: Tensor::cat(&[&to_start, &to_end], 1)?,
            earlier: Tensor::cat(&[&start, &end], 1)?,
        })
    }
}

impl Antecedents {
    /// Scores all pairs of mentions; `None` if `is_over` returns true. `states`: the text's, `(tokens, hidden)`.
    pub(super) fn score(
        head: &AntecedentHead,
        states: &Tensor,
        mentions: &[MentionSpan],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Self>> {
        let mut scores = Self {
            own: mentions.iter().map(|mention| mention.score).collect(),
            later: Vec::new(),
            earlier: Vec::new(),
            best: Vec::with_capacity(mentions.len()),
            has_nan: false,
        };
        for block in mentions.chunks(BLOCK) {
            let PairFactors { later, earlier } = head.factors(states, block)?;
            scores.later.push(later);
            scores.earlier.push(Linear::new(&earlier, None)?);
        }
        Ok(scores.choose(is_over)?.then_some(scores))
    }

    /// The best antecedent of each mention; `None` if all pairs score below 0.
    #[must_use]
    pub fn best(&self) -> Vec<Option<usize>> {
        self.best.iter().map(|best| best.filter(|best| best.score >= 0.0).map(|best| best.mention)).collect()
    }

    /// Scores of a mention with each earlier one, in order.
    ///
    /// # Errors
    /// When a kernel fails.
    pub fn of(&self, mention: usize) -> Result<Vec<f32>> {
        let mut scores = Vec::with_capacity(mention);
        for block in 0..=mention / BLOCK {
            let rows = self.pairs(mention / BLOCK, block)?;
            scores.extend_from_slice(&rows[mention % BLOCK]);
        }
        scores.truncate(mention);
        Ok(scores)
    }

    /// Whether a score is not a number.
    pub(super) fn has_nan(&self) -> bool {
        self.has_nan
    }

    /// Scores of a block of later mentions with a block of earlier ones, by rows.
    fn pairs(&self, later: usize, earlier: usize) -> Result<Vec<Vec<f32>>> {
        let mut rows = self.earlier[earlier].forward(&self.later[later])?.to_vec2::<f32>()?;
        let columns = &self.own[earlier * BLOCK..];
        for (row, own) in rows.iter_mut().zip(&self.own[later * BLOCK..]) {
            row.iter_mut().zip(columns).for_each(|(score, other)| *score += own + other);
        }
        Ok(rows)
    }

    /// Sets the best antecedent of each mention; ties go to the first. False if `is_over` returns true.
    fn choose(&mut self, is_over: &dyn Fn() -> bool) -> Result<bool> {
        for later in 0..self.later.len() {
            let mut best: Vec<Option<Antecedent>> = vec![None; self.later[later].dim(0)?];
            for earlier in 0..=later {
                if is_over() {
                    return Ok(false);
                }
                let rows = self.pairs(later, earlier)?;
                self.has_nan |= rows.par_iter().any(|row| row.iter().any(|score| score.is_nan()));
                best.par_iter_mut().zip(&rows).enumerate().for_each(|(row, (best, scores))| {
                    let before = if earlier == later { row } else { BLOCK };
                    for (column, &score) in scores.iter().take(before).enumerate() {
                        if best.is_none_or(|best| score > best.score) {
                            *best = Some(Antecedent { mention: earlier * BLOCK + column, score });
                        }
                    }
                });
            }
            self.best.extend(best);
        }
        Ok(true)
    }
}
