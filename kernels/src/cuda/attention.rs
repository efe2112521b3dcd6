//! Attention on a GPU: over packed sequences (`source/attention.h`), and over the key-value cache in a decoding step.

use candle_core::Tensor;

use super::arguments::{AttentionArguments, StepArguments};
use super::device::{Columns, Cuda, IndexLists, Indices, Matrix, Vector};
use super::error::{CudaError, Result};
use super::layout::Layout;
use crate::attention::{Heads, Queries};

// The constants of `source/attention.h`.
const SIDE: usize = 64;
const THREADS: usize = 128;
const PRODUCTS_STRIDE: usize = SIDE + 4;
const DISTANCES: usize = 2 * SIDE;

/// Head sizes for which kernels are compiled; smaller heads are padded with zeros.
const SIZES: [usize; 5] = [32, 48, 64, 96, 128];

/// A reach beyond every sequence; its sum with a number of tokens fits into 32 bits.
const NO_LIMIT: usize = i32::MAX as usize / 2;

/// The slot of each distance between two tokens, on the GPU.
pub struct Distances {
    slots: IndexLists,
    longest: usize,
    slot_count: usize,
}

impl Distances {
    /// `slots[i]` is the slot of distance `i - (longest - 1)`, for sequences of up to `longest` tokens.
    ///
    /// # Errors
    /// When the number of distances is even, or slots decrease with increasing distance.
    pub fn new(cuda: &Cuda, slots: &[u32]) -> Result<Self> {
        if slots.len().is_multiple_of(2) || !slots.is_sorted() {
            return Err(CudaError::Shape(
                "a distance table must have an odd length and must not decrease".into(),
            ));
        }
        let slot_count = slots.last().map_or(0, |slot| *slot as usize + 1);
        Ok(Self { slots: cuda.upload_lists(&[slots])?, longest: slots.len().div_ceil(2), slot_count })
    }

    /// The longest sequence that the table covers.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// The relative terms of one layer.
pub struct RelativePositions {
    /// Content to position: (heads * slots, head size).
    key: Option<Matrix>,
    /// Position to content: (heads * slots, head size).
    query: Option<Matrix>,
    /// Bias by distance: (heads, slots).
    bias: Option<Vector>,
    slots: usize,
}

impl RelativePositions {
    /// Uploads position projections; `key` and `query`: `(heads, slots, head size)`.
    ///
    /// # Errors
    /// When neither is given, or their shapes differ or have other dimensions.
    pub fn new(cuda: &Cuda, key: Option<&Tensor>, query: Option<&Tensor>) -> Result<Self> {
        let slots = match (key, query) {
            (Some(one), None) | (None, Some(one)) => one.dims3()?.1,
            (Some(key), Some(query)) if key.dims3()? == query.dims3()? => key.dims3()?.1,
            _ => {
                return Err(CudaError::Shape(
                    "the position projections have different or invalid shapes".into(),
                ));
            }
        };
        let upload = |tensor: Option<&Tensor>| tensor.map(|tensor| cuda.upload(tensor)).transpose();
        Ok(Self { key: upload(key)?, query: upload(query)?, bias: None, slots })
    }

    /// Uploads a bias by distance, `(heads, slots)`.
    ///
    /// # Errors
    /// When it is not a matrix.
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
    /// The heads of the layer.
    pub heads: Heads,
    /// The factor on the sum of a score's terms.
    pub scale: f32,
    /// The relative terms, if the layer has them.
    pub relative: Option<RelativePositions>,
    /// The distance of the farthest key that a query attends to; none: all of its sequence's. Farther ones are not read.
    pub reach: Option<usize>,
}

/// The queries, keys and values of an attention layer.
#[derive(Clone, Copy)]
pub struct AttentionInputs<'m> {
    /// `(tokens, ..)`, or `(sequences, ..)` for [`Queries::First`].
    pub query: Columns<'m>,
    /// `(tokens, ..)`.
    pub key: Columns<'m>,
    /// `(tokens, ..)`, with the same row stride as the keys.
    pub value: Columns<'m>,
}

