//! `veridic bench tofueval`: the authors' annotations joined with the user's transcripts.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use veridic::corpus::read::Source;
use veridic_bench::tofueval::{Against, Annotations, TofuEval, Topics, Transcripts};

use super::measure::{finish, named, read, read_scores, refuse_abstaining, reread};
use crate::args::BenchTofuevalArgs;
use crate::files;

pub(super) fn run(args: &BenchTofuevalArgs) -> Result<ExitCode> {
    let mut benchmark = benchmark(args)?;
    let (reading, known) = read(&benchmark, &args.measure)?;
    if let Some(file) = &args.against {
        refuse_abstaining(&args.measure)?;
        let (scores, source) = read_scores(file, &reading)?;
        benchmark.against = Some(Against { name: source.name(), scores });
    }
    finish(&benchmark, reading, known, &args.measure)
}

fn benchmark(args: &BenchTofuevalArgs) -> Result<TofuEval> {
    let data = &args.measure.data;
    let annotations = Annotations::read(reread(&args.measure)?).map_err(|error| named(error, data))?;
    let mut topics = Topics::default();
    for path in &args.topics {
        let name = files::name(path);
        topics.add(&name, &files::read_text(path)?).map_err(|reason| anyhow!("{name}: {reason}"))?;
    }
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
        threshold: args.decide_at,
        against: None,
    })
}
