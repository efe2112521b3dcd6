//! Requests to a language model, written to a file instead of being answered: rows are evaluated as far as the known answers
//! go, and every request without an answer is written once.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::Evaluator;
use crate::llm::{ChatModel, Collected, Collector, RequestLayout, StepCounts};
use anyhow::{Context, Result, bail};
use veridic::Evaluate;
use veridic::corpus::run::Target;
use veridic::pipeline::{ClaimExtractor, Summary};
use veridic::progress::ignore_events;
use veridic::{Error, Pair};

use crate::plan::MetricSettings;
use crate::program::asking;
use veridic_cli::{files, show};

/// How many rows that have no requests are reported one by one.
const MOST_REPORTED: usize = 5;

/// The file, and what was found so far.
pub(crate) struct Collecting {
    collector: Arc<Collector>,
    /// None for standard output.
    target: Option<Target>,
    name: String,
    rows: usize,
    /// Rows all of whose requests are answered.
    answered: usize,
    refused: usize,
}

impl Collecting {
    /// Starts a file of requests; answers that the flags name are known.
    ///
    /// # Errors
    /// When the file exists or cannot be written, and when the flags name a server.
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

    /// What takes the requests.
    pub(crate) fn model(&self) -> Arc<dyn ChatModel> {
        Arc::clone(&self.collector) as Arc<dyn ChatModel>
    }

    /// Takes the requests of rows; `names` says where each is, for errors.
    pub(crate) fn evaluate(&mut self, evaluator: &Evaluator, pairs: &[Pair<'_>], names: &[String]) {
        let results = evaluator.evaluate(pairs, &ignore_events);
        results.into_iter().zip(names).for_each(|(result, name)| self.count(result.map(|_| ()), name));
    }

    /// Takes the requests for the claims of summaries.
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
            Err(Error::Answer { .. }) => {}
            Err(error) => return self.refuse(&error.to_string(), name),
        }
        self.rows += 1;
    }

    /// Reports a row without requests.
    pub(crate) fn refuse(&mut self, reason: &str, name: &str) {
        self.rows += 1;
        self.refused += 1;
        if self.refused <= MOST_REPORTED {
            show::note(&format!("veridic: {name}: {reason}"));
        }
    }

    /// Puts the file in place and says what to do next; `counts` of the known answers.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn finish(mut self, counts: &[StepCounts], quiet: bool) -> Result<ExitCode> {
        let Collected { requests, followed } =
            self.collector.finish().with_context(|| format!("cannot write {}", self.name))?;
        if let Some(target) = self.target.take() {
            target.finish()?;
        }
        if self.refused > MOST_REPORTED {
            show::note(&format!("veridic: {} more rows have no requests", self.refused - MOST_REPORTED));
        }
        let Self { name, rows, answered, .. } = &self;
        let mut note = format!("{requests} requests in {name}");
        if *rows > 0 {
            note += &format!("; {answered} of {rows} rows are answered");
        }
        show::note_unless(quiet, &note);
        // Answers with a text that cannot be read are not written again; those without one are.
        for counts in counts.iter().filter(|counts| counts.unparsable > 0) {
            show::note_unless(quiet, &counts.to_string());
        }
        if followed > 0 {
            show::note_unless(
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
    /// Removes what was written so far, unless it is finished.
    fn drop(&mut self) {
        self.target.iter().for_each(Target::give_up);
    }
}