impl Attention {
    /// Returns `(queries, heads * head size)`. Layers with relative terms need `distances`.
    ///
    /// # Errors
    /// When shapes, layout and distances do not fit together.
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
                return Err(CudaError::Shape(format!(
                    "attention over {rows} rows was given a matrix of shape {shape:?}"
                )));
            }
        }
        if key.matrix.shape().1 != value.matrix.shape().1 {
            return Err(CudaError::Shape("keys and values have different row strides".into()));
        }
        let relative =
            self.relative.as_ref().map(|relative| self.checked_relative(relative, layout, distances));
        let relative = relative.transpose()?;
        let Some(&size) = SIZES.iter().find(|size| **size >= self.heads.size) else {
            return Err(CudaError::Shape(format!(
                "heads of {} columns are not supported; the maximum is 128",
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
            reach: self.reach.map_or(NO_LIMIT, |reach| reach.min(NO_LIMIT)) as i32,
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
        // SAFETY: the shapes are checked above, and the layout's tiles are within its offsets.
        unsafe { cuda.launch(&name, (blocks, THREADS), shared_bytes, &arguments)? };
        Ok(out)
    }

    fn checked_relative<'a>(
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

/// Bytes of shared memory for 64 rows of `size` values.
fn tile_bytes(size: usize) -> usize {
    SIDE * (size + 8) * 2
}

/// The cache rows of each query's keys in a decoding step, on the host.
#[derive(Clone, Copy)]
pub struct StepLists<'l> {
    /// The cache rows of all queries' keys; none if each query's keys are consecutive rows.
    pub rows: Option<&'l [u32]>,
    /// The start of each query's part of `rows`; without `rows`, its first cache row.
    pub firsts: &'l [u32],
    /// The number of keys of each query.
    pub counts: &'l [u32],
}

/// [`StepLists`] on the GPU, checked for consistency.
pub struct StepKeys {
    rows: Option<Indices>,
    firsts: Indices,
    counts: Indices,
    /// One more than the highest cache row.
    rows_end: usize,
    /// The largest number of keys of a query.
    most_keys: usize,
}

impl StepKeys {
    /// Uploads `lists` and a further list in one copy.
    ///
    /// # Errors
    /// When a query's part is not within `rows`, or there is no memory.
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
            let rows_end = if list.rows.is_some() { rows.end() } else { list.end() };
            let most_keys = list.counts.iter().max().map_or(0, |most| *most as usize);
            Ok(Self { rows: list.rows.map(|_| rows), firsts, counts, rows_end, most_keys })
        });
        let keys: Vec<Self> = keys.collect::<Result<_>>()?;
        let keys = <[Self; N]>::try_from(keys)
            .unwrap_or_else(|_| unreachable!("one element for each of the N lists"));
        Ok((keys, uploaded.list(3 * N)))
    }
}

impl<'l> StepLists<'l> {
    fn all(&self) -> [&'l [u32]; 3] {
        [self.rows.unwrap_or_default(), self.firsts, self.counts]
    }

    /// The end of the last query's part.
    fn end(&self) -> usize {
        let ends =
            self.firsts.iter().zip(self.counts).map(|(first, count)| *first as usize + *count as usize);
        ends.max().unwrap_or(0)
    }

    fn check(&self) -> Result<()> {
        let given = self.rows.map_or(u32::MAX as usize, <[u32]>::len);
        if self.firsts.len() != self.counts.len() || self.end() > given {
            return Err(CudaError::Shape(format!(
                "a decoding step of {} queries was given {} counts and {given} key rows, but needs {} rows",
                self.firsts.len(),
                self.counts.len(),
                self.end()
            )));
        }
        Ok(())
    }
}

/// The position bias of a decoding step.
#[derive(Clone, Copy)]
pub struct StepBias<'s> {
    /// The biases of each head: (heads, ..).
    pub lists: &'s Vector,
    /// The index of the first key's bias; those of the following keys follow.
    pub first: usize,
}

/// Attention of a decoding step: one query per row.
pub struct StepAttention<'s> {
    /// The heads of the layer.
    pub heads: Heads,
    /// The key-value cache, each row a key and a value: `(rows, 2 * heads * head size)`.
    pub cache: &'s Matrix,
    /// The position bias, which must cover the largest number of keys.
    pub bias: Option<StepBias<'s>>,
}

impl StepAttention<'_> {
    /// `query`: `(queries, ..)`. Returns `(queries, heads * head size)`.
    ///
    /// # Errors
    /// When shapes do not fit together.
    pub fn forward(&self, cuda: &Cuda, query: Columns<'_>, keys: &StepKeys) -> Result<Matrix> {
        let width = self.heads.count * self.heads.size;
        let (rows, stride) = query.matrix.shape();
        let fits = self.cache.shape().1 == 2 * width
            && stride >= query.first + width
            && keys.firsts.count() == rows
            && keys.rows_end <= self.cache.shape().0
            && self.bias.is_none_or(|bias| bias.first + keys.most_keys <= self.list_length(bias))
            && self.heads.size <= SIZES[SIZES.len() - 1];
        if !fits {
            return Err(CudaError::Shape(format!(
                "a decoding step of {rows} queries does not fit a cache of shape {:?} or its keys and bias",
                self.cache.shape()
            )));
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
        // SAFETY: the shapes are checked above, as are the key rows against the cache and the counts against the bias.
        unsafe { cuda.launch(&name, ((rows, self.heads.count), 32), 0, &arguments)? };
        Ok(out)
    }

    /// The number of biases of a head.
    fn list_length(&self, bias: StepBias<'_>) -> usize {
        bias.lists.count().checked_div(self.heads.count).unwrap_or(0)
    }
}
