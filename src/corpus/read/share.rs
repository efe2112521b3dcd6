//! The share of the inputs that was read, for progress. Counts bytes as stored, compressed or not; with standard input among
//! the inputs the total is unknown.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::source::Input;

/// A shared count, updated by the reader.
#[derive(Debug, Clone, Default)]
pub struct ReadShare {
    read: Arc<AtomicU64>,
    rows: Arc<AtomicU64>,
    all: Option<u64>,
}

impl ReadShare {
    pub(super) fn of(inputs: &[Input]) -> Self {
        let size = |input: &Input| {
            let found = std::fs::metadata(&input.path).ok().filter(|_| !input.is_standard_input())?;
            found.is_file().then_some(found.len())
        };
        Self { all: inputs.iter().map(size).sum(), ..Self::default() }
    }

    /// Returns the share of the inputs' bytes that was read, 0..=1; `None` if the total is unknown.
    #[must_use]
    pub fn get(&self) -> Option<f64> {
        let read = self.read.load(Ordering::Relaxed) as f64;
        self.all.map(|all| if all == 0 { 1.0 } else { (read / all as f64).min(1.0) })
    }

    /// Returns the number of rows read.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    pub(super) fn add_row(&self) {
        self.rows.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A reader that counts the bytes it reads.
pub(super) struct Counted<R> {
    pub(super) bytes: R,
    pub(super) share: ReadShare,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.share.add(read as u64);
        Ok(read)
    }
}
