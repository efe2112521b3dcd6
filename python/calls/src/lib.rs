//! Long work called from Python: computes on a thread pool without the interpreter's lock, while the calling thread checks for Ctrl-C. Threads do not
//! survive a fork; the child starts new ones.

use std::ops::ControlFlow;
use std::panic::UnwindSafe;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use veridic::schedule::{Event, OnEvent};

/// The interval at which the calling thread checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of threads of a scorer.
const MAX_THREADS: usize = 1024;

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// Runs a program without the interpreter's lock and returns its exit code.
pub fn exit_code(py: Python<'_>, program: impl FnOnce() -> ExitCode + Send + UnwindSafe) -> u8 {
    // The message of a panic has been printed by then; a Python traceback would add nothing.
    py.detach(|| std::panic::catch_unwind(|| number(program())).unwrap_or(PANICKED))
}

/// Returns the number of an exit code, which the standard library can compare but does not expose.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}

/// The threads of a scorer.
#[derive(Debug)]
pub struct Threads {
    count: Option<usize>,
    /// The pool, and the process that started it.
    pool: Mutex<(u32, Arc<ThreadPool>)>,
}

impl Threads {
    /// Starts `count` threads, by default one per core.
    ///
    /// # Errors
    /// Why they cannot be started.
    pub fn start(count: Option<usize>) -> Result<Self, String> {
        if let Some(count) = count.filter(|count| *count > MAX_THREADS) {
            return Err(format!("threads {count}: at most {MAX_THREADS} are started"));
        }
        Ok(Self { count, pool: Mutex::new((std::process::id(), Arc::new(pool(count)?))) })
    }

    /// Returns the pool of this process.
    ///
    /// # Errors
    /// If its threads cannot be started after a fork.
    pub fn get(&self) -> PyResult<Arc<ThreadPool>> {
        let mut pool_of = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool_of.0 != std::process::id() {
            let own = pool(self.count).map_err(PyRuntimeError::new_err)?;
            let parents = std::mem::replace(&mut *pool_of, (std::process::id(), Arc::new(own)));
            // Its threads exist only in the parent, so dropping it would wait for them forever.
            std::mem::forget(parents);
        }
        Ok(Arc::clone(&pool_of.1))
    }

    /// Runs work that Ctrl-C ends after the current batch.
    ///
    /// # Errors
    /// The exception of a signal, such as `KeyboardInterrupt`.
    pub fn compute<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&OnEvent<'_>) -> T + Send,
    ) -> PyResult<T> {
        let pool = self.get()?;
        let stop = AtomicBool::new(false);
        let on_event = |_: Event| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(|_| send(sender, work(&on_event)));
            wait(py, receiver, || stop.store(true, Ordering::Relaxed))
        })
    }

    /// Runs work that cannot be ended: after Ctrl-C it continues, and its result is discarded.
    ///
    /// # Errors
    /// The exception of a signal, such as `KeyboardInterrupt`.
    ///
    /// # Panics
    /// Never: a channel that is put back each time is there.
    pub fn abandonable<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = channel();
        self.get()?.spawn(move || send(sender, work()));
        let mut receiver = Some(receiver);
        loop {
            let waiting = receiver.take().expect("the loop puts it back");
            let (waiting, got) = receive(py, waiting);
            match got {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Err(no_result()),
            }
            receiver = Some(waiting);
        }
    }
}

fn pool(count: Option<usize>) -> Result<ThreadPool, String> {
    let built = ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
    built.map_err(|error| format!("cannot start the threads: {error}"))
}

fn send<T>(sender: Sender<T>, result: T) {
    // Fails if the receiver was dropped after Ctrl-C.
    let _ = sender.send(result);
}

/// Waits for the result. A signal for which Python raises an exception ends the work, and the exception is then returned.
fn wait<T: Send>(py: Python<'_>, mut receiver: Receiver<T>, end: impl Fn()) -> PyResult<T> {
    let mut signal = None;
    loop {
        let (waiting, got) = receive(py, receiver);
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
            (Ok(_) | Err(RecvTimeoutError::Disconnected), _) => return Err(signal.unwrap_or_else(no_result)),
        }
    }
}

/// Waits briefly for the result, without the interpreter's lock.
fn receive<T: Send>(py: Python<'_>, receiver: Receiver<T>) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    py.detach(move || {
        let got = receiver.recv_timeout(SIGNAL_INTERVAL);
        (receiver, got)
    })
}

fn no_result() -> PyErr {
    pyo3::panic::PanicException::new_err("a thread of the engine ended without a result")
}
