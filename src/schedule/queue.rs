//! One queue to the model for many callers at a time: what they ask for is packed into batches together, so that
//! small questions of many fill them. Decides who comes first: who came earlier, for a turn of so many tokens;
//! who used his turn up stands in line anew. So a small question waits for one turn of each one before it, never
//! for a long document or a whole corpus. Outcomes do not depend on any of this.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use veridic_models::{NliModel, Result};

use super::events::{Event, OnEvent};
use super::executor::{Job, Outcome, begin, end};

/// Tokens of a turn: more than a summary of ordinary length asks for at once.
const TURN_TOKENS: usize = 8192;

/// What is asked of the model, by all.
#[derive(Default)]
pub struct ModelQueue {
    line: Mutex<Line>,
    asked: Condvar,
}

/// A caller's place in the line; several threads may ask under one.
#[derive(Clone)]
pub struct QueueClient {
    queue: Arc<ModelQueue>,
    standing: Arc<Standing>,
}

/// A batch that was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchStats {
    /// Its pairs.
    pub pairs: usize,
    /// Its tokens, all of them real.
    pub tokens: usize,
    /// Most tokens of a batch.
    pub max_tokens: usize,
    /// Callers who asked for them.
    pub requests: usize,
}

#[derive(Default)]
struct Line {
    /// By number, which is the order in which they were asked.
    asks: BTreeMap<u64, Ask>,
    numbers: u64,
    is_closed: bool,
}

/// Changed only by who holds the line.
#[derive(Debug, Default)]
struct Standing {
    place: AtomicU64,
    /// Tokens of its turn that were computed.
    used: AtomicUsize,
}

/// Pairs that are waited for.
struct Ask {
    standing: Arc<Standing>,
    /// Those that no batch has yet.
    jobs: VecDeque<Job>,
    answer: Sender<Result<Vec<Outcome>>>,
}

/// A part of a batch: the jobs of one ask.
struct Part {
    jobs: Vec<Job>,
    answer: Sender<Result<Vec<Outcome>>>,
}

impl Line {
    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// The next batch: whole turns, the earliest place first.
    fn take(&mut self, max_tokens: usize) -> Vec<Part> {
        let mut order: Vec<(u64, u64)> = self
            .asks
            .iter()
            .map(|(number, ask)| (ask.standing.place.load(Ordering::Relaxed), *number))
            .collect();
        order.sort_unstable();
        let (mut parts, mut room) = (Vec::new(), max_tokens);
        for (_, number) in order {
            let ask = self.asks.get_mut(&number).expect("the order holds what the line holds");
            let fits = |job: &&Job| {
                let fits = job.ids.len() <= room || room == max_tokens;
                room = room.saturating_sub(if fits { job.ids.len() } else { 0 });
                fits
            };
            let count = ask.jobs.iter().take_while(fits).count();
            if count == 0 {
                break;
            }
            parts.push(Part { answer: ask.answer.clone(), jobs: ask.jobs.drain(..count).collect() });
            let standing = Arc::clone(&ask.standing);
            if ask.jobs.is_empty() {
                self.asks.remove(&number);
            }
            self.charge(&standing, parts.last().map_or(0, Part::tokens));
        }
        parts
    }

    /// Who used his turn up stands in line anew.
    fn charge(&mut self, standing: &Standing, tokens: usize) {
        let used = standing.used.load(Ordering::Relaxed) + tokens;
        if used >= TURN_TOKENS {
            standing.place.store(self.next_number(), Ordering::Relaxed);
        }
        standing.used.store(if used >= TURN_TOKENS { 0 } else { used }, Ordering::Relaxed);
    }
}

impl Part {
    fn tokens(&self) -> usize {
        self.jobs.iter().map(|job| job.ids.len()).sum()
    }
}

impl ModelQueue {
    /// A place at the end of the line.
    #[must_use]
    pub fn client(self: &Arc<Self>) -> QueueClient {
        let place = AtomicU64::new(self.line().next_number());
        QueueClient {
            queue: Arc::clone(self),
            standing: Arc::new(Standing { place, used: AtomicUsize::new(0) }),
        }
    }

    /// Computes what is asked for until the queue is closed; one thread does. `max_batch_tokens`: tokens of a batch,
    /// none for the device's own.
    pub fn serve(&self, model: &NliModel, max_batch_tokens: Option<usize>, on_batch: &dyn Fn(BatchStats)) {
        let device = model.device();
        let max_tokens = max_batch_tokens.unwrap_or(device.batch_tokens());
        // Batches that the device computes or has queued, the oldest first.
        let mut underway = VecDeque::new();
        loop {
            let has_room = underway.len() < device.batches_in_flight();
            let next = has_room.then(|| self.next(max_tokens, underway.is_empty())).flatten();
            match next {
                Some(parts) => {
                    let jobs = jobs(&parts);
                    let tokens = parts.iter().map(Part::tokens).sum();
                    on_batch(BatchStats { pairs: jobs.len(), tokens, max_tokens, requests: parts.len() });
                    // An asker whose answer never comes is told that the work ended.
                    let begun = catch_unwind(AssertUnwindSafe(|| begin(model, &jobs)));
                    underway.push_back((begun, parts));
                }
                None => match underway.pop_front() {
                    Some((begun, parts)) => {
                        let all = jobs(&parts);
                        let ended = begun
                            .and_then(|begun| catch_unwind(AssertUnwindSafe(|| end(model, begun?, &all))));
                        answer(model, ended, parts);
                    }
                    None => return,
                },
            }
        }
    }

