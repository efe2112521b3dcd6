//! Memory of the host that the GPU copies from and to by itself, so that a copy waits for nobody. Buffers are used
//! again when their last copy is done.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaEvent, CudaStream, result};

use super::super::error::Result;
use super::nvidia::doing;

/// Smallest buffer.
const LEAST_BYTES: usize = 1 << 16;

/// All buffers of a GPU that nobody holds.
pub(super) struct PinnedMemory {
    shared: Arc<Shared>,
}

struct Shared {
    free: Mutex<Vec<Buffer>>,
    context: Arc<CudaContext>,
}

struct Buffer {
    start: *mut u8,
    bytes: usize,
    /// After its last copy.
    done: Option<CudaEvent>,
}

// SAFETY: a buffer has one holder at a time.
unsafe impl Send for Buffer {}
// SAFETY: who shares a buffer only reads it.
unsafe impl Sync for Buffer {}

/// A buffer in use; it goes back to the others when it is dropped.
pub(super) struct Pinned {
    buffer: Option<Buffer>,
    home: Arc<Shared>,
}

impl PinnedMemory {
    pub(super) fn new(context: Arc<CudaContext>) -> Self {
        Self { shared: Arc::new(Shared { free: Mutex::default(), context }) }
    }

    /// A buffer of at least so many bytes that no copy uses.
    pub(super) fn take(&self, bytes: usize) -> Result<Pinned> {
        let kept = {
            let mut free = self.shared.free.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = |buffer: &Buffer| {
                buffer.bytes >= bytes && buffer.done.as_ref().is_none_or(CudaEvent::is_complete)
            };
            free.iter().position(fits).map(|index| free.swap_remove(index))
        };
        let buffer = match kept {
            Some(buffer) => buffer,
            None => {
                let bytes = bytes.max(LEAST_BYTES).next_power_of_two();
                // SAFETY: the caller has bound the context.
                let start = doing("allocating pinned memory", unsafe { result::malloc_host(bytes, 0) })?;
                // SAFETY: it has that many bytes; zeros make them values.
                unsafe { std::ptr::write_bytes(start.cast::<u8>(), 0, bytes) };
                Buffer { start: start.cast(), bytes, done: None }
            }
        };
        Ok(Pinned { buffer: Some(buffer), home: Arc::clone(&self.shared) })
    }
}

impl Pinned {
    fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("taken only by drop")
    }

    pub(super) fn bytes(&self) -> &[u8] {
        let Buffer { start, bytes, .. } = *self.buffer();
        // SAFETY: the buffer is ours alone, and filled.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        let Buffer { start, bytes, .. } = *self.buffer();
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(start, bytes) }
    }

    /// Notes that a copy was queued on the stream.
    pub(super) fn mark(&mut self, stream: &CudaStream) -> Result<()> {
        let done = doing("noting a copy", stream.record_event(None))?;
        self.buffer.as_mut().expect("taken only by drop").done = Some(done);
        Ok(())
    }

    /// Waits for its copy.
    pub(super) fn wait(&self) -> Result<()> {
        match &self.buffer().done {
            Some(done) => doing("computing", done.synchronize()),
            None => Ok(()),
        }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let mut free = self.home.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.buffer.take());
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let bound = self.context.bind_to_thread().is_ok();
        let free = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        for buffer in free.drain(..).filter(|_| bound) {
            if let Some(done) = &buffer.done {
                let _ = done.synchronize();
            }
            // SAFETY: allocated by `take`, and no copy uses it any more.
            let _ = unsafe { result::free_host(buffer.start.cast()) };
        }
    }
}
