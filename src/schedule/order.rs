//! Chooses the requests of a queue that are computed next. Pure: lengths and positions in, jobs out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use veridic_models::Result;

use super::compute::{Job, Outcome};

#[derive(Default)]
pub(super) struct QueueState {
    /// By number, in order of arrival.
    pub(super) requests: BTreeMap<u64, Request>,
    /// The last number assigned to a request or a position.
    last_number: u64,
    /// Clients that used up the tokens of a batch, and move to the end when the next batch is taken.
    used_up: Vec<Arc<ClientShare>>,
    pub(super) is_closed: bool,
}

/// A client's position and the tokens that it used there; changed only while the state is locked.
#[derive(Debug, Default)]
pub(super) struct ClientShare {
    position: AtomicU64,
    used_tokens: AtomicUsize,
}

pub(super) type Reply = Sender<Result<Vec<Outcome>>>;

/// A client's request.
pub(super) struct Request {
    pub(super) share: Arc<ClientShare>,
    pub(super) work: Work,
}

pub(super) enum Work {
    /// Pairs.
    Pairs {
        /// The pairs that are not in a batch yet.
        jobs: VecDeque<Job>,
        reply: Reply,
    },
    /// A turn: exclusive use of the processors, until the granted sender is dropped.
    Turn { tokens: usize, grant: Sender<Sender<()>> },
}

/// The next computation.
pub(super) enum Next {
    Batch(Vec<Part>),
    Turn(Sender<Sender<()>>),
}

/// The jobs of one request in a batch.
pub(super) struct Part {
    pub(super) jobs: Vec<Job>,
    pub(super) reply: Reply,
}

impl ClientShare {
    /// A client at this position.
    pub(super) fn at(position: u64) -> Arc<Self> {
        Arc::new(Self { position: AtomicU64::new(position), used_tokens: AtomicUsize::new(0) })
    }
}

impl QueueState {
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Takes the first client's request: its turn, or a batch of its pairs, filled with other requests that fit
    /// completely. A large request gets separate batches, so that a small one is answered as soon as its own pairs are
    /// computed.
    pub(super) fn next(&mut self, max_tokens: usize) -> Option<Next> {
        // Behind clients that arrived while their batch was computed.
        for share in std::mem::take(&mut self.used_up) {
            share.position.store(self.next_number(), Ordering::Relaxed);
        }
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
            let mut count = fitting(jobs, room);
            if number == first {
                count = count.max(1);
            } else if count < jobs.len() {
                continue;
            }
            let part = Part { reply: reply.clone(), jobs: jobs.drain(..count).collect() };
            let (share, is_done) = (Arc::clone(share), jobs.is_empty());
            if is_done {
                self.requests.remove(&number);
            }
            room = room.saturating_sub(part.tokens());
            self.charge(&share, part.tokens(), max_tokens);
            parts.push(part);
        }
        Some(Next::Batch(parts))
    }

    /// Charges tokens to a client; once they reach a batch's maximum, the client moves to the end.
    fn charge(&mut self, share: &Arc<ClientShare>, tokens: usize, max_tokens: usize) {
        let used = share.used_tokens.load(Ordering::Relaxed) + tokens;
        let is_over = used >= max_tokens;
        if is_over {
            self.used_up.push(Arc::clone(share));
        }
        share.used_tokens.store(if is_over { 0 } else { used }, Ordering::Relaxed);
    }
}

/// The number of jobs, from the first on, that fit into `room` tokens.
fn fitting(jobs: &VecDeque<Job>, mut room: usize) -> usize {
    jobs.iter()
        .take_while(|job| room.checked_sub(job.ids.len()).inspect(|left| room = *left).is_some())
        .count()
}

impl Part {
    pub(super) fn tokens(&self) -> usize {
        self.jobs.iter().map(|job| job.ids.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn client(state: &mut QueueState) -> Arc<ClientShare> {
        ClientShare::at(state.next_number())
    }

    fn send(state: &mut QueueState, client: &Arc<ClientShare>, work: Work) {
        let number = state.next_number();
        state.requests.insert(number, Request { share: Arc::clone(client), work });
    }

    fn request(state: &mut QueueState, client: &Arc<ClientShare>, lengths: &[usize]) {
        let job = |&length: &usize| Job { ids: vec![7; length], types: vec![0; length], cut: false };
        send(state, client, Work::Pairs { jobs: lengths.iter().map(job).collect(), reply: channel().0 });
    }

    /// The lengths of the pairs of each request in the next batch; `None` for a turn.
    fn next(state: &mut QueueState, max_tokens: usize) -> Option<Vec<Vec<usize>>> {
        match state.next(max_tokens)? {
            Next::Turn(_) => None,
            Next::Batch(parts) => {
                Some(parts.iter().map(|part| part.jobs.iter().map(|job| job.ids.len()).collect()).collect())
            }
        }
    }

    #[test]
    fn batches_are_filled_by_position_with_requests_that_fit_whole() {
        let state = &mut QueueState::default();
        let (first, second, third) = (client(state), client(state), client(state));
        request(state, &third, &[20]);
        request(state, &second, &[30, 30]);
        request(state, &first, &[40, 40]);
        assert_eq!(next(state, 120), Some(vec![vec![40, 40], vec![20]]));
        assert_eq!(next(state, 120), Some(vec![vec![30, 30]]));
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

    /// Previously it also waited for the next batch of the other client.
    #[test]
    fn a_new_client_waits_for_the_batch_that_is_computed() {
        let state = &mut QueueState::default();
        let long = client(state);
        request(state, &long, &[512; 100]);
        assert_eq!(next(state, 1024), Some(vec![vec![512, 512]]));
        let short = client(state);
        request(state, &short, &[100]);
        assert_eq!(next(state, 1024), Some(vec![vec![100]]));
        assert_eq!(next(state, 1024), Some(vec![vec![512, 512]]));
    }

    /// Previously, work of a client outside the queue delayed all others.
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
