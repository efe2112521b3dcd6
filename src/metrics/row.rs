//! A row on its way from metric to metric: its texts in sentences, what was judged of it, what was measured so far.

use crate::error::{Error, Result};
use crate::pipeline::{NliPair, NliResult, Pair, PairResult, Scorer};
use crate::schedule::OnEvent;
use veridic_text::{Span, TextIndex, sentences};

use super::measures::Measures;

/// A row.
pub(super) struct Row<'t> {
    pub(super) pair: Pair<'t>,
    pub(super) document: TextIndex<'t>,
    pub(super) summary: TextIndex<'t>,
    /// Those that have words.
    pub(super) summary_sentences: Vec<Span>,
    pub(super) judged: Option<PairResult>,
    pub(super) measures: Measures,
}

impl<'t> Row<'t> {
    pub(super) fn new(pair: Pair<'t>, judged: Option<PairResult>) -> Self {
        Self {
            pair,
            document: TextIndex::new(pair.document),
            summary: TextIndex::new(pair.summary),
            summary_sentences: with_words(pair.summary),
            judged,
            measures: Measures::default(),
        }
    }

    /// The texts of the summary's sentences.
    pub(super) fn units(&self) -> Vec<&'t str> {
        self.summary_sentences.iter().map(|span| self.summary.slice(*span)).collect()
    }

    /// The texts of the document's sentences, as they are given or by rules.
    pub(super) fn document_units(&self) -> Vec<&'t str> {
        match self.pair.sentences {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => sentences(self.pair.document).iter().map(|span| self.document.slice(*span)).collect(),
        }
    }
}

/// The sentences of a text that say something: a line of marks alone is none.
fn with_words(text: &str) -> Vec<Span> {
    let mut spans = sentences(text);
    let index = TextIndex::new(text);
    spans.retain(|span| index.slice(*span).chars().any(char::is_alphanumeric));
    spans
}

/// The rows of a batch, some of which cannot be measured.
pub(super) struct Rows<'t>(Vec<Result<Row<'t>>>);

impl<'t> Rows<'t> {
    pub(super) fn new(rows: Vec<Result<Row<'t>>>) -> Self {
        Self(rows)
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Result<Row<'t>>> {
        self.0.into_iter()
    }

    /// Does something with every row that is still good; one that fails is bad from there on.
    pub(super) fn each(&mut self, mut act: impl FnMut(&mut Row<'t>) -> Result<()>) {
        for place in &mut self.0 {
            if let Ok(row) = place
                && let Err(error) = act(row)
            {
                *place = Err(error);
            }
        }
    }

    /// Asks every good row's questions together and gives each row its answers.
    pub(super) fn ask(
        &mut self,
        scorer: &Scorer,
        questions: impl Fn(&Row<'t>) -> Vec<NliPair<'t>>,
        on_event: &OnEvent<'_>,
        mut measure: impl FnMut(&mut Row<'t>, &[NliResult]),
    ) {
        let of_rows: Vec<Vec<NliPair<'t>>> = self.0.iter().flatten().map(questions).collect();
        let mut answers = answers_of(scorer, &of_rows, on_event).into_iter();
        self.each(|row| {
            let answers = answers.next().unwrap_or(Err(Error::Stopped))?;
            measure(row, &answers);
            Ok(())
        });
    }
}

/// All at once; if that fails, row by row, so that only the rows that cannot be answered fail.
pub(super) fn answers_of(
    scorer: &Scorer,
    of_rows: &[Vec<NliPair<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<NliResult>>> {
    let all: Vec<NliPair<'_>> = of_rows.iter().flatten().copied().collect();
    match scorer.classify(&all, on_event) {
        Ok(answers) => {
            let mut answers = answers.into_iter();
            of_rows.iter().map(|questions| Ok(answers.by_ref().take(questions.len()).collect())).collect()
        }
        Err(error) if of_rows.len() == 1 => vec![Err(error)],
        Err(_) => of_rows.iter().map(|questions| scorer.classify(questions, on_event)).collect(),
    }
}
