//! The decoder, one token per step. Keys and values of a row's own tokens are kept on the device, and follow the row that it
//! continues; those of the encoded sequences are computed once.

use candle_core::{DType, Error, Tensor};
use candle_nn::{Linear, Module, RmsNorm};

use super::parts::{FeedForward, Parts};
use crate::error::Result;
use crate::generation::DecoderRow;
use crate::padded::parts::{by_head, context, scores};
use crate::t5::T5Config;
use crate::tables::check_ids;

pub(super) struct Decoder {
    config: T5Config,
    words: Tensor,
    /// By head and bucket: (heads, buckets).
    bias: Tensor,
    layers: Vec<Layer>,
    norm: RmsNorm,
}

struct Layer {
    self_norm: RmsNorm,
    /// Queries, keys and values: (hidden, 3 * width).
    self_projection: Linear,
    self_output: Linear,
    cross_norm: RmsNorm,
    cross_query: Linear,
    cross_key: Linear,
    cross_value: Linear,
    cross_output: Linear,
    feed_forward: FeedForward,
}

/// Keys and values of one layer, each `(rows, heads, tokens, size)`.
type KeysAndValues = [Tensor; 2];

/// The state of a decoder between steps.
pub(super) struct DecoderState {
    /// Of the rows' own tokens by layer; none before the first step.
    own: Vec<KeysAndValues>,
    /// Of the encoded sequences by layer.
    encoded: Vec<KeysAndValues>,
    /// The mask of the encoded sequences, `(sequences, 1, 1, longest)`.
    mask: Tensor,
    /// The same two by row.
    of_rows: (Vec<KeysAndValues>, Tensor),
    /// The sequence of each row.
    sequences: Vec<u32>,
    position: usize,
}

impl DecoderState {
    /// The encoded sequence of a row of the last step.
    pub(super) fn sequence(&self, row: usize) -> usize {
        self.sequences[row] as usize
    }

    /// Advances to the rows of the next step.
    fn advance(&mut self, rows: &[DecoderRow]) -> Result<()> {
        let known = if self.position == 0 { self.mask.dim(0)? } else { self.sequences.len() };
        if let Some(row) = rows.iter().find(|row| row.continues >= known) {
            return Err(
                Error::Msg(format!("a decoder row continues {}, there are {known}", row.continues)).into()
            );
        }
        let continued: Vec<u32> = rows.iter().map(|row| row.continues as u32).collect();
        let sequences: Vec<u32> = match self.position {
            0 => continued.clone(),
            _ => continued.iter().map(|row| self.sequences[*row as usize]).collect(),
        };
        if sequences != self.sequences {
            let places = Tensor::new(&sequences[..], self.mask.device())?;
            self.of_rows = (picked(&self.encoded, &places)?, self.mask.index_select(&places, 0)?);
            self.sequences = sequences;
        }
        let stay = continued.iter().zip(0..).all(|(row, place)| *row == place)
            && self.own.first().is_none_or(|[keys, _]| keys.dims()[0] == rows.len());
        if self.position > 0 && !stay {
            self.own = picked(&self.own, &Tensor::new(continued, self.mask.device())?)?;
        }
        self.position += 1;
        Ok(())
    }
}

/// The keys and values of these rows.
fn picked(all: &[KeysAndValues], rows: &Tensor) -> Result<Vec<KeysAndValues>> {
    let of =
        |[keys, values]: &KeysAndValues| Ok([keys.index_select(rows, 0)?, values.index_select(rows, 0)?]);
    all.iter().map(of).collect()
}

impl Decoder {
    /// `words`: the table of word embeddings on the target.
    pub(super) fn load(parts: &Parts<'_>, words: &Tensor) -> Result<Self> {
        let config = parts.config;
        let name = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
        let bias = parts.weights.tensor(name, &[config.buckets, config.heads.count])?;
        Ok(Self {
            words: words.clone(),
            bias: parts.target.place(&bias.t()?.contiguous()?)?,
            layers: (0..config.decoder_layers)
                .map(|index| Layer::load(parts, index))
                .collect::<Result<_>>()?,
            norm: parts.norm("decoder.final_layer_norm")?,
            config: config.clone(),
        })
    }

