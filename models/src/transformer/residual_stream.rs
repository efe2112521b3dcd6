//! The residual stream on a GPU of networks whose norms precede their parts, in f32: sums of many layers exceed what 16 bits
//! can tell apart.

use veridic_kernels::cuda::{Cuda, Download, Matrix, Norm, Table, Vector, gather_wide};

use crate::error::Result;

/// The stream, `(rows, hidden)`, and the outputs that are not added to it yet: the next norm adds them on its way.
pub(crate) struct ResidualStream {
    sum: Option<Vector>,
    pending: Vec<Matrix>,
    hidden: usize,
}

impl ResidualStream {
    /// `embedded`: `(rows, hidden)`.
    pub(crate) fn start(embedded: Matrix) -> Self {
        Self { sum: None, hidden: embedded.shape().1, pending: vec![embedded] }
    }

    /// Adds a part's output, `(rows, hidden)`.
    pub(crate) fn add(&mut self, output: Matrix) {
        self.pending.push(output);
    }

    /// The norm of the stream, `(rows, hidden)`.
    pub(crate) fn normed(&mut self, cuda: &Cuda, norm: &Norm) -> Result<Matrix> {
        let pending = std::mem::take(&mut self.pending);
        let tables: Vec<Table<'_>> = pending.iter().map(Table::from).collect();
        Ok(match &self.sum {
            Some(stream) => norm.add_to_stream(cuda, stream, &tables, self.hidden)?,
            None => {
                let (stream, normed) = norm.start_stream(cuda, &tables)?;
                self.sum = Some(stream);
                normed
            }
        })
    }

    /// Starts to copy the stream to the host, `(rows, hidden)`.
    pub(crate) fn download(&self, cuda: &Cuda) -> Result<Download> {
        let tables: Vec<Table<'_>> = self.pending.iter().map(Table::from).collect();
        Ok(match (&self.sum, &tables[..]) {
            (Some(sum), []) => sum.download(cuda, self.hidden)?,
            (sum, tables) => gather_wide(cuda, sum.as_ref(), tables)?.download(cuda, self.hidden)?,
        })
    }
}
