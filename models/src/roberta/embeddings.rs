//! From token ids to the first hidden states: word and position rows added, normed. Positions count the
//! tokens that are not padding, from the padding id's row on; every token has the one type.

use candle_core::Tensor;
use veridic_kernels::LayerNorm;

use super::RobertaConfig;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::pick;
use crate::transformer::layer_norm;
use crate::weights::Weights;

pub(super) struct Embeddings {
    /// (vocabulary, hidden)
    words: Tensor,
    /// (positions, hidden), the type's row added to each.
    positions: Tensor,
    padding_id: u32,
    norm: LayerNorm,
}

impl Embeddings {
    pub(super) fn load(config: &RobertaConfig, weights: &Weights) -> Result<Self> {
        Ok(Self {
            words: table(config, weights, "word")?,
            positions: table(config, weights, "position")?,
            padding_id: config.padding_id,
            norm: layer_norm(
                weights,
                "roberta.embeddings.LayerNorm",
                config.hidden_size,
                config.layer_norm_epsilon,
            )?,
        })
    }

    /// `(tokens, hidden)`
    pub(super) fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        let words = pick(&self.words, batch.ids(), "token id")?; // (tokens, hidden)
        let positions = pick(&self.positions, &positions_of(batch, self.padding_id), "position")?;
        Ok(self.norm.forward(&(words + positions)?)?)
    }
}

/// The table `word`, `(vocabulary, hidden)`, or `position`, `(positions, hidden)`, the type's row added to each.
pub(super) fn table(config: &RobertaConfig, weights: &Weights, name: &str) -> Result<Tensor> {
    let read = |name: &str, rows: usize| {
        let shape = [rows, config.hidden_size];
        weights.tensor(&format!("roberta.embeddings.{name}_embeddings.weight"), &shape)
    };
    if name == "word" {
        return read(name, config.vocab_size);
    }
    let kind = read("token_type", config.type_vocab_size)?.narrow(0, 0, 1)?; // (1, hidden)
    Ok(read(name, config.position_table)?.broadcast_add(&kind)?)
}

/// Rows of the position table, `(tokens)`.
pub(super) fn positions_of(batch: &PackedBatch, padding_id: u32) -> Vec<u32> {
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
