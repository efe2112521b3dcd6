//! The model as a plain sequence classifier: a score for each of its labels, for a text or a pair of texts. For callers
//! that know classifiers but no NLI relations; nothing is judged here.

use veridic_models::{Labels, ModelError, PackedBatch, PairTokens, Truncation};

use super::batches::Engine;
use super::pairs::{NliPair, ids};
use crate::error::{Error, Result};
use crate::schedule::{Event, Job, OnEvent, pack};

/// The input of a sequence classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassifierInput<'t> {
    /// One text.
    Text(&'t str),
    /// Two texts.
    Pair(NliPair<'t>),
}

/// The kind of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelScores {
    /// Probabilities: the softmax of the logits.
    Softmax,
    /// The logits themselves.
    Logits,
}

impl Engine {
    /// Returns, for each input, the scores of the model's labels in their order. An input over the token
    /// limit is truncated as `truncation` says, or its result is an error.
    ///
    /// # Errors
    /// When the model fails, and [`Error::Stopped`] when `on_event` stops the work.
    pub fn label_scores(
        &self,
        inputs: &[ClassifierInput<'_>],
        kind: LabelScores,
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<Vec<f32>>>> {
        let mut results = Vec::with_capacity(inputs.len());
        for inputs in inputs.chunks(self.pairs_in_flight.get()) {
            let jobs = self.jobs_of(inputs, truncation, on_event)?;
            let good: Vec<&Job> = jobs.iter().flatten().collect();
            let mut rows = match kind {
                LabelScores::Softmax => self.softmax_rows(&good, on_event)?,
                LabelScores::Logits => self.logit_rows(&good, on_event)?,
            }
            .into_iter();
            let text = |input: &ClassifierInput<'_>| match input {
                ClassifierInput::Text(text) => (*text).to_owned(),
                ClassifierInput::Pair(pair) => pair.hypothesis.to_owned(),
            };
            results.extend(inputs.iter().zip(jobs).map(|(input, job)| {
                job?;
                rows.next().flatten().ok_or_else(|| self.not_finite(0, &text(input)))
            }));
        }
        Ok(results)
    }

    /// Tokenizes the inputs.
    fn jobs_of(
        &self,
        inputs: &[ClassifierInput<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<Job>>> {
        let tokenizer = self.model.tokenizer();
        let (mut texts, mut pairs) = (Vec::new(), Vec::new());
        for input in inputs {
            match input {
                ClassifierInput::Text(text) => texts.push(*text),
                ClassifierInput::Pair(pair) => pairs.push(*pair),
            }
        }
        if tokenizer.has_prompt() && !texts.is_empty() {
            let reason = "must be pairs: this model reads a document and a claim".to_owned();
            return Err(Error::Text { role: "inputs", reason });
        }
        let texts = ids(texts.into_iter(), |text| tokenizer.ids_within(text, usize::MAX), on_event)?;
        let mut pairs = self.tokenize(&pairs, truncation, on_event)?.into_iter();
        let job = |input: &ClassifierInput<'_>| match input {
            ClassifierInput::Text(text) => {
                Ok(tokenizer.single(&texts[text], self.max_tokens, truncation != Truncation::Refuse)?)
            }
            ClassifierInput::Pair(_) => Ok(pairs.next().ok_or(Error::Stopped)??),
        };
        Ok(inputs.iter().map(job).collect())
    }

    /// The probabilities of each label. They come through the caches and the shared queue if the model's labels are the
    /// three relations.
    fn softmax_rows(&self, jobs: &[&Job], on_event: &OnEvent<'_>) -> Result<Vec<Option<Vec<f32>>>> {
        let labels = self.model.labels();
        if !labels.are_relations() {
            let rows = self.logit_rows(jobs, on_event)?;
            return Ok(rows.into_iter().map(|row| row.map(|row| Labels::softmax(&row))).collect());
        }
        let outcomes = self.run(jobs, on_event)?.ok_or(Error::Stopped)?;
        Ok(outcomes.into_iter().map(|outcome| labels.outputs(&outcome?)).collect())
    }

    /// The logits of each label, computed without the cache, which holds no logits. `None` if a logit is not finite.
    fn logit_rows(&self, jobs: &[&Job], on_event: &OnEvent<'_>) -> Result<Vec<Option<Vec<f32>>>> {
        let lengths: Vec<usize> = jobs.iter().map(|job| job.ids.len()).collect();
        let mut rows = vec![None; jobs.len()];
        for batch in pack(&lengths, self.batch_tokens()) {
            let of_batch: Vec<&PairTokens> = batch.iter().map(|&index| jobs[index]).collect();
            let tokens = of_batch.iter().map(|job| job.ids.len()).sum();
            let of_batch = self.in_turn(tokens, on_event, || self.logits_of(&of_batch));
            for (&index, row) in batch.iter().zip(of_batch.ok_or(Error::Stopped)??) {
                rows[index] = row;
            }
            if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
                return Err(Error::Stopped);
            }
        }
        Ok(rows)
    }

    /// One row of logits for each input of a batch. If one of them is not finite, each input is computed alone.
    fn logits_of(&self, jobs: &[&PairTokens]) -> Result<Vec<Option<Vec<f32>>>> {
        let batch = PackedBatch::from_sequences(jobs.iter().map(|job| (&job.ids[..], &job.types[..])));
        match self.model.logits(&batch) {
            Ok(rows) => Ok(rows.into_iter().map(Some).collect()),
            Err(ModelError::NotFinite { .. }) if jobs.len() > 1 => {
                jobs.iter().map(|job| Ok(self.logits_of(&[job])?.pop().flatten())).collect()
            }
            Err(ModelError::NotFinite { .. }) => Ok(vec![None]),
            Err(error) => Err(error.into()),
        }
    }
}
