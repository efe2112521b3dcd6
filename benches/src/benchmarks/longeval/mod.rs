//! LongEval: extract, then evaluate (Wu et al., EACL 2024). Summaries of long documents with human ratings, in the files
//! that the authors' scripts create (`arxiv_benchmark.json`, `gov_benchmark.json`, `pubmed_benchmark.json`,
//! `squality_benchmark.json`: arrays of objects with doc_id, system_id, source, reference, system_output and scores) or in
//! their files of extracts, whose `source` is the extract. The corpus is a field `dataset` or a word of the path. The
//! ratings of arXiv and GovReport are consistency and relevance (Koh et al. 2022), those of PubMed and SQuALITY faithfulness
//! (Krishna et al. 2023).
//!
//! The figures (section 3) are Pearson's and Spearman's correlation of scores with ratings over all summaries of a corpus.
//! Corpora are rated on different scales and are never mixed. `grid` handles several lists of scores.

mod benchmark;
mod corpus;
mod grid;

pub use benchmark::{Label, LongEval};
pub use corpus::{CORPORA, Corpus, Dimension};
pub use grid::{ScoredSetting, TENTHS, beside_grid, grid_lines};
