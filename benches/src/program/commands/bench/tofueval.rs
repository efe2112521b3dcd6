//! `veridic-bench tofueval`: the authors' annotations joined with the user's transcripts. The metrics `relevance` and
//! `key-points` measure relevance and completeness; all others measure factual consistency.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use veridic::corpus::read::Source;
use veridic_program::files;

use super::args::{MeasureArgs, finite};
use super::data::{Data, Scores, named, refuse_abstaining};
use super::measure;
use super::options::{Options, read_files, read_twice};
use crate::benchmarks::tofueval::{
    Against, Annotations, Dimension, KeyPoints, Quality, Scope, TofuEval, Topics, Transcripts,
};
use crate::program::settings::Metrics;
use crate::protocol::TextLevel;

/// The threshold for a language model's yes or no, or for their mean over several runs.
const YES_OR_NO: f64 = 0.5;

#[derive(Debug, Args)]
pub(crate) struct TofuEvalOptions {
    /// The transcripts
    ///
    /// MediaSum's news_dialogue.json and MeetingBank's files, or rows with doc_id and source. Not needed with --scores.
    #[arg(long, required_unless_present = "scores", num_args = 1.., value_name = "FILE")]
    transcripts: Vec<PathBuf>,
    /// The files with the main topics
    ///
    /// mediasum_topic_category.json and meetingbank_topic_category.json.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    topics: Vec<PathBuf>,
    /// The files with people's key points, for --metric key-points
    ///
    /// mediasum_completeness_final.csv and meetingbank_completeness_final.csv.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    key_points: Vec<PathBuf>,
    /// Also measure the sixth system, Model-Extra
    ///
    /// It is not in the paper.
    #[arg(long)]
    with_extra: bool,
    /// Judge only this [default: both]
    #[arg(long, value_enum)]
    level: Option<TextLevel>,
    /// The dev rows that tune a threshold together
    #[arg(long, value_enum, default_value_t = Scope::All)]
    scope: Scope,
    /// A text counts as consistent above X
    ///
    /// Instead of thresholds tuned on the dev rows. A language model's yes and no (--metric tofueval:AXIS) are above or below 0.5.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite, conflicts_with = "scope")]
    decide_at: Option<f64>,
    /// Other scores of the same texts, to compare with
    ///
    /// Reports the difference in balanced accuracy by a paired bootstrap.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

impl TofuEvalOptions {
    /// Returns the dimension of the metric; `None` is factual consistency.
    fn dimension(&self, measure: &MeasureArgs) -> Result<Option<Dimension>> {
        let dimension = match measure.settings.metrics().metric.as_slice() {
            [metric] if metric == "relevance" => Some(Dimension::Relevance),
            [metric] if metric == "key-points" => Some(Dimension::Completeness),
            _ => None,
        };
        ensure!(
            self.key_points.is_empty() || dimension == Some(Dimension::Completeness),
            "--key-points are for --metric key-points"
        );
        Ok(dimension)
    }

    /// The benchmark of relevance or completeness.
    fn quality(&self, summaries: TofuEval, dimension: Dimension, measure: &MeasureArgs) -> Result<Quality> {
        for (flag, is_given) in [
            ("--level", self.level.is_some()),
            ("--decide-at", self.decide_at.is_some()),
            ("--against", self.against.is_some()),
            ("--plots", measure.plots.is_some()),
        ] {
            ensure!(!is_given, "{flag} is for factual consistency: leave it out with this metric");
        }
        ensure!(
            dimension == Dimension::Relevance || !self.key_points.is_empty(),
            "--metric key-points needs people's key points: name the authors' files completeness/*.csv in --key-points"
        );
        let key_points = read_files(&self.key_points, KeyPoints::read)?;
        Ok(Quality { summaries, dimension, key_points })
    }
}

impl Options for TofuEvalOptions {
    type Benchmark = TofuEval;

    fn open(&self, measure: &MeasureArgs) -> Result<TofuEval> {
        let annotations = read_twice(measure, Annotations::read)?;
        let mut topics = Topics::default();
        for path in &self.topics {
            let name = files::name(path);
            topics.add(&name, &files::read_text(path)?).map_err(|reason| anyhow!("{name}: {reason}"))?;
        }
        let metrics = measure.settings.metrics().metric;
        let says_yes_or_no = metrics.iter().any(|name| name.starts_with("tofueval"));
        let transcripts = match self.transcripts.as_slice() {
            [] => None,
            files => {
                let rows = Source::find(files, None)?.rows();
                Some(Transcripts::read(rows, &annotations).map_err(|error| named(error, files))?)
            }
        };
        Ok(TofuEval {
            annotations,
            transcripts,
            topics,
            with_extra: self.with_extra,
            level: self.level,
            scope: self.scope,
            threshold: self.decide_at.or(says_yes_or_no.then_some(YES_OR_NO)),
            against: None,
        })
    }

    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        let dimension = self.dimension(measure)?;
        let mut benchmark = self.open(measure)?;
        if let Some(dimension) = dimension {
            return measure::run(&self.quality(benchmark, dimension, measure)?, measure);
        }
        let Some(file) = &self.against else {
            return measure::run(&benchmark, measure);
        };
        let data = Data::read(&benchmark, measure)?;
        refuse_abstaining(measure)?;
        let Scores { of_cases, source } = Scores::read(file, &data.reading)?;
        benchmark.against = Some(Against { name: source.name(), scores: of_cases });
        measure::finish(&benchmark, data, measure)
    }
}
