//! BERT's family on padded batches.

use veridic_kernels::{Activation, Precision, Queries};

use super::encoder::{Embeddings, Layer, PaddedEncoder, Relative};
use super::parts::{Head, Target};
use crate::bert::{BertConfig, Family, distance_bias, layer_plan, position_rows};
use crate::error::Result;
use crate::weights::Weights;

impl PaddedEncoder {
    pub(crate) fn bert(config: &BertConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let bias = distance_bias(config, weights)?.map(|bias| target.place(&bias)).transpose()?;
        let relative = bias.map(Relative::Bias);
        let layer = |index: usize| {
            let plan = layer_plan(config, index, Queries::All, Precision::F32);
            Layer::load(target, weights, &plan, |_, _| Ok(relative.clone()))
        };
        let (hidden, in_f32) = (config.hidden_size, target.in_f32());
        let (dense, output) = config.head.layers(config.family);
        Ok(Self {
            embeddings: embeddings(config, weights, target)?,
            layers: (0..config.sets_of_weights()).map(layer).collect::<Result<_>>()?,
            order: config.computed_layers().to_vec(),
            slots: config
                .distance_buckets()
                .map(|buckets| Box::new(move |longest| buckets.slots(longest)) as _),
            convolution: None,
            head: Head {
                dense: in_f32.linear(weights, dense, hidden, hidden, true)?,
                activation: Activation::Tanh,
                output: in_f32.linear(weights, output, hidden, config.labels.len(), true)?,
            },
            padding_id: config.padding_id.unwrap_or(0),
            token_limit: Some(config.token_limit()),
            target: target.clone(),
        })
    }
}

fn embeddings(config: &BertConfig, weights: &Weights, target: &Target) -> Result<Embeddings> {
    let width = config.embedding_size;
    let name = |part: &str| format!("{}embeddings.{part}", config.family.prefix());
    let table = |kind: &str, rows: usize| {
        target.place(&weights.tensor(&name(&format!("{kind}_embeddings.weight")), &[rows, width])?)
    };
    let mut positions = table("position", config.position_table)?;
    let mut types = match config.type_vocab_size {
        0 => None,
        rows => Some(table("token_type", rows)?),
    };
    // All tokens of RoBERTa have type 0.
    if config.family == Family::Roberta
        && let Some(types) = types.take()
    {
        positions = positions.broadcast_add(&types.narrow(0, 0, 1)?)?;
    }
    let padding_id = config.padding_id;
    let widening = "albert.encoder.embedding_hidden_mapping_in";
    Ok(Embeddings {
        words: table("word", config.vocab_size)?,
        positions: Some(positions),
        position_rows: Box::new(move |batch| position_rows(padding_id, batch)),
        types,
        before_norm: None,
        norm: target.norm(weights, &name("LayerNorm"), width, config.layer_norm_epsilon, true)?,
        after_norm: (config.family == Family::Albert)
            .then(|| target.linear(weights, widening, width, config.hidden_size, true))
            .transpose()?,
    })
}
