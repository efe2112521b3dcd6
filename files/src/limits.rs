//! How much is read of a file.

/// The most characters that a document may have once it is read. Plain text and UTF-16 have no such limit.
pub const MAX_CHARACTERS: usize = 2_000_000;
