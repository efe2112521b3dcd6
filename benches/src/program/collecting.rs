//! Writes requests to a language model to a file instead of answering them: rows are evaluated as far as the known answers
//! allow, and every unanswered request is written once.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::Evaluator;
use crate::llm::{ChatModel, Collected, Collector, NoAnswer, RequestLayout, StepCounts};
use anyhow::{Context, Result, bail};
use veridic::Pair;
use veridic::corpus::run::Target;
use veridic::pipeline::{ClaimExtractor, Summary};
use veridic::schedule::ignore_events;

use crate::plan::MetricSettings;
use crate::program::asking;
use veridic_program::{files, output};

/// The number of rows without requests that are reported one by one.
const MOST_REPORTED: usize = 5;

/// The file and the requests found.
pub(crate) struct Collecting {
    collector: Arc<Collector>,
    /// `None` for standard output.
    target: Option<Target>,
    name: String,
    rows: usize,
    /// Rows all of whose requests are answered.
    answered: usize,
    refused: usize,
}

impl Collecting {
    /// Starts a file of requests; answers in files that the flags name are known.
    ///
    /// # Errors
    /// If the file exists or cannot be written, or the flags name a server.
    pub(crate) fn start(output: &Path, batch_model: Option<&str>, args: &MetricSettings) -> Result<Self> {
        if args.judge.url.is_some() {
            bail!("--judge answers requests, and here they are written: leave it out");
        }
        let layout = batch_model.map_or(RequestLayout::Plain, |model| RequestLayout::Batch(model.to_owned()));
        let answers = asking::answers(args.answers.as_deref())?;
        let target = (output != Path::new("-")).then(|| Target::without_journal(output)).transpose()?;
        let out: Box<dyn Write + Send> = match &target {
            Some(target) => Box::new(BufWriter::new(target.create()?)),
            None => Box::new(std::io::stdout()),
        };
        Ok(Self {
            collector: Arc::new(Collector::new(answers, layout, out)),
            target,
            name: files::output_name(output),
            rows: 0,
            answered: 0,
            refused: 0,
        })
    }

    /// Returns the collector of requests.
    pub(crate) fn model(&self) -> Arc<dyn ChatModel> {
        Arc::clone(&self.collector) as Arc<dyn ChatModel>
    }

    /// Collects the requests of rows; `names` gives the place of each, for errors.
    pub(crate) fn evaluate(&mut self, evaluator: &Evaluator, pairs: &[Pair<'_>], names: &[String]) {
        let results = evaluator.evaluate(pairs, &ignore_events);
        results.into_iter().zip(names).for_each(|(result, name)| self.count(result.map(|_| ()), name));
    }

    /// Collects the requests for the claims of summaries.
    pub(crate) fn extract(&mut self, extractor: &ClaimExtractor, pairs: &[Pair<'_>], names: &[String]) {
        for (pair, name) in pairs.iter().zip(names) {
            let summary = Summary::of(pair);
            let result = summary.check().and_then(|()| extractor.extract(&[summary]).map(|_| ()));
            self.count(result, name);
        }
    }

    fn count(&mut self, result: veridic::Result<()>, name: &str) {
        match result {
            Ok(()) => self.answered += 1,
            Err(error) if NoAnswer::of(&error).is_some() => {}
            Err(error) => return self.refuse(&error.to_string(), name),
        }
        self.rows += 1;
    }

    /// Reports a row without requests.
    pub(crate) fn refuse(&mut self, reason: &str, name: &str) {
        self.rows += 1;
        self.refused += 1;
        if self.refused <= MOST_REPORTED {
            output::note(&format!("veridic: {name}: {reason}"));
        }
    }

    /// Moves the file into place and prints the next step; `counts` are those of the known answers.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(mut self, counts: &[StepCounts], quiet: bool) -> Result<ExitCode> {
        let Collected { requests, followed } =
            self.collector.finish().with_context(|| format!("cannot write {}", self.name))?;
        if let Some(target) = self.target.take() {
            target.finish()?;
        }
        if self.refused > MOST_REPORTED {
            output::note(&format!("veridic: {} more rows have no requests", self.refused - MOST_REPORTED));
        }
        let Self { name, rows, answered, .. } = &self;
        let mut note = format!("{requests} requests in {name}");
        if *rows > 0 {
            note += &format!("; {answered} of {rows} rows are answered");
        }
        output::note_unless(quiet, &note);
        // Answers whose text cannot be parsed are not requested again; those without a text are.
        for counts in counts.iter().filter(|counts| counts.unparsable > 0) {
            output::note_unless(quiet, &counts.to_string());
        }
        if followed > 0 {
            output::note_unless(
                quiet,
                &format!(
                    "{followed} of them are followed by others: when they are answered, run the same command with --answers \
                     for the next ones"
                ),
            );
        }
        Ok(ExitCode::from(if self.refused > 0 { 2 } else { 0 }))
    }
}

impl Drop for Collecting {
    /// Removes the unfinished file.
    fn drop(&mut self) {
        self.target.iter().for_each(Target::give_up);
    }
}
