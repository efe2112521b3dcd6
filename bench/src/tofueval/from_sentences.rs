//! Summaries judged by their sentences, as the paper judges those of its language models: a summary is called consistent
//! if all its sentences are. Summaries of which not all sentences are there are not measured.

use super::Keys;
use super::protocol::{Cell, Run};
use crate::benchmark::Case;
use crate::documents::grouped;
use crate::text_level::TextLevel;

impl Run<'_> {
    /// The cells of summaries, from what each sentence is called, and by other scores.
    pub(super) fn summaries_by_sentences(&self, calls: &[bool], against: Option<&[bool]>) -> Vec<Cell> {
        let sentences = self.rows(TextLevel::Sentence, self.measured, (None, None));
        let summaries = grouped(sentences.into_iter().map(|row| (self.cases[row].keys.summary.0, row)));
        let is_whole = |rows: &Vec<usize>| rows.len() == self.cases[rows[0]].keys.summary.1;
        let summaries: Vec<Vec<usize>> = summaries.into_iter().filter(is_whole).collect();
        let cases: Vec<Case<Keys>> = summaries.iter().map(|rows| self.summary_of(rows)).collect();
        // An inconsistent sentence makes the summary inconsistent.
        let of = |calls: &[bool]| -> Vec<bool> {
            summaries.iter().map(|rows| rows.iter().any(|row| calls[*row])).collect()
        };
        let (calls, against) = (of(calls), against.map(of));
        let run = Run { cases: &cases, of: self.of, measured: self.measured };
        let cell = |part| run.cell(TextLevel::Summary, part, &calls, against.as_deref());
        run.parts(TextLevel::Summary).map(cell).collect()
    }

    /// The sentences of these rows as one text.
    fn summary_of(&self, rows: &[usize]) -> Case<Keys> {
        let mut case = self.cases[rows[0]].clone();
        case.keys.level = TextLevel::Summary;
        case.keys.consistent = rows.iter().all(|row| self.cases[*row].keys.consistent);
        case
    }
}
