//! T5 judges on padded batches: the encoder with a layer on the first token, or the whole network for one step.

use candle_core::Tensor;
use candle_nn::{Linear, Module, RmsNorm};

use super::batches::PaddedBatch;
use super::encoder::bias_of_pairs;
use super::network::PaddedNetwork;
use super::parts::{Target, by_head, context, first_states, rows_of, scores};
use crate::error::Result;
use crate::t5::{AnswerHead, T5Config, T5JudgeConfig, answer_rows, words};
use crate::weights::{Matrix, Weights};

pub(crate) struct PaddedT5 {
    target: Target,
    config: T5Config,
    words: Tensor,
    /// (heads, slots)
    bias: Tensor,
    layers: Vec<Layer>,
    norm: RmsNorm,
    output: Output,
}

enum Output {
    FirstToken(Linear),
    Answers(Answers),
}

/// The decoder's first step.
struct Answers {
    start: u32,
    layers: Vec<DecoderLayer>,
    norm: RmsNorm,
    head: Linear,
}

struct Layer {
    norm: RmsNorm,
    /// Queries, keys and values: (hidden, 3 * width).
    projection: Linear,
    output: Linear,
    feed_forward: FeedForward,
}

/// A layer of the decoder in its first step, where self-attention gives the token's own value.
struct DecoderLayer {
    self_norm: RmsNorm,
    self_value: Linear,
    self_output: Linear,
    cross_norm: RmsNorm,
    cross_query: Linear,
    cross_key: Linear,
    cross_value: Linear,
    cross_output: Linear,
    feed_forward: FeedForward,
}

struct FeedForward {
    norm: RmsNorm,
    activated: Linear,
    multiplied: Option<Linear>,
    down: Linear,
}

