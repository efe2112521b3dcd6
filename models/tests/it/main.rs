//! Networks and tokenizers against their references, and the errors of damaged models.
#![allow(clippy::unwrap_used)]

mod alignscore;
mod candle_transformers;
mod checkpoints;
mod classifiers;
mod common;
mod deberta;
mod fcoref;
mod hostile;
mod layouts;
mod rows8;
mod shipped;
mod t5;
mod t5_generation;
mod t5_judges;
mod token_classifiers;
mod tokenizers;
mod words;
