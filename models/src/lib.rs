//! Networks and tokenizers of Veridic.
//!
//! A model is a configuration, weights and a tokenizer, from the binary itself, a folder or the store.
//! This crate turns them into functions on token ids: it knows no document, no claim and no
//! profile, and it never changes what it was given (a pair over the limit is an error here; what
//! to do about it is the caller's decision).

mod bert;
mod beside;
mod card;
mod classifier;
mod deberta;
mod device;
mod encoder;
mod error;
mod fcoref;
mod generation;
mod identity;
mod labels;
mod nli;
mod packed;
mod sentencepiece;
mod seq2seq;
mod source;
mod t5;
mod tables;
mod token_head;
mod tokenizer;
mod transformer;
mod weights;
mod words;

pub use bert::{BertClassifier, BertConfig, Family};
pub use beside::{DEFAULT_MODEL, add_models_folder};
pub use deberta::{DebertaClassifier, DebertaConfig, DistanceSlots};
pub use device::Device;
pub use encoder::{EncoderTokens, TextEncoder, TokenVectors};
pub use error::{ModelError, Result};
pub use fcoref::{Antecedent, Antecedents, FCoref, Mention, Reading};
pub use generation::{DEFAULT_NEW_TOKENS, EarlyStopping, GenerationOptions, Output};
pub use identity::ModelIdentity;
pub use labels::{Labels, Probabilities};
pub use nli::{LoadOptions, ModelInfo, NliModel, Underway};
pub use packed::PackedBatch;
pub use sentencepiece::SentencePiece;
pub use seq2seq::{Generated, TextToText};
pub use source::{BundledModel, ModelSource, own_models};
pub use t5::{DecoderRow, DecoderState, Encoded, T5, T5Config};
pub use tokenizer::{PairTokenizer, PairTokens, Question, TextTokens, TokenCounter, Truncation};
pub use veridic_kernels::Precision;
pub use veridic_store as store;
pub use weights::Weights;
pub use words::words;
