//! The decoder on a GPU: the counterpart of `t5/decoder.rs`. The key-value cache stays on the device; a step uploads its
//! tokens and the cache indices of each row's history.

use veridic_kernels::cuda::{
    Cuda, KeyValueCache, Linear, Matrix, Norm, StepAttention, StepBias, StepKeys, StepLists, Table, Vector,
    gather,
};

use super::super::T5Config;
use super::super::history::{DecoderRow, Histories};
use super::Encoded;
use super::parts::{FeedForward, added_linear, linear, norm};
use crate::error::Result;
use crate::transformer::ResidualStream;
use crate::weights::Weights;

/// Tokens of an output whose biases are uploaded at the start.
const INITIAL_TOKENS: usize = 128;

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

/// The state of the decoder between steps.
pub(super) struct DecoderState {
    layers: Vec<LayerCache>,
    pub(super) histories: Histories,
    bias: DistanceBias,
}

/// Keys and values of one layer.
struct LayerCache {
    /// Of the decoder's tokens, (cached tokens, 2 * width).
    own: KeyValueCache,
    /// Of the encoder's states, (encoded tokens, 2 * width).
    encoded: Matrix,
}

/// The bias of a position to itself, at the end of a list, and to the earlier ones before it.
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
        let cache = |layer: &Layer| -> Result<LayerCache> {
            Ok(LayerCache {
                own: KeyValueCache::new(cuda, 2 * self.config.width())?,
                encoded: layer.cross_key_value.forward(cuda, &encoded.states)?,
            })
        };
        Ok(DecoderState {
            layers: self.layers.iter().map(cache).collect::<Result<_>>()?,
            histories: Histories::start(&encoded.offsets),
            bias: self.distance_bias(cuda, INITIAL_TOKENS)?,
        })
    }

    /// States of the rows, `(rows, hidden)`; `ids` must be in the vocabulary.
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
        let ([own, encoded], tokens) = StepKeys::upload(cuda, KeyLists::of(histories).lists(), ids)?;
        let mut stream =
            ResidualStream::start(gather(cuda, &[Table { rows: words, indices: Some(&tokens) }])?);
        for (layer, cache) in self.layers.iter().zip(layers) {
            layer.self_attention(cuda, &self.config, &mut stream, (&mut cache.own, &own, bias))?;
            layer.cross_attention(cuda, &self.config, &mut stream, (&cache.encoded, &encoded))?;
            layer.feed_forward.forward(cuda, &mut stream)?;
        }
        stream.normed(cuda, &self.norm)
    }

    /// The bias for outputs of up to `longest` tokens.
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

/// The cached keys that each row of a step attends to.
struct KeyLists {
    /// The cache indices of all rows' histories, one row after the other.
    cached: Vec<u32>,
    firsts: Vec<u32>,
    /// Number of tokens of each row, all the same.
    counts: Vec<u32>,
    span_firsts: Vec<u32>,
    span_counts: Vec<u32>,
}

impl KeyLists {
    fn of(histories: &Histories) -> Self {
        let (rows, position) = (histories.rows(), histories.position());
        let spans = rows.iter().map(|row| histories.span(row));
        let (span_firsts, span_counts) = spans.map(|(first, count)| (first as u32, count as u32)).unzip();
        Self {
            cached: rows.iter().flat_map(|row| &row.cached).copied().collect(),
            firsts: (0..rows.len()).map(|row| (row * position) as u32).collect(),
            counts: vec![position as u32; rows.len()],
            span_firsts,
            span_counts,
        }
    }

    /// The lists of the rows' own tokens and of the encoder's states.
    fn lists(&self) -> [StepLists<'_>; 2] {
        let (firsts, counts) = (&self.span_firsts[..], &self.span_counts[..]);
        [
            StepLists { rows: Some(&self.cached), firsts: &self.firsts, counts: &self.counts },
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

    /// Adds the rows' keys and values to the cache and attends to their own tokens.
    fn self_attention(
        &self,
        cuda: &Cuda,
        config: &T5Config,
        stream: &mut ResidualStream,
        (cache, keys, bias): (&mut KeyValueCache, &StepKeys, StepBias<'_>),
    ) -> Result<()> {
        let normed = stream.normed(cuda, &self.self_norm)?;
        let query = self.self_query.forward(cuda, &normed)?; // (rows, width)
        cache.append(cuda, &self.self_key_value, &normed)?;
        let attention = StepAttention { heads: config.heads, cache: cache.matrix(), bias: Some(bias) };
        let context = attention.forward(cuda, query.from_column(0), keys)?;
        stream.add(self.self_output.forward(cuda, &context)?);
        Ok(())
    }

    fn cross_attention(
        &self,
        cuda: &Cuda,
        config: &T5Config,
        stream: &mut ResidualStream,
        (encoded, keys): (&Matrix, &StepKeys),
    ) -> Result<()> {
        let query = self.cross_query.forward(cuda, &stream.normed(cuda, &self.cross_norm)?)?; // (rows, width)
        let attention = StepAttention { heads: config.heads, cache: encoded, bias: None };
        let context = attention.forward(cuda, query.from_column(0), keys)?;
        stream.add(self.cross_output.forward(cuda, &context)?);
        Ok(())
    }
}
