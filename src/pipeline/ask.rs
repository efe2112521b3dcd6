//! Raw pairs of texts, for evaluators beside the claims' path: the same model, the same scheduler, the same memory of
//! what was said before.

use std::collections::HashMap;

use rayon::prelude::*;
use veridic_models::{ModelError, NliModel, Probabilities, TextTokens, Truncation};

use super::scorer::Scorer;
use crate::error::{Error, Result};
use crate::schedule::{Job, OnEvent};

/// Pairs whose token ids are in memory together. Changes memory, never a result.
const QUESTIONS_TOGETHER: usize = 8192;

/// A premise and a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Question<'t> {
    /// The text that should support the hypothesis.
    pub premise: &'t str,
    /// The statement to be supported.
    pub hypothesis: &'t str,
}

/// What the model said of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The probabilities.
    pub probabilities: Probabilities,
    /// Whether the premise lost its end to the token limit.
    pub is_cut: bool,
}

impl Scorer {
    /// The model's answers, in the questions' order; equal questions are computed once. A premise that is too long
    /// beside its hypothesis is cut at its end.
    ///
    /// # Errors
    /// A hypothesis over the token limit, a model that fails, and [`Error::Stopped`] when `on_event` ends the work.
    pub fn ask(&self, questions: &[Question<'_>], on_event: &OnEvent<'_>) -> Result<Vec<Answer>> {
        self.ask_cutting(Truncation::Premise, questions, on_event)
    }

    /// The same, but what is too long is cut as `truncation` says, or refused.
    ///
    /// # Errors
    /// As [`Scorer::ask`], and [`Error::Question`] for a pair that is refused.
    pub fn ask_cutting(
        &self,
        truncation: Truncation,
        questions: &[Question<'_>],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Answer>> {
        let executor = self.executor();
        let mut answers = Vec::with_capacity(questions.len());
        for questions in questions.chunks(QUESTIONS_TOGETHER) {
            let jobs = self.jobs_of(truncation, answers.len(), questions)?;
            let outcomes = executor.run(&jobs, on_event)?.ok_or(Error::Stopped)?;
            for ((question, job), outcome) in questions.iter().zip(&jobs).zip(outcomes) {
                let probabilities = outcome.ok_or_else(|| self.not_finite(question.hypothesis))?;
                answers.push(Answer { probabilities, is_cut: job.cut });
            }
        }
        Ok(answers)
    }

    /// The model's answers to raw pairs, in their order; a pair that is too long is refused, or cut as `truncation`
    /// says.
    ///
    /// # Errors
    /// A model that fails, and [`Error::Stopped`] when `on_event` ends the work.
    pub fn ask_raw(
        &self,
        pairs: &[Question<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<Probabilities>>> {
        let tokenize =
            |pair: &Question<'_>| raw_pair(&self.model, *pair, self.settings.max_tokens, truncation);
        let tokenized: Vec<veridic_models::Result<Job>> = pairs.par_iter().map(tokenize).collect();
        let jobs: Vec<Job> = tokenized.iter().flatten().cloned().collect();
        let mut outcomes = self.executor().run(&jobs, on_event)?.ok_or(Error::Stopped)?.into_iter();
        let answer = |(pair, job): (&Question<'_>, veridic_models::Result<Job>)| {
            job?;
            outcomes.next().flatten().ok_or_else(|| self.not_finite(pair.hypothesis))
        };
        Ok(pairs.iter().zip(tokenized).map(answer).collect())
    }

    /// `before`: how many questions came before these.
    fn jobs_of(&self, truncation: Truncation, before: usize, questions: &[Question<'_>]) -> Result<Vec<Job>> {
        let tokenizer = self.model.tokenizer();
        let premises = tokens(questions, |question| question.premise, |text| tokenizer.text(text))?;
        let hypotheses =
            tokens(questions, |question| question.hypothesis, |text| tokenizer.hypothesis(text))?;
        let limit = self.max_tokens();
        let job = |(index, question): (usize, &Question<'_>)| {
            let (premise, hypothesis) = (&premises[question.premise], &hypotheses[question.hypothesis]);
            let told = |error| match truncation {
                Truncation::Refuse => Error::Question { index: before + index, error: Box::new(error) },
                _ => error.into(),
            };
            tokenizer.pair(premise, hypothesis, limit, truncation).map_err(told)
        };
        questions.par_iter().enumerate().map(job).collect()
    }

    fn not_finite(&self, text: &str) -> Error {
        Error::NotFinite { file: self.model.weights_file().to_owned(), claim: 1, text: text.to_owned() }
    }
}

/// A pair of texts as the model takes it, within its token limit and `max_tokens`.
///
/// # Errors
/// [`ModelError::TooLong`] unless `truncation` cuts it.
pub fn raw_pair(
    model: &NliModel,
    pair: Question<'_>,
    max_tokens: Option<usize>,
    truncation: Truncation,
) -> std::result::Result<Job, ModelError> {
    let limit = max_tokens.map_or(model.token_limit(), |given| given.min(model.token_limit()));
    let tokenizer = model.tokenizer();
    tokenizer.pair(&tokenizer.text(pair.premise)?, &tokenizer.hypothesis(pair.hypothesis)?, limit, truncation)
}

/// The tokens of each text, once.
fn tokens<'t>(
    questions: &[Question<'t>],
    text: impl Fn(&Question<'t>) -> &'t str,
    tokenize: impl Fn(&str) -> veridic_models::Result<TextTokens> + Sync,
) -> Result<HashMap<&'t str, TextTokens>> {
    let mut texts: Vec<&str> = questions.iter().map(text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into_par_iter().map(|text| Ok((text, tokenize(text)?))).collect()
}
