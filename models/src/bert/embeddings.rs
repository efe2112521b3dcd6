//! From token ids to the first hidden states: the sum of word, position and (in BERT and ALBERT) type rows, normed, and in
//! ALBERT widened. BERT and ALBERT count positions from 0; the others count the tokens that are not padding, from the row after the padding id. All tokens of
//! RoBERTa have type 0.

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear, Precision};

use super::{BertConfig, Family};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::{pick, pick_stored};
use crate::transformer::{Embeddings, layer_norm, linear};
use crate::weights::{Matrix, Weights};

pub(super) struct BertEmbeddings {
    /// (vocabulary, embedding)
    words: Matrix,
    tables: Tables,
    norm: LayerNorm,
    /// (embedding, hidden)
    widening: Option<Linear>,
}

/// The tables of positions and types.
pub(super) struct Tables {
    /// (positions, embedding); in RoBERTa with the row of its only type added.
    pub(super) positions: Tensor,
    /// (types, embedding), where tokens have different types.
    pub(super) types: Option<Tensor>,
    padding_id: Option<u32>,
}

impl BertEmbeddings {
    pub(super) fn load(config: &BertConfig, weights: &Weights) -> Result<Self> {
        Ok(Self {
            words: words(config, weights)?,
            tables: Tables::load(config, weights)?,
            norm: layer_norm(weights, &norm_name(config), config.embedding_size, config.layer_norm_epsilon)?,
            widening: widening_name(config)
                .map(|name| linear(weights, name, config.embedding_size, config.hidden_size, Precision::F32))
                .transpose()?,
        })
    }
}

impl Embeddings for BertEmbeddings {
    fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut sum = pick_stored(&self.words, batch.ids(), "token id")?; // (tokens, embedding)
        sum = (sum + pick(&self.tables.positions, &self.tables.positions_of(batch), "position")?)?;
        if let Some(types) = &self.tables.types {
            sum = (sum + pick(types, batch.types(), "token type")?)?;
        }
        let normed = self.norm.forward(&sum)?;
        match &self.widening {
            Some(widening) => Ok(widening.forward(&normed)?),
            None => Ok(normed),
        }
    }
}

/// The table of words in its stored dtype, `(vocabulary, embedding)`.
pub(super) fn words(config: &BertConfig, weights: &Weights) -> Result<Matrix> {
    weights.matrix(&table_name(config, "word"), [config.vocab_size, config.embedding_size])
}

/// The name of the layer that widens the embeddings, in ALBERT.
pub(super) fn widening_name(config: &BertConfig) -> Option<&'static str> {
    (config.family == Family::Albert).then_some("albert.encoder.embedding_hidden_mapping_in")
}

/// The name of the norm after the sum.
pub(super) fn norm_name(config: &BertConfig) -> String {
    format!("{}embeddings.LayerNorm", config.family.prefix())
}

fn table_name(config: &BertConfig, kind: &str) -> String {
    format!("{}embeddings.{kind}_embeddings.weight", config.family.prefix())
}

impl Tables {
    pub(super) fn load(config: &BertConfig, weights: &Weights) -> Result<Self> {
        let read = |kind: &str, rows: usize| {
            weights.tensor(&table_name(config, kind), &[rows, config.embedding_size])
        };
        let mut positions = read("position", config.position_table)?;
        let mut types = match config.type_vocab_size {
            0 => None,
            rows => Some(read("token_type", rows)?),
        };
        if config.family == Family::Roberta
            && let Some(types) = types.take()
        {
            positions = positions.broadcast_add(&types.narrow(0, 0, 1)?)?;
        }
        Ok(Self { positions, types, padding_id: config.padding_id })
    }

    /// Rows of the position table, `(tokens)`.
    pub(super) fn positions_of(&self, batch: &PackedBatch) -> Vec<u32> {
        let Some(padding_id) = self.padding_id else { return batch.positions() };
        let mut rows = Vec::with_capacity(batch.tokens());
        for o in batch.offsets().windows(2) {
            let mut last = padding_id;
            rows.extend(batch.ids()[o[0]..o[1]].iter().map(|&id| match id == padding_id {
                true => padding_id,
                false => {
                    last += 1;
                    last
                }
            }));
        }
        rows
    }
}
