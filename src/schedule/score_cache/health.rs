//! What is still done with the store after it met trouble, and what the user is told. A damaged store is
//! neither read nor written; one that cannot be written is still read.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::database::Trouble;
use super::folder::Folder;

/// Something that happened to the store while it was in use. Scores do not depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It is damaged: not used any more in this run, and moved aside when it is next opened.
    Damaged(String),
    /// The disk is full: no more is written.
    Full,
    /// It cannot be read or written, and is let alone from here on.
    Failed(String),
    /// It was held by another process, or the disk was too slow: some scores were not kept.
    Missed,
}

impl fmt::Display for Note {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(what) => write!(
                to,
                "the score cache is damaged ({what}): this run goes on without it, the next one moves it aside"
            ),
            Self::Full => to.write_str("the disk is full: the score cache takes no more in this run"),
            Self::Failed(what) => {
                write!(to, "the score cache fails ({what}): this run goes on without what it cannot do")
            }
            Self::Missed => to.write_str("the score cache was too slow: some scores are not kept"),
        }
    }
}

/// The state of an open store.
#[derive(Debug)]
pub(super) struct Health {
    folder: Folder,
    reads: AtomicBool,
    writes: AtomicBool,
    missed: AtomicBool,
    notes: Mutex<Vec<Note>>,
}

impl Health {
    pub(super) fn good(folder: Folder) -> Self {
        let (reads, writes, missed) = (AtomicBool::new(true), AtomicBool::new(true), AtomicBool::new(false));
        Self { folder, reads, writes, missed, notes: Mutex::default() }
    }

    pub(super) fn reads(&self) -> bool {
        self.reads.load(Ordering::Acquire)
    }

    pub(super) fn writes(&self) -> bool {
        self.writes.load(Ordering::Acquire)
    }

    /// Reading did not go well.
    pub(super) fn reading_met(&self, trouble: Trouble) {
        match trouble {
            // The pair is computed instead.
            Trouble::Busy => {}
            Trouble::Damaged(what) => self.damaged(what),
            Trouble::Full => self.end(&self.reads, Note::Full),
            Trouble::Failed(what) => self.end(&self.reads, Note::Failed(what)),
        }
    }

    /// Writing did not go well.
    pub(super) fn writing_met(&self, trouble: Trouble) {
        match trouble {
            Trouble::Busy => self.behind(),
            Trouble::Damaged(what) => self.damaged(what),
            Trouble::Full => self.end(&self.writes, Note::Full),
            Trouble::Failed(what) => self.end(&self.writes, Note::Failed(what)),
        }
    }

    /// Some entries are not kept.
    pub(super) fn behind(&self) {
        if !self.missed.swap(true, Ordering::AcqRel) {
            self.note(Note::Missed);
        }
    }

    fn damaged(&self, what: String) {
        self.writes.store(false, Ordering::Release);
        if self.reads.swap(false, Ordering::AcqRel) {
            self.folder.mark_damaged(&what);
            self.note(Note::Damaged(what));
        }
    }

    /// Told once: by the one that ends it.
    fn end(&self, use_: &AtomicBool, note: Note) {
        if use_.swap(false, Ordering::AcqRel) {
            self.note(note);
        }
    }

    fn note(&self, note: Note) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// What happened since this was last asked.
    pub(super) fn take_notes(&self) -> Vec<Note> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
