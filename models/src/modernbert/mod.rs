//! ModernBERT (Warner et al. 2024) on packed batches: an encoder, alone or with a head on the first token or on the mean
//! of all.
//!
//! Tensor names and behaviour follow `ModernBertModel` and `ModernBertForSequenceClassification` of Python's
//! `transformers`; all numbers are tested against these.

mod config;
mod layer;
mod parts;

use candle_core::Tensor;
use veridic_kernels::{Activation, LayerNorm, Linear, Precision};

pub(crate) use self::config::{ModernBertConfig, Pooling};
use self::layer::{Layer, Places};
use self::parts::{linear, norm};
use crate::error::Result;
use crate::network::{Classifier, Encoder, TokenLayers};
use crate::packed::PackedBatch;
use crate::tables::pick_stored;
use crate::transformer::{self, all_but_last, first_tokens};
use crate::weights::{Matrix, Weights};

/// The encoder with its weights.
pub(crate) struct ModernBertEncoder {
    /// (vocabulary, hidden)
    words: Matrix,
    norm: LayerNorm,
    layers: Vec<Layer>,
    /// After the network's last layer, if that is computed.
    final_norm: Option<LayerNorm>,
    reach: usize,
    token_limit: usize,
}

impl ModernBertEncoder {
    pub(crate) fn load(config: &ModernBertConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let shape = [config.vocab_size, config.hidden_size];
        Ok(Self {
            words: weights.matrix("model.embeddings.tok_embeddings.weight", shape)?,
            norm: norm(config, weights, "model.embeddings.norm")?,
            layers: (0..config.layers)
                .map(|index| Layer::load(config, weights, index, precision))
                .collect::<Result<_>>()?,
            final_norm: config.is_whole().then(|| norm(config, weights, "model.final_norm")).transpose()?,
            reach: config.reach,
            token_limit: config.token_limit,
        })
    }

    /// The states of all tokens before the last of these layers, `(tokens, hidden)`, and after it.
    fn run(&self, layers: &[Layer], batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(Some(self.token_limit))?;
        let places = Places::new(batch.positions(), batch.longest(), self.reach)?;
        let mut states = self.norm.forward(&pick_stored(&self.words, batch.ids(), "token id")?)?;
        let mut before = states.clone();
        for layer in layers {
            before = states;
            states = layer.forward(&before, batch.offsets(), &places)?;
        }
        Ok((before, states))
    }

    /// The states before the last layer, and the normed states after it.
    fn run_all(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (before, states) = self.run(&self.layers, batch)?;
        match &self.final_norm {
            Some(norm) => Ok((before, norm.forward(&states)?)),
            None => Ok((before, states)),
        }
    }
}

impl Encoder for ModernBertEncoder {
    fn states(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.run_all(batch)?.1)
    }
}

/// A sequence classifier with its weights.
pub(crate) struct ModernBertClassifier {
    encoder: ModernBertEncoder,
    pooling: Pooling,
    head: PredictionHead,
    output: Linear,
}

/// The layers between the states and the output of a classifier of sequences or tokens.
pub(crate) struct PredictionHead {
    dense: Linear,
    activation: Activation,
    norm: LayerNorm,
}

impl PredictionHead {
    /// It is computed in f32.
    pub(crate) fn load(config: &ModernBertConfig, weights: &Weights) -> Result<Self> {
        let hidden = config.hidden_size;
        Ok(Self {
            dense: linear(weights, "head.dense", hidden, hidden, config.head_bias, Precision::F32)?,
            activation: config.head_activation,
            norm: norm(config, weights, "head.norm")?,
        })
    }
}

impl TokenLayers for PredictionHead {
    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let dense = self.dense.forward_activated(states, self.activation)?;
        Ok(self.norm.forward(&dense)?)
    }
}

impl ModernBertClassifier {
    /// `precision`: the dtype of the layers' products; the head is computed in f32.
    pub(crate) fn load(config: &ModernBertConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let (hidden, labels) = (config.hidden_size, config.labels.len());
        Ok(Self {
            encoder: ModernBertEncoder::load(config, weights, precision)?,
            pooling: config.pooling,
            head: PredictionHead::load(config, weights)?,
            output: transformer::linear(weights, "classifier", hidden, labels, Precision::F32)?,
        })
    }
}

impl Classifier for ModernBertClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (before, states) = self.encoder.run_all(batch)?;
        let pooled = match self.pooling {
            Pooling::First => first_tokens(&states, batch.offsets())?,
            Pooling::Mean => means(&states, batch.offsets())?,
        };
        Ok((self.output.forward(&self.head.forward(&pooled)?)?, before)) // (sequences, labels)
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.encoder.run(all_but_last(&self.encoder.layers), batch)?.1)
    }
}

/// The mean state of each sequence: `(tokens, hidden) -> (sequences, hidden)`.
fn means(states: &Tensor, offsets: &[usize]) -> Result<Tensor> {
    let mean = |o: &[usize]| Ok(states.narrow(0, o[0], o[1] - o[0])?.mean_keepdim(0)?);
    Ok(Tensor::cat(&offsets.windows(2).map(mean).collect::<Result<Vec<_>>>()?, 0)?)
}
