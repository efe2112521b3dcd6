//! A queue to the processors for many clients: their pairs share batches, so that small requests fill them together, and
//! whatever else of a model they compute has its turn between batches. Clients are served in the order of their positions;
//! one that used as many tokens as a batch has moves to the end. So a small request waits for at most one batch of each
//! client before it, never for a long document or a whole corpus. Outcomes do not depend on any of this.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use veridic_models::{Device, NliModel, Result};

use super::events::{Event, OnEvent};
use super::executor::{Job, Outcome, begin, end};

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

#[derive(Default)]
struct QueueState {
    /// By number, in the order in which they came.
    requests: BTreeMap<u64, Request>,
    /// The last number given to a request or a position.
    last_number: u64,
    is_closed: bool,
}

/// A client's position and the tokens that it used there; changed only while the state is locked.
#[derive(Debug, Default)]
struct ClientShare {
    position: AtomicU64,
    used_tokens: AtomicUsize,
}

type Reply = Sender<Result<Vec<Outcome>>>;

/// What a client waits for.
struct Request {
    share: Arc<ClientShare>,
    work: Work,
}

enum Work {
    /// Pairs.
    Pairs {
        /// Those that are in no batch yet.
        jobs: VecDeque<Job>,
        reply: Reply,
    },
    /// A turn: the processors, until the sender that is sent is dropped.
    Turn { tokens: usize, grant: Sender<Sender<()>> },
}

/// What is computed next.
enum Next {
    Batch(Vec<Part>),
    Turn(Sender<Sender<()>>),
}

/// The jobs of one request in a batch.
struct Part {
    jobs: Vec<Job>,
    reply: Reply,
}

impl QueueState {
    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Takes what the first client waits for: its turn, or a batch, filled with jobs of the others in the order of their
    /// positions.
    fn next(&mut self, max_tokens: usize) -> Option<Next> {
        let position = |request: &Request| request.share.position.load(Ordering::Relaxed);
        let mut order: Vec<(u64, u64)> =
            self.requests.iter().map(|(number, request)| (position(request), *number)).collect();
        order.sort_unstable();
        let first = order.first()?.1;
        if matches!(self.requests[&first].work, Work::Turn { .. })
            && let Some(Request { share, work: Work::Turn { tokens, grant } }) = self.requests.remove(&first)
        {
            self.charge(&share, tokens, max_tokens);
            return Some(Next::Turn(grant));
        }
        let (mut parts, mut room) = (Vec::new(), max_tokens);
        for (_, number) in order {
            let Some(Request { share, work: Work::Pairs { jobs, reply } }) = self.requests.get_mut(&number)
            else {
                continue;
            };
            let fits = |job: &&Job| {
                let fits = job.ids.len() <= room || room == max_tokens;
                room = room.saturating_sub(if fits { job.ids.len() } else { 0 });
                fits
            };
            let count = jobs.iter().take_while(fits).count();
            if count == 0 {
                break;
            }
            let part = Part { reply: reply.clone(), jobs: jobs.drain(..count).collect() };
            let (share, is_done) = (Arc::clone(share), jobs.is_empty());
            if is_done {
                self.requests.remove(&number);
            }
            self.charge(&share, part.tokens(), max_tokens);
            parts.push(part);
        }
        Some(Next::Batch(parts))
    }

    /// Counts tokens to a client; one that used as many as a batch has moves to the end.
    fn charge(&mut self, share: &ClientShare, tokens: usize, max_tokens: usize) {
        let used = share.used_tokens.load(Ordering::Relaxed) + tokens;
        let is_over = used >= max_tokens;
        if is_over {
            share.position.store(self.next_number(), Ordering::Relaxed);
        }
        share.used_tokens.store(if is_over { 0 } else { used }, Ordering::Relaxed);
    }
}

