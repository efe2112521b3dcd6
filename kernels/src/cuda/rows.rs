//! What is done row by row: sums of table rows with their norm (embeddings; residuals; picking rows), activations,
//! scores, and neighbours side by side.

use candle_core::Tensor;

use super::arguments::{ActivateArguments, ScoreArguments, SumArguments, UnfoldArguments};
use super::device::{Cuda, Indices, Matrix, Vector};
use super::error::{CudaError, Result};
use super::layout::Layout;
use crate::activation::Activation;

/// Threads of a block; a warp has a row.
const THREADS: usize = 128;
const ROWS_A_BLOCK: usize = THREADS / 32;

/// Columns that a warp takes at once.
const PIECE_COLUMNS: usize = 256;

/// Most columns of a norm: a block keeps four rows in f32 in 48 KB of shared memory.
const MOST_COLUMNS: usize = 3072;

/// A norm of rows: with biases a layer norm (Ba, Kiros, Hinton 2016), without an RMS norm.
pub struct Norm {
    weight: Vector,
    bias: Option<Vector>,
    epsilon: f32,
}

/// Rows that a sum takes: row `indices[i]` for row i, or row i itself.
#[derive(Clone, Copy)]
pub struct Table<'t> {
    /// Where they are taken from.
    pub rows: &'t Matrix,
    /// Which ones; one that the table does not have is refused.
    pub indices: Option<&'t Indices>,
}

impl<'t> From<&'t Matrix> for Table<'t> {
    fn from(rows: &'t Matrix) -> Self {
        Self { rows, indices: None }
    }
}

impl Norm {
    /// `weight` and `bias`: `(columns)`.
    ///
    /// # Errors
    /// When they do not fit together.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>, epsilon: f64) -> Result<Self> {
        if bias.is_some_and(|bias| bias.dims() != weight.dims()) {
            return Err(CudaError::Shape(format!("a norm of {:?} was given other biases", weight.dims())));
        }
        let bias = bias.map(|bias| cuda.upload_wide(bias)).transpose()?;
        Ok(Self { weight: cuda.upload_wide(weight)?, bias, epsilon: epsilon as f32 })
    }

    /// The norm of each sum of rows: `(rows, columns)`.
    ///
    /// # Errors
    /// When tables do not fit together or the norm.
    pub fn of_sum(&self, cuda: &Cuda, tables: &[Table<'_>]) -> Result<Matrix> {
        sum(cuda, tables, None, Some(self))
    }

    /// A stream in f32 that begins as a sum of rows, `(rows * columns)`, and the norm of it, `(rows, columns)`.
    ///
    /// # Errors
    /// As [`Norm::of_sum`].
    pub fn start_stream(&self, cuda: &Cuda, table: Table<'_>) -> Result<(Vector, Matrix)> {
        let (rows, columns) = (count(&table), table.rows.shape().1);
        let stream = cuda.empty_vector(rows * columns)?;
        let begun = Stream { vector: &stream, columns, begins: true };
        let normed = sum(cuda, &[table], Some(begun), Some(self))?;
        Ok((stream, normed))
    }

    /// Adds rows to a stream in f32, in place, and norms what it is then: `(rows, columns)`.
    ///
    /// # Errors
    /// As [`Norm::of_sum`].
    pub fn add_to_stream(
        &self,
        cuda: &Cuda,
        stream: &Vector,
        tables: &[Table<'_>],
        columns: usize,
    ) -> Result<Matrix> {
        sum(cuda, tables, Some(Stream { vector: stream, columns, begins: false }), Some(self))
    }
}

/// The plain sum of table rows.
///
/// # Errors
/// When tables do not fit together.
pub fn gather(cuda: &Cuda, tables: &[Table<'_>]) -> Result<Matrix> {
    sum(cuda, tables, None, None)
}

/// A stream that a sum is kept in.
#[derive(Clone, Copy)]
struct Stream<'v> {
    vector: &'v Vector,
    columns: usize,
    /// Whether it holds nothing yet that is added to.
    begins: bool,
}

fn count(table: &Table<'_>) -> usize {
    table.indices.map_or(table.rows.shape().0, Indices::count)
}

fn sum(cuda: &Cuda, tables: &[Table<'_>], stream: Option<Stream<'_>>, norm: Option<&Norm>) -> Result<Matrix> {
    let (rows, columns) = match (stream, tables.first()) {
        (Some(Stream { vector, columns, .. }), _) => (vector.count() / columns.max(1), columns),
        (None, Some(table)) => (count(table), table.rows.shape().1),
        (None, None) => return Err(CudaError::Shape("a sum of no tables".into())),
    };
    let fits = tables.iter().all(|table| count(table) == rows && table.rows.shape().1 == columns)
        && norm.is_none_or(|norm| norm.weight.count() == columns)
        && (1..=MOST_COLUMNS).contains(&columns)
        && tables.len() <= 3;
    if !fits {
        return Err(CudaError::Shape(format!(
            "a sum of {} tables of {rows} rows of {columns}",
            tables.len()
        )));
    }
    for table in tables {
        let (has, asked) = (table.rows.shape().0, table.indices.map_or(0, Indices::past));
        if asked > has {
            return Err(CudaError::Shape(format!("row {} of a table of {has} rows", asked - 1)));
        }
    }
    let out = cuda.matrix(rows, columns)?;
    let kept = stream.map(|stream| stream.vector);
    let mut arguments = SumArguments {
        stream: cuda.address_of(kept.filter(|_| stream.is_some_and(|stream| !stream.begins)))?,
        stream_out: cuda.address_of(kept)?,
        weight: cuda.address_of(norm.map(|norm| &norm.weight))?,
        bias: cuda.address_of(norm.and_then(|norm| norm.bias.as_ref()))?,
        out: cuda.address(&out)?,
        rows: rows as i32,
        columns: columns as i32,
        epsilon: norm.map_or(0.0, |norm| norm.epsilon),
        ..SumArguments::default()
    };
    for (place, table) in tables.iter().enumerate() {
        arguments.tables[place] = cuda.address(table.rows)?;
        arguments.indices[place] = cuda.address_of(table.indices)?;
    }
    let shared_bytes = ROWS_A_BLOCK * columns.next_multiple_of(PIECE_COLUMNS) * 4;
    let blocks = (rows.div_ceil(ROWS_A_BLOCK), 1);
    let name = format!("sum_rows_{}", cuda.dtype().name());
    // SAFETY: shapes were compared, and the tables have every row that indices ask for.
    unsafe { cuda.launch(&name, (blocks, THREADS), shared_bytes, &arguments)? };
    Ok(out)
}

/// `activation(x)`, `(rows, columns)`.
///
/// # Errors
/// When the GPU fails.
pub fn activate(cuda: &Cuda, x: &Matrix, activation: Activation) -> Result<Matrix> {
    let (rows, columns) = x.shape();
    activated(cuda, x, (rows, columns, columns), 0, activation)
}

/// `activation(left half of x) * right half of x`: `(rows, 2 * columns) -> (rows, columns)` (Shazeer 2020).
///
/// # Errors
/// When the columns of `x` are odd.
pub fn gated(cuda: &Cuda, x: &Matrix, activation: Activation) -> Result<Matrix> {
    let (rows, stride) = x.shape();
    if !stride.is_multiple_of(2) {
        return Err(CudaError::Shape(format!("{stride} columns have no halves")));
    }
    let gate = cuda.address(x)? + stride as u64;
    activated(cuda, x, (rows, stride / 2, stride), gate, activation)
}

fn activated(
    cuda: &Cuda,
    x: &Matrix,
    (rows, columns, stride): (usize, usize, usize),
    gate: u64,
    activation: Activation,
) -> Result<Matrix> {
    let out = cuda.matrix(rows, columns)?;
    let arguments = ActivateArguments {
        x: cuda.address(x)?,
        gate,
        out: cuda.address(&out)?,
        rows: rows as i32,
        columns: columns as i32,
        stride: stride as i32,
        kind: activation as i32,
    };
    let blocks = ((rows * columns.div_ceil(8)).div_ceil(THREADS), 1);
    let name = format!("activate_{}", cuda.dtype().name());
    // SAFETY: `out` was made for these rows and columns, and `x` has the stride.
    unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments)? };
    Ok(out)
}

