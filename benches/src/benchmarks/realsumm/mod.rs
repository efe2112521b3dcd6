//! REALSumm (Bhandari et al., EMNLP 2020): which of a document's key facts annotators find in the summaries of several
//! systems. Rows have one of three formats:
//!
//! - fields document, model, summary, keyfacts (list of objects with text and optionally present, the share of annotators
//!   who find it), human_completeness (the share of key facts that most annotators find) and optionally reference;
//! - FineSurE's `realsumm-data.json` (Song et al., ACL 2024), joined with its list of key facts (`finesure`);
//! - the authors' own tables of ratings, one row per annotator (`ratings`), joined with the same list for the documents.
//!
//! The figures are FineSurE's (appendix D): correlations of scores with human shares, over all summaries, and Spearman's
//! over the systems' means; and Krippendorff's alpha on single key facts (section 4.1.2), between the answers of a run and
//! the human majority, and among annotators. On FineSurE's file, systems with fewer than five summaries are not ranked, as
//! in its authors' program.
//!
//! The sentence marks `<t>` and `</t>` of references become line ends, and all key facts that people labelled count. With
//! `--paper`, as in FineSurE's program, the marks stay, which ROUGE counts as words, and of the key facts in the authors' tables
//! those count that are in the given list. The score is FineSurE's completeness, or its conciseness, unless another metric is
//! chosen.

mod benchmark;
mod finesure;
mod key_facts;
mod label;
mod ratings;
mod table;

pub use benchmark::RealSumm;
pub use key_facts::KeyFactLists;
pub use label::Dimension;
pub use ratings::Ratings;
