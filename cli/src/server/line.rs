//! Who is next. Requests stand in line; a number of desks take their tasks, one task of each request in turn, so
//! that the rows of a corpus wait for small requests and small requests never for a corpus. Refuses whom there
//! is no room for; forgets who went away.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::engine::Judge;
use super::metrics::ServerMetrics;
use super::refusal::{Code, Refusal};
use veridic::schedule::{ModelQueue, QueueClient};

/// Most tasks of one request that are in hand at the same time.
const MOST_IN_HAND: usize = 8;

/// Most tasks of one request that are begun and whose answer the client did not take yet.
const MOST_AHEAD: usize = 32;

/// A part of a request.
pub(super) type Task = Box<dyn FnOnce(&Judge, &Ticket) + Send>;

/// A request on its way.
pub(super) struct Ticket {
    /// Whether nobody waits for the answer any more.
    is_gone: AtomicBool,
    /// Tasks in hand.
    running: AtomicUsize,
    /// Tasks begun whose answer was not taken.
    ahead: AtomicUsize,
    pub(super) turn: QueueClient,
}

impl Ticket {
    pub(super) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    fn may_begin(&self, most: usize) -> bool {
        self.running.load(Ordering::Relaxed) < most && self.ahead.load(Ordering::Relaxed) < MOST_AHEAD
    }
}

/// The client's side of a request: when it is dropped, nobody waits for the answer any more.
pub(super) struct Visit {
    ticket: Arc<Ticket>,
    desks: Arc<Desks>,
}

impl Visit {
    /// The client took the answer of a task.
    pub(super) fn took_one(&self) {
        let less = |ahead: usize| ahead.checked_sub(1);
        // Held, so that no desk that has just found nothing to do misses the call.
        let _line = self.desks.line();
        let _ = self.ticket.ahead.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        self.desks.came.notify_one();
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.ticket.is_gone.store(true, Ordering::Relaxed);
        let mut line = self.desks.line();
        line.waiting.retain(|waiting| !Arc::ptr_eq(&waiting.ticket, &self.ticket));
        self.desks.told(&line);
    }
}

/// The desks and the line before them.
pub(super) struct Desks {
    line: Mutex<Line>,
    came: Condvar,
    count: usize,
    /// Most requests that wait and are not begun.
    most_waiting: usize,
    queue: Arc<ModelQueue>,
    metrics: Arc<ServerMetrics>,
}

#[derive(Default)]
struct Line {
    /// Requests with tasks that are not begun.
    waiting: VecDeque<Waiting>,
    /// Desks that have a task. All others are free, also those that have not begun to wait.
    busy: usize,
    is_closed: bool,
}

struct Waiting {
    ticket: Arc<Ticket>,
    tasks: VecDeque<Task>,
    is_begun: bool,
}

impl Line {
    /// The next task: of the first request that may have one more in hand, which then goes to the end of the line.
    fn next(&mut self, desks: usize) -> Option<(Task, Arc<Ticket>)> {
        // Half of the desks are shared by who has many tasks, so that there is always one for who has one.
        let most = (desks / 2 / self.waiting.len().max(1)).clamp(1, MOST_IN_HAND);
        let place = self.waiting.iter().position(|waiting| waiting.ticket.may_begin(most))?;
        let mut first = self.waiting.remove(place)?;
        let task = first.tasks.pop_front()?;
        let ticket = Arc::clone(&first.ticket);
        ticket.running.fetch_add(1, Ordering::Relaxed);
        ticket.ahead.fetch_add(1, Ordering::Relaxed);
        first.is_begun = true;
        if !first.tasks.is_empty() {
            self.waiting.push_back(first);
        }
        Some((task, ticket))
    }
}

impl Desks {
    pub(super) fn new(
        count: usize,
        most_waiting: usize,
        queue: Arc<ModelQueue>,
        metrics: Arc<ServerMetrics>,
    ) -> Self {
        Self { line: Mutex::default(), came: Condvar::new(), count, most_waiting, queue, metrics }
    }

