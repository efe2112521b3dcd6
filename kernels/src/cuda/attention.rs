//! Attention over packed sequences on a GPU (`source/attention.h` says how), and a decoder's step over kept keys.

use candle_core::Tensor;

use super::arguments::{AttentionArguments, StepArguments};
use super::device::{Columns, Cuda, Indices, Matrix, Uploaded, Vector};
use super::error::{CudaError, Result};
use super::layout::Layout;
use crate::attention::{Heads, Queries};

/// Of `source/attention.h`.
const SIDE: usize = 64;
const THREADS: usize = 128;
const PRODUCTS_STRIDE: usize = SIDE + 4;
const DISTANCES: usize = 2 * SIDE;

/// Columns of a head that kernels were compiled for; a smaller head is filled up with zeros.
const SIZES: [usize; 5] = [32, 48, 64, 96, 128];

/// Which slot each distance between two tokens uses, on the GPU.
pub struct Distances {
    slots: Uploaded,
    longest: usize,
    slot_count: usize,
}

impl Distances {
    /// `slots[i]` is the slot of distance `i - (longest - 1)`, for sequences of up to `longest` tokens.
    ///
    /// # Errors
    /// When the number of slots is even, or slots fall as distances rise.
    pub fn new(cuda: &Cuda, slots: &[u32]) -> Result<Self> {
        if slots.len().is_multiple_of(2) || !slots.is_sorted() {
            return Err(CudaError::Shape("a distance table must be odd in length and must not fall".into()));
        }
        let slot_count = slots.last().map_or(0, |slot| *slot as usize + 1);
        Ok(Self { slots: cuda.upload_lists(&[slots])?, longest: slots.len().div_ceil(2), slot_count })
    }

    /// Longest sequence that it serves.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// The relative terms of one layer.
pub struct RelativePositions {
    /// Content to position: (heads * slots, head size).
    key: Option<Matrix>,
    /// Position to content, the same.
    query: Option<Matrix>,
    /// By distance alone: (heads, slots).
    bias: Option<Vector>,
    slots: usize,
}

impl RelativePositions {
    /// Position projections, both `(heads, slots, head size)`.
    ///
    /// # Errors
    /// When they have other shapes.
    pub fn new(cuda: &Cuda, key: Option<&Tensor>, query: Option<&Tensor>) -> Result<Self> {
        let slots = match (key, query) {
            (Some(one), None) | (None, Some(one)) => one.dims3()?.1,
            (Some(key), Some(query)) if key.dims3()? == query.dims3()? => key.dims3()?.1,
            _ => return Err(CudaError::Shape("position projections that do not fit together".into())),
        };
        let upload = |tensor: Option<&Tensor>| tensor.map(|tensor| cuda.upload(tensor)).transpose();
        Ok(Self { key: upload(key)?, query: upload(query)?, bias: None, slots })
    }

    /// A bias by distance alone, `(heads, slots)`.
    ///
    /// # Errors
    /// When it has another shape.
    pub fn from_bias(cuda: &Cuda, bias: &Tensor) -> Result<Self> {
        let (_, slots) = bias.dims2()?;
        Ok(Self { key: None, query: None, bias: Some(cuda.upload_wide(bias)?), slots })
    }

    fn fits(&self, heads: Heads, distances: &Distances) -> bool {
        let projection = |matrix: &Option<Matrix>| {
            matrix.as_ref().is_none_or(|matrix| matrix.shape() == (heads.count * self.slots, heads.size))
        };
        projection(&self.key)
            && projection(&self.query)
            && self.bias.as_ref().is_none_or(|bias| bias.count() == heads.count * self.slots)
            && distances.slot_count <= self.slots
    }
}

/// The attention of one layer.
pub struct Attention {
    /// Cut of the columns.
    pub heads: Heads,
    /// Factor on the sum of the score's terms.
    pub scale: f32,
    /// The relative terms, if the layer has them.
    pub relative: Option<RelativePositions>,
}

/// What asks, what is asked, and what is taken.
#[derive(Clone, Copy)]
pub struct AttentionInputs<'m> {
    /// `(tokens, ..)`, or `(sequences, ..)` for [`Queries::First`].
    pub query: Columns<'m>,
    /// `(tokens, ..)`
    pub key: Columns<'m>,
    /// `(tokens, ..)`, of the same matrix as the keys.
    pub value: Columns<'m>,
}

