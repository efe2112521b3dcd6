//! `veridic-bench tofueval`: the authors' annotations joined with the user's transcripts. The metric `relevance` and the
//! metric `key-points` measure these two; all others factual consistency.

use std::process::ExitCode;

use crate::tofueval::{Against, Annotations, Dimension, KeyPoints, Quality, TofuEval, Topics, Transcripts};
use anyhow::{Result, anyhow, ensure};
use veridic::corpus::read::Source;

use super::measure::{self, finish, named, read, read_scores, refuse_abstaining, reread};
use crate::program::args::BenchTofuevalArgs;
use crate::program::settings::Metrics;
use veridic_cli::files;

/// The limit of a language model's yes and no, or of their mean over several runs.
const YES_OR_NO: f64 = 0.5;

pub(super) fn run(args: &BenchTofuevalArgs) -> Result<ExitCode> {
    let dimension = match args.measure.settings.metrics().metric.as_slice() {
        [metric] if metric == "relevance" => Some(Dimension::Relevance),
        [metric] if metric == "key-points" => Some(Dimension::Completeness),
        _ => None,
    };
    ensure!(
        args.key_points.is_empty() || dimension == Some(Dimension::Completeness),
        "--key-points are for --metric key-points"
    );
    let mut benchmark = benchmark(args)?;
    if let Some(dimension) = dimension {
        return measure::run(&quality(benchmark, dimension, args)?, &args.measure);
    }
    let (reading, known) = read(&benchmark, &args.measure)?;
    if let Some(file) = &args.against {
        refuse_abstaining(&args.measure)?;
        let (scores, source) = read_scores(file, &reading)?;
        benchmark.against = Some(Against { name: source.name(), scores });
    }
    finish(&benchmark, reading, known, &args.measure)
}

fn quality(summaries: TofuEval, dimension: Dimension, args: &BenchTofuevalArgs) -> Result<Quality> {
    for (flag, is_given) in [
        ("--level", args.level.is_some()),
        ("--decide-at", args.decide_at.is_some()),
        ("--against", args.against.is_some()),
        ("--plots", args.measure.plots.is_some()),
    ] {
        ensure!(!is_given, "{flag} is for factual consistency: leave it out with this metric");
    }
    let files = &args.key_points;
    ensure!(
        dimension == Dimension::Relevance || !files.is_empty(),
        "--metric key-points needs people's key points: name the authors' files completeness/*.csv in --key-points"
    );
    let key_points = match files.as_slice() {
        [] => KeyPoints::default(),
        files => KeyPoints::read(Source::find(files, None)?.rows()).map_err(|error| named(error, files))?,
    };
    Ok(Quality { summaries, dimension, key_points })
}

fn benchmark(args: &BenchTofuevalArgs) -> Result<TofuEval> {
    let data = &args.measure.data;
    let annotations = Annotations::read(reread(&args.measure)?).map_err(|error| named(error, data))?;
    let mut topics = Topics::default();
    for path in &args.topics {
        let name = files::name(path);
        topics.add(&name, &files::read_text(path)?).map_err(|reason| anyhow!("{name}: {reason}"))?;
    }
    let says_yes_or_no =
        args.measure.settings.metrics().metric.iter().any(|name| name.starts_with("tofueval"));
    let rows = Source::find(&args.transcripts, None)?.rows();
    let transcripts =
        Transcripts::read(rows, &annotations).map_err(|error| named(error, &args.transcripts))?;
    Ok(TofuEval {
        annotations,
        transcripts,
        topics,
        with_extra: args.with_extra,
        level: args.level,
        scope: args.scope,
        threshold: args.decide_at.or(says_yes_or_no.then_some(YES_OR_NO)),
        against: None,
    })
}
