//! What the protocols of benchmarks are made of: cases at the bottom, then groups, figures and tables, and at the top the
//! trait [`Benchmark`] with the readers of its rows and scores. Nothing here knows a single benchmark, runs a model or knows
//! the command line.
//!
//! | file | what |
//! |---|---|
//! | `case` | a text to judge with its label, and the content of a row |
//! | `fields`, `split`, `text_level`, `answers`, `votes` | what the fields of a row mean |
//! | `groups`, `estimate`, `figures` | figures, with intervals over documents |
//! | `decide`, `rated` | decisions under thresholds; correlations with ratings |
//! | `layout`, `published` | tables, and a run's rows beside a paper's |
//! | `benchmark`, `read`, `scores`, `stratified` | what every benchmark does with rows and scores |
//! | `missing` | documents that a benchmark's authors do not publish |

mod answers;
mod benchmark;
mod case;
mod decide;
mod error;
mod estimate;
pub(crate) mod fields;
pub(crate) mod figures;
mod groups;
pub(crate) mod layout;
mod missing;
pub(crate) mod published;
mod rated;
mod read;
mod scores;
mod split;
mod stratified;
mod text_level;
pub(crate) mod votes;

pub use answers::{AnsweredKeyFact, Answers, GivenAnswers};
pub use benchmark::{About, Benchmark, Shown};
pub use case::{Case, RowContent, Text};
pub use error::BenchError;
pub use estimate::{Estimate, Interval};
pub use figures::Figures;
pub use published::{Beside, Deviation, PublishedTable, RunSetUp, against_the_papers};
pub use rated::Rating;
pub use read::{Reading, read};
pub use scores::{MatchedBy, ScoreList};
pub use split::Split;
pub use stratified::stratified_sample;
pub use text_level::TextLevel;

pub(crate) use answers::given_labels;
pub(crate) use benchmark::check_scores;
pub(crate) use decide::{Decisions, SPLITS, Scored, halves, mean_accuracy, strict_accuracies};
pub(crate) use estimate::{LEVEL, RESAMPLES, Sampled, complete_mean};
pub(crate) use figures::figures;
pub(crate) use groups::{by_document, by_name, drawn, grouped, one_by_one};
pub(crate) use missing::Missing;
pub(crate) use published::published;
pub(crate) use rated::{Correlate, LEAST_SUMMARIES, Rated, RatedSummary};
pub(crate) use read::read_fields;
