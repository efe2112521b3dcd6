//! Computing away from the interpreter: on threads of our own, without its lock, while the calling thread looks for
//! Ctrl-C. Threads do not survive a fork; they are started anew in the child.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use veridic::schedule::{Event, OnEvent};

use crate::errors::SettingError;

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Most threads of a scorer.
const MOST: usize = 1024;

/// The threads of a scorer.
pub(crate) struct Threads {
    count: Option<usize>,
    /// With the process that started them.
    pool: Mutex<(u32, Arc<ThreadPool>)>,
}

impl Threads {
    pub(crate) fn start(count: Option<usize>) -> PyResult<Self> {
        if let Some(count) = count.filter(|count| *count > MOST) {
            return Err(SettingError::new_err(format!("threads {count}: at most {MOST} are started")));
        }
        Ok(Self { count, pool: Mutex::new((std::process::id(), Arc::new(pool(count)?))) })
    }

    /// Those of this process.
    pub(crate) fn get(&self) -> PyResult<Arc<ThreadPool>> {
        let mut pool_of = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool_of.0 != std::process::id() {
            let left = std::mem::replace(&mut *pool_of, (std::process::id(), Arc::new(pool(self.count)?)));
            // Its threads are the parent's: nobody is here to be told that they are not needed.
            std::mem::forget(left);
        }
        Ok(Arc::clone(&pool_of.1))
    }

    /// Does work that can be ended: Ctrl-C ends it after the batch in hand.
    pub(crate) fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&OnEvent<'_>) -> T + Send,
    ) -> PyResult<T> {
        let pool = self.get()?;
        let stop = AtomicBool::new(false);
        let on_event = |_: Event| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(|_| send(sender, work(&on_event)));
            wait(py, receiver, || stop.store(true, Ordering::Relaxed))
        })
    }

    /// Does work that cannot be ended: at Ctrl-C it goes on without anyone who waits for it.
    pub(crate) fn abandonable<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = channel();
        self.get()?.spawn(move || send(sender, work()));
        let mut receiver = Some(receiver);
        loop {
            let waiting = receiver.take().expect("it is put back below");
            let (waiting, got) = look(py, waiting);
            match got {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
            receiver = Some(waiting);
        }
    }
}

fn pool(count: Option<usize>) -> PyResult<ThreadPool> {
    let failed = |error| SettingError::new_err(format!("cannot start the threads: {error}"));
    ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build().map_err(failed)
}

fn send<T>(sender: Sender<T>, result: T) {
    // Whoever does not wait any more does not want it.
    let _ = sender.send(result);
}

/// The result; after a signal that Python makes an exception of, that exception, when the work has ended.
fn wait<T: Send>(py: Python<'_>, mut receiver: Receiver<T>, end: impl Fn()) -> PyResult<T> {
    let mut signal = None;
    loop {
        let (waiting, got) = look(py, receiver);
        receiver = waiting;
        match (got, &signal) {
            (Ok(result), None) => return Ok(result),
            (Err(RecvTimeoutError::Timeout), None) => {
                if let Err(exception) = py.check_signals() {
                    end();
                    signal = Some(exception);
                }
            }
            (Err(RecvTimeoutError::Timeout), Some(_)) => {}
            (Ok(_) | Err(RecvTimeoutError::Disconnected), _) => return Err(signal.unwrap_or_else(gone)),
        }
    }
}

/// Waits a moment without the interpreter's lock.
fn look<T: Send>(py: Python<'_>, receiver: Receiver<T>) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    py.detach(move || {
        let got = receiver.recv_timeout(LOOK);
        (receiver, got)
    })
}

fn gone() -> PyErr {
    pyo3::panic::PanicException::new_err("a thread of the engine ended without a result")
}
