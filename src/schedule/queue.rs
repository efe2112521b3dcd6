//! A queue to the processors for many clients: their pairs share batches, so that small requests fill them together, and
//! whatever else of a model they compute has its turn between batches. Clients are served in the order of their positions;
//! one that used as many tokens as a batch has moves to the end. So a small request waits for the batch that is computed and
//! for one of each client that came before it and has had none, never for a long document or a whole corpus. Outcomes do not
//! depend on any of this.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use veridic_models::{NliModel, Result};

use super::BATCH_TOKENS;
use super::events::{Event, OnEvent};
use super::executor::{Job, Outcome, compute};
use super::order::{ClientShare, Next, Part, QueueState, Request, Work};

/// Tokens of a batch for each thread where many clients wait for each other: enough rows for its products.
const QUEUE_TOKENS: usize = 64;

/// How often a client that waits checks whether its work has to end.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The requests of all clients, and the threads that compute them.
pub struct ModelQueue {
    state: Mutex<QueueState>,
    /// A request came, or the queue was closed.
    changed: Condvar,
    threads: ThreadPool,
}

/// A client of the queue; several threads may send requests for it.
#[derive(Clone)]
pub struct QueueClient {
    queue: Arc<ModelQueue>,
    share: Arc<ClientShare>,
}

/// A batch that is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchStats {
    /// Its pairs.
    pub pairs: usize,
    /// Its tokens; none of them is padding.
    pub tokens: usize,
    /// Most tokens of a batch.
    pub max_tokens: usize,
    /// Requests that share it.
    pub requests: usize,
}

impl ModelQueue {
    /// A queue with threads of its own, as many as the program has: what clients do beside it does not hold them up.
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

    /// Computes requests until the queue is closed; called by one thread. `max_batch_tokens`: tokens of a batch, by
    /// default a queue's.
    pub fn serve(&self, model: &NliModel, max_batch_tokens: Option<usize>, on_batch: &dyn Fn(BatchStats)) {
        let max_tokens = max_batch_tokens.unwrap_or(self.batch_tokens());
        while let Some(next) = self.wait_for_next(max_tokens) {
            match next {
                Next::Turn(grant) => {
                    let (turn, ended) = channel();
                    // Fails when the client is gone.
                    if grant.send(turn).is_ok() {
                        let _ = ended.recv();
                    }
                }
                Next::Batch(parts) => {
                    let jobs = jobs(&parts);
                    let tokens = parts.iter().map(Part::tokens).sum();
                    on_batch(BatchStats { pairs: jobs.len(), tokens, max_tokens, requests: parts.len() });
                    // After a panic the reply is dropped, which ends the client's work.
                    let computed = self.on_threads(|| compute(model, &jobs));
                    self.reply(model, computed, parts);
                }
            }
        }
    }

    /// Accepts no more work: `serve` returns once all requests are answered.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Most tokens that are computed between two looks at the queue: as few as cost nothing, so that the wait does not
    /// depend on the number of threads.
    fn batch_tokens(&self) -> usize {
        BATCH_TOKENS.min(QUEUE_TOKENS * self.threads.current_num_threads())
    }

    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
        catch_unwind(AssertUnwindSafe(|| self.threads.install(work)))
    }

    /// What is computed next; none when the queue is closed.
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

    /// Sends the outcomes of a batch to its requests. When the batch failed, each request is computed by itself, so that
    /// only those on which the model fails get the error.
    fn reply(&self, model: &NliModel, computed: std::thread::Result<Result<Vec<Outcome>>>, parts: Vec<Part>) {
        match computed {
            Ok(Ok(outcomes)) => {
                let mut outcomes = outcomes.into_iter();
                for part in parts {
                    // A client that is gone does not receive.
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
    /// Computes the jobs at these indices. After each batch and while it waits, `on_event` may end the work: jobs that are
    /// not computed are removed from the queue.
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

    /// Does work of so many tokens on the queue's threads, once it is this client's turn: for models that have no batches
    /// in common. None when `on_event` ends the wait.
    pub(crate) fn in_turn<T: Send>(
        &self,
        tokens: usize,
        on_event: &OnEvent<'_>,
        work: impl FnOnce() -> T + Send,
    ) -> Option<T> {
        let (grant, granted) = channel();
        let number = self.send(Work::Turn { tokens, grant });
        // Held until the work is done, also if it panics.
        let _turn = self.wait(number, &granted, on_event)?;
        Some(self.queue.threads.install(work))
    }

    /// Most tokens of work that is done at a time.
    pub(crate) fn batch_tokens(&self) -> usize {
        self.queue.batch_tokens()
    }

    /// The next answer to a request; none when the queue has none, or `on_event` ends the wait and the request is withdrawn.
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