/// A last layer of few outputs, in f32.
pub struct ScoreHead {
    weight: Vector,
    bias: Vector,
    outputs: usize,
}

impl ScoreHead {
    /// `weight`: `(outputs, inputs)`, `bias`: `(outputs)`.
    ///
    /// # Errors
    /// When they do not fit together.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: &Tensor) -> Result<Self> {
        let (outputs, _) = weight.dims2()?;
        if bias.dims() != [outputs] || outputs == 0 {
            return Err(CudaError::Shape(format!("scores of {outputs} outputs were given other biases")));
        }
        Ok(Self { weight: cuda.upload_wide(weight)?, bias: cuda.upload_wide(bias)?, outputs })
    }

    /// Number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `(rows, inputs) -> (rows * outputs)`.
    ///
    /// # Errors
    /// When the columns of `x` are not the inputs.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Vector> {
        let (rows, columns) = x.shape();
        if columns * self.outputs != self.weight.count() {
            return Err(CudaError::Shape(format!("scores were given {rows} rows of {columns}")));
        }
        let out = cuda.empty_vector(rows * self.outputs)?;
        let arguments = ScoreArguments {
            x: cuda.address(x)?,
            weight: cuda.address(&self.weight)?,
            bias: cuda.address(&self.bias)?,
            out: cuda.address(&out)?,
            rows: rows as i32,
            columns: columns as i32,
            outputs: self.outputs as i32,
        };
        let blocks = ((rows * self.outputs).div_ceil(ROWS_A_BLOCK), 1);
        let name = format!("score_rows_{}", cuda.dtype().name());
        // SAFETY: shapes were compared.
        unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments)? };
        Ok(out)
    }
}

/// Each token's row with its neighbours of the same sequence side by side, `taps / 2` before to `taps / 2` after:
/// `(tokens, columns) -> (tokens, taps * columns)`. What is beyond the sequence is 0.
///
/// # Errors
/// When `x` is of another batch, or the number of taps is even.
pub fn unfold(cuda: &Cuda, x: &Matrix, layout: &Layout, taps: usize) -> Result<Matrix> {
    let (tokens, columns) = x.shape();
    if tokens != layout.tokens() || taps.is_multiple_of(2) {
        return Err(CudaError::Shape(format!("{taps} unfold of {tokens} tokens")));
    }
    let out = cuda.matrix(tokens, taps * columns)?;
    let arguments = UnfoldArguments {
        x: cuda.address(x)?,
        offsets: cuda.address(&layout.offsets())?,
        out: cuda.address(&out)?,
        sequences: layout.sequences() as i32,
        tokens: tokens as i32,
        columns: columns as i32,
        taps: taps as i32,
    };
    let name = format!("unfold_{}", cuda.dtype().name());
    // SAFETY: `out` was made for the taps, and the offsets end at the number of tokens.
    unsafe { cuda.launch(&name, ((tokens, taps), THREADS), 0, &arguments)? };
    Ok(out)
}
