//! Row-wise operations: sums of table rows with an optional norm (embeddings, residuals, gathers), activations, and small
//! output layers.

use candle_core::Tensor;

use super::arguments::{ActivateArguments, ScoreArguments, SumArguments};
use super::device::{Cuda, Indices, Matrix, Vector};
use super::error::{CudaError, Result};
use crate::activation::Activation;

/// Threads of a block; each warp processes one row.
const THREADS: usize = 128;
const ROWS_PER_BLOCK: usize = THREADS / 32;

/// Columns that a warp processes at a time.
const PIECE_COLUMNS: usize = 256;

/// The maximum number of columns: a block holds four rows in f32 in 48 KB of shared memory.
const MAX_COLUMNS: usize = 3072;

/// A layer norm (Ba, Kiros, Hinton 2016) if it has biases, else an RMS norm (Zhang, Sennrich 2019).
pub struct Norm {
    weight: Vector,
    bias: Option<Vector>,
    epsilon: f32,
}

/// A summand of row sums: row `indices[i]` of a table for output row i, or row i without indices.
#[derive(Clone, Copy)]
pub struct Table<'t> {
    /// The table.
    pub rows: &'t Matrix,
    /// The row indices; an index beyond the table is an error.
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
    /// When weight and bias have different shapes.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>, epsilon: f64) -> Result<Self> {
        if bias.is_some_and(|bias| bias.dims() != weight.dims()) {
            return Err(CudaError::Shape(format!(
                "the bias of a norm does not fit weights of shape {:?}",
                weight.dims()
            )));
        }
        let bias = bias.map(|bias| cuda.upload_wide(bias)).transpose()?;
        Ok(Self { weight: cuda.upload_wide(weight)?, bias, epsilon: epsilon as f32 })
    }

    /// The norm of the sum of table rows: `(rows, columns)`.
    ///
    /// # Errors
    /// When the tables and the norm do not fit together.
    pub fn of_sum(&self, cuda: &Cuda, tables: &[Table<'_>]) -> Result<Matrix> {
        sum(cuda, tables, None, Some(self))
    }

    /// Starts a residual stream in f32 with the sum of table rows. Returns the stream, `(rows * columns)`, and its norm,
    /// `(rows, columns)`.
    ///
    /// # Errors
    /// As [`Norm::of_sum`].
    pub fn start_stream(&self, cuda: &Cuda, tables: &[Table<'_>]) -> Result<(Vector, Matrix)> {
        wide_sum(cuda, None, tables, Some(self))
    }

    /// Adds table rows to a residual stream in place. Returns the norm of the new stream, `(rows, columns)`.
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
        sum(cuda, tables, Some(Stream { from: Some(stream), to: stream, columns }), Some(self))
    }
}