impl Attention {
    /// As many rows as there are queries, of `heads * head size` columns. `distances` are needed where the layer has
    /// relative terms.
    ///
    /// # Errors
    /// When shapes, batch and distances do not fit together.
    pub fn forward(
        &self,
        cuda: &Cuda,
        AttentionInputs { query, key, value }: AttentionInputs<'_>,
        layout: &Layout,
        distances: Option<&Distances>,
        queries: Queries,
    ) -> Result<Matrix> {
        let width = self.heads.count * self.heads.size;
        let rows = match queries {
            Queries::All => layout.tokens(),
            Queries::First => layout.sequences(),
        };
        for (columns, rows) in [(query, rows), (key, layout.tokens()), (value, layout.tokens())] {
            let shape = columns.matrix.shape();
            if shape.0 != rows || shape.1 < columns.first + width {
                return Err(CudaError::Shape(format!("attention over {rows} rows was given {shape:?}")));
            }
        }
        if key.matrix.shape().1 != value.matrix.shape().1 {
            return Err(CudaError::Shape("keys and values of different matrices".into()));
        }
        let relative = self.relative.as_ref().map(|relative| self.checked(relative, layout, distances));
        let relative = relative.transpose()?;
        let Some(&size) = SIZES.iter().find(|size| **size >= self.heads.size) else {
            return Err(CudaError::Shape(format!(
                "heads of {} columns; at most 128 are computed",
                self.heads.size
            )));
        };
        let (query_offsets, tiles) = layout.queries(queries);
        let out = cuda.matrix(rows, width)?;
        let mut arguments = AttentionArguments {
            query: cuda.address(&query)?,
            key: cuda.address(&key)?,
            value: cuda.address(&value)?,
            offsets: cuda.address(&layout.offsets())?,
            query_offsets: cuda.address(&query_offsets)?,
            tiles: cuda.address(&tiles)?,
            out: cuda.address(&out)?,
            query_stride: query.matrix.shape().1 as i32,
            key_stride: key.matrix.shape().1 as i32,
            size: self.heads.size as i32,
            is_aligned: i32::from(
                self.heads.size.is_multiple_of(8) && [query, key, value].iter().all(Columns::is_aligned),
            ),
            scale: self.scale * std::f32::consts::LOG2_E,
            ..AttentionArguments::default()
        };
        let mut shared_bytes = 3 * tile_bytes(size) + DISTANCES * 4;
        if let Some((relative, distances)) = relative {
            arguments.position_key = cuda.address_of(relative.key.as_ref())?;
            arguments.position_query = cuda.address_of(relative.query.as_ref())?;
            arguments.bias = cuda.address_of(relative.bias.as_ref())?;
            arguments.slots = cuda.address(&distances.slots.list(0))?;
            arguments.slot_count = relative.slots as i32;
            arguments.longest = distances.longest as i32;
            if relative.bias.is_none() {
                shared_bytes += 2 * tile_bytes(size) + SIDE * PRODUCTS_STRIDE * 4;
            }
        }
        let name = format!("attention_{}_{size}", cuda.dtype().name());
        let blocks = (tiles.count() / 2, self.heads.count);
        // SAFETY: shapes were compared, and the layout's tiles lie within its offsets.
        unsafe { cuda.launch(&name, (blocks, THREADS), shared_bytes, &arguments)? };
        Ok(out)
    }

    fn checked<'a>(
        &self,
        relative: &'a RelativePositions,
        layout: &Layout,
        distances: Option<&'a Distances>,
    ) -> Result<(&'a RelativePositions, &'a Distances)> {
        match distances {
            Some(distances)
                if relative.fits(self.heads, distances) && layout.longest() <= distances.longest =>
            {
                Ok((relative, distances))
            }
            _ => Err(CudaError::Shape(format!(
                "relative positions of {} slots do not fit {:?} and sequences of {} tokens",
                relative.slots,
                self.heads,
                layout.longest()
            ))),
        }
    }
}

/// Shared memory of 64 rows of `size` numbers.
fn tile_bytes(size: usize) -> usize {
    SIDE * (size + 8) * 2
}

/// Which kept keys each row of a step asks, on the host.
#[derive(Clone, Copy)]
pub struct StepLists<'l> {
    /// Places of all rows' keys; none where each row's are neighbours.
    pub rows: Option<&'l [u32]>,
    /// Where each row's places begin, or its keys.
    pub firsts: &'l [u32],
    /// Keys of each row.
    pub counts: &'l [u32],
}

/// The same on the GPU; no row asks for places that it was not given.
pub struct StepKeys {
    rows: Option<Indices>,
    firsts: Indices,
    counts: Indices,
    /// Above every place that is asked for.
    past: usize,
    /// Keys of the row that has most.
    most: usize,
}

