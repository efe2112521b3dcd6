//! The benchmarks, one file or folder each: what a row of the authors' files is, which figures the scores get, and how they are
//! shown. The documentation of each names the paper that defines the data, the label and the figures. None of them knows the
//! command line.

pub mod aggrefact;
pub mod frank;
pub mod jsonl;
pub mod llm_aggrefact;
pub mod longeval;
pub mod qags;
pub mod realsumm;
pub mod rose;
pub mod story_summeval;
pub mod summedits;
pub mod summeval;
pub mod tofueval;
