//! `veridic bench tofueval`: the authors' sentences joined with the transcripts that the user has.

use std::process::ExitCode;

use anyhow::{Result, anyhow, ensure};
use veridic::corpus::read::Source;
use veridic_bench::tofueval::{Against, Annotations, Scope, TofuEval, Topics, Transcripts};

use super::measure::{finish, named, read, read_scores};
use crate::args::{BenchTofuevalArgs, ScopeChoice};
use crate::files;

pub(super) fn run(args: &BenchTofuevalArgs) -> Result<ExitCode> {
    let mut benchmark = benchmark(args)?;
    let (reading, known) = read(&benchmark, &args.measure)?;
    if let Some(file) = &args.against {
        let (scores, told) = read_scores(file, &reading)?;
        benchmark.against = Some(Against { name: told.name(), scores });
    }
    finish(&benchmark, &reading, known, &args.measure)
}

fn benchmark(args: &BenchTofuevalArgs) -> Result<TofuEval> {
    let data = &args.measure.data;
    ensure!(
        data.iter().all(|path| path.as_os_str() != "-"),
        "--data -: these rows are read twice, which standard input cannot be: give files"
    );
    let rows = Source::find(data, args.measure.input_format)?.rows();
    let annotations = Annotations::read(rows).map_err(|error| named(error, data))?;
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
        level: args.level.map(super::level),
        scope: match args.scope {
            ScopeChoice::All => Scope::All,
            ScopeChoice::Dataset => Scope::Dataset,
            ScopeChoice::Topic => Scope::Topic,
        },
        threshold: args.decide_at,
        against: None,
    })
}
