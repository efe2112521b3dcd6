//! The bytes of a text, as its readers take them.

use std::io::{self, BufRead};

/// The bytes of a text.
pub(super) type Text = Box<dyn BufRead + Send>;

/// Returns the next bytes, none at the end. Retries interrupted calls.
pub(super) fn fill(bytes: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = bytes.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    bytes.fill_buf()
}
