//! DeBERTa by candle's own operations, for devices that we have no kernels for: the twin of `mod.rs`, `encoder.rs` and
//! `embeddings.rs`. Refuses the convolution of deberta-v2-xlarge.

use candle_core::{Device, Tensor};
use veridic_kernels::{Precision, Queries};

use super::{DebertaConfig, DistanceSlots, encoder, positions};
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::transformer::{
    CandleHead, CandleLayer, CandleLinear, CandleNorm, CandleRelative, Projection, SlotTables, all_but_last,
    candle_pick, first_tokens,
};
use crate::weights::Weights;

/// A DeBERTa sequence classifier.
pub(crate) struct DebertaOnCandle {
    /// Word, position and type rows: (rows, embedding) each.
    words: Tensor,
    positions: Option<Tensor>,
    types: Option<Tensor>,
    projection: Option<CandleLinear>,
    norm: CandleNorm,
    layers: Vec<CandleLayer>,
    slots: Option<DistanceSlots>,
    head: CandleHead,
    token_limit: usize,
}

impl DebertaOnCandle {
    pub(crate) fn load(device: &Device, config: &DebertaConfig, weights: &Weights) -> Result<Self> {
        if config.conv.is_some() {
            let reason = "a network with a convolution is not computed there; use --device cpu".into();
            return Err(ModelError::Device { device: "metal".into(), reason });
        }
        let (width, hidden) = (config.embedding_size, config.hidden_size);
        let table = |name: &str, rows: usize| -> Result<Tensor> {
            let name = format!("deberta.embeddings.{name}_embeddings.weight");
            Ok(weights.tensor(&name, &[rows, width])?.to_device(device)?)
        };
        let projection = (width != hidden).then(|| {
            let weight = weights.tensor("deberta.embeddings.embed_proj.weight", &[hidden, width])?;
            CandleLinear::new(device, &weight, None)
        });
        let types = config.type_vocab_size;
        let norm = "deberta.embeddings.LayerNorm";
        let parts = ("pooler.dense", config.pooler_activation, "classifier");
        let relative = positions::embeddings(config, weights)?;
        let layer = |index| layer(device, config, weights, relative.as_ref(), index);
        Ok(Self {
            words: table("word", config.vocab_size)?,
            positions: config.position_table.map(|rows| table("position", rows)).transpose()?,
            types: (types > 0).then(|| table("token_type", types)).transpose()?,
            projection: projection.transpose()?,
            norm: CandleNorm::load(device, weights, norm, hidden, config.layer_norm_epsilon)?,
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            slots: config.relative.as_ref().map(DistanceSlots::of),
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
        encoder::check(batch, self.positions.is_some().then_some(self.token_limit))?;
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
        let Some(slots) = &self.slots else { return Ok(None) };
        let table = slots.table(tokens); // of the distances from 1 - tokens on
        let slot = |distance: i64| table[(distance + tokens as i64 - 1) as usize];
        SlotTables::new(self.words.device(), tokens, slot).map(Some)
    }

    /// `(tokens, hidden)`
    fn embedded(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut sum = candle_pick(&self.words, batch.ids(), "token id")?; // (tokens, embedding)
        if let Some(table) = &self.positions {
            sum = (sum + candle_pick(table, &batch.positions(), "position")?)?;
        }
        if let Some(table) = &self.types {
            sum = (sum + candle_pick(table, batch.types(), "token type")?)?;
        }
        if let Some(projection) = &self.projection {
            sum = projection.forward(&sum)?;
        }
        self.norm.forward(&sum)
    }
}

fn layer(
    device: &Device,
    config: &DebertaConfig,
    weights: &Weights,
    positions: Option<&Tensor>,
    index: usize,
) -> Result<CandleLayer> {
    let plan = encoder::layer_plan(config, index, Queries::All, Precision::F32);
    CandleLayer::load(device, weights, &plan, |query, key| match (&config.relative, positions) {
        (Some(relative), Some(embeddings)) => {
            let own = |part: &str| {
                let name = format!("{}.attention.self.{part}", plan.name);
                Projection::load(weights, &name, config.hidden_size)
            };
            let (key, query) = positions::project(config, relative, embeddings, (query, key), own)?;
            Ok(CandleRelative { key, query, bias: None })
        }
        _ => Ok(CandleRelative::default()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::Fixture;
    use super::*;

    /// As far as tests/deberta_parity.rs goes for the host.
    const TOLERANCE: f32 = 1e-5;

    /// On candle's host device, which stands in for a Mac's: every fixture but convolutions, which are refused.
    #[test]
    fn batches_agree_with_transformers() {
        let mut checked = 0;
        for fixture in Fixture::all() {
            let network = match DebertaOnCandle::load(&Device::Cpu, &fixture.config, &fixture.weights) {
                Ok(network) => network,
                Err(ModelError::Device { reason, .. }) if fixture.config.conv.is_some() => {
                    assert!(reason.contains("convolution"), "{reason}");
                    continue;
                }
                Err(error) => panic!("{}: {error}", fixture.name),
            };
            let together = network.logits(&fixture.whole_batch()).unwrap().to_vec2().unwrap();
            fixture.check(&together, TOLERANCE);
            checked += 1;
        }
        assert!(checked >= 9);
    }

    #[test]
    fn what_the_host_refuses_is_refused() {
        let is_it = |fixture: &Fixture| fixture.name == "v3_position_and_type_tables";
        let fixture = Fixture::all().into_iter().find(is_it).unwrap();
        let network = DebertaOnCandle::load(&Device::Cpu, &fixture.config, &fixture.weights).unwrap();
        let message = |batch: &PackedBatch| network.logits(batch).err().unwrap().to_string();
        let beyond = PackedBatch::from_sequences([(&[fixture.config.vocab_size as u32][..], &[0][..])]);
        assert!(message(&beyond).contains("outside the model's table"));
        assert!(message(&PackedBatch::from_sequences([(&[][..], &[][..])])).contains("empty"));
        assert!(message(&fixture.batch(&[fixture.config.token_limit() + 1])).contains("limit"));
    }
}
