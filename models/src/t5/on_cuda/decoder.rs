//! The decoder on a GPU: the twin of the host's `decoder.rs`. Keys and values stay on the device, at the places where
//! they were made; what goes up for a step is its tokens and the places of each row's history.

use veridic_kernels::cuda::{
    Cuda, KeyValueCache, Linear, Matrix, Norm, StepAttention, StepBias, StepKeys, StepLists, Table, Vector,
    gather,
};

use super::super::T5Config;
use super::super::history::{DecoderRow, Histories};
use super::Encoded;
use super::parts::{FeedForward, Sum, added_linear, linear, norm};
use crate::error::Result;
use crate::weights::Weights;

/// Tokens of an output that there are biases for at first.
const USUAL_TOKENS: usize = 128;

pub(super) struct Decoder {
    config: T5Config,
    /// By bucket: (buckets, heads).
    bias: Vec<Vec<f32>>,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    self_norm: Norm,
    self_query: Linear,
    /// Keys and values: (hidden, 2 * width).
    self_key_value: Linear,
    self_output: Linear,
    cross_norm: Norm,
    cross_query: Linear,
    /// Keys and values of the encoder's states: (hidden, 2 * width).
    cross_key_value: Linear,
    cross_output: Linear,
    feed_forward: FeedForward,
}

/// What the decoder keeps between steps.
pub(super) struct DecoderState {
    layers: Vec<Kept>,
    pub(super) histories: Histories,
    bias: DistanceBias,
}

/// Keys and values of one layer.
struct Kept {
    /// (places, 2 * width)
    made: KeyValueCache,
    /// (encoded tokens, 2 * width)
    encoded: Matrix,
}

/// The bias of a position towards those up to it: the last number of a list is towards itself.
struct DistanceBias {
    /// (heads, longest)
    lists: Vector,
    longest: usize,
}

impl Decoder {
    pub(super) fn load(cuda: &Cuda, config: &T5Config, weights: &Weights) -> Result<Self> {
        let name = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
        Ok(Self {
            config: config.clone(),
            bias: weights.tensor(name, &[config.buckets, config.heads.count])?.to_vec2()?,
            layers: (0..config.decoder_layers)
                .map(|index| Layer::load(cuda, config, weights, index))
                .collect::<Result<_>>()?,
            norm: norm(cuda, weights, "decoder.final_layer_norm", config)?,
        })
    }

    pub(super) fn start(&self, cuda: &Cuda, encoded: &Encoded) -> Result<DecoderState> {
        let kept = |layer: &Layer| -> Result<Kept> {
            Ok(Kept {
                made: KeyValueCache::new(cuda, 2 * self.config.width())?,
                encoded: layer.cross_key_value.forward(cuda, &encoded.states)?,
            })
        };
        Ok(DecoderState {
            layers: self.layers.iter().map(kept).collect::<Result<_>>()?,
            histories: Histories::start(&encoded.offsets),
            bias: self.distance_bias(cuda, USUAL_TOKENS)?,
        })
    }

    /// States of the rows, `(rows, hidden)`; `ids` are checked.
    pub(super) fn forward(
        &self,
        cuda: &Cuda,
        (words, ids): (&Matrix, &[u32]),
        state: &mut DecoderState,
        rows: &[DecoderRow],
    ) -> Result<Matrix> {
        let DecoderState { layers, histories, bias } = state;
        histories.advance(rows)?;
        if histories.position() > bias.longest {
            *bias = self.distance_bias(cuda, 2 * histories.position())?;
        }
        let bias = StepBias { lists: &bias.lists, first: bias.longest - histories.position() };
        let ([own, encoded], tokens) = StepKeys::upload(cuda, Asked::of(histories).lists(), ids)?;
        let mut sum = Sum::start(gather(cuda, &[Table { rows: words, indices: Some(&tokens) }])?);
        for (layer, kept) in self.layers.iter().zip(layers) {
            layer.look_back(cuda, &self.config, &mut sum, (&mut kept.made, &own, bias))?;
            layer.look_across(cuda, &self.config, &mut sum, (&kept.encoded, &encoded))?;
            layer.feed_forward.forward(cuda, &mut sum)?;
        }
        sum.normed(cuda, &self.norm)
    }