impl StepKeys {
    /// Several such lists, and another one beside them, in one copy.
    ///
    /// # Errors
    /// When a row's places are not among those given, or there is no memory.
    pub fn upload<const N: usize>(
        cuda: &Cuda,
        lists: [StepLists<'_>; N],
        other: &[u32],
    ) -> Result<([Self; N], Indices)> {
        let all: Vec<&[u32]> = lists.iter().flat_map(StepLists::all).chain([other]).collect();
        let uploaded = cuda.upload_lists(&all)?;
        let keys = lists.iter().enumerate().map(|(number, list)| {
            let [rows, firsts, counts] = [0, 1, 2].map(|part| uploaded.list(3 * number + part));
            list.check()?;
            let past = if list.rows.is_some() { rows.past() } else { list.reach() };
            let most = list.counts.iter().max().map_or(0, |most| *most as usize);
            Ok(Self { rows: list.rows.map(|_| rows), firsts, counts, past, most })
        });
        let keys: Vec<Self> = keys.collect::<Result<_>>()?;
        let keys = <[Self; N]>::try_from(keys).unwrap_or_else(|_| unreachable!("as many as lists"));
        Ok((keys, uploaded.list(3 * N)))
    }
}

impl<'l> StepLists<'l> {
    fn all(&self) -> [&'l [u32]; 3] {
        [self.rows.unwrap_or_default(), self.firsts, self.counts]
    }

    /// Above every key or place of a row.
    fn reach(&self) -> usize {
        let ends =
            self.firsts.iter().zip(self.counts).map(|(first, count)| *first as usize + *count as usize);
        ends.max().unwrap_or(0)
    }

    fn check(&self) -> Result<()> {
        let given = self.rows.map_or(u32::MAX as usize, <[u32]>::len);
        if self.firsts.len() != self.counts.len() || self.reach() > given {
            return Err(CudaError::Shape(format!(
                "a step of {} rows, {} counts and {given} rows that reaches to {}",
                self.firsts.len(),
                self.counts.len(),
                self.reach()
            )));
        }
        Ok(())
    }
}

/// What is added to the score of each key.
#[derive(Clone, Copy)]
pub struct StepBias<'s> {
    /// A list of numbers for each head: (heads, ..).
    pub lists: &'s Vector,
    /// Where in each list the number of a row's first key stands; that of the next follows.
    pub first: usize,
}

/// A decoder's step: one query a row.
pub struct StepAttention<'s> {
    /// Cut of the columns.
    pub heads: Heads,
    /// Keys, then values, of every place: `(places, 2 * heads * head size)`.
    pub cache: &'s Matrix,
    /// Lists that are long enough for the row of most keys.
    pub bias: Option<StepBias<'s>>,
}

impl StepAttention<'_> {
    /// `query`: `(rows, ..)`; gives `(rows, heads * head size)`.
    ///
    /// # Errors
    /// When shapes do not fit together.
    pub fn forward(&self, cuda: &Cuda, query: Columns<'_>, keys: &StepKeys) -> Result<Matrix> {
        let width = self.heads.count * self.heads.size;
        let (rows, stride) = query.matrix.shape();
        let fits = self.cache.shape().1 == 2 * width
            && stride >= query.first + width
            && keys.firsts.count() == rows
            && keys.past <= self.cache.shape().0
            && self.bias.is_none_or(|bias| bias.first + keys.most <= self.list_length(bias))
            && self.heads.size <= SIZES[SIZES.len() - 1];
        if !fits {
            return Err(CudaError::Shape(format!("a step of {rows} rows over {:?}", self.cache.shape())));
        }
        let out = cuda.matrix(rows, width)?;
        let lists = cuda.address_of(self.bias.map(|bias| bias.lists))?;
        let arguments = StepArguments {
            query: cuda.address(&query)?,
            cache: cuda.address(self.cache)?,
            cache_rows: cuda.address_of(keys.rows.as_ref())?,
            firsts: cuda.address(&keys.firsts)?,
            counts: cuda.address(&keys.counts)?,
            bias: self.bias.map_or(0, |bias| lists + 4 * bias.first as u64),
            out: cuda.address(&out)?,
            query_stride: stride as i32,
            size: self.heads.size as i32,
            bias_count: self.bias.map_or(0, |bias| self.list_length(bias)) as i32,
            scale: std::f32::consts::LOG2_E,
        };
        let name = format!("step_attention_{}", cuda.dtype().name());
        // SAFETY: shapes were compared; places were compared with the kept rows, and counts with the lists.
        unsafe { cuda.launch(&name, ((rows, self.heads.count), 32), 0, &arguments)? };
        Ok(out)
    }

    /// Numbers of a head's list.
    fn list_length(&self, bias: StepBias<'_>) -> usize {
        bias.lists.count().checked_div(self.heads.count).unwrap_or(0)
    }
}
