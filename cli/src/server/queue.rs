//! The request queue and its workers. Workers take one task of each request in turn, so a batch's rows wait for small
//! requests, and small requests never wait for a batch. Refuses a request when the queue is full, and drops one whose client
//! has left.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::engine::Engine;
use super::error::{ErrorCode, RequestError};
use super::memory;
use super::metrics::ServerMetrics;
use super::request_state::RequestState;
use crate::telemetry::Span;
use veridic::schedule::ModelQueue;

/// The maximum number of running tasks per request.
const MAX_RUNNING: usize = 8;

/// After texts of this many bytes, freed memory is given back to the system, unless others are still judged.
const LARGE_BYTES: usize = 1 << 18;

/// A part of a request.
pub(super) struct Task {
    /// The bytes of its texts. Judging takes up to 150 times as much memory.
    pub(super) bytes: usize,
    pub(super) work: Work,
}

/// What a worker does for a request.
type Work = Box<dyn FnOnce(&Engine, &RequestState) + Send>;

/// The client's side of a request. Dropping it abandons the request.
pub(super) struct ClientGuard {
    state: Arc<RequestState>,
    pool: Arc<WorkerPool>,
}

impl ClientGuard {
    /// Records that the client received the answer of a task.
    pub(super) fn took_answer(&self) {
        let less = |unread: usize| unread.checked_sub(1);
        // Locked, so that a worker that has just found nothing to do does not miss the notification.
        let _queue = self.pool.queue();
        let _ = self.state.unread.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        self.pool.task_ready.notify_one();
    }
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        self.state.is_abandoned.store(true, Ordering::Relaxed);
        let mut queue = self.pool.queue();
        queue.requests.retain(|request| !Arc::ptr_eq(&request.state, &self.state));
        self.pool.record_depth(&queue);
    }
}

/// The workers and the queue that they take tasks from.
pub(super) struct WorkerPool {
    queue: Mutex<RequestQueue>,
    task_ready: Condvar,
    workers: usize,
    /// The maximum number of waiting requests, besides those for which a worker is free.
    max_queued: usize,
    /// The maximum number of bytes of texts that are judged at the same time. A longer one is judged alone.
    max_bytes: usize,
    model_queue: Arc<ModelQueue>,
    metrics: Arc<ServerMetrics>,
}

#[derive(Default)]
struct RequestQueue {
    /// Requests with tasks that have not started.
    requests: VecDeque<QueuedRequest>,
    /// The number of workers with a task. All others are free, even if their thread has not started yet.
    busy_workers: usize,
    /// The bytes of the tasks that run.
    bytes: usize,
    is_closed: bool,
}

struct QueuedRequest {
    state: Arc<RequestState>,
    tasks: VecDeque<Task>,
    is_started: bool,
}

impl RequestQueue {
    /// Returns the next task: from the first request that may run another, which then moves to the end of the queue. A task
    /// for which there is no memory waits, and smaller ones go before it; the smallest, which double the memory at most if
    /// every worker has one, never wait.
    fn next(&mut self, workers: usize, max_bytes: usize) -> Option<(Task, Arc<RequestState>)> {
        // Requests with many tasks share half of the workers, so that one is always free for a request with one task.
        let max_running = (workers / 2 / self.requests.len().max(1)).clamp(1, MAX_RUNNING);
        let fits = |task: &Task| {
            self.bytes == 0 || self.bytes + task.bytes <= max_bytes || task.bytes <= max_bytes / workers
        };
        let place = self.requests.iter().position(|request| {
            request.state.can_start(max_running) && request.tasks.front().is_some_and(fits)
        })?;
        let mut request = self.requests.remove(place)?;
        let task = request.tasks.pop_front()?;
        self.bytes += task.bytes;
        let state = Arc::clone(&request.state);
        state.running.fetch_add(1, Ordering::Relaxed);
        state.unread.fetch_add(1, Ordering::Relaxed);
        request.is_started = true;
        if !request.tasks.is_empty() {
            self.requests.push_back(request);
        }
        Some((task, state))
    }

    /// Returns the number of requests without a started task.
    fn waiting(&self) -> usize {
        self.requests.iter().filter(|request| !request.is_started).count()
    }
}

impl WorkerPool {
    pub(super) fn new(
        workers: usize,
        max_queued: usize,
        max_bytes: usize,
        model_queue: Arc<ModelQueue>,
        metrics: Arc<ServerMetrics>,
    ) -> Self {
        Self {
            queue: Mutex::default(),
            task_ready: Condvar::new(),
            workers,
            max_queued,
            max_bytes,
            model_queue,
            metrics,
        }
    }

    /// Queues the tasks of a request, or refuses it when the queue is full.
    pub(super) fn submit(
        self: &Arc<Self>,
        tasks: VecDeque<Task>,
        span: Span,
    ) -> Result<ClientGuard, RequestError> {
        let mut queue = self.queue();
        let waiting = queue.waiting();
        if waiting >= self.max_queued + (self.workers - queue.busy_workers) {
            let message = format!("the queue is full: {waiting} requests are waiting");
            return Err(RequestError::new(ErrorCode::QueueFull, message));
        }
        let state = Arc::new(RequestState::new(self.model_queue.client(), span));
        let count = tasks.len();
        queue.requests.push_back(QueuedRequest { state: Arc::clone(&state), tasks, is_started: false });
        self.record_depth(&queue);
        drop(queue);
        (0..count.min(MAX_RUNNING)).for_each(|_| self.task_ready.notify_one());
        Ok(ClientGuard { state, pool: Arc::clone(self) })
    }

