//! ModernBERT on padded batches: rotary positions, attention to all tokens or to near ones, gated feed-forward parts.

use candle_core::{DType, Device, Tensor};
use candle_nn::rotary_emb::rope;
use candle_nn::{LayerNorm, Linear, Module};
use veridic_kernels::{Activation, Heads};

use super::batches::PaddedBatch;
use super::network::PaddedNetwork;
use super::parts::{Target, by_head, context, first_states, rows_of, scores};
use crate::error::Result;
use crate::modernbert::{ModernBertConfig, Pooling};
use crate::weights::Weights;

/// Added to the scores of tokens out of reach, so that their weight after the softmax is 0.
const OUT_OF_REACH: f32 = -1e30;

/// The encoder with its weights.
pub(crate) struct PaddedModernBert {
    target: Target,
    config: ModernBertConfig,
    words: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    /// After the network's last layer, if that is computed.
    final_norm: Option<LayerNorm>,
}

/// A sequence classifier: the encoder, and a head in f32 on the first token or on the mean of all.
pub(crate) struct PaddedModernBertClassifier {
    encoder: PaddedModernBert,
    dense: Linear,
    norm: LayerNorm,
    output: Linear,
}

struct Layer {
    attention_norm: Option<LayerNorm>,
    projection: Linear,
    output: Linear,
    norm: LayerNorm,
    up: Linear,
    down: Linear,
    is_local: bool,
}

impl PaddedModernBert {
    pub(crate) fn load(config: &ModernBertConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let shape = [config.vocab_size, config.hidden_size];
        let words = weights.matrix("model.embeddings.tok_embeddings.weight", shape)?;
        Ok(Self {
            words: target.place(&words.to_f32()?)?,
            norm: norm(config, weights, target, "model.embeddings.norm")?,
            layers: (0..config.layers)
                .map(|index| Layer::load(config, weights, target, index))
                .collect::<Result<_>>()?,
            final_norm: config
                .is_whole()
                .then(|| norm(config, weights, target, "model.final_norm"))
                .transpose()?,
            target: target.clone(),
            config: config.clone(),
        })
    }

    /// Sines and cosines of the rotary positions, each `(longest, size / 2)`, in global and local layers.
    fn rotations(&self, longest: usize) -> Result<[[Tensor; 2]; 2]> {
        let of_theta = |theta: f64| {
            let size = self.config.heads.size;
            let wavelength = |pair: usize| (1.0 / theta.powf((2 * pair) as f64 / size as f64)) as f32;
            let angle = |index: usize| (index / (size / 2)) as f32 * wavelength(index % (size / 2));
            let angles: Vec<f32> = (0..longest * size / 2).map(angle).collect();
            let angles = Tensor::from_vec(angles, (longest, size / 2), &Device::Cpu)?;
            Ok::<_, crate::error::ModelError>([
                self.target.place(&angles.cos()?)?,
                self.target.place(&angles.sin()?)?,
            ])
        };
        let [global, local] = self.config.thetas;
        Ok([of_theta(global)?, of_theta(local)?])
    }

    /// The mask of a batch for local layers, `(sequences, 1, longest, longest)`.
    fn local_mask(&self, mask: &Tensor, longest: usize) -> Result<Tensor> {
        let reach = self.config.reach;
        let near = |pair: usize| (pair / longest).abs_diff(pair % longest) <= reach;
        let far: Vec<f32> =
            (0..longest * longest).map(|pair| if near(pair) { 0.0 } else { OUT_OF_REACH }).collect();
        Ok(mask.broadcast_add(&Tensor::from_vec(far, (1, 1, longest, longest), mask.device())?)?)
    }

    /// The states before the last layer, and the normed states after it, each `(sequences, longest, hidden)`.
    fn run(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let longest = batch.shape().1;
        let mask = self.target.mask(batch)?;
        let masks = [mask.clone(), self.local_mask(&mask, longest)?];
        let rotations = self.rotations(longest)?;
        let mut states = self.norm.forward(&rows_of(&self.words, batch.tokens.ids(), batch, "token id")?)?;
        let mut before = states.clone();
        for layer in &self.layers {
            let kind = usize::from(layer.is_local);
            before = states;
            let (heads, activation) = (self.config.heads, self.config.activation);
            states = layer.forward(&before, &masks[kind], &rotations[kind], heads, activation)?;
        }
        match &self.final_norm {
            Some(norm) => Ok([before, norm.forward(&states)?]),
            None => Ok([before, states]),
        }
    }
}

