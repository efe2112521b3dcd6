//! RoBERTa by candle's own operations, for devices that we have no kernels for: the twin of `mod.rs` and `embeddings.rs`.

use candle_core::{Device, Tensor};
use veridic_kernels::{Activation, Precision, Queries};

use super::embeddings::{positions_of, table};
use super::{RobertaConfig, check, layer_plan};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{CandleHead, CandleLayer, CandleNorm, CandleRelative, candle_pick, first_tokens};
use crate::weights::Weights;

/// A RoBERTa sequence classifier.
pub(crate) struct RobertaOnCandle {
    /// (vocabulary, hidden)
    words: Tensor,
    /// (positions, hidden), the type's row added to each.
    positions: Tensor,
    padding_id: u32,
    norm: CandleNorm,
    layers: Vec<CandleLayer>,
    head: CandleHead,
    token_limit: usize,
}

impl RobertaOnCandle {
    pub(crate) fn load(device: &Device, config: &RobertaConfig, weights: &Weights) -> Result<Self> {
        let hidden = config.hidden_size;
        let layer = |index| {
            let plan = layer_plan(config, index, Queries::All, Precision::F32);
            CandleLayer::load(device, weights, &plan, |_, _| Ok(CandleRelative::default()))
        };
        let parts = ("classifier.dense", Activation::Tanh, "classifier.out_proj");
        let norm = "roberta.embeddings.LayerNorm";
        Ok(Self {
            words: table(config, weights, "word")?.to_device(device)?,
            positions: table(config, weights, "position")?.to_device(device)?,
            padding_id: config.padding_id,
            norm: CandleNorm::load(device, weights, norm, hidden, config.layer_norm_epsilon)?,
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            head: CandleHead::load(device, weights, parts, (hidden, config.labels.len()))?,
            token_limit: config.token_limit(),
        })
    }

    /// Logits of every sequence, `(sequences, labels)`.
    pub(crate) fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        check(batch, self.token_limit)?;
        let words = candle_pick(&self.words, batch.ids(), "token id")?; // (tokens, hidden)
        let positions = candle_pick(&self.positions, &positions_of(batch, self.padding_id), "position")?;
        let mut states = self.norm.forward(&(words + positions)?)?;
        let slots: Vec<_> = batch.offsets().windows(2).map(|_| None).collect();
        for layer in &self.layers {
            states = layer.forward(&states, batch.offsets(), &slots)?;
        }
        self.head.forward(&first_tokens(&states, batch.offsets())?)
    }
}