impl Part {
    fn tokens(&self) -> usize {
        self.jobs.iter().map(|job| job.ids.len()).sum()
    }
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
        let position = AtomicU64::new(self.state().next_number());
        let share = Arc::new(ClientShare { position, used_tokens: AtomicUsize::new(0) });
        QueueClient { queue: Arc::clone(self), share }
    }

    /// Computes requests until the queue is closed; called by one thread. `max_batch_tokens`: tokens of a batch, by
    /// default the device's for a queue.
    pub fn serve(&self, model: &NliModel, max_batch_tokens: Option<usize>, on_batch: &dyn Fn(BatchStats)) {
        let device = model.device();
        let max_tokens = max_batch_tokens.unwrap_or(self.batch_tokens(device));
        // Batches that the device computes or has queued, the oldest first.
        let mut pending = VecDeque::new();
        loop {
            let has_room = pending.len() < device.batches_in_flight();
            let next = has_room.then(|| self.wait_for_next(max_tokens, pending.is_empty())).flatten();
            match next {
                Some(Next::Turn(grant)) => {
                    let (turn, ended) = channel();
                    // Fails when the client is gone.
                    if grant.send(turn).is_ok() {
                        let _ = ended.recv();
                    }
                }
                Some(Next::Batch(parts)) => {
                    let jobs = jobs(&parts);
                    let tokens = parts.iter().map(Part::tokens).sum();
                    on_batch(BatchStats { pairs: jobs.len(), tokens, max_tokens, requests: parts.len() });
                    // After a panic the reply is dropped, which ends the client's work.
                    let begun = self.on_threads(|| begin(model, &jobs));
                    pending.push_back((begun, parts));
                }
                None => match pending.pop_front() {
                    Some((begun, parts)) => {
                        let all = jobs(&parts);
                        let ended = begun.and_then(|begun| self.on_threads(|| end(model, begun?, &all)));
                        self.reply(model, ended, parts);
                    }
                    None => return,
                },
            }
        }
    }

    /// Accepts no more work: `serve` returns once all requests are answered.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Most tokens that are computed on a device between two looks at the queue.
    fn batch_tokens(&self, device: &Device) -> usize {
        device.queue_tokens(self.threads.current_num_threads())
    }

    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
        catch_unwind(AssertUnwindSafe(|| self.threads.install(work)))
    }

    /// What is computed next; none when the queue is closed, or is empty and `waits` is not set.
    fn wait_for_next(&self, max_tokens: usize, waits: bool) -> Option<Next> {
        let mut state = self.state();
        while state.requests.is_empty() {
            if state.is_closed || !waits {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.next(max_tokens)
    }

    /// Sends the outcomes of a batch to its requests. When the batch failed, each request is computed by itself, so that
    /// only those on which the model fails get the error.
    fn reply(&self, model: &NliModel, ended: std::thread::Result<Result<Vec<Outcome>>>, parts: Vec<Part>) {
        match ended {
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
                    if let Ok(outcomes) = self.on_threads(|| end(model, begin(model, &jobs)?, &jobs)) {
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
            let reply = match replies.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(reply) => reply,
                Err(RecvTimeoutError::Timeout) if on_event(Event::Poll).is_continue() => continue,
                Err(_) => {
                    self.withdraw(number);
                    return Ok(ControlFlow::Break(()));
                }
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
    /// in common.
    pub(crate) fn in_turn<T: Send>(&self, tokens: usize, work: impl FnOnce() -> T + Send) -> T {
        let (grant, granted) = channel();
        self.send(Work::Turn { tokens, grant });
        // Held until the work is done, also if it panics. Fails when the queue is closed, and then nobody waits.
        let _turn = granted.recv();
        self.queue.threads.install(work)
    }

    /// Most tokens of work that is done at a time.
    pub(crate) fn batch_tokens(&self, device: &Device) -> usize {
        self.queue.batch_tokens(device)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn client(state: &mut QueueState) -> Arc<ClientShare> {
        let position = AtomicU64::new(state.next_number());
        Arc::new(ClientShare { position, used_tokens: AtomicUsize::new(0) })
    }

    fn send(state: &mut QueueState, client: &Arc<ClientShare>, work: Work) {
        let number = state.next_number();
        state.requests.insert(number, Request { share: Arc::clone(client), work });
    }

    fn request(state: &mut QueueState, client: &Arc<ClientShare>, lengths: &[usize]) {
        let job = |&length: &usize| Job { ids: vec![7; length], types: vec![0; length], cut: false };
        send(state, client, Work::Pairs { jobs: lengths.iter().map(job).collect(), reply: channel().0 });
    }

    /// The lengths of the pairs of each request in the next batch; none for a turn.
    fn next(state: &mut QueueState, max_tokens: usize) -> Option<Vec<Vec<usize>>> {
        match state.next(max_tokens)? {
            Next::Turn(_) => None,
            Next::Batch(parts) => {
                Some(parts.iter().map(|part| part.jobs.iter().map(|job| job.ids.len()).collect()).collect())
            }
        }
    }

    #[test]
    fn batches_are_filled_from_all_requests_by_position() {
        let state = &mut QueueState::default();
        let (first, second) = (client(state), client(state));
        request(state, &second, &[30, 30]);
        request(state, &first, &[40, 40]);
        assert_eq!(next(state, 120), Some(vec![vec![40, 40], vec![30]]));
        assert_eq!(next(state, 120), Some(vec![vec![30]]));
        assert!(state.requests.is_empty());
    }

    #[test]
    fn a_pair_longer_than_a_batch_has_one_to_itself() {
        let state = &mut QueueState::default();
        let only = client(state);
        request(state, &only, &[500, 20]);
        assert_eq!(next(state, 100), Some(vec![vec![500]]));
        assert_eq!(next(state, 100), Some(vec![vec![20]]));
    }

    /// It had waited until the other client had used up eight batches.
    #[test]
    fn a_new_client_waits_for_one_batch_of_another() {
        let state = &mut QueueState::default();
        let long = client(state);
        request(state, &long, &[512; 100]);
        assert_eq!(next(state, 1024), Some(vec![vec![512, 512]]));
        let short = client(state);
        request(state, &short, &[100]);
        assert_eq!(next(state, 1024), Some(vec![vec![512, 512]]));
        assert_eq!(next(state, 1024), Some(vec![vec![100], vec![512]]));
    }

    /// What a client computed outside the queue had held up all others.
    #[test]
    fn a_turn_counts_like_a_batch() {
        let state = &mut QueueState::default();
        let (long, short) = (client(state), client(state));
        send(state, &long, Work::Turn { tokens: 1024, grant: channel().0 });
        send(state, &long, Work::Turn { tokens: 1024, grant: channel().0 });
        request(state, &short, &[100]);
        assert_eq!(next(state, 1024), None);
        assert_eq!(next(state, 1024), Some(vec![vec![100]]));
        assert_eq!(next(state, 1024), None);
        assert!(state.requests.is_empty());
    }
}
