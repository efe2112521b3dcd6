//! The results of judged rows, kept beside the output so that an interrupted run can resume.
//!
//! The file is a sequence of frames, one per judged row in input order: length, checksum, key, result. It is append-only. A
//! frame that is incomplete or does not match its checksum ends the journal: it and everything after it are truncated, and
//! those rows are judged again. An index of all frames is kept in memory, 32 bytes per row. Refuses a second run on the same
//! journal.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file_error::FileError;

/// The first bytes of every journal; the digit is the version of the layout.
pub(super) const HEAD: &[u8; 16] = b"veridic journal1";

/// With at least this many matching head bytes, a file is a damaged journal rather than a foreign file.
const MIN_HEAD_MATCHES: usize = 12;

/// Bytes of a frame before its result: length, checksum, key.
const FRAME_HEAD: usize = 4 + 8 + 16;

/// A length above this indicates damage.
const MAX_RESULT_BYTES: usize = 1 << 28;

/// A digest of everything that determines a row's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RowKey([u8; 16]);

impl RowKey {
    /// Returns the key of these parts. The boundaries between parts matter, too.
    pub(crate) fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&digest.finalize()[..16]);
        Self(key)
    }

    pub(super) fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// The offset and length of each row's result in the file.
type Index = HashMap<RowKey, (u64, usize)>;

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The results that the file had when it was opened.
    known: Index,
    /// Frames to append at the next flush.
    unwritten: Vec<u8>,
}

impl Journal {
    /// Opens or creates a journal.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use, or is not a journal.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let io = |what| FileError::of_io(what, path);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(io("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FileError::of(path, "is in use: another run writes the same output"));
            }
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        let mut head = Vec::new();
        (&file).take(HEAD.len() as u64).read_to_end(&mut head).map_err(io("read"))?;
        let equal = head.iter().zip(HEAD).filter(|(found, ours)| found == ours).count();
        if !HEAD.starts_with(&head) && equal < MIN_HEAD_MATCHES {
            return Err(FileError::of(path, "is not a journal of this program: move it away"));
        }
        let (known, end) = index(&file).map_err(io("read"))?;
        if head != HEAD {
            // Each frame has its own checksum.
            file.rewind().and_then(|()| file.write_all(HEAD)).map_err(io("repair"))?;
        }
        let length = file.metadata().map_err(io("read"))?.len();
        if end < length {
            file.set_len(end).map_err(io("repair"))?;
        }
        Ok(Self { path: path.to_owned(), file, known, unwritten: Vec::new() })
    }

    /// Returns the result of a row that was judged before the journal was opened.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn find(&mut self, key: RowKey) -> Result<Option<Vec<u8>>, FileError> {
        let Some(&(start, length)) = self.known.get(&key) else { return Ok(None) };
        let mut result = vec![0; length];
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut result));
        read.map_err(FileError::of_io("read", &self.path))?;
        Ok(Some(result))
    }

    /// Adds the result of a row that `find` did not return. It is in the file after `flush`.
    pub(crate) fn add(&mut self, key: RowKey, result: &[u8]) {
        self.unwritten.extend((result.len() as u32).to_le_bytes());
        self.unwritten.extend(checksum(key, result));
        self.unwritten.extend(key.0);
        self.unwritten.extend(result);
    }

    /// Writes the added results to the file.
    ///
    /// # Errors
    /// If the file cannot be written. Results flushed before are kept.
    pub(crate) fn flush(&mut self) -> Result<(), FileError> {
        let written = self.file.seek(SeekFrom::End(0)).and_then(|_| self.file.write_all(&self.unwritten));
        written.map_err(FileError::of_io("write", &self.path))?;
        self.unwritten.clear();
        Ok(())
    }

    /// Removes the file.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(self) -> Result<(), FileError> {
        std::fs::remove_file(&self.path).map_err(FileError::of_io("remove", &self.path))
    }

    /// Removes the file if it has no results.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove_if_empty(self) -> Result<(), FileError> {
        let length = self.file.metadata().map_err(FileError::of_io("read", &self.path))?.len();
        if length == HEAD.len() as u64 { self.remove() } else { Ok(()) }
    }
}

/// Returns the index of all valid frames and the end of the last one. Reads from after the head.
fn index(file: &File) -> io::Result<(Index, u64)> {
    let (mut known, mut end) = (HashMap::new(), HEAD.len() as u64);
    let mut frames = BufReader::with_capacity(1 << 16, file);
    while let Some((key, length)) = next_frame(&mut frames)? {
        known.entry(key).or_insert((end + FRAME_HEAD as u64, length));
        end += (FRAME_HEAD + length) as u64;
    }
    Ok((known, end))
}

