//! BERT's family by candle's own operations, for devices that we have no kernels for: the twin of `mod.rs` and
//! `embeddings.rs`.

use candle_core::{Device, Tensor};
use veridic_kernels::{Activation, Precision, Queries};

use super::embeddings::{Tables, norm_name, words};
use super::{BertConfig, check, distance_bias, layer_plan};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{
    CandleHead, CandleLayer, CandleNorm, CandleRelative, DistanceBuckets, SlotTables, all_but_last,
    candle_pick, first_tokens,
};
use crate::weights::Weights;

/// A sequence classifier of BERT's family.
pub(crate) struct BertOnCandle {
    /// (vocabulary, hidden)
    words: Tensor,
    tables: Tables,
    norm: CandleNorm,
    layers: Vec<CandleLayer>,
    buckets: Option<DistanceBuckets>,
    head: CandleHead,
    token_limit: usize,
}

impl BertOnCandle {
    pub(crate) fn load(device: &Device, config: &BertConfig, weights: &Weights) -> Result<Self> {
        let hidden = config.hidden_size;
        let bias = distance_bias(config, weights)?;
        let layer = |index| {
            let plan = layer_plan(config, index, Queries::All, Precision::F32);
            let relative = CandleRelative { bias: bias.clone(), ..CandleRelative::default() };
            CandleLayer::load(device, weights, &plan, |_, _| Ok(relative))
        };
        let (dense, output) = config.family.head_names();
        let parts = (dense, Activation::Tanh, output);
        let norm = norm_name(config);
        Ok(Self {
            words: words(config, weights)?.wide()?.to_device(device)?,
            tables: Tables::load(config, weights)?.on(device)?,
            norm: CandleNorm::load(device, weights, &norm, hidden, config.layer_norm_epsilon)?,
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            buckets: config.distance_buckets(),
            head: CandleHead::load(device, weights, parts, (hidden, config.labels.len()))?,
            token_limit: config.token_limit(),
        })
    }

    /// Logits of every sequence, `(sequences, labels)`.
    pub(crate) fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        let states = self.through(&self.layers, batch)?;
        self.head.forward(&first_tokens(&states, batch.offsets())?)
    }

    /// The states of all tokens before the last layer, `(tokens, hidden)`.
    pub(crate) fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        self.through(all_but_last(&self.layers), batch)
    }

    fn through(&self, layers: &[CandleLayer], batch: &PackedBatch) -> Result<Tensor> {
        check(batch, self.token_limit)?;
        let offsets = batch.offsets();
        let slots: Vec<Option<SlotTables>> =
            offsets.windows(2).map(|bounds| self.slots_of(bounds[1] - bounds[0])).collect::<Result<_>>()?;
        let mut states = self.embedded(batch)?; // (tokens, hidden)
        for layer in layers {
            states = layer.forward(&states, offsets, &slots)?;
        }
        Ok(states)
    }

    fn slots_of(&self, tokens: usize) -> Result<Option<SlotTables>> {
        let Some(buckets) = self.buckets else { return Ok(None) };
        SlotTables::new(self.words.device(), tokens, |distance| buckets.slot(distance)).map(Some)
    }

    /// `(tokens, hidden)`
    fn embedded(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut sum = candle_pick(&self.words, batch.ids(), "token id")?; // (tokens, hidden)
        sum = (sum + candle_pick(&self.tables.positions, &self.tables.positions_of(batch), "position")?)?;
        if let Some(types) = &self.tables.types {
            sum = (sum + candle_pick(types, batch.types(), "token type")?)?;
        }
        self.norm.forward(&sum)
    }
}
