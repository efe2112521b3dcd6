//! What was judged already, kept beside the output so that a run that ended anywhere can go on.
//!
//! A file of frames, one for each judged row in the order of the input: length, checksum, key, outcome. It is
//! only ever added to. A frame that is not whole, or not what its checksum says, ends the journal: it and what
//! follows are cut off, and those rows are judged again. A run that goes on over the same rows reads frame
//! after frame; only when the rows have changed does it keep in memory where each frame is. Two runs on one
//! journal are refused.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The first bytes of every journal; the number is the layout's.
const HEAD: &[u8; 16] = b"veridic journal1";

/// A head with so many right bytes is a damaged one of ours.
const LEAST_OF_HEAD: usize = 12;

/// Bytes of a frame before its outcome: length, checksum, key.
const FRAME_HEAD: usize = 4 + 8 + 16;

/// An outcome longer than this is damage.
const MOST_OUTCOME_BYTES: usize = 1 << 28;

/// The digest of all that decides a row's outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowKey([u8; 16]);

impl RowKey {
    /// The key of these parts, each told apart from its neighbours.
    #[must_use]
    pub fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
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

/// A journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("cannot {what} {}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another run holds it.
    #[error("{} is in use: another run writes the same output", .0.display())]
    InUse(PathBuf),
    /// It is something else.
    #[error("{} is no journal of this program: move it away", .0.display())]
    Foreign(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    known: Known,
    /// Frames that are not in the file yet.
    unwritten: Vec<u8>,
}

/// What is known of the frames in the file.
#[derive(Debug)]
enum Known {
    /// The rows came in the frames' order so far; the next frame is the reader's.
    InOrder { reader: BufReader<File>, place: u64 },
    /// Where each row's outcome begins, and its length.
    Indexed(HashMap<RowKey, (u64, usize)>),
    /// All frames were read.
    Read,
}

impl Journal {
    /// Opens a journal, or begins one.
    ///
    /// # Errors
    /// When the file cannot be read and written, is in use, or is no journal.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let io = |what| move |source| JournalError::Io { what, path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(io("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        let mut head = Vec::new();
        (&file).take(HEAD.len() as u64).read_to_end(&mut head).map_err(io("read"))?;
        let equal = head.iter().zip(HEAD).filter(|(found, ours)| found == ours).count();
        let is_ours = HEAD.starts_with(&head) || equal >= LEAST_OF_HEAD;
        if !is_ours {
            return Err(JournalError::Foreign(path.to_owned()));
        }
        if head.len() == HEAD.len() && head != HEAD {
            // Frames have checks of their own.
            file.rewind().and_then(|()| file.write_all(HEAD)).map_err(io("mend"))?;
        }
        if head.len() < HEAD.len() {
            file.set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(HEAD))
                .map_err(io("write"))?;
        }
        let place = HEAD.len() as u64;
        let mut frames = File::open(path).map_err(io("open"))?;
        frames.seek(SeekFrom::Start(place)).map_err(io("read"))?;
        let known = Known::InOrder { reader: BufReader::with_capacity(1 << 16, frames), place };
        Ok(Self { path: path.to_owned(), file, known, unwritten: Vec::new() })
    }

    /// The outcome of a row that was judged before. Fastest when rows are asked for in the frames' order.
    ///
    /// # Errors
    /// When the file cannot be read or mended.
    pub fn find(&mut self, key: RowKey) -> Result<Option<Vec<u8>>, JournalError> {
        let path = self.path.clone();
        let told = |what| move |source| JournalError::Io { what, path, source };
        if let Known::InOrder { reader, place } = &mut self.known {
            let frame = next_frame(reader).map_err(told.clone()("read"))?;
            match frame {
                Some(frame) if frame.key == key => {
                    *place += frame.size();
                    return Ok(Some(frame.outcome));
                }
                frame => self.end_of_order(frame).map_err(told.clone()("mend"))?,
            }
        }
        let Known::Indexed(index) = &self.known else { return Ok(None) };
        let Some(&(start, length)) = index.get(&key) else { return Ok(None) };
        let mut outcome = vec![0; length];
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut outcome));
        read.map_err(told("read"))?;
        Ok(Some(outcome))
    }

    /// Adds a row's outcome, for which `find` gave none. It is safe when `flush` has come back.
    pub fn add(&mut self, key: RowKey, outcome: &[u8]) {
        debug_assert!(!matches!(self.known, Known::InOrder { .. }), "frames are added behind all others");
        self.unwritten.extend((outcome.len() as u32).to_le_bytes());
        self.unwritten.extend(checksum(key, outcome));
        self.unwritten.extend(key.0);
        self.unwritten.extend(outcome);
    }

    /// Hands what was added to the system.
    ///
    /// # Errors
    /// When the file cannot be written. What was flushed before is safe then.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        let written = self.file.seek(SeekFrom::End(0)).and_then(|_| self.file.write_all(&self.unwritten));
        written.map_err(|source| JournalError::Io { what: "write", path: self.path.clone(), source })?;
        self.unwritten.clear();
        Ok(())
    }

    /// Takes away the file, if it holds no outcome.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn remove_if_empty(self) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { what: "remove", path: self.path.clone(), source };
        if self.file.metadata().map_err(io)?.len() == HEAD.len() as u64 {
            std::fs::remove_file(&self.path).map_err(io)?;
        }
        Ok(())
    }

    /// The next frame is another row's, or there is none: finds all that follow, and cuts off what is behind
    /// the last whole one.
    fn end_of_order(&mut self, first: Option<Frame>) -> io::Result<()> {
        let Known::InOrder { reader, place } = &mut self.known else { return Ok(()) };
        let (mut index, mut end, mut frame) = (HashMap::new(), *place, first);
        while let Some(found) = frame {
            index.entry(found.key).or_insert((end + FRAME_HEAD as u64, found.outcome.len()));
            end += found.size();
            frame = next_frame(reader)?;
        }
        self.known = if index.is_empty() { Known::Read } else { Known::Indexed(index) };
        if end < self.file.metadata()?.len() {
            self.file.set_len(end)?;
        }
        Ok(())
    }
}

