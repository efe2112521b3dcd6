//! `veridic-bench story-summeval`: the authors' labels joined with the user's stories.

use std::process::ExitCode;

use crate::story_summeval::{RequiredStories, Stories, StorySummEval};
use anyhow::Result;
use veridic::corpus::read::Source;

use super::measure::{self, named, reread};
use crate::program::args::BenchStoriesArgs;

pub(super) fn run(args: &BenchStoriesArgs) -> Result<ExitCode> {
    let data = &args.measure.data;
    let required = RequiredStories::read(reread(&args.measure)?).map_err(|error| named(error, data))?;
    let paths = if args.stories.is_empty() { data } else { &args.stories };
    let rows = Source::find(&args.stories, None)?.rows();
    let stories = Stories::read(rows, &required).map_err(|error| named(error, paths))?;
    measure::run(&StorySummEval { stories, threshold: args.decide_at }, &args.measure)
}
