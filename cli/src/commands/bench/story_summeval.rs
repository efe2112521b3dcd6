//! `veridic bench story-summeval`: the authors' labels joined with the stories that the user has.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::corpus::read::Source;
use veridic_bench::story_summeval::{Stories, StorySummEval, Wanted};

use super::measure::{self, named};
use crate::args::BenchStoriesArgs;

pub(super) fn run(args: &BenchStoriesArgs) -> Result<ExitCode> {
    let data = &args.measure.data;
    ensure!(
        data.iter().all(|path| path.as_os_str() != "-"),
        "--data -: these rows are read twice, which standard input cannot be: give files"
    );
    let rows = Source::find(data, args.measure.input_format)?.rows();
    let wanted = Wanted::read(rows).map_err(|error| named(error, data))?;
    let paths = if args.stories.is_empty() { data } else { &args.stories };
    let rows = Source::find(&args.stories, None)?.rows();
    let stories = Stories::read(rows, &wanted).map_err(|error| named(error, paths))?;
    measure::run(&StorySummEval { stories, threshold: args.decide_at }, &args.measure)
}
