//! Networks and tokenizers of Veridic.
//!
//! A model is a configuration, weights and a tokenizer; they come from the program itself, a folder or the models that
//! were pulled. This crate turns them into functions on token ids. It knows nothing of documents, claims and profiles,
//! and it shortens no input unless asked: a pair over the limit is an error.

mod architectures;
mod bert;
mod card;
mod config_json;
mod deberta;
mod device;
mod encoder;
mod error;
mod fcoref;
mod generation;
mod identity;
mod labels;
mod modernbert;
mod network;
mod nli;
mod packed;
#[cfg(feature = "candle")]
mod padded;
mod recent;
mod sentencepiece;
mod seq2seq;
mod shipped;
mod source;
mod t5;
mod tables;
mod token_classifier;
mod token_head;
mod tokenizer;
mod transformer;
mod weights;
mod words;

pub use bert::AlignHead;
pub use deberta::{DebertaConfig, DistanceSlots};
pub use device::ComputeDevice;
pub use encoder::{EncoderTokens, TextEncoder, TokenVectors};
pub use error::{ModelError, Result};
pub use fcoref::{Antecedent, Antecedents, FCoref, MentionScores, MentionSpan};
pub use generation::{DEFAULT_NEW_TOKENS, DecoderRow, EarlyStopping, GenerationOptions, OptionsFile, Output};
pub use identity::ModelIdentity;
pub use labels::{Labels, Probabilities};
pub use nli::{LoadOptions, ModelInfo, NliModel};
pub use packed::PackedBatch;
pub use recent::Recent;
pub use sentencepiece::SentencePiece;
pub use seq2seq::{Generated, TextToText};
pub use shipped::{DEFAULT_MODEL, EmbeddedModel, ShippedModels};
pub use source::ModelSource;
pub use t5::{DecoderState, Encoded, T5, T5Config};
pub use token_classifier::TokenClassifier;
pub use tokenizer::{PairTokenizer, PairTokens, PromptTemplate, TextTokens, TokenCounter, Truncation};
pub use transformer::SequenceClassifier;
pub use veridic_kernels::Precision;
pub use veridic_store as store;
pub use weights::Weights;
pub use words::words;