impl PaddedNetwork<1> for PaddedModernBert {
    fn token_limit(&self) -> Option<usize> {
        Some(self.config.token_limit)
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 1]> {
        let [_, states] = self.run(batch)?;
        Ok([states])
    }
}

impl PaddedModernBertClassifier {
    pub(crate) fn load(config: &ModernBertConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let (hidden, in_f32) = (config.hidden_size, target.in_f32());
        Ok(Self {
            encoder: PaddedModernBert::load(config, weights, target)?,
            dense: in_f32.linear(weights, "head.dense", hidden, hidden, config.head_bias)?,
            norm: norm(config, weights, &in_f32, "head.norm")?,
            output: in_f32.linear(weights, "classifier", hidden, config.labels.len(), true)?,
        })
    }
}

impl PaddedNetwork<2> for PaddedModernBertClassifier {
    fn token_limit(&self) -> Option<usize> {
        self.encoder.token_limit()
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let [before, states] = self.encoder.run(batch)?;
        let config = &self.encoder.config;
        let pooled = match config.pooling {
            Pooling::First => first_states(&states)?,
            Pooling::Mean => means(&states, &batch.lengths)?,
        };
        let dense = config.head_activation.apply(&self.dense.forward(&pooled)?)?;
        Ok([self.output.forward(&self.norm.forward(&dense)?)?, before])
    }
}

/// The mean of each sequence's states in f32: `(sequences, hidden)`.
fn means(states: &Tensor, lengths: &[usize]) -> Result<Tensor> {
    let mean = |(row, &length): (usize, &usize)| {
        Ok(states.get(row)?.narrow(0, 0, length)?.to_dtype(DType::F32)?.mean_keepdim(0)?)
    };
    Ok(Tensor::cat(&lengths.iter().enumerate().map(mean).collect::<Result<Vec<_>>>()?, 0)?)
}

impl Layer {
    fn load(config: &ModernBertConfig, weights: &Weights, target: &Target, index: usize) -> Result<Self> {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let linear = |part: &str, inputs, outputs, has_bias| {
            target.linear(weights, &name(part), inputs, outputs, has_bias)
        };
        let own_norm = |part: &str| norm(config, weights, target, &name(part));
        Ok(Self {
            attention_norm: (index > 0).then(|| own_norm("attn_norm")).transpose()?,
            projection: linear("attn.Wqkv", hidden, 3 * hidden, config.attention_bias)?,
            output: linear("attn.Wo", hidden, hidden, config.attention_bias)?,
            norm: own_norm("mlp_norm")?,
            up: linear("mlp.Wi", hidden, 2 * inner, config.inner_bias)?,
            down: linear("mlp.Wo", inner, hidden, config.inner_bias)?,
            is_local: config.local[index],
        })
    }

    /// `(sequences, longest, hidden) -> (sequences, longest, hidden)`
    fn forward(
        &self,
        states: &Tensor,
        mask: &Tensor,
        [cosines, sines]: &[Tensor; 2],
        heads: Heads,
        activation: Activation,
    ) -> Result<Tensor> {
        let normed = match &self.attention_norm {
            Some(norm) => norm.forward(states)?,
            None => states.clone(),
        };
        let [query, key, value] = by_head(&self.projection.forward(&normed)?, heads)?;
        let (query, key) = (rope(&query, cosines, sines)?, rope(&key, cosines, sines)?);
        let scale = 1.0 / (heads.size as f64).sqrt();
        let context = context(&(scores(&query, &key)? * scale)?, mask, &value)?;
        let states = (states + self.output.forward(&context)?)?;
        let up = self.up.forward(&self.norm.forward(&states)?)?.chunk(2, 2)?;
        let inner = (activation.apply(&up[0].contiguous()?)? * &up[1])?;
        Ok((states + self.down.forward(&inner)?)?)
    }
}

/// A norm, without a bias if the configuration has none.
fn norm(config: &ModernBertConfig, weights: &Weights, target: &Target, name: &str) -> Result<LayerNorm> {
    target.norm(weights, name, config.hidden_size, config.norm_epsilon, config.norm_bias)
}