/// Returns the key of the next frame and the length of its result; `None` if it is incomplete or damaged.
fn next_frame(reader: &mut impl Read) -> io::Result<Option<(RowKey, usize)>> {
    let mut head = Vec::with_capacity(FRAME_HEAD);
    reader.take(FRAME_HEAD as u64).read_to_end(&mut head)?;
    let Ok(head): Result<[u8; FRAME_HEAD], _> = head.try_into() else { return Ok(None) };
    let (length, rest) = head.split_at(4);
    let (sum, key) = rest.split_at(8);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes were split off")) as usize;
    let key = RowKey(key.try_into().expect("sixteen bytes are left"));
    if length > MAX_RESULT_BYTES {
        return Ok(None);
    }
    let mut result = Vec::new();
    reader.take(length as u64).read_to_end(&mut result)?;
    let is_valid = result.len() == length && checksum(key, &result) == sum;
    Ok(is_valid.then_some((key, length)))
}

fn checksum(key: RowKey, result: &[u8]) -> [u8; 8] {
    let mut digest = Sha256::new();
    digest.update(key.0);
    digest.update(result);
    let mut sum = [0; 8];
    sum.copy_from_slice(&digest.finalize()[..8]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(number: usize) -> RowKey {
        RowKey::of([number.to_string().as_bytes()])
    }

    fn result(number: usize) -> Vec<u8> {
        format!("{{\"row\":{number},\"{}\":1}}", "x".repeat(number % 7)).into_bytes()
    }

    /// Finds or adds these rows, in this order; returns which were found.
    fn pass(path: &Path, rows: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut journal = Journal::open(path).unwrap();
        let mut known = Vec::new();
        for number in rows {
            match journal.find(key(number)).unwrap() {
                Some(found) => {
                    assert_eq!(found, result(number));
                    known.push(number);
                }
                None => journal.add(key(number), &result(number)),
            }
            journal.flush().unwrap();
        }
        known
    }

    /// Returns the bytes of a journal with `rows` rows.
    fn written(folder: &Path, rows: usize) -> Vec<u8> {
        let path = folder.join("whole");
        assert!(pass(&path, 0..rows).is_empty());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        bytes
    }

    #[test]
    fn a_journal_cut_at_any_byte_ends_up_complete_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut");
        let whole = written(folder.path(), 8);
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let known = pass(&path, 0..8);
            assert_eq!(known, (0..known.len()).collect::<Vec<_>>(), "cut at {length}");
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {length}");
            assert_eq!(pass(&path, 0..8).len(), 8);
        }
    }

    #[test]
    fn changed_rows_are_added_and_the_others_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        assert!(pass(&path, 0..6).is_empty());
        assert_eq!(pass(&path, [0, 1, 7, 3, 2, 5, 3]), [0, 1, 3, 2, 5, 3], "in another order, one new");
        assert_eq!(pass(&path, 0..8), [0, 1, 2, 3, 4, 5, 7], "also those that were added later");
        assert_eq!(pass(&path, [7, 6]), [7, 6]);
    }

    #[test]
    fn equal_rows_keep_the_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        assert!(pass(&path, [1, 1, 2]).is_empty());
        assert_eq!(pass(&path, [1, 1, 2, 3]), [1, 1, 2]);
    }

    #[test]
    fn two_runs_on_one_journal_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let held = Journal::open(&path).unwrap();
        assert!(Journal::open(&path).unwrap_err().to_string().contains("is in use: another run"));
        drop(held);
        Journal::open(&path).unwrap();
    }

    #[test]
    fn a_file_that_is_not_a_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        std::fs::write(&path, "my notes").unwrap();
        assert!(Journal::open(&path).unwrap_err().to_string().contains("is not a journal"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
    }

    #[test]
    fn keys_depend_on_the_bounds_between_parts() {
        assert_ne!(RowKey::of([&b"ab"[..], b"c"]), RowKey::of([&b"a"[..], b"bc"]));
        assert_ne!(RowKey::of([&b"a"[..]]), RowKey::of([&b"a"[..], b""]));
    }

    proptest! {
        #[test]
        fn changed_bytes_are_detected(place in 16usize..400, byte: u8) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("changed");
            let mut bytes = written(folder.path(), 8);
            let place = place.min(bytes.len() - 1);
            bytes[place] = byte;
            std::fs::write(&path, &bytes).unwrap();
            // `pass` checks that every result still found is right.
            pass(&path, 0..8);
            prop_assert_eq!(pass(&path, 0..8).len(), 8);
        }
    }
}
