//! Working memory that each thread keeps, so that a kernel does not ask the system for the same
//! buffers again and again.

use std::cell::RefCell;

use crate::isa::Isa;
use crate::matmul::{Bf16Isa, Bf16Matrix, Bf16Rows, LeftSide, PackedMatrix};

/// One thread's buffers. Their contents mean nothing between two uses.
pub(crate) struct Scratch {
    pub(crate) left: LeftSide,
    pub(crate) inner_left: LeftSide,
    pub(crate) inner: Vec<f32>,
    pub(crate) tile: Vec<f32>,
    pub(crate) keys: PackedMatrix,
    pub(crate) values: PackedMatrix,
    pub(crate) bf16: Bf16Attention,
    pub(crate) scores: Vec<f32>,
    pub(crate) by_key: Vec<f32>,
    pub(crate) by_query: Vec<f32>,
}

/// What attention in bf16 needs, once it is asked for.
#[derive(Default)]
pub(crate) struct Bf16Attention(Option<(Bf16Isa, Bf16Scratch)>);

pub(crate) struct Bf16Scratch {
    pub(crate) keys: Bf16Matrix,
    pub(crate) values: Bf16Matrix,
    pub(crate) key_rows: Bf16Rows,
    pub(crate) query_rows: Bf16Rows,
    pub(crate) probabilities: Bf16Rows,
}

impl Bf16Attention {
    /// The buffers for products with these instructions.
    pub(crate) fn of(&mut self, isa: Bf16Isa) -> &mut Bf16Scratch {
        let made = self.0.take().filter(|(made_for, _)| *made_for == isa);
        let new = || Bf16Scratch {
            keys: Bf16Matrix::empty(isa),
            values: Bf16Matrix::empty(isa),
            key_rows: Bf16Rows::default(),
            query_rows: Bf16Rows::default(),
            probabilities: Bf16Rows::default(),
        };
        &mut self.0.insert(made.unwrap_or_else(|| (isa, new()))).1
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        left: LeftSide::default(),
        inner_left: LeftSide::default(),
        inner: Vec::new(),
        tile: Vec::new(),
        keys: PackedMatrix::empty(Isa::best()),
        values: PackedMatrix::empty(Isa::best()),
        bf16: Bf16Attention::default(),
        scores: Vec::new(),
        by_key: Vec::new(),
        by_query: Vec::new(),
    });
}

/// Lends this thread's buffers. `job` must not hand work to other threads and wait for it.
pub(crate) fn with_scratch<R>(job: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with(|scratch| job(&mut scratch.borrow_mut()))
}

/// A slice of `length` numbers of no meaning.
pub(crate) fn sized(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    if buffer.len() < length {
        buffer.resize(length, 0.0);
    }
    &mut buffer[..length]
}
