//! What is still done with a cache after an error, and the notes for the user. A damaged cache is neither read nor
//! written; one that cannot be written is still read.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::database::DatabaseError;
use super::folder::Folder;

/// Something that happened to the cache while it was in use. Scores do not depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It is damaged: this run uses it no more, and the next one moves it aside.
    Damaged(String),
    /// The disk is full: nothing more is written.
    Full,
    /// Reading or writing failed, and is not tried again.
    Failed(String),
    /// It was locked by another process, or the disk was too slow: some scores were not written.
    Missed,
}

impl fmt::Display for Note {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(what) => write!(
                to,
                "the score cache is damaged ({what}): this run continues without it, the next one moves it aside"
            ),
            Self::Full => to.write_str("the disk is full: this run writes nothing more to the score cache"),
            Self::Failed(what) => {
                write!(to, "the score cache failed ({what}): this run continues with what still works")
            }
            Self::Missed => to.write_str("the score cache was too slow: some scores were not written"),
        }
    }
}

/// The state of an open cache.
#[derive(Debug)]
pub(super) struct Health {
    folder: Folder,
    reads: AtomicBool,
    writes: AtomicBool,
    has_missed: AtomicBool,
    notes: Mutex<Vec<Note>>,
}

impl Health {
    pub(super) fn sound(folder: Folder) -> Self {
        let (reads, writes) = (AtomicBool::new(true), AtomicBool::new(true));
        Self { folder, reads, writes, has_missed: AtomicBool::new(false), notes: Mutex::default() }
    }

    pub(super) fn reads(&self) -> bool {
        self.reads.load(Ordering::Acquire)
    }

    pub(super) fn writes(&self) -> bool {
        self.writes.load(Ordering::Acquire)
    }

    /// Reading failed.
    pub(super) fn read_failed(&self, error: DatabaseError) {
        match error {
            // The pair is computed instead.
            DatabaseError::Busy => {}
            DatabaseError::Damaged(what) => self.damaged(what),
            DatabaseError::Full => self.end(&self.reads, Note::Full),
            DatabaseError::Failed(what) => self.end(&self.reads, Note::Failed(what)),
        }
    }

    /// Writing failed.
    pub(super) fn write_failed(&self, error: DatabaseError) {
        match error {
            DatabaseError::Busy => self.missed(),
            DatabaseError::Damaged(what) => self.damaged(what),
            DatabaseError::Full => self.end(&self.writes, Note::Full),
            DatabaseError::Failed(what) => self.end(&self.writes, Note::Failed(what)),
        }
    }

    /// Some entries are not written.
    pub(super) fn missed(&self) {
        if !self.has_missed.swap(true, Ordering::AcqRel) {
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

    /// Ends reading or writing, with one note.
    fn end(&self, is_used: &AtomicBool, note: Note) {
        if is_used.swap(false, Ordering::AcqRel) {
            self.note(note);
        }
    }

    fn note(&self, note: Note) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// The notes since the last call.
    pub(super) fn take_notes(&self) -> Vec<Note> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