    /// Runs tasks until the queue is closed and empty.
    pub(super) fn work(&self, engine: &Engine) {
        while let Some((task, state)) = self.next() {
            self.metrics.running_tasks.inc();
            let Task { bytes, work } = task;
            work(engine, &state);
            state.running.fetch_sub(1, Ordering::Relaxed);
            self.metrics.running_tasks.dec();
            let mut queue = self.queue();
            queue.busy_workers -= 1;
            queue.bytes -= bytes;
            let has_large = queue.bytes >= LARGE_BYTES;
            if !queue.requests.is_empty() {
                // Some may have waited for its memory.
                self.task_ready.notify_all();
            }
            drop(queue);
            if bytes >= LARGE_BYTES && !has_large {
                memory::give_back();
            }
        }
    }

    /// Closes the queue to new requests.
    pub(super) fn close(&self) {
        self.queue().is_closed = true;
        self.task_ready.notify_all();
    }

    fn next(&self) -> Option<(Task, Arc<RequestState>)> {
        let mut queue = self.queue();
        loop {
            if let Some(next) = queue.next(self.workers, self.max_bytes) {
                queue.busy_workers += 1;
                self.record_depth(&queue);
                return Some(next);
            }
            if queue.is_closed && queue.requests.is_empty() {
                return None;
            }
            queue = self.task_ready.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn record_depth(&self, queue: &RequestQueue) {
        self.metrics.queue_depth.set(i64::try_from(queue.requests.len()).unwrap_or(i64::MAX));
    }

    fn queue(&self) -> MutexGuard<'_, RequestQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(max_queued: usize) -> Arc<WorkerPool> {
        let (model_queue, metrics) = (Arc::new(ModelQueue::new().unwrap()), Arc::new(ServerMetrics::new()));
        Arc::new(WorkerPool::new(8, max_queued, 1000, model_queue, metrics))
    }

    fn task(bytes: usize) -> Task {
        Task { bytes, work: Box::new(|_, _| {}) }
    }

    /// Submits a request with this many tasks.
    fn submit(pool: &Arc<WorkerPool>, tasks: usize) -> Result<ClientGuard, RequestError> {
        pool.submit((0..tasks).map(|_| task(10)).collect(), Span::default())
    }

    /// Returns the index of the client whose task is next.
    fn next(pool: &WorkerPool, clients: &[&ClientGuard]) -> Option<usize> {
        let (_, state) = pool.queue().next(pool.workers, pool.max_bytes)?;
        clients.iter().position(|client| Arc::ptr_eq(&client.state, &state))
    }

    #[test]
    fn small_request_runs_before_the_rest_of_a_large_one() {
        let pool = pool(10);
        let large = submit(&pool, 100).unwrap();
        let first = next(&pool, &[&large]);
        let small = submit(&pool, 1).unwrap();
        let clients = [&large, &small];
        assert_eq!((first, next(&pool, &clients), next(&pool, &clients)), (Some(0), Some(0), Some(1)));
    }

    #[test]
    fn large_request_never_has_all_workers() {
        let pool = pool(10);
        let large = submit(&pool, 100).unwrap();
        let taken = (0..8).filter(|_| next(&pool, &[&large]).is_some()).count();
        assert_eq!(taken, 4);
        large.state.running.store(0, Ordering::Relaxed);
        assert!(next(&pool, &[&large]).is_some());
        large.state.running.store(0, Ordering::Relaxed);
        large.state.unread.store(RequestState::MAX_UNREAD, Ordering::Relaxed);
        assert!(next(&pool, &[&large]).is_none(), "no task starts while the client does not read");
        large.took_answer();
        assert!(next(&pool, &[&large]).is_some());
    }

    #[test]
    fn texts_that_are_judged_together_are_bounded_and_small_ones_do_not_wait() {
        let pool = pool(10);
        let submit = |bytes| pool.submit(VecDeque::from([task(bytes)]), Span::default()).unwrap();
        let (huge, large, small) = (submit(5000), submit(600), submit(10));
        let clients = [&huge, &large, &small];
        assert_eq!(next(&pool, &clients), Some(0), "the first runs, whatever its size");
        assert_eq!((next(&pool, &clients), next(&pool, &clients)), (Some(2), None));
        pool.queue().bytes = 500;
        assert_eq!(next(&pool, &clients), None);
        pool.queue().bytes = 400;
        assert_eq!(next(&pool, &clients), Some(1));
    }

    #[test]
    fn full_queue_refuses_until_a_client_leaves() {
        let pool = pool(2);
        pool.queue().busy_workers = pool.workers;
        let (first, second) = (submit(&pool, 1).unwrap(), submit(&pool, 1).unwrap());
        assert_eq!(submit(&pool, 1).err().map(|error| error.code()), Some(ErrorCode::QueueFull));
        drop(first);
        let third = submit(&pool, 1).unwrap();
        let clients = [&second, &third];
        assert_eq!(
            [next(&pool, &clients), next(&pool, &clients), next(&pool, &clients)],
            [Some(0), Some(1), None]
        );
    }

    /// Requests that arrived before the worker threads had started were refused.
    #[test]
    fn workers_count_as_free_before_they_start() {
        let pool = pool(1);
        let clients: Vec<ClientGuard> = (0..9).map(|_| submit(&pool, 1).unwrap()).collect();
        assert_eq!(submit(&pool, 1).err().map(|error| error.code()), Some(ErrorCode::QueueFull));
        drop(clients);
    }
}