struct Frame {
    key: RowKey,
    outcome: Vec<u8>,
}

impl Frame {
    fn size(&self) -> u64 {
        (FRAME_HEAD + self.outcome.len()) as u64
    }
}

/// The next frame, if it is whole and right.
fn next_frame(reader: &mut impl Read) -> io::Result<Option<Frame>> {
    let mut head = Vec::with_capacity(FRAME_HEAD);
    reader.take(FRAME_HEAD as u64).read_to_end(&mut head)?;
    let Ok(head): Result<[u8; FRAME_HEAD], _> = head.try_into() else { return Ok(None) };
    let (length, rest) = head.split_at(4);
    let (sum, key) = rest.split_at(8);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes were split off")) as usize;
    let key = RowKey(key.try_into().expect("sixteen bytes are left"));
    if length > MOST_OUTCOME_BYTES {
        return Ok(None);
    }
    let mut outcome = Vec::new();
    reader.take(length as u64).read_to_end(&mut outcome)?;
    let whole = outcome.len() == length && checksum(key, &outcome) == sum;
    Ok(whole.then_some(Frame { key, outcome }))
}

fn checksum(key: RowKey, outcome: &[u8]) -> [u8; 8] {
    let mut digest = Sha256::new();
    digest.update(key.0);
    digest.update(outcome);
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

    fn outcome(number: usize) -> Vec<u8> {
        format!("{{\"row\":{number},\"{}\":1}}", "x".repeat(number % 7)).into_bytes()
    }

    /// Finds or adds these rows, in this order; returns which were found.
    fn pass(path: &Path, rows: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut journal = Journal::open(path).unwrap();
        let mut known = Vec::new();
        for number in rows {
            match journal.find(key(number)).unwrap() {
                Some(found) => {
                    assert_eq!(found, outcome(number));
                    known.push(number);
                }
                None => journal.add(key(number), &outcome(number)),
            }
            journal.flush().unwrap();
        }
        known
    }

    /// The bytes of a journal of `rows` rows.
    fn written(folder: &Path, rows: usize) -> Vec<u8> {
        let path = folder.join("whole");
        assert!(pass(&path, 0..rows).is_empty());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        bytes
    }

    #[test]
    fn cut_at_any_byte_it_ends_the_same() {
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
        assert!(matches!(Journal::open(&path), Err(JournalError::InUse(_))));
        drop(held);
        Journal::open(&path).unwrap();
    }

    #[test]
    fn what_is_no_journal_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        std::fs::write(&path, "my notes").unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Foreign(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(RowKey::of([&b"ab"[..], b"c"]), RowKey::of([&b"a"[..], b"bc"]));
        assert_ne!(RowKey::of([&b"a"[..]]), RowKey::of([&b"a"[..], b""]));
    }

    proptest! {
        #[test]
        fn changed_bytes_are_noticed(place in 16usize..400, byte: u8) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("changed");
            let mut bytes = written(folder.path(), 8);
            let place = place.min(bytes.len() - 1);
            bytes[place] = byte;
            std::fs::write(&path, &bytes).unwrap();
            // Every outcome that is still found is right; checked by `pass`.
            pass(&path, 0..8);
            prop_assert_eq!(pass(&path, 0..8).len(), 8);
        }
    }
}
