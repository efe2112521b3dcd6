//! Maps token ids to the first hidden states: the sum of word, position and (in BERT and ALBERT) type rows, normed, and
//! in ALBERT widened. BERT and ALBERT count positions from 0; the others count the tokens that are not padding, from
//! the row after the padding id. All tokens of RoBERTa have type 0.

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear, Precision};

use super::config::BertConfig;
use super::family::Family;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::{pick, pick_stored};
use crate::transformer::{Embeddings, layer_norm, linear};
use crate::weights::{Matrix, Weights};

pub(super) struct BertEmbeddings {
    /// (vocabulary, embedding)
    words: Matrix,
    /// (positions, embedding); in RoBERTa with the row of its only type added.
    positions: Tensor,
    /// (types, embedding), if tokens have different types.
    types: Option<Tensor>,
    padding_id: Option<u32>,
    norm: LayerNorm,
    /// (embedding, hidden)
    widening: Option<Linear>,
}

impl BertEmbeddings {
    pub(super) fn load(config: &BertConfig, weights: &Weights) -> Result<Self> {
        let width = config.embedding_size;
        let name = |part: &str| format!("{}embeddings.{part}", config.family.prefix());
        let table = |kind: &str, rows: usize| {
            weights.tensor(&name(&format!("{kind}_embeddings.weight")), &[rows, width])
        };
        let mut positions = table("position", config.position_table)?;
        let mut types = match config.type_vocab_size {
            0 => None,
            rows => Some(table("token_type", rows)?),
        };
        if config.family == Family::Roberta
            && let Some(types) = types.take()
        {
            positions = positions.broadcast_add(&types.narrow(0, 0, 1)?)?;
        }
        let widening = || {
            let name = "albert.encoder.embedding_hidden_mapping_in";
            linear(weights, name, width, config.hidden_size, Precision::F32)
        };
        Ok(Self {
            words: weights.matrix(&name("word_embeddings.weight"), [config.vocab_size, width])?,
            positions,
            types,
            padding_id: config.padding_id,
            norm: layer_norm(weights, &name("LayerNorm"), width, config.layer_norm_epsilon)?,
            widening: (config.family == Family::Albert).then(widening).transpose()?,
        })
    }
}

/// Rows of the position table, `(tokens)`; counted from the row after `padding_id`, or from 0.
pub(crate) fn position_rows(padding_id: Option<u32>, batch: &PackedBatch) -> Vec<u32> {
    let Some(padding_id) = padding_id else { return batch.positions() };
    let mut rows = Vec::with_capacity(batch.tokens());
    for o in batch.offsets().windows(2) {
        let mut last = padding_id;
        rows.extend(batch.ids()[o[0]..o[1]].iter().map(|&id| {
            if id == padding_id {
                padding_id
            } else {
                last += 1;
                last
            }
        }));
    }
    rows
}

impl Embeddings for BertEmbeddings {
    fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut sum = pick_stored(&self.words, batch.ids(), "token id")?; // (tokens, embedding)
        sum = (sum + pick(&self.positions, &position_rows(self.padding_id, batch), "position")?)?;
        if let Some(types) = &self.types {
            sum = (sum + pick(types, batch.types(), "token type")?)?;
        }
        let normed = self.norm.forward(&sum)?;
        match &self.widening {
            Some(widening) => Ok(widening.forward(&normed)?),
            None => Ok(normed),
        }
    }
}
