//! DeBERTa on padded batches.

use veridic_kernels::{Precision, Queries};

use super::encoder::{Convolution, Embeddings, Layer, PaddedEncoder, Relative};
use super::parts::{Head, Target};
use crate::deberta::{DebertaConfig, DistanceSlots, Positions, layer_plan};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::weights::Weights;

impl PaddedEncoder {
    pub(crate) fn deberta(config: &DebertaConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let positions = Positions::load(config, weights)?;
        let layer = |index: usize| {
            let plan = layer_plan(config, index, Queries::All, Precision::F32);
            Layer::load(target, weights, &plan, |query, key| {
                let Some(positions) = &positions else { return Ok(None) };
                let terms = positions.of_layer(&plan.name, query, key)?;
                let (key, query) = (terms.content_to_position.as_ref(), terms.position_to_content.as_ref());
                Relative::terms(target, key, query).map(Some)
            })
        };
        let (hidden, in_f32) = (config.hidden_size, target.in_f32());
        let slots = config.relative.as_ref().map(DistanceSlots::of);
        Ok(Self {
            embeddings: embeddings(config, weights, target)?,
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            order: (0..config.layers).collect(),
            slots: slots.map(|slots| Box::new(move |longest| slots.table(longest)) as _),
            convolution: convolution(config, weights, target)?,
            head: Head {
                dense: in_f32.linear(weights, "pooler.dense", hidden, hidden, true)?,
                activation: config.pooler_activation,
                output: in_f32.linear(weights, "classifier", hidden, config.labels.len(), true)?,
            },
            padding_id: 0,
            token_limit: config.position_table.map(|_| config.token_limit()),
            target: target.clone(),
        })
    }
}

fn embeddings(config: &DebertaConfig, weights: &Weights, target: &Target) -> Result<Embeddings> {
    let (width, hidden) = (config.embedding_size, config.hidden_size);
    let table = |kind: &str, rows: usize| {
        let name = format!("deberta.embeddings.{kind}_embeddings.weight");
        target.place(&weights.tensor(&name, &[rows, width])?)
    };
    let projection = || target.linear(weights, "deberta.embeddings.embed_proj", width, hidden, false);
    let types = config.type_vocab_size;
    Ok(Embeddings {
        words: table("word", config.vocab_size)?,
        positions: config.position_table.map(|rows| table("position", rows)).transpose()?,
        position_rows: Box::new(PackedBatch::positions),
        types: (types > 0).then(|| table("token_type", types)).transpose()?,
        before_norm: (width != hidden).then(projection).transpose()?,
        norm: target.norm(
            weights,
            "deberta.embeddings.LayerNorm",
            hidden,
            config.layer_norm_epsilon,
            true,
        )?,
        after_norm: None,
    })
}

fn convolution(config: &DebertaConfig, weights: &Weights, target: &Target) -> Result<Option<Convolution>> {
    let Some(conv) = &config.conv else { return Ok(None) };
    let (hidden, name) = (config.hidden_size, |part: &str| format!("deberta.encoder.conv.{part}"));
    let shape = [hidden, hidden / conv.groups, conv.kernel_size];
    Ok(Some(Convolution {
        weight: target.place(&weights.tensor(&name("conv.weight"), &shape)?)?,
        bias: target.place(&weights.tensor(&name("conv.bias"), &[hidden])?)?,
        groups: conv.groups,
        activation: conv.activation,
        norm: target.norm(weights, &name("LayerNorm"), hidden, config.layer_norm_epsilon, true)?,
    }))
}