    /// For outputs of up to so many tokens.
    fn distance_bias(&self, cuda: &Cuda, longest: usize) -> Result<DistanceBias> {
        let of = |head: usize| {
            let buckets = self.config.distance_buckets();
            let towards = move |back: usize| self.bias[buckets.backward(back as u64)][head];
            (0..longest).rev().map(towards)
        };
        let lists: Vec<f32> = (0..self.config.heads.count).flat_map(of).collect();
        Ok(DistanceBias { lists: cuda.vector(&lists)?, longest })
    }
}

/// Which kept keys the rows of a step ask.
struct Asked {
    /// Of all rows' histories, one row after the other.
    places: Vec<u32>,
    firsts: Vec<u32>,
    /// The tokens that each row has, all the same.
    counts: Vec<u32>,
    span_firsts: Vec<u32>,
    span_counts: Vec<u32>,
}

impl Asked {
    fn of(histories: &Histories) -> Self {
        let (rows, position) = (histories.rows(), histories.position());
        let spans = rows.iter().map(|row| histories.span(row));
        let (span_firsts, span_counts) = spans.map(|(first, count)| (first as u32, count as u32)).unzip();
        Self {
            places: rows.iter().flat_map(|row| &row.places).copied().collect(),
            firsts: (0..rows.len()).map(|row| (row * position) as u32).collect(),
            counts: vec![position as u32; rows.len()],
            span_firsts,
            span_counts,
        }
    }

    /// Of their own tokens, and of what was encoded.
    fn lists(&self) -> [StepLists<'_>; 2] {
        let (firsts, counts) = (&self.span_firsts[..], &self.span_counts[..]);
        [
            StepLists { rows: Some(&self.places), firsts: &self.firsts, counts: &self.counts },
            StepLists { rows: None, firsts, counts },
        ]
    }
}

impl Layer {
    fn load(cuda: &Cuda, config: &T5Config, weights: &Weights, index: usize) -> Result<Self> {
        let name = |part: &str| format!("decoder.block.{index}.layer.{part}");
        let (hidden, width) = (config.hidden_size, config.width());
        let joint = |parts: &[&str], of: &str| {
            let names: Vec<String> = parts.iter().map(|part| name(&format!("{of}.{part}"))).collect();
            linear(cuda, weights, &names, (hidden, width))
        };
        let output = |of: &str| added_linear(cuda, weights, &name(&format!("{of}.o")), (width, hidden));
        let (own, cross) = ("0.SelfAttention", "1.EncDecAttention");
        Ok(Self {
            self_norm: norm(cuda, weights, &name("0.layer_norm"), config)?,
            self_query: joint(&["q"], own)?,
            self_key_value: joint(&["k", "v"], own)?,
            self_output: output(own)?,
            cross_norm: norm(cuda, weights, &name("1.layer_norm"), config)?,
            cross_query: joint(&["q"], cross)?,
            cross_key_value: joint(&["k", "v"], cross)?,
            cross_output: output(cross)?,
            feed_forward: FeedForward::load(cuda, config, weights, &name("2"))?,
        })
    }

    fn look_back(
        &self,
        cuda: &Cuda,
        config: &T5Config,
        sum: &mut Sum,
        (made, keys, bias): (&mut KeyValueCache, &StepKeys, StepBias<'_>),
    ) -> Result<()> {
        let normed = sum.normed(cuda, &self.self_norm)?;
        let query = self.self_query.forward(cuda, &normed)?; // (rows, width)
        made.append(cuda, &self.self_key_value, &normed)?;
        let attention = StepAttention { heads: config.heads, cache: made.matrix(), bias: Some(bias) };
        let context = attention.forward(cuda, query.from_column(0), keys)?;
        sum.add(self.self_output.forward(cuda, &context)?);
        Ok(())
    }

    fn look_across(
        &self,
        cuda: &Cuda,
        config: &T5Config,
        sum: &mut Sum,
        (encoded, keys): (&Matrix, &StepKeys),
    ) -> Result<()> {
        let query = self.cross_query.forward(cuda, &sum.normed(cuda, &self.cross_norm)?)?; // (rows, width)
        let attention = StepAttention { heads: config.heads, cache: encoded, bias: None };
        let context = attention.forward(cuda, query.from_column(0), keys)?;
        sum.add(self.cross_output.forward(cuda, &context)?);
        Ok(())
    }
}