    /// Stands in line with the tasks of a request.
    pub(super) fn enter(self: &Arc<Self>, tasks: VecDeque<Task>) -> Result<Visit, Refusal> {
        let mut line = self.line();
        let not_begun = line.waiting.iter().filter(|waiting| !waiting.is_begun).count();
        if not_begun >= self.most_waiting + (self.count - line.busy) {
            let message =
                format!("{not_begun} requests are waiting, which is as many as this server lets wait");
            return Err(Refusal::new(Code::QueueFull, message));
        }
        let ticket = Arc::new(Ticket {
            is_gone: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            ahead: AtomicUsize::new(0),
            turn: self.queue.client(),
        });
        let count = tasks.len();
        line.waiting.push_back(Waiting { ticket: Arc::clone(&ticket), tasks, is_begun: false });
        self.told(&line);
        drop(line);
        (0..count.min(MOST_IN_HAND)).for_each(|_| self.came.notify_one());
        Ok(Visit { ticket, desks: Arc::clone(self) })
    }

    /// Does what is next until the line is closed and empty.
    pub(super) fn work(&self, judge: &Judge) {
        while let Some((task, ticket)) = self.next() {
            self.metrics.in_hand.inc();
            task(judge, &ticket);
            ticket.running.fetch_sub(1, Ordering::Relaxed);
            self.metrics.in_hand.dec();
            self.line().busy -= 1;
        }
    }

    /// No more requests come.
    pub(super) fn close(&self) {
        self.line().is_closed = true;
        self.came.notify_all();
    }

    fn next(&self) -> Option<(Task, Arc<Ticket>)> {
        let mut line = self.line();
        loop {
            if let Some(next) = line.next(self.count) {
                line.busy += 1;
                self.told(&line);
                return Some(next);
            }
            if line.is_closed && line.waiting.is_empty() {
                return None;
            }
            line = self.came.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn told(&self, line: &Line) {
        self.metrics.waiting.set(i64::try_from(line.waiting.len()).unwrap_or(i64::MAX));
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desks(most_waiting: usize) -> Arc<Desks> {
        Arc::new(Desks::new(8, most_waiting, Arc::default(), Arc::new(ServerMetrics::new())))
    }

    /// A request of so many tasks.
    fn enter(desks: &Arc<Desks>, tasks: usize) -> Result<Visit, Refusal> {
        desks.enter((0..tasks).map(|_| -> Task { Box::new(|_, _| {}) }).collect())
    }

    /// Whose task is next: the place among the visits.
    fn next(desks: &Desks, visits: &[&Visit]) -> Option<usize> {
        let (_, ticket) = desks.line().next(desks.count)?;
        visits.iter().position(|visit| Arc::ptr_eq(&visit.ticket, &ticket))
    }

    #[test]
    fn a_small_request_comes_before_the_rest_of_a_large_one() {
        let desks = desks(10);
        let large = enter(&desks, 100).unwrap();
        let first = next(&desks, &[&large]);
        let small = enter(&desks, 1).unwrap();
        let visits = [&large, &small];
        assert_eq!((first, next(&desks, &visits), next(&desks, &visits)), (Some(0), Some(0), Some(1)));
    }

    #[test]
    fn a_large_request_never_has_all_desks() {
        let desks = desks(10);
        let large = enter(&desks, 100).unwrap();
        let taken = (0..8).filter(|_| next(&desks, &[&large]).is_some()).count();
        assert_eq!(taken, 4);
        large.ticket.running.store(0, Ordering::Relaxed);
        assert!(next(&desks, &[&large]).is_some());
        large.ticket.running.store(0, Ordering::Relaxed);
        large.ticket.ahead.store(MOST_AHEAD, Ordering::Relaxed);
        assert!(next(&desks, &[&large]).is_none(), "a client that does not read is waited for");
        large.took_one();
        assert!(next(&desks, &[&large]).is_some());
    }

    #[test]
    fn who_finds_no_room_is_refused_and_who_leaves_makes_room() {
        let desks = desks(2);
        desks.line().busy = desks.count;
        let (first, second) = (enter(&desks, 1).unwrap(), enter(&desks, 1).unwrap());
        assert_eq!(enter(&desks, 1).err().map(|refusal| refusal.code()), Some(Code::QueueFull));
        drop(first);
        let third = enter(&desks, 1).unwrap();
        let visits = [&second, &third];
        assert_eq!(
            [next(&desks, &visits), next(&desks, &visits), next(&desks, &visits)],
            [Some(0), Some(1), None]
        );
    }

    /// Requests that came before the desks had begun to wait were refused.
    #[test]
    fn desks_are_free_before_they_begin() {
        let desks = desks(1);
        let visits: Vec<Visit> = (0..9).map(|_| enter(&desks, 1).unwrap()).collect();
        assert_eq!(enter(&desks, 1).err().map(|refusal| refusal.code()), Some(Code::QueueFull));
        drop(visits);
    }
}
