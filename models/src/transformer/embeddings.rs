//! From token ids to the first hidden states: the sum of word, position and type rows, normed, and projected before or
//! after the norm if the tables are narrower than the states.

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear, Precision};

use super::parts::{layer_norm, linear, unbiased_linear};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::{pick, pick_stored};
use crate::weights::{Matrix, Weights};

/// The names and sizes of a network's embeddings.
pub(crate) struct EmbeddingPlan {
    /// The prefix of their tensor names.
    pub(crate) name: String,
    /// Rows of the table of words.
    pub(crate) words: usize,
    /// Rows of the table of positions, if there is one.
    pub(crate) positions: Option<usize>,
    /// Rows of the table of token types; 0 without one.
    pub(crate) types: usize,
    /// Whether all tokens have type 0.
    pub(crate) has_one_type: bool,
    /// Columns of the tables.
    pub(crate) width: usize,
    /// Columns of the states.
    pub(crate) hidden: usize,
    pub(crate) projection: Widening,
    pub(crate) norm_epsilon: f64,
    /// The padding token; positions are counted from the row after its id. `None` if they are counted from row 0.
    pub(crate) padding_id: Option<u32>,
}

/// The layer that widens the embeddings, by its name.
#[derive(Clone, Copy)]
pub(crate) enum Widening {
    None,
    /// Before the norm, without a bias.
    BeforeNorm(&'static str),
    /// After the norm.
    AfterNorm(&'static str),
}

/// The tables whose rows are added.
pub(crate) struct EmbeddingTables {
    /// (vocabulary, width)
    pub(crate) words: Matrix,
    /// (positions, width); with the row of its only type added, if all tokens have one type.
    pub(crate) positions: Option<Tensor>,
    /// (types, width), if tokens have different types.
    pub(crate) types: Option<Tensor>,
}

impl EmbeddingPlan {
    pub(crate) fn tables(&self, weights: &Weights) -> Result<EmbeddingTables> {
        let name = |kind: &str| format!("{}.{kind}_embeddings.weight", self.name);
        let table = |kind: &str, rows: usize| weights.tensor(&name(kind), &[rows, self.width]);
        let mut positions = self.positions.map(|rows| table("position", rows)).transpose()?;
        let mut types = (self.types > 0).then(|| table("token_type", self.types)).transpose()?;
        if self.has_one_type
            && let (Some(positions), Some(types)) = (&mut positions, types.take())
        {
            *positions = positions.broadcast_add(&types.narrow(0, 0, 1)?)?;
        }
        let words = weights.matrix(&name("word"), [self.words, self.width])?;
        Ok(EmbeddingTables { words, positions, types })
    }

    /// The name of the norm, and its columns.
    pub(crate) fn norm(&self) -> (String, usize) {
        let is_narrow = matches!(self.projection, Widening::AfterNorm(_));
        (format!("{}.LayerNorm", self.name), if is_narrow { self.width } else { self.hidden })
    }
}

pub(super) struct Embeddings {
    tables: EmbeddingTables,
    padding_id: Option<u32>,
    before_norm: Option<Linear>,
    norm: LayerNorm,
    after_norm: Option<Linear>,
}

impl Embeddings {
    pub(super) fn load(plan: &EmbeddingPlan, weights: &Weights) -> Result<Self> {
        let (width, hidden, in_f32) = (plan.width, plan.hidden, Precision::F32);
        let (before_norm, after_norm) = match plan.projection {
            Widening::None => (None, None),
            Widening::BeforeNorm(name) => {
                (Some(unbiased_linear(weights, name, width, hidden, in_f32)?), None)
            }
            Widening::AfterNorm(name) => (None, Some(linear(weights, name, width, hidden, in_f32)?)),
        };
        let (norm, columns) = plan.norm();
        let norm = layer_norm(weights, &norm, columns, plan.norm_epsilon)?;
        let (tables, padding_id) = (plan.tables(weights)?, plan.padding_id);
        Ok(Self { tables, padding_id, before_norm, norm, after_norm })
    }

    /// The states before the first layer, `(tokens, hidden)`.
    pub(super) fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        let EmbeddingTables { words, positions, types } = &self.tables;
        let mut sum = pick_stored(words, batch.ids(), "token id")?; // (tokens, width)
        if let Some(table) = positions {
            sum = (sum + pick(table, &position_rows(self.padding_id, batch), "position")?)?;
        }
        if let Some(table) = types {
            sum = (sum + pick(table, batch.types(), "token type")?)?;
        }
        if let Some(projection) = &self.before_norm {
            sum = projection.forward(&sum)?;
        }
        let normed = self.norm.forward(&sum)?;
        match &self.after_norm {
            Some(projection) => Ok(projection.forward(&normed)?),
            None => Ok(normed),
        }
    }
}

/// Rows of the position table, `(tokens)`; counted from the row after `padding_id`, or from 0.
pub(crate) fn position_rows(padding_id: Option<u32>, batch: &PackedBatch) -> Vec<u32> {
    let Some(padding_id) = padding_id else { return batch.positions() };
    let mut rows = Vec::with_capacity(batch.tokens());
    for o in batch.offsets().windows(2) {
        let mut last = padding_id;
        rows.extend(batch.ids()[o[0]..o[1]].iter().map(|&id| {
            if id == padding_id {
                padding_id
            } else {
                last += 1;
                last
            }
        }));
    }
    rows
}