/// The sum of table rows without a norm; with one table, the gathered rows.
///
/// # Errors
/// When the tables do not fit together.
pub fn gather(cuda: &Cuda, tables: &[Table<'_>]) -> Result<Matrix> {
    sum(cuda, tables, None, None)
}

/// The sum of table rows, and of a residual stream if there is one, in f32: `(rows * columns)`.
///
/// # Errors
/// When they do not fit together.
pub fn gather_wide(cuda: &Cuda, stream: Option<&Vector>, tables: &[Table<'_>]) -> Result<Vector> {
    Ok(wide_sum(cuda, stream, tables, None)?.0)
}

/// As [`gather_wide`], with the sum in 16 bits too, normed if there is a norm.
fn wide_sum(
    cuda: &Cuda,
    stream: Option<&Vector>,
    tables: &[Table<'_>],
    norm: Option<&Norm>,
) -> Result<(Vector, Matrix)> {
    let Some(table) = tables.first() else { return Err(no_tables()) };
    let columns = table.rows.shape().1;
    let to = cuda.empty_vector(count(table) * columns)?;
    let out = sum(cuda, tables, Some(Stream { from: stream, to: &to, columns }), norm)?;
    Ok((to, out))
}

/// The residual stream of a sum.
#[derive(Clone, Copy)]
struct Stream<'v> {
    /// A summand.
    from: Option<&'v Vector>,
    /// Where the sum is written in f32.
    to: &'v Vector,
    columns: usize,
}

fn no_tables() -> CudaError {
    CudaError::Shape("a sum of no tables".into())
}

fn count(table: &Table<'_>) -> usize {
    table.indices.map_or(table.rows.shape().0, Indices::count)
}

fn sum(cuda: &Cuda, tables: &[Table<'_>], stream: Option<Stream<'_>>, norm: Option<&Norm>) -> Result<Matrix> {
    let (rows, columns) = match (stream, tables.first()) {
        (Some(Stream { to, columns, .. }), _) => (to.count() / columns.max(1), columns),
        (None, Some(table)) => (count(table), table.rows.shape().1),
        (None, None) => return Err(no_tables()),
    };
    let fits = tables.iter().all(|table| count(table) == rows && table.rows.shape().1 == columns)
        && norm.is_none_or(|norm| norm.weight.count() == columns)
        && stream.and_then(|stream| stream.from).is_none_or(|from| from.count() == rows * columns)
        && (1..=MAX_COLUMNS).contains(&columns)
        && tables.len() <= 3;
    if !fits {
        return Err(CudaError::Shape(format!(
            "{} tables do not fit together or a sum of {rows} rows and {columns} columns",
            tables.len()
        )));
    }
    for table in tables {
        let (has, end) = (table.rows.shape().0, table.indices.map_or(0, Indices::end));
        if end > has {
            return Err(CudaError::Shape(format!("index {} is beyond a table of {has} rows", end - 1)));
        }
    }
    let out = cuda.matrix(rows, columns)?;
    let mut arguments = SumArguments {
        stream: cuda.address_of(stream.and_then(|stream| stream.from))?,
        stream_out: cuda.address_of(stream.map(|stream| stream.to))?,
        weight: cuda.address_of(norm.map(|norm| &norm.weight))?,
        bias: cuda.address_of(norm.and_then(|norm| norm.bias.as_ref()))?,
        out: cuda.address(&out)?,
        rows: rows as i32,
        columns: columns as i32,
        epsilon: norm.map_or(0.0, |norm| norm.epsilon),
        ..SumArguments::default()
    };
    for (index, table) in tables.iter().enumerate() {
        arguments.tables[index] = cuda.address(table.rows)?;
        arguments.indices[index] = cuda.address_of(table.indices)?;
    }
    let shared_bytes = ROWS_PER_BLOCK * columns.next_multiple_of(PIECE_COLUMNS) * 4;
    let blocks = (rows.div_ceil(ROWS_PER_BLOCK), 1);
    let name = format!("sum_rows_{}", cuda.dtype().name());
    // SAFETY: the shapes are checked above, and all indices are within the tables.
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

/// Gated activation (Shazeer 2020): `activation(left half of x) * right half of x`, `(rows, 2 * columns) -> (rows, columns)`.
///
/// # Errors
/// When `x` has an odd number of columns, or the GPU fails.
pub fn gated(cuda: &Cuda, x: &Matrix, activation: Activation) -> Result<Matrix> {
    let (rows, stride) = x.shape();
    if !stride.is_multiple_of(2) {
        return Err(CudaError::Shape(format!(
            "a gated activation needs an even number of columns, not {stride}"
        )));
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
    // SAFETY: `out` is allocated for these rows and columns, and `x` has this stride.
    unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments)? };
    Ok(out)
}

/// An output layer with few outputs, in f32.
pub struct ScoreHead {
    weight: Vector,
    bias: Vector,
    outputs: usize,
}

impl ScoreHead {
    /// `weight`: `(outputs, inputs)`, `bias`: `(outputs)`.
    ///
    /// # Errors
    /// When weight and bias do not fit together.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: &Tensor) -> Result<Self> {
        let (outputs, _) = weight.dims2()?;
        if bias.dims() != [outputs] || outputs == 0 {
            return Err(CudaError::Shape(format!("the bias of a score head does not fit {outputs} outputs")));
        }
        Ok(Self { weight: cuda.upload_wide(weight)?, bias: cuda.upload_wide(bias)?, outputs })
    }

    /// The number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `(rows, inputs) -> (rows * outputs)`.
    ///
    /// # Errors
    /// When `x` does not have the layer's input columns.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Vector> {
        let (rows, columns) = x.shape();
        if columns * self.outputs != self.weight.count() {
            return Err(CudaError::Shape(format!(
                "a score head was given {rows} rows of {columns} columns, which are not its inputs"
            )));
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
        let blocks = ((rows * self.outputs).div_ceil(ROWS_PER_BLOCK), 1);
        let name = format!("score_rows_{}", cuda.dtype().name());
        // SAFETY: the shapes are checked above.
        unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments)? };
        Ok(out)
    }
}
