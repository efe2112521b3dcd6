//! A queue by which many clients share the processors: their pairs share batches, so that small requests fill them
//! together, and other work takes turns between batches. Clients are served in the order of their positions; a client
//! that used up the tokens of a batch moves to the end. A small request therefore waits for the current batch and for
//! one batch of each earlier client that has had none, never for a long document or a whole corpus. Outcomes do not
//! depend on the queue.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use veridic_models::{NliModel, Result};

use super::compute::{BATCH_TOKENS, Job, Outcome, compute};
use super::events::{Event, OnEvent};
use super::order::{ClientShare, Next, Part, QueueState, Request, Work};

/// Tokens of a batch per thread if many clients wait for each other: enough rows for the thread's products.
const QUEUE_TOKENS: usize = 64;

/// Interval at which a waiting client checks whether to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The requests of all clients, and the threads that compute them.
pub struct ModelQueue {
    state: Mutex<QueueState>,
    /// Signals a new request or the closing of the queue.
    changed: Condvar,
    threads: ThreadPool,
}

/// A client of the queue; several threads may send requests through it.
#[derive(Clone)]
pub struct QueueClient {
    queue: Arc<ModelQueue>,
    share: Arc<ClientShare>,
}

/// Statistics of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchStats {
    /// Its pairs.
    pub pairs: usize,
    /// Its tokens; none of them is padding.
    pub tokens: usize,
    /// Maximum tokens of a batch.
    pub max_tokens: usize,
    /// Requests that share it.
    pub requests: usize,
}

impl ModelQueue {
    /// A queue with a separate thread pool of the usual size, so that clients' other work does not delay it.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new() -> std::result::Result<Self, ThreadPoolBuildError> {
        let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build()?;
        Ok(Self { state: Mutex::default(), changed: Condvar::new(), threads })
    }

    /// A new client, at the end of the queue.
    #[must_use]
    pub fn client(self: &Arc<Self>) -> QueueClient {
        let share = ClientShare::at(self.state().next_number());
        QueueClient { queue: Arc::clone(self), share }
    }

    /// Computes requests until the queue is closed; called by one thread. `max_batch_tokens`: maximum tokens per batch,
    /// by default the queue's own.
    pub fn serve(&self, model: &NliModel, max_batch_tokens: Option<usize>, on_batch: &dyn Fn(BatchStats)) {
        let usual = || model.device().batch_tokens().unwrap_or(self.batch_tokens());
        let max_tokens = max_batch_tokens.unwrap_or_else(usual);
        while let Some(next) = self.wait_for_next(max_tokens) {
            match next {
                Next::Turn(grant) => {
                    let (turn, ended) = channel();
                    // Fails if the client is gone.
                    if grant.send(turn).is_ok() {
                        let _ = ended.recv();
                    }
                }
                Next::Batch(parts) => {
                    let jobs = jobs(&parts);
                    let tokens = parts.iter().map(Part::tokens).sum();
                    on_batch(BatchStats { pairs: jobs.len(), tokens, max_tokens, requests: parts.len() });
                    // After a panic the reply is dropped, which stops the client's work.
                    let computed = self.on_threads(|| compute(model, &jobs));
                    self.reply(model, computed, parts);
                }
            }
        }
    }

    /// Closes the queue: `serve` returns once all requests are answered.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Default maximum of tokens per batch: the smallest number that costs no speed, so that the waiting time does not
    /// depend on the number of threads.
    fn batch_tokens(&self) -> usize {
        BATCH_TOKENS.min(QUEUE_TOKENS * self.threads.current_num_threads())
    }

    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
        catch_unwind(AssertUnwindSafe(|| self.threads.install(work)))
    }

    /// Waits for the next computation; `None` when the queue is closed.
    fn wait_for_next(&self, max_tokens: usize) -> Option<Next> {
        let mut state = self.state();
        while state.requests.is_empty() {
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.next(max_tokens)
    }

    /// Sends the outcomes of a batch to its requests. If the batch failed, computes each request separately, so that
    /// only those on which the model fails get the error.
    fn reply(&self, model: &NliModel, computed: std::thread::Result<Result<Vec<Outcome>>>, parts: Vec<Part>) {
        match computed {
            Ok(Ok(outcomes)) => {
                let mut outcomes = outcomes.into_iter();
                for part in parts {
                    // Fails if the client is gone.
                    let _ = part.reply.send(Ok(outcomes.by_ref().take(part.jobs.len()).collect()));
                }
            }
            Ok(Err(_)) => {
                for part in parts {
                    let jobs: Vec<&Job> = part.jobs.iter().collect();
                    if let Ok(outcomes) = self.on_threads(|| compute(model, &jobs)) {
                        let _ = part.reply.send(outcomes);
                    }
                }
            }
            Err(_) => {}
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn jobs(parts: &[Part]) -> Vec<&Job> {
    parts.iter().flat_map(|part| &part.jobs).collect()
}

impl QueueClient {
    /// Computes the jobs at these indices. `on_event` may stop the work after each batch and while waiting; the
    /// remaining jobs are then removed from the queue.
    pub(super) fn compute(
        &self,
        jobs: &[&Job],
        indices: &[usize],
        outcomes: &mut [Outcome],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        if indices.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let (reply, replies) = channel();
        let jobs_to_send = indices.iter().map(|&index| jobs[index].clone()).collect();
        let number = self.send(Work::Pairs { jobs: jobs_to_send, reply });
        let mut left = indices;
        while !left.is_empty() {
            let Some(reply) = self.wait(number, &replies, on_event) else {
                return Ok(ControlFlow::Break(()));
            };
            let computed = reply.inspect_err(|_| self.withdraw(number))?;
            let (now, later) = left.split_at(computed.len());
            let tokens = now.iter().map(|&index| jobs[index].ids.len()).sum();
            for (index, outcome) in now.iter().zip(computed) {
                outcomes[*index] = outcome;
            }
            left = later;
            if on_event(Event::Computed { pairs: now.len(), tokens }).is_break() {
                self.withdraw(number);
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs work of `tokens` tokens on the queue's threads once it is this client's turn; for models other than the
    /// queue's. Returns `None` when `on_event` stops the wait.
    pub(crate) fn in_turn<T: Send>(
        &self,
        tokens: usize,
        on_event: &OnEvent<'_>,
        work: impl FnOnce() -> T + Send,
    ) -> Option<T> {
        let (grant, granted) = channel();
        let number = self.send(Work::Turn { tokens, grant });
        // Held until the work is done, even if it panics.
        let _turn = self.wait(number, &granted, on_event)?;
        Some(self.queue.threads.install(work))
    }

    /// Maximum tokens of work per turn.
    pub(crate) fn batch_tokens(&self) -> usize {
        self.queue.batch_tokens()
    }

    /// Waits for the next answer to a request; `None` if the queue drops the request, or if `on_event` stops the wait,
    /// which withdraws the request.
    fn wait<T>(&self, number: u64, answers: &Receiver<T>, on_event: &OnEvent<'_>) -> Option<T> {
        loop {
            match answers.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) if on_event(Event::Poll).is_continue() => {}
                Err(_) => {
                    self.withdraw(number);
                    return None;
                }
            }
        }
    }

    fn send(&self, work: Work) -> u64 {
        let mut state = self.queue.state();
        let number = state.next_number();
        state.requests.insert(number, Request { share: Arc::clone(&self.share), work });
        drop(state);
        self.queue.changed.notify_one();
        number
    }

    fn withdraw(&self, number: u64) {
        self.queue.state().requests.remove(&number);
    }
}
