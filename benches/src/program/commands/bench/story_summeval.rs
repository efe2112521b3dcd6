//! `veridic-bench story-summeval`: labels joined with the stories.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use veridic::corpus::read::Source;

use super::args::{MeasureArgs, finite};
use super::data::named;
use super::options::{Options, read_twice};
use crate::benchmarks::story_summeval::{RequiredStories, Stories, StorySummEval};

#[derive(Debug, Args)]
pub(crate) struct StoryOptions {
    /// The stories
    ///
    /// Rows with id or title, and text, as manu/project_gutenberg and wikimedia/wikisource on the Hugging Face hub; not
    /// needed if the rows have a document.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    stories: Vec<PathBuf>,
    /// A summary counts as factual above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    decide_at: Option<f64>,
}

impl Options for StoryOptions {
    type Benchmark = StorySummEval;

    fn open(&self, measure: &MeasureArgs) -> Result<StorySummEval> {
        let required = read_twice(measure, RequiredStories::read)?;
        let paths = if self.stories.is_empty() { &measure.data } else { &self.stories };
        let rows = Source::find(&self.stories, None)?.rows();
        let stories = Stories::read(rows, &required).map_err(|error| named(error, paths))?;
        Ok(StorySummEval { stories, threshold: self.decide_at })
    }
}