    /// No more is asked: whoever serves comes back when all is answered.
    pub fn close(&self) {
        self.line().is_closed = true;
        self.asked.notify_all();
    }

    /// What is asked; none when the queue is closed, or when nothing is asked now and nobody `waits`.
    fn next(&self, max_tokens: usize, waits: bool) -> Option<Vec<Part>> {
        let mut line = self.line();
        while line.asks.is_empty() {
            if line.is_closed || !waits {
                return None;
            }
            line = self.asked.wait(line).unwrap_or_else(PoisonError::into_inner);
        }
        Some(line.take(max_tokens))
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn jobs(parts: &[Part]) -> Vec<&Job> {
    parts.iter().flat_map(|part| &part.jobs).collect()
}

/// Tells the requests what came of their batch; when it failed, each is answered by itself: whose pairs does the model
/// fail on?
fn answer(model: &NliModel, ended: std::thread::Result<Result<Vec<Outcome>>>, parts: Vec<Part>) {
    match ended {
        Ok(Ok(outcomes)) => {
            let mut outcomes = outcomes.into_iter();
            for part in parts {
                // Who went away does not wait.
                let _ = part.answer.send(Ok(outcomes.by_ref().take(part.jobs.len()).collect()));
            }
        }
        Ok(Err(_)) => {
            for part in parts {
                let jobs: Vec<&Job> = part.jobs.iter().collect();
                let alone = || end(model, begin(model, &jobs)?, &jobs);
                if let Ok(outcomes) = catch_unwind(AssertUnwindSafe(alone)) {
                    let _ = part.answer.send(outcomes);
                }
            }
        }
        Err(_) => {}
    }
}

impl QueueClient {
    /// The outcomes of the jobs of these indices. Between batches `on_event` may end the work: what was not computed
    /// is taken out of the line.
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
        let (answer, answers) = channel();
        let asked: VecDeque<Job> = indices.iter().map(|&index| jobs[index].clone()).collect();
        let number = self.ask(asked, answer);
        let mut left = indices;
        while !left.is_empty() {
            let Ok(answer) = answers.recv() else { return Ok(ControlFlow::Break(())) };
            let answer = answer.inspect_err(|_| self.withdraw(number))?;
            let (now, later) = left.split_at(answer.len());
            let tokens = now.iter().map(|&index| jobs[index].ids.len()).sum();
            for (index, outcome) in now.iter().zip(answer) {
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

    fn ask(&self, jobs: VecDeque<Job>, answer: Sender<Result<Vec<Outcome>>>) -> u64 {
        let mut line = self.queue.line();
        let number = line.next_number();
        line.asks.insert(number, Ask { standing: Arc::clone(&self.standing), jobs, answer });
        drop(line);
        self.queue.asked.notify_one();
        number
    }

    fn withdraw(&self, number: u64) {
        self.queue.line().asks.remove(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Caller {
        standing: Arc<Standing>,
    }

    fn caller(line: &mut Line) -> Caller {
        let place = AtomicU64::new(line.next_number());
        Caller { standing: Arc::new(Standing { place, used: AtomicUsize::new(0) }) }
    }

    fn ask(line: &mut Line, caller: &Caller, lengths: &[usize]) {
        let job = |&length: &usize| Job { ids: vec![7; length], types: vec![0; length], cut: false };
        let (jobs, number) = (lengths.iter().map(job).collect(), line.next_number());
        let standing = Arc::clone(&caller.standing);
        line.asks.insert(number, Ask { standing, jobs, answer: channel().0 });
    }

    fn lengths(parts: &[Part]) -> Vec<Vec<usize>> {
        parts.iter().map(|part| part.jobs.iter().map(|job| job.ids.len()).collect()).collect()
    }

    #[test]
    fn batches_are_filled_from_all_the_earliest_first() {
        let line = &mut Line::default();
        let (first, second) = (caller(line), caller(line));
        ask(line, &second, &[30, 30]);
        ask(line, &first, &[40, 40]);
        assert_eq!(lengths(&line.take(120)), [vec![40, 40], vec![30]]);
        assert_eq!(lengths(&line.take(120)), [vec![30]]);
        assert!(line.asks.is_empty());
    }

    #[test]
    fn a_pair_longer_than_a_batch_has_one_to_itself() {
        let line = &mut Line::default();
        let only = caller(line);
        ask(line, &only, &[500, 20]);
        assert_eq!(lengths(&line.take(100)), [vec![500]]);
        assert_eq!(lengths(&line.take(100)), [vec![20]]);
    }

    /// Eight batches of 1,024 tokens are a turn.
    #[test]
    fn who_used_his_turn_up_stands_in_line_anew() {
        let line = &mut Line::default();
        let long = caller(line);
        ask(line, &long, &[512; 100]);
        for batch in 0..8 {
            assert_eq!(lengths(&line.take(1024)), [[512, 512]], "batch {batch}");
            if batch == 0 {
                let short = caller(line);
                ask(line, &short, &[100]);
            }
        }
        assert_eq!(lengths(&line.take(1024)), [vec![100], vec![512]]);
    }
}
