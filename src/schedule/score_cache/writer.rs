//! Writes entries on a thread of its own, so that computing never waits for the disk. Entries are gathered for a while and
//! committed together; a process that is killed loses those that are not committed.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::database::Database;
use super::health::Health;
use super::row::{RowKey, Scores};

/// How long the first entry of a commit waits for others.
const GATHERING_TIME: Duration = Duration::from_secs(2);

/// Entries that are committed without further waiting.
const COMMIT_ENTRIES: usize = 1 << 16;

/// Most entries that wait, about 60 MB; beyond that, entries are dropped.
const MAX_WAITING: usize = 1 << 21;

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<(RowKey, Scores)>,
    /// Whether entries were taken from the queue and are not committed yet.
    is_writing: bool,
    /// Whether a thread waits for all entries to be committed.
    is_flushing: bool,
    is_closing: bool,
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

/// The writing thread, which is joined on drop.
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

    /// Queues entries.
    pub(super) fn put(&self, entries: impl Iterator<Item = (RowKey, Scores)>) {
        let mut queue = self.shared.queue();
        let mut entries = entries.peekable();
        let room = MAX_WAITING.saturating_sub(queue.waiting.len());
        queue.waiting.extend(entries.by_ref().take(room));
        if entries.peek().is_some() {
            self.health.missed();
        }
        self.shared.changed.notify_all();
    }

    /// Waits until all queued entries are committed or dropped.
    pub(super) fn flush(&self) {
        let mut queue = self.shared.queue();
        queue.is_flushing = true;
        self.shared.changed.notify_all();
        let is_running = || self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        while (queue.is_writing || !queue.waiting.is_empty()) && is_running() {
            queue = self.shared.wait(queue, Duration::from_secs(1));
        }
        queue.is_flushing = false;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.queue().is_closing = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread loses entries, nothing else.
            let _ = thread.join();
        }
    }
}

fn write_all(mut database: Database, shared: &Shared, health: &Health) {
    while let Some(entries) = gather(shared) {
        if health.writes() {
            database.put_many(&entries).unwrap_or_else(|error| health.write_failed(error));
        }
        shared.queue().is_writing = false;
        shared.changed.notify_all();
    }
}

/// The next commit's entries; none when the cache is closed.
fn gather(shared: &Shared) -> Option<Vec<(RowKey, Scores)>> {
    let mut queue = shared.queue();
    while queue.waiting.is_empty() {
        if queue.is_closing {
            return None;
        }
        queue = shared.wait(queue, Duration::MAX);
    }
    let until = Instant::now() + GATHERING_TIME;
    while queue.waiting.len() < COMMIT_ENTRIES && !queue.is_flushing && !queue.is_closing {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        queue = shared.wait(queue, left);
    }
    queue.is_writing = true;
    Some(std::mem::take(&mut queue.waiting))
}
