//! Scratch buffers that each thread reuses, so that kernels do not allocate them at every call.

use std::cell::RefCell;

use crate::aligned::Aligned;
use crate::isa::Isa;
use crate::matmul::{Bf16Isa, Bf16Matrix, Bf16Rows, Int8Rows, LeftSide, PackedMatrix};

/// One thread's buffers. Their contents are unspecified between uses.
pub(crate) struct Scratch {
    pub(crate) left: LeftSide,
    pub(crate) inner_left: LeftSide,
    pub(crate) group_left: Int8Rows,
    pub(crate) products: Aligned<f32>,
    pub(crate) inner: Aligned<f32>,
    pub(crate) row: Aligned<f32>,
    pub(crate) tile: Aligned<f32>,
    pub(crate) keys: PackedMatrix,
    pub(crate) values: PackedMatrix,
    pub(crate) bf16: Bf16Attention,
    pub(crate) scores: Aligned<f32>,
    pub(crate) by_key: Aligned<f32>,
    pub(crate) by_query: Aligned<f32>,
}

/// The buffers of attention in bf16, allocated at first use.
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
    /// The buffers for products with this instruction set.
    pub(crate) fn of(&mut self, isa: Bf16Isa) -> &mut Bf16Scratch {
        let existing = self.0.take().filter(|(existing_isa, _)| *existing_isa == isa);
        let new = || Bf16Scratch {
            keys: Bf16Matrix::empty(isa),
            values: Bf16Matrix::empty(isa),
            key_rows: Bf16Rows::default(),
            query_rows: Bf16Rows::default(),
            probabilities: Bf16Rows::default(),
        };
        &mut self.0.insert(existing.unwrap_or_else(|| (isa, new()))).1
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        left: LeftSide::default(),
        inner_left: LeftSide::default(),
        group_left: Int8Rows::default(),
        products: Aligned::default(),
        inner: Aligned::default(),
        row: Aligned::default(),
        tile: Aligned::default(),
        keys: PackedMatrix::empty(Isa::best()),
        values: PackedMatrix::empty(Isa::best()),
        bf16: Bf16Attention::default(),
        scores: Aligned::default(),
        by_key: Aligned::default(),
        by_query: Aligned::default(),
    });
}

/// Calls `job` with this thread's buffers. `job` must not wait for work on other threads.
pub(crate) fn with_scratch<R>(job: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with(|scratch| job(&mut scratch.borrow_mut()))
}

/// The first `length` values of a buffer, which grows if needed. The values are unspecified.
pub(crate) fn sized(buffer: &mut Aligned<f32>, length: usize) -> &mut [f32] {
    if buffer.len() < length {
        buffer.resize(length);
    }
    &mut buffer[..length]
}
