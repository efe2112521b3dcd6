//! The settings of a comparison of extracts: the scores of whole documents, and of extracts by each method and budget.

use anyhow::Result;
use veridic::Pair;
use veridic::corpus::RowJudge;
use veridic::text::NormalizedText;
use veridic_program::args::ProgressChoice;
use veridic_program::progress::{Progress, Whole};

use super::args::MeasureArgs;
use super::evaluated::{self, BATCH_TEXTS};
use crate::Evaluator;
use crate::benchmarks::longeval::{Label, ScoredSetting};
use crate::extract::Extraction;
use crate::protocol::{BenchError, Case};

/// The cases of all settings, and what was scored so far.
pub(super) struct Scoring<'r> {
    evaluator: &'r Evaluator,
    cases: &'r [Case<Label>],
    quiet: bool,
    pub(super) settings: Vec<ScoredSetting>,
    pub(super) failed: Vec<BenchError>,
}

impl<'r> Scoring<'r> {
    pub(super) fn new(evaluator: &'r Evaluator, cases: &'r [Case<Label>], quiet: bool) -> Self {
        Self { evaluator, cases, quiet, settings: Vec::new(), failed: Vec::new() }
    }

    /// Scores whole documents; `extraction` counts tokens.
    pub(super) fn add_whole_documents(
        &mut self,
        extraction: &Extraction,
        measure: &MeasureArgs,
    ) -> Result<()> {
        let mut setting = ScoredSetting { name: "whole".to_owned(), ..ScoredSetting::default() };
        for score in evaluated::score(self.evaluator, self.cases, measure)? {
            setting.scores.push(score.map_err(|error| self.failed.push(error)).ok());
        }
        for case in self.cases {
            let tokens =
                |text: &str| extraction.tokens(self.evaluator.scorer(), NormalizedText::of(text).text());
            setting.tokens.push(tokens(&case.document)? + tokens(&case.text)?);
            setting.places.push(Vec::new());
        }
        self.settings.push(setting);
        Ok(())
    }

    /// Scores extracts. A summary whose extract is empty has no score, nor has one that failed.
    pub(super) fn add_extracts(&mut self, extraction: &Extraction) -> Result<()> {
        let progress = Progress::new(Whole::Rows(self.cases.len()), ProgressChoice::Auto, self.quiet);
        let mut setting = ScoredSetting {
            name: format!("{} {}", extraction.method.name(), extraction.budget),
            budget: Some(extraction.budget),
            ..ScoredSetting::default()
        };
        for cases in self.cases.chunks(BATCH_TEXTS) {
            self.add_batch(&mut setting, extraction, cases, &progress)?;
            progress.rows_done(cases.len());
        }
        progress.finish();
        self.settings.push(setting);
        Ok(())
    }

    fn add_batch(
        &mut self,
        setting: &mut ScoredSetting,
        extraction: &Extraction,
        cases: &[Case<Label>],
        progress: &Progress,
    ) -> Result<()> {
        let scorer = self.evaluator.scorer();
        let read: Vec<_> =
            cases.iter().map(|case| [&*case.document, &case.text].map(NormalizedText::of)).collect();
        let texts: Vec<Pair<'_>> =
            read.iter().map(|[document, summary]| Pair::new(document.text(), summary.text())).collect();
        let passages = extraction.passages(scorer, &texts, &|event| progress.event(event))?;
        let judged = passages.iter().zip(cases).filter(|(passage, _)| !passage.text.is_empty());
        let pairs: Vec<Pair<'_>> =
            judged.map(|(passage, case)| passage.instead(evaluated::pair(case))).collect();
        let mut results = self.evaluator.evaluate(&pairs, &|event| progress.event(event)).into_iter();
        for ((passage, case), text) in passages.iter().zip(cases).zip(&texts) {
            let result = if passage.text.is_empty() { None } else { results.next() };
            let result = result.map(|result| evaluated::of_text(case, result)).transpose()?;
            let result = result.and_then(|result| result.map_err(|error| self.failed.push(error)).ok());
            setting.scores.push(result.map(|result| f64::from(result.score)));
            let tokens =
                extraction.tokens(scorer, &passage.text)? + extraction.tokens(scorer, text.summary)?;
            setting.tokens.push(tokens);
            let place = |sentence: &usize| (*sentence as f64 + 0.5) / passage.document_sentences() as f64;
            setting.places.push(passage.sentences.iter().map(place).collect());
        }
        Ok(())
    }
}
