//! Pinned host memory, from and to which the GPU copies asynchronously. Buffers are reused when their last copy is
//! complete.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaEvent, CudaStream, result};

use super::super::error::Result;
use super::nvidia::doing;
use super::pool::{Held, Pool};

/// The minimum size of a buffer.
const MIN_BYTES: usize = 1 << 16;

/// The free pinned buffers of a GPU.
pub(super) struct PinnedMemory {
    pool: Pool<Buffer>,
}

struct Buffer {
    start: *mut u8,
    bytes: usize,
    /// The completion of its last copy.
    done: Option<CudaEvent>,
    context: Arc<CudaContext>,
}

// SAFETY: a buffer has one holder at a time.
unsafe impl Send for Buffer {}
// SAFETY: a shared buffer is only read.
unsafe impl Sync for Buffer {}

/// A buffer in use, which returns to the pool when it is dropped.
pub(super) struct Pinned {
    buffer: Held<Buffer>,
}

impl PinnedMemory {
    pub(super) fn new() -> Self {
        Self { pool: Pool::new() }
    }

    /// Takes a buffer of at least `bytes` that no copy uses.
    pub(super) fn take(&self, context: &Arc<CudaContext>, bytes: usize) -> Result<Pinned> {
        let fits = |buffer: &Buffer| {
            buffer.bytes >= bytes && buffer.done.as_ref().is_none_or(CudaEvent::is_complete)
        };
        Ok(Pinned { buffer: self.pool.take(fits, || Buffer::allocate(context, bytes))? })
    }
}

impl Buffer {
    fn allocate(context: &Arc<CudaContext>, bytes: usize) -> Result<Self> {
        let bytes = bytes.max(MIN_BYTES).next_power_of_two();
        // SAFETY: the caller has bound the context.
        let start = doing("allocating pinned memory", unsafe { result::malloc_host(bytes, 0) })?;
        // SAFETY: the allocation has that many bytes; zeros initialise them.
        unsafe { std::ptr::write_bytes(start.cast::<u8>(), 0, bytes) };
        Ok(Self { start: start.cast(), bytes, done: None, context: Arc::clone(context) })
    }
}

impl Pinned {
    pub(super) fn bytes(&self) -> &[u8] {
        let Buffer { start, bytes, .. } = *self.buffer.get();
        // SAFETY: the buffer is exclusive to `self`, and initialised.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        let Buffer { start, bytes, .. } = *self.buffer.get();
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(start, bytes) }
    }

    /// Queues a copy from or to the buffer on the stream by `queue`, and records an event for its completion. If either
    /// fails, the buffer is never reused.
    pub(super) fn copy(
        &mut self,
        stream: &CudaStream,
        queue: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.buffer.begin_copy();
        queue(self)?;
        let done = doing("recording the completion of a copy", stream.record_event(None))?;
        self.buffer.get_mut().done = Some(done);
        self.buffer.end_copy();
        Ok(())
    }

    /// Waits for the buffer's copy.
    pub(super) fn wait(&self) -> Result<()> {
        match &self.buffer.get().done {
            Some(done) => doing("computing", done.synchronize()),
            None => Ok(()),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_err() {
            return;
        }
        if let Some(done) = &self.done {
            let _ = done.synchronize();
        }
        // SAFETY: allocated by `allocate`, and no copy uses it any more.
        let _ = unsafe { result::free_host(self.start.cast()) };
    }
}
