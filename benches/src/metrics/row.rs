//! A row while it is measured: its texts in sentences, its judgement, and its measures.

use std::iter;

use veridic::pipeline::{NliPair, NliResult, Normalized, summary_sentences};
use veridic::result::PairResult;
use veridic::schedule::OnEvent;
use veridic::text::{TextIndex, sentences};
use veridic::{Pair, Result, Scorer, Span};

use super::inputs::MetricInputs;
use super::measures::Measures;

/// A pair and the inputs of metrics from its row.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    /// The pair as given, and what maps spans to it.
    pub(super) read: &'t Normalized<'t>,
    /// Its normalized texts.
    pub(super) pair: Pair<'t>,
    pub(super) inputs: &'t MetricInputs,
    /// Metrics for which the row lacks texts are left out, with the reason in the result, instead of being errors.
    pub(super) is_lenient: bool,
}

/// A row and its measures.
pub(super) struct Row<'t> {
    pub(super) texts: Texts<'t>,
    pub(super) document: TextIndex<'t>,
    pub(super) summary: TextIndex<'t>,
    /// The given sentences; otherwise those with words, split by rules.
    pub(super) summary_sentences: Vec<Span>,
    /// The judgement of its claims, in the texts as given.
    pub(super) judged: Option<PairResult>,
    pub(super) measures: Measures,
}

impl<'t> Row<'t> {
    /// # Errors
    /// If the summary does not contain its given sentences one after another.
    pub(super) fn new(texts: Texts<'t>, judged: Option<PairResult>) -> Result<Self> {
        let pair = texts.pair;
        let summary = TextIndex::new(pair.summary);
        let mut sentences = summary_sentences(&summary, pair.summary_sentences)?;
        if pair.summary_sentences.is_none() {
            sentences.retain(|span| has_words(summary.slice(*span)));
        }
        Ok(Self {
            texts,
            document: TextIndex::new(pair.document),
            summary,
            summary_sentences: sentences,
            judged,
            measures: Measures::default(),
        })
    }

    /// Returns what a metric needs; `None` if the row lacks it and such metrics are left out, under these names.
    pub(super) fn or_leave_out<T>(
        &mut self,
        metrics: &[&'static str],
        needed: Result<T>,
    ) -> Result<Option<T>> {
        match needed {
            Err(error) if self.texts.is_lenient => {
                metrics.iter().for_each(|metric| self.measures.leave_out(metric, error.to_string()));
                Ok(None)
            }
            needed => needed.map(Some),
        }
    }

    /// The places, among the summary's sentences, of those that have words.
    pub(super) fn unit_places(&self) -> Vec<usize> {
        let has_text = |place: &usize| has_words(self.summary.slice(self.summary_sentences[*place]));
        (0..self.summary_sentences.len()).filter(has_text).collect()
    }

    /// The texts of the summary's sentences that have words.
    pub(super) fn summary_units(&self) -> Vec<&'t str> {
        let texts = self.summary_sentences.iter().map(|span| self.summary.slice(*span));
        texts.filter(|text| has_words(text)).collect()
    }

    /// Returns the texts of the document's sentences: those given, or else split by rules.
    pub(super) fn document_units(&self) -> Vec<&'t str> {
        match self.texts.pair.sentences {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => {
                sentences(self.texts.pair.document).iter().map(|span| self.document.slice(*span)).collect()
            }
        }
    }
}

/// Whether a text has a letter or a digit.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The rows of a batch; a failed row is replaced by its error.
pub(super) struct Rows<'t>(Vec<Result<Row<'t>>>);

impl<'t> Rows<'t> {
    pub(super) fn new(rows: Vec<Result<Row<'t>>>) -> Self {
        Self(rows)
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Result<Row<'t>>> {
        self.0.into_iter()
    }

    /// Calls `act` with every row that has not failed, and returns what it gives; an error replaces the row. There is a value
    /// for each row; that of a failed one is empty.
    pub(super) fn each<T: Default>(&mut self, mut act: impl FnMut(&mut Row<'t>) -> Result<T>) -> Vec<T> {
        self.each_with(iter::repeat(()), |row, ()| act(row))
    }

    /// Calls `act` with every row that has not failed and its own of `values`, of which there is one for each row.
    pub(super) fn each_with<V, T: Default>(
        &mut self,
        values: impl IntoIterator<Item = V>,
        mut act: impl FnMut(&mut Row<'t>, V) -> Result<T>,
    ) -> Vec<T> {
        let mut results = Vec::with_capacity(self.0.len());
        for (place, value) in self.0.iter_mut().zip(values) {
            let result = match place {
                Ok(row) => act(row, value),
                Err(_) => Ok(T::default()),
            };
            results.push(result.unwrap_or_else(|error| {
                *place = Err(error);
                T::default()
            }));
        }
        results
    }

    /// Classifies the pairs of all rows that have not failed together, and gives each row its results.
    pub(super) fn classify(
        &mut self,
        scorer: &Scorer,
        nli_pairs: impl Fn(&Row<'t>) -> Vec<NliPair<'t>>,
        on_event: &OnEvent<'_>,
        mut measure: impl FnMut(&mut Row<'t>, &[NliResult]),
    ) {
        let of_rows = self.each(|row| Ok(nli_pairs(row)));
        let answers = classify_rows(scorer, &of_rows, on_event);
        self.each_with(answers, |row, answers| {
            measure(row, &answers?);
            Ok(())
        });
    }
}

/// Returns the results of each row, classified together or, if that fails, row by row, so that an error concerns only its
/// row.
pub(super) fn classify_rows(
    scorer: &Scorer,
    of_rows: &[Vec<NliPair<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<NliResult>>> {
    let all: Vec<NliPair<'_>> = of_rows.iter().flatten().copied().collect();
    match scorer.classify(&all, on_event) {
        Ok(answers) => {
            let mut answers = answers.into_iter();
            of_rows.iter().map(|nli_pairs| Ok(answers.by_ref().take(nli_pairs.len()).collect())).collect()
        }
        Err(error) if of_rows.len() == 1 => vec![Err(error)],
        Err(_) => of_rows.iter().map(|nli_pairs| scorer.classify(nli_pairs, on_event)).collect(),
    }
}