    /// The state for encoded sequences, `(sequences, longest, hidden)`, before the first token; `mask` is that of their
    /// batch.
    pub(super) fn start(&self, encoded: &Tensor, mask: Tensor) -> Result<DecoderState> {
        let sequences = encoded.dim(0)?;
        let heads = |x: Tensor| {
            let cut = x.reshape((sequences, (), self.config.heads.count, self.config.heads.size))?;
            cut.transpose(1, 2)?.contiguous()
        };
        let of_layer = |layer: &Layer| {
            Ok([heads(layer.cross_key.forward(encoded)?)?, heads(layer.cross_value.forward(encoded)?)?])
        };
        Ok(DecoderState {
            own: Vec::new(),
            encoded: self.layers.iter().map(of_layer).collect::<Result<_>>()?,
            of_rows: (Vec::new(), mask.clone()),
            mask,
            sequences: Vec::new(),
            position: 0,
        })
    }

    /// The normed states of the tokens that these rows add, `(rows, 1, hidden)`.
    pub(super) fn step(&self, state: &mut DecoderState, rows: &[DecoderRow]) -> Result<Tensor> {
        state.advance(rows)?;
        let ids: Vec<u32> = rows.iter().map(|row| row.token).collect();
        check_ids(self.words.dim(0)?, &ids, "token id")?;
        let device = self.words.device();
        let bias = self.bias_of(state.position)?;
        let no_mask = Tensor::zeros((1, 1, 1, 1), DType::F32, device)?;
        let mut states = self.words.index_select(&Tensor::new(ids, device)?, 0)?.unsqueeze(1)?;
        let mut own = Vec::with_capacity(self.layers.len());
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.self_projection.forward(&layer.self_norm.forward(&states)?)?;
            let [query, key, value] = by_head(&projected, self.config.heads)?; // (rows, heads, 1, size)
            let [keys, values] = match state.own.get(index) {
                Some([keys, values]) => [Tensor::cat(&[keys, &key], 2)?, Tensor::cat(&[values, &value], 2)?],
                None => [key, value],
            };
            let attended = context(&scores(&query, &keys)?.broadcast_add(&bias)?, &no_mask, &values)?;
            states = (states + layer.self_output.forward(&attended)?)?;
            own.push([keys, values]);
            let query = layer.cross_query.forward(&layer.cross_norm.forward(&states)?)?;
            let query = query.reshape((rows.len(), self.config.heads.count, 1, self.config.heads.size))?;
            let ([keys, values], mask) = (&state.of_rows.0[index], &state.of_rows.1);
            let attended = context(&scores(&query, keys)?, mask, values)?;
            states = (states + layer.cross_output.forward(&attended)?)?;
            states = layer.feed_forward.forward(&self.config, &states)?;
        }
        state.own = own;
        Ok(self.norm.forward(&states)?)
    }

    /// The bias of the last of `count` positions to each position: (1, heads, 1, positions).
    fn bias_of(&self, count: usize) -> Result<Tensor> {
        let buckets = self.config.distance_buckets();
        let places: Vec<u32> =
            (0..count).map(|position| buckets.backward((count - 1 - position) as u64) as u32).collect();
        let bias = self.bias.index_select(&Tensor::new(places, self.bias.device())?, 1)?;
        Ok(bias.reshape((1, (), 1, count))?)
    }
}

impl Layer {
    fn load(parts: &Parts<'_>, index: usize) -> Result<Self> {
        let name = |part: &str| format!("decoder.block.{index}.layer.{part}");
        let (hidden, width) = (parts.config.hidden_size, parts.config.width());
        let own = ["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}")));
        let cross = |part: &str, inputs, outputs| {
            parts.linear(&name(&format!("1.EncDecAttention.{part}")), inputs, outputs)
        };
        Ok(Self {
            self_norm: parts.norm(&name("0.layer_norm"))?,
            self_projection: parts.joint(&own, hidden, width)?,
            self_output: parts.linear(&name("0.SelfAttention.o"), width, hidden)?,
            cross_norm: parts.norm(&name("1.layer_norm"))?,
            cross_query: cross("q", hidden, width)?,
            cross_key: cross("k", hidden, width)?,
            cross_value: cross("v", hidden, width)?,
            cross_output: cross("o", width, hidden)?,
            feed_forward: parts.feed_forward(&name("2"))?,
        })
    }
}
