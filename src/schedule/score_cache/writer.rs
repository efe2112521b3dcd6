//! Writes what was put, on a thread of its own, so that nobody waits for the disk. Entries are gathered for
//! a while and committed together: a process that is killed loses the latest, and the store nothing else.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::database::Database;
use super::health::Health;
use super::row::{RowKey, Scores};

/// How long the first of a commit's entries waits for others.
const MOST_GATHERING: Duration = Duration::from_secs(2);

/// Entries that are committed without further waiting.
const ENOUGH: usize = 1 << 16;

/// Entries that wait at most, about 60 MB; where the disk is so far behind, further ones are not kept.
const MOST_WAITING: usize = 1 << 21;

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<(RowKey, Scores)>,
    /// Some were taken from the queue and are not committed yet.
    writing: bool,
    /// Somebody waits for all to be committed.
    hurry: bool,
    closing: bool,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, queue: MutexGuard<'q, Queue>, most: Duration) -> MutexGuard<'q, Queue> {
        self.changed.wait_timeout(queue, most).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The thread that writes, which ends with this.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    health: Arc<Health>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(database: Database, health: Arc<Health>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (queue, state) = (Arc::clone(&shared), Arc::clone(&health));
        let thread = std::thread::Builder::new()
            .name("score-cache".to_owned())
            .spawn(move || write_all(database, &queue, &state))?;
        Ok(Self { shared, health, thread: Some(thread) })
    }

    /// Takes entries, to be written soon.
    pub(super) fn put(&self, entries: impl Iterator<Item = (RowKey, Scores)>) {
        let mut queue = self.shared.queue();
        let mut entries = entries.peekable();
        let room = MOST_WAITING.saturating_sub(queue.waiting.len());
        queue.waiting.extend(entries.by_ref().take(room));
        if entries.peek().is_some() {
            self.health.behind();
        }
        self.shared.changed.notify_all();
    }

    /// Waits until all that was put is committed, or given up.
    pub(super) fn flush(&self) {
        let mut queue = self.shared.queue();
        queue.hurry = true;
        self.shared.changed.notify_all();
        let at_work = || self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        while (queue.writing || !queue.waiting.is_empty()) && at_work() {
            queue = self.shared.wait(queue, Duration::from_secs(1));
        }
        queue.hurry = false;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.queue().closing = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell.
            let _ = thread.join();
        }
    }
}

fn write_all(mut database: Database, shared: &Shared, health: &Health) {
    while let Some(entries) = gather(shared) {
        if health.writes() {
            database.put_many(&entries).unwrap_or_else(|trouble| health.writing_met(trouble));
        }
        shared.queue().writing = false;
        shared.changed.notify_all();
    }
}

/// The next commit's entries; none when the store closes.
fn gather(shared: &Shared) -> Option<Vec<(RowKey, Scores)>> {
    let mut queue = shared.queue();
    while queue.waiting.is_empty() {
        if queue.closing {
            return None;
        }
        queue = shared.wait(queue, Duration::MAX);
    }
    let until = Instant::now() + MOST_GATHERING;
    while queue.waiting.len() < ENOUGH && !queue.hurry && !queue.closing {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        queue = shared.wait(queue, left);
    }
    queue.writing = true;
    Some(std::mem::take(&mut queue.waiting))
}