impl PaddedT5 {
    pub(crate) fn load(config: &T5JudgeConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let (network, labels) = (&config.network, config.labels.len());
        let words = words(network, weights)?;
        let bias = network.encoder_tensor("block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let bias = weights.tensor(&bias, &[network.buckets, network.heads.count])?;
        let parts = Parts { config: network, weights, target };
        let output = match &config.head {
            AnswerHead::FirstToken(name) => Output::FirstToken(target.in_f32().linear(
                weights,
                name,
                network.hidden_size,
                labels,
                true,
            )?),
            AnswerHead::Answers { start, tokens } => Output::Answers(Answers {
                start: *start,
                layers: (0..network.decoder_layers)
                    .map(|index| parts.decoder_layer(index))
                    .collect::<Result<_>>()?,
                norm: parts.norm("decoder.final_layer_norm")?,
                head: Linear::new(
                    target.in_f32().place(&answer_rows(network, weights, &words, tokens)?)?,
                    None,
                ),
            }),
        };
        Ok(Self {
            words: target.place(&words)?,
            bias: target.place(&network.distance_buckets().by_slot(&bias)?)?,
            layers: (0..network.encoder_layers).map(|index| parts.layer(index)).collect::<Result<_>>()?,
            norm: parts.norm(&network.encoder_tensor("final_layer_norm"))?,
            output,
            config: network.clone(),
            target: target.clone(),
        })
    }

    /// The logits of the answers, `(sequences, labels)`.
    fn first_step(&self, answers: &Answers, encoded: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let sequences = encoded.dim(0)?;
        let starts = Tensor::new(vec![answers.start; sequences], encoded.device())?;
        let mut states = self.words.index_select(&starts, 0)?.unsqueeze(1)?; // (sequences, 1, hidden)
        for layer in &answers.layers {
            let own = layer.self_value.forward(&layer.self_norm.forward(&states)?)?;
            states = (states + layer.self_output.forward(&own)?)?;
            let heads = |x: &Tensor| {
                let cut = x.reshape((sequences, (), self.config.heads.count, self.config.heads.size))?;
                cut.transpose(1, 2)?.contiguous()
            };
            let query = heads(&layer.cross_query.forward(&layer.cross_norm.forward(&states)?)?)?;
            let (key, value) =
                (heads(&layer.cross_key.forward(encoded)?)?, heads(&layer.cross_value.forward(encoded)?)?);
            let context = context(&scores(&query, &key)?, mask, &value)?;
            states = (states + layer.cross_output.forward(&context)?)?;
            states = layer.feed_forward.forward(&self.config, &states)?;
        }
        Ok(answers.head.forward(&first_states(&answers.norm.forward(&states)?)?)?)
    }
}

impl PaddedNetwork for PaddedT5 {
    fn token_limit(&self) -> Option<usize> {
        None
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<(Tensor, Tensor)> {
        let mask = self.target.mask(batch)?;
        let bias = bias_of_pairs(&self.bias, &self.config.distance_buckets().slots(batch.shape().1))?;
        let mut states = rows_of(&self.words, batch.tokens.ids(), batch, "token id")?;
        let mut before = states.clone();
        for layer in &self.layers {
            before = states;
            let projected = layer.projection.forward(&layer.norm.forward(&before)?)?;
            let [query, key, value] = by_head(&projected, self.config.heads)?;
            let context = context(&scores(&query, &key)?.broadcast_add(&bias)?, &mask, &value)?;
            states = (&before + layer.output.forward(&context)?)?;
            states = layer.feed_forward.forward(&self.config, &states)?;
        }
        let states = self.norm.forward(&states)?;
        let logits = match &self.output {
            Output::FirstToken(output) => output.forward(&first_states(&states)?)?,
            Output::Answers(answers) => self.first_step(answers, &states, &mask)?,
        };
        Ok((logits, before))
    }
}

impl FeedForward {
    fn forward(&self, config: &T5Config, x: &Tensor) -> Result<Tensor> {
        let normed = self.norm.forward(x)?;
        let mut inner = config.activation.apply(&self.activated.forward(&normed)?)?;
        if let Some(multiplied) = &self.multiplied {
            inner = (inner * multiplied.forward(&normed)?)?;
        }
        Ok((x + self.down.forward(&inner)?)?)
    }
}

/// Loads the parts of a network.
struct Parts<'a> {
    config: &'a T5Config,
    weights: &'a Weights,
    target: &'a Target,
}

impl Parts<'_> {
    fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
        self.target.linear(self.weights, name, inputs, outputs, false)
    }

    fn norm(&self, name: &str) -> Result<RmsNorm> {
        let weight = self.weights.tensor(&format!("{name}.weight"), &[self.config.hidden_size])?;
        Ok(RmsNorm::new(self.target.place(&weight)?, self.config.norm_epsilon))
    }

    fn layer(&self, index: usize) -> Result<Layer> {
        let name = |part: &str| self.config.encoder_tensor(&format!("block.{index}.layer.{part}"));
        let (hidden, width) = (self.config.hidden_size, self.config.width());
        let part = |part: &str| {
            self.weights.matrix(&name(&format!("0.SelfAttention.{part}.weight")), [width, hidden])
        };
        let parts = [part("q")?, part("k")?, part("v")?];
        Ok(Layer {
            norm: self.norm(&name("0.layer_norm"))?,
            projection: self.target.layer(&Matrix::stacked(&parts.iter().collect::<Vec<_>>())?, None)?,
            output: self.linear(&name("0.SelfAttention.o"), width, hidden)?,
            feed_forward: self.feed_forward(&name("1"))?,
        })
    }

    fn decoder_layer(&self, index: usize) -> Result<DecoderLayer> {
        let name = |part: &str| format!("decoder.block.{index}.layer.{part}");
        let (hidden, width) = (self.config.hidden_size, self.config.width());
        Ok(DecoderLayer {
            self_norm: self.norm(&name("0.layer_norm"))?,
            self_value: self.linear(&name("0.SelfAttention.v"), hidden, width)?,
            self_output: self.linear(&name("0.SelfAttention.o"), width, hidden)?,
            cross_norm: self.norm(&name("1.layer_norm"))?,
            cross_query: self.linear(&name("1.EncDecAttention.q"), hidden, width)?,
            cross_key: self.linear(&name("1.EncDecAttention.k"), hidden, width)?,
            cross_value: self.linear(&name("1.EncDecAttention.v"), hidden, width)?,
            cross_output: self.linear(&name("1.EncDecAttention.o"), width, hidden)?,
            feed_forward: self.feed_forward(&name("2"))?,
        })
    }

    fn feed_forward(&self, layer: &str) -> Result<FeedForward> {
        let (hidden, inner) = (self.config.hidden_size, self.config.intermediate_size);
        let up = |name: &str| self.linear(&format!("{layer}.DenseReluDense.{name}"), hidden, inner);
        let (activated, multiplied) =
            if self.config.gated { (up("wi_0")?, Some(up("wi_1")?)) } else { (up("wi")?, None) };
        Ok(FeedForward {
            norm: self.norm(&format!("{layer}.layer_norm"))?,
            activated,
            multiplied,
            down: self.linear(&format!("{layer}.DenseReluDense.wo"), inner, hidden)?,
        })
    }
}
