//! TofuEval (Tang et al., NAACL 2024): topic-focused summaries of dialogues, each sentence labelled by linguists, in the
//! authors' files: `factual_consistency/{mediasum,meetingbank}_factual_eval_{dev,test}.csv` (one row per sentence),
//! `topic_category/*.json` and, from MediaSum and MeetingBank, the transcripts.
//!
//! Each row is a sentence to judge separately. The last row of a summary also adds the summary: its sentences in order,
//! joined by spaces, consistent if all of them are. `Model-Extra`, which is not among the five systems of the paper, is left
//! out unless requested. Rows that repeat a sentence are left out.
//!
//! [`TofuEval`] measures factual consistency, [`Quality`] relevance and completeness.

mod annotations;
mod benchmark;
mod key_points;
pub(crate) mod label;
mod names;
mod protocol;
mod quality;
mod table;
mod thresholds;
mod topics;
mod transcripts;

pub use annotations::Annotations;
pub use benchmark::TofuEval;
pub use key_points::KeyPoints;
pub use protocol::Against;
pub use quality::{Dimension, Quality};
pub use thresholds::Scope;
pub use topics::Topics;
pub use transcripts::Transcripts;
