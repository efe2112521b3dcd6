//! What a pull tells while it works. Showing it is the caller's.

use std::time::Duration;

use crate::error::StoreError;
use crate::hub_id::Source;

/// One thing that happened or is about to.
#[derive(Debug)]
pub enum Progress<'a> {
    /// The hub is asked what a model's repository holds.
    Listing {
        /// The model.
        source: &'a Source,
    },
    /// A file that is here already is read for its digest.
    Checking {
        /// The file.
        file: &'a str,
    },
    /// A file that is here is not the one that was recorded or stated; it is fetched again.
    Repairing {
        /// The file.
        file: &'a str,
        /// The digest that it should have.
        expected: &'a str,
        /// The digest that it has.
        found: &'a str,
    },
    /// What will be fetched.
    Planned {
        /// How many files.
        files: usize,
        /// Their bytes, those of parts that are here included.
        bytes: u64,
    },
    /// A file grew. Said once before the first byte, with what an earlier pull left.
    Bytes {
        /// The file.
        file: &'a str,
        /// Bytes that are here.
        have: u64,
        /// Bytes that it has.
        size: u64,
    },
    /// Another program fetches the same file; this one waits for it.
    Busy {
        /// The file.
        file: &'a str,
    },
    /// Something failed for a passing reason and is tried again after a wait.
    Waiting {
        /// What failed.
        reason: &'a StoreError,
        /// How long the wait is.
        wait: Duration,
    },
}

/// Who is told.
pub(crate) type Listener<'a> = &'a mut dyn FnMut(Progress<'_>);
