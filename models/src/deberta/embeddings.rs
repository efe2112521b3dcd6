//! Maps token ids to the first hidden states: the sum of word, absolute position and token type rows, projected if the
//! embedding is narrower than the model, and normed.

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear};

use super::config::DebertaConfig;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::{pick, pick_stored};
use crate::transformer::{Embeddings, layer_norm};
use crate::weights::{Matrix, Weights};

pub(super) struct DebertaEmbeddings {
    /// (vocabulary, embedding)
    words: Matrix,
    /// (positions, embedding)
    positions: Option<Tensor>,
    /// (types, embedding)
    types: Option<Tensor>,
    projection: Option<Linear>,
    norm: LayerNorm,
}

impl DebertaEmbeddings {
    pub(super) fn load(config: &DebertaConfig, weights: &Weights) -> Result<Self> {
        let (width, hidden) = (config.embedding_size, config.hidden_size);
        let name = |name: &str| format!("deberta.embeddings.{name}_embeddings.weight");
        let table = |kind: &str, rows: usize| weights.tensor(&name(kind), &[rows, width]);
        let projection = if width == hidden {
            None
        } else {
            let weight = weights.tensor("deberta.embeddings.embed_proj.weight", &[hidden, width])?;
            Some(Linear::new(&weight, None)?)
        };
        Ok(Self {
            words: weights.matrix(&name("word"), [config.vocab_size, width])?,
            positions: config.position_table.map(|rows| table("position", rows)).transpose()?,
            types: (config.type_vocab_size > 0)
                .then(|| table("token_type", config.type_vocab_size))
                .transpose()?,
            projection,
            norm: layer_norm(weights, "deberta.embeddings.LayerNorm", hidden, config.layer_norm_epsilon)?,
        })
    }
}

impl Embeddings for DebertaEmbeddings {
    fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut sum = pick_stored(&self.words, batch.ids(), "token id")?; // (tokens, embedding)
        if let Some(table) = &self.positions {
            sum = (sum + pick(table, &batch.positions(), "position")?)?;
        }
        if let Some(table) = &self.types {
            sum = (sum + pick(table, batch.types(), "token type")?)?;
        }
        if let Some(projection) = &self.projection {
            sum = projection.forward(&sum)?; // (tokens, hidden)
        }
        Ok(self.norm.forward(&sum)?)
    }
}
