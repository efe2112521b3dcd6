//! Buffers of numbers that start on a cache line. A tile row has the size of a line, and a row that crosses lines is loaded
//! as two (docs/measurements/performance.md, "AMX").

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

/// A type of which every bit pattern is a value, and whose size divides a line.
///
/// # Safety
/// Implement it for such types only.
pub(crate) unsafe trait Number: Copy {}

// SAFETY: every bit pattern is a value.
unsafe impl Number for i8 {}
// SAFETY: as above.
unsafe impl Number for u8 {}
// SAFETY: as above.
unsafe impl Number for u16 {}
// SAFETY: as above.
unsafe impl Number for u32 {}
// SAFETY: as above.
unsafe impl Number for f32 {}

/// A buffer that starts on a cache line.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    length: usize,
    numbers: PhantomData<T>,
}

impl<T: Number> Aligned<T> {
    /// A buffer of zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        let mut buffer = Self::default();
        buffer.resize(length);
        buffer
    }

    /// Removes all numbers.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        self.length = 0;
    }

    /// Changes the length. New numbers are zero, or what the buffer held there since it was last cleared.
    pub(crate) fn resize(&mut self, length: usize) {
        let lines = (length * size_of::<T>()).div_ceil(LINE_BYTES);
        if self.lines.len() < lines {
            self.lines.resize(lines, Line([0; LINE_BYTES]));
        }
        self.length = length;
    }
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self { lines: Vec::new(), length: 0, numbers: PhantomData }
    }
}

impl<T: Number> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `length` numbers, which are initialised, and every bit pattern is a value.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: Number> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

impl<T: Number + PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers", self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_start_on_a_cache_line_and_new_numbers_are_zero() {
        for length in [1, 15, 16, 17, 1000] {
            let mut buffer = Aligned::<f32>::zeros(length);
            assert_eq!((buffer.len(), buffer.as_ptr().addr() % LINE_BYTES), (length, 0));
            assert!(buffer.iter().all(|number| *number == 0.0));
            buffer.fill(1.0);
            buffer.clear();
            buffer.resize(length + 5);
            assert_eq!(&*buffer, vec![0.0; length + 5]);
            assert_eq!(buffer.as_ptr().addr() % LINE_BYTES, 0);
        }
    }
}
