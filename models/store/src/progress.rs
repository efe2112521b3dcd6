//! Progress events of a pull, for the caller to show.

use std::time::Duration;

use crate::error::StoreError;
use crate::hub_id::Source;

/// A progress event.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A model's repository is listed.
    Listing {
        /// The model.
        source: &'a Source,
    },
    /// The digest of a cached file is computed.
    Checking {
        /// The file.
        file: &'a str,
    },
    /// A cached file does not have the recorded or stated digest and is fetched again.
    Repairing {
        /// The file.
        file: &'a str,
        /// The expected SHA-256.
        expected: &'a str,
        /// The file's SHA-256.
        found: &'a str,
    },
    /// The files to fetch are known.
    Planned {
        /// Number of files.
        files: usize,
        /// Their total size, including partial files already here.
        bytes: u64,
    },
    /// Bytes of a file arrived. Also sent once at the start, with the bytes left by an earlier pull.
    Bytes {
        /// The file.
        file: &'a str,
        /// Bytes received so far.
        have: u64,
        /// Size of the file in bytes.
        size: u64,
    },
    /// Another thread or program is fetching the same file; this pull waits for it.
    Busy {
        /// The file.
        file: &'a str,
    },
    /// A request failed for a transient reason and is retried after a wait.
    Waiting {
        /// The failure.
        reason: &'a StoreError,
        /// The wait.
        wait: Duration,
    },
}

/// A callback that receives progress events.
pub(crate) type Listener<'a> = &'a mut dyn FnMut(Progress<'_>);
