//! FRANK (Pagnoni, Balachandran, Tsvetkov, NAACL 2021): human annotations of factual errors in summaries of nine systems, in
//! the authors' files. `benchmark_data.json` has the texts (hash, model_name, article, summary, split, reference);
//! [`Annotations`] are in `human_annotations.json` and, for sentences, `human_annotations_sentence.json`. If sentences are
//! annotated, each is judged separately, in order, then the whole summary; sentences without a letter or digit are skipped.
//! The rating of a summary is its field Factuality; that of a sentence is whether most annotators find no error in it. A
//! summary without annotation is left out. Rows with raw_annotations are FineSurE's `frank-data.json`. [`MetricOutputs`] are
//! the scores of other metrics for the same summaries, from `baseline_factuality_metrics_outputs.json`.

mod annotations;
mod benchmark;
mod error_type;
mod finesure;
mod outputs;
mod protocol;
mod summary;
mod table;

pub use annotations::Annotations;
pub use benchmark::Frank;
pub use outputs::MetricOutputs;
