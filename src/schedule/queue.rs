//! A queue to one model for many clients: their pairs share batches, so that small requests fill them together. Clients
//! are served in the order of their positions; after a quantum of tokens a client moves to the end. So a small request
//! waits for at most one quantum of each client before it, never for a long document or a whole corpus. Outcomes do not
//! depend on any of this.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use veridic_models::{NliModel, Result};

use super::events::{Event, OnEvent};
use super::executor::{Job, Outcome, begin, end};

/// Tokens after which a client moves to the end: more than a summary of ordinary length needs at once.
const QUANTUM_TOKENS: usize = 8192;

/// The requests of all clients.
#[derive(Default)]
pub struct ModelQueue {
    state: Mutex<QueueState>,
    /// A request came, or the queue was closed.
    changed: Condvar,
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

/// A client's position and what it used of its quantum; changed only while the state is locked.
#[derive(Debug, Default)]
struct ClientShare {
    position: AtomicU64,
    used_tokens: AtomicUsize,
}

type Reply = Sender<Result<Vec<Outcome>>>;

/// Pairs that a client waits for.
struct Request {
    share: Arc<ClientShare>,
    /// Those that are in no batch yet.
    jobs: VecDeque<Job>,
    reply: Reply,
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

    /// Packs the next batch: requests by their clients' positions, as many of their jobs as fit.
    fn next_batch(&mut self, max_tokens: usize) -> Vec<Part> {
        let position = |request: &Request| request.share.position.load(Ordering::Relaxed);
        let mut order: Vec<(u64, u64)> =
            self.requests.iter().map(|(number, request)| (position(request), *number)).collect();
        order.sort_unstable();
        let (mut parts, mut room) = (Vec::new(), max_tokens);
        for (_, number) in order {
            let request = self.requests.get_mut(&number).expect("the order has the numbers of the requests");
            let fits = |job: &&Job| {
                let fits = job.ids.len() <= room || room == max_tokens;
                room = room.saturating_sub(if fits { job.ids.len() } else { 0 });
                fits
            };
            let count = request.jobs.iter().take_while(fits).count();
            if count == 0 {
                break;
            }
            let part = Part { reply: request.reply.clone(), jobs: request.jobs.drain(..count).collect() };
            let share = Arc::clone(&request.share);
            if request.jobs.is_empty() {
                self.requests.remove(&number);
            }
            self.charge(&share, part.tokens());
            parts.push(part);
        }
        parts
    }

    /// Counts tokens to a client; one that used up its quantum moves to the end.
    fn charge(&mut self, share: &ClientShare, tokens: usize) {
        let used = share.used_tokens.load(Ordering::Relaxed) + tokens;
        if used >= QUANTUM_TOKENS {
            share.position.store(self.next_number(), Ordering::Relaxed);
        }
        share.used_tokens.store(if used >= QUANTUM_TOKENS { 0 } else { used }, Ordering::Relaxed);
    }
}

impl Part {
    fn tokens(&self) -> usize {
        self.jobs.iter().map(|job| job.ids.len()).sum()
    }
}

impl ModelQueue {
    /// A new client, at the end of the queue.
    #[must_use]
    pub fn client(self: &Arc<Self>) -> QueueClient {
        let position = AtomicU64::new(self.state().next_number());
        let share = Arc::new(ClientShare { position, used_tokens: AtomicUsize::new(0) });
        QueueClient { queue: Arc::clone(self), share }
    }

