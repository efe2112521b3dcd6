//! Raw pairs of texts, for evaluators beside the claims' path: the same model, the same scheduler, the same memory of
//! what was said before.

use std::collections::HashMap;

use rayon::prelude::*;
use veridic_models::{ModelError, NliModel, Probabilities, TextTokens, Truncation};

use super::scorer::Scorer;
use crate::error::{Error, Result};
use crate::schedule::{Job, OnEvent};
use veridic_text::Reading;

/// A premise and a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NliPair<'t> {
    /// The text that should support the hypothesis.
    pub premise: &'t str,
    /// The statement to be supported.
    pub hypothesis: &'t str,
}

/// What the model said of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NliResult {
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
    pub fn classify(&self, questions: &[NliPair<'_>], on_event: &OnEvent<'_>) -> Result<Vec<NliResult>> {
        self.classify_each(questions, Truncation::Premise, on_event)?.into_iter().collect()
    }

    /// The same, but what is too long is cut as `truncation` says, or refused, and a question that cannot be answered
    /// leaves the others theirs.
    ///
    /// # Errors
    /// A model that fails, and [`Error::Stopped`] when `on_event` ends the work.
    pub fn classify_each(
        &self,
        questions: &[NliPair<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<NliResult>>> {
        let executor = self.executor();
        let mut answers = Vec::with_capacity(questions.len());
        for questions in questions.chunks(self.settings.pairs_in_flight.get()) {
            let tokenized = self.jobs_of(questions, truncation)?;
            // Outcomes are those of the questions that were not refused, and only these take one.
            let jobs: Vec<&Job> = tokenized.iter().flatten().collect();
            let mut outcomes = executor.run(&jobs, on_event)?.ok_or(Error::Stopped)?.into_iter();
            let answer = |(question, job): (&NliPair<'_>, veridic_models::Result<Job>)| {
                let is_cut = job?.cut;
                let probabilities =
                    outcomes.next().flatten().ok_or_else(|| self.not_finite(question.hypothesis))?;
                Ok(NliResult { probabilities, is_cut })
            };
            answers.extend(questions.iter().zip(tokenized).map(answer));
        }
        Ok(answers)
    }

    /// The questions as the model takes them; those that are refused, each with its reason.
    fn jobs_of(
        &self,
        questions: &[NliPair<'_>],
        truncation: Truncation,
    ) -> Result<Vec<veridic_models::Result<Job>>> {
        let tokenizer = self.model.tokenizer();
        let premises =
            tokens(questions, |question| question.premise, |text| tokenizer.text(Reading::of(text).text()))?;
        let hypotheses = tokens(
            questions,
            |question| question.hypothesis,
            |text| tokenizer.hypothesis(Reading::of(text).text()),
        )?;
        let limit = self.max_tokens();
        let job = |question: &NliPair<'_>| {
            let (premise, hypothesis) = (&premises[question.premise], &hypotheses[question.hypothesis]);
            tokenizer.pair(premise, hypothesis, limit, truncation)
        };
        Ok(questions.par_iter().map(job).collect())
    }

    fn not_finite(&self, text: &str) -> Error {
        Error::NotFinite { file: self.model.weights_file().to_owned(), claim: 1, text: text.to_owned() }
    }
}

/// A pair of texts as the model takes it, within its token limit and `max_tokens`.
///
/// # Errors
/// [`ModelError::TooLong`] unless `truncation` cuts it.
pub fn tokenize_pair(
    model: &NliModel,
    pair: NliPair<'_>,
    max_tokens: Option<usize>,
    truncation: Truncation,
) -> std::result::Result<Job, ModelError> {
    let limit = max_tokens.map_or(model.token_limit(), |given| given.min(model.token_limit()));
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (Reading::of(pair.premise), Reading::of(pair.hypothesis));
    let (premise, hypothesis) = (tokenizer.text(premise.text())?, tokenizer.hypothesis(hypothesis.text())?);
    tokenizer.pair(&premise, &hypothesis, limit, truncation)
}

/// The tokens of each text, once.
fn tokens<'t>(
    questions: &[NliPair<'t>],
    text: impl Fn(&NliPair<'t>) -> &'t str,
    tokenize: impl Fn(&str) -> veridic_models::Result<TextTokens> + Sync,
) -> Result<HashMap<&'t str, TextTokens>> {
    let mut texts: Vec<&str> = questions.iter().map(text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into_par_iter().map(|text| Ok((text, tokenize(text)?))).collect()
}
