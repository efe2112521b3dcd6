//! `veridic-bench jsonl`: any labelled file, by the names of its fields.

use anyhow::{Result, ensure};
use clap::Args;
use veridic::corpus::read::RowNames;

use super::args::MeasureArgs;
use super::options::Options;
use crate::benchmarks::jsonl::Labelled;

#[derive(Debug, Args)]
pub(crate) struct LabelledOptions {
    /// Field of the label: 1 (consistent) or 0
    #[arg(long, value_name = "NAME", default_value = "label")]
    label: String,
    /// Field of the split: which rows tune and which are measured
    ///
    /// val or dev: the row tunes the threshold; test: it is measured. By default, two halves of the documents do both in turn.
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Field of groups that are also measured separately, such as a dataset
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Field of the document [default: the first of the usual names]
    #[arg(long, value_name = "NAME")]
    document_field: Option<String>,
    /// Field of the summary [default: the first of the usual names]
    #[arg(long, value_name = "NAME")]
    summary_field: Option<String>,
}

impl Options for LabelledOptions {
    type Benchmark = Labelled;

    fn open(&self, _: &MeasureArgs) -> Result<Labelled> {
        let (label, split, group) = (self.label.clone(), self.split.clone(), self.group.clone());
        for (flag, field) in
            [("--label", Some(&label)), ("--split", split.as_ref()), ("--group", group.as_ref())]
        {
            ensure!(field.is_none_or(|field| !field.is_empty()), "{flag}: name a field");
        }
        let names = RowNames::new(self.document_field.clone(), self.summary_field.clone())?;
        Ok(Labelled { names, label, split, group })
    }
}