    /// Computes requests until the queue is closed; called by one thread. `max_batch_tokens`: tokens of a batch, by
    /// default the device's.
    pub fn serve(&self, model: &NliModel, max_batch_tokens: Option<usize>, on_batch: &dyn Fn(BatchStats)) {
        let device = model.device();
        let max_tokens = max_batch_tokens.unwrap_or(device.batch_tokens());
        // Batches that the device computes or has queued, the oldest first.
        let mut pending = VecDeque::new();
        loop {
            let has_room = pending.len() < device.batches_in_flight();
            let next = has_room.then(|| self.wait_for_batch(max_tokens, pending.is_empty())).flatten();
            match next {
                Some(parts) => {
                    let jobs = jobs(&parts);
                    let tokens = parts.iter().map(Part::tokens).sum();
                    on_batch(BatchStats { pairs: jobs.len(), tokens, max_tokens, requests: parts.len() });
                    // After a panic the reply is dropped, which ends the client's work.
                    let begun = catch_unwind(AssertUnwindSafe(|| begin(model, &jobs)));
                    pending.push_back((begun, parts));
                }
                None => match pending.pop_front() {
                    Some((begun, parts)) => {
                        let all = jobs(&parts);
                        let ended = begun
                            .and_then(|begun| catch_unwind(AssertUnwindSafe(|| end(model, begun?, &all))));
                        reply(model, ended, parts);
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

    /// The next batch; none when the queue is closed, or is empty and `waits` is not set.
    fn wait_for_batch(&self, max_tokens: usize, waits: bool) -> Option<Vec<Part>> {
        let mut state = self.state();
        while state.requests.is_empty() {
            if state.is_closed || !waits {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Some(state.next_batch(max_tokens))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn jobs(parts: &[Part]) -> Vec<&Job> {
    parts.iter().flat_map(|part| &part.jobs).collect()
}

/// Sends the outcomes of a batch to its requests. When the batch failed, each request is computed by itself, so that only
/// those on which the model fails get the error.
fn reply(model: &NliModel, ended: std::thread::Result<Result<Vec<Outcome>>>, parts: Vec<Part>) {
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
                let alone = || end(model, begin(model, &jobs)?, &jobs);
                if let Ok(outcomes) = catch_unwind(AssertUnwindSafe(alone)) {
                    let _ = part.reply.send(outcomes);
                }
            }
        }
        Err(_) => {}
    }
}

impl QueueClient {
    /// Computes the jobs at these indices. After each batch `on_event` may end the work: jobs that are not computed are
    /// removed from the queue.
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
        let number = self.send(indices.iter().map(|&index| jobs[index].clone()).collect(), reply);
        let mut left = indices;
        while !left.is_empty() {
            let Ok(reply) = replies.recv() else { return Ok(ControlFlow::Break(())) };
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

    fn send(&self, jobs: VecDeque<Job>, reply: Reply) -> u64 {
        let mut state = self.queue.state();
        let number = state.next_number();
        state.requests.insert(number, Request { share: Arc::clone(&self.share), jobs, reply });
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

    fn request(state: &mut QueueState, client: &Arc<ClientShare>, lengths: &[usize]) {
        let job = |&length: &usize| Job { ids: vec![7; length], types: vec![0; length], cut: false };
        let (jobs, number) = (lengths.iter().map(job).collect(), state.next_number());
        state.requests.insert(number, Request { share: Arc::clone(client), jobs, reply: channel().0 });
    }

    fn lengths(parts: &[Part]) -> Vec<Vec<usize>> {
        parts.iter().map(|part| part.jobs.iter().map(|job| job.ids.len()).collect()).collect()
    }

    #[test]
    fn batches_are_filled_from_all_requests_by_position() {
        let state = &mut QueueState::default();
        let (first, second) = (client(state), client(state));
        request(state, &second, &[30, 30]);
        request(state, &first, &[40, 40]);
        assert_eq!(lengths(&state.next_batch(120)), [vec![40, 40], vec![30]]);
        assert_eq!(lengths(&state.next_batch(120)), [vec![30]]);
        assert!(state.requests.is_empty());
    }

    #[test]
    fn a_pair_longer_than_a_batch_has_one_to_itself() {
        let state = &mut QueueState::default();
        let only = client(state);
        request(state, &only, &[500, 20]);
        assert_eq!(lengths(&state.next_batch(100)), [vec![500]]);
        assert_eq!(lengths(&state.next_batch(100)), [vec![20]]);
    }

    /// Eight batches of 1,024 tokens are a quantum.
    #[test]
    fn a_client_that_used_up_its_quantum_moves_to_the_end() {
        let state = &mut QueueState::default();
        let long = client(state);
        request(state, &long, &[512; 100]);
        for batch in 0..8 {
            assert_eq!(lengths(&state.next_batch(1024)), [[512, 512]], "batch {batch}");
            if batch == 0 {
                let short = client(state);
                request(state, &short, &[100]);
            }
        }
        assert_eq!(lengths(&state.next_batch(1024)), [vec![100], vec![512]]);
    }
}
