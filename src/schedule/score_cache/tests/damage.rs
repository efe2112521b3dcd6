use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use super::super::health::Note;
use super::super::{MAX_CHECKED_BYTES, ScoreCache};
use super::{CHECK_NOTHING, SCOPE, entries, filled, found, open};

const ENTRIES: u64 = 5000;

/// Pseudo-random places, the same each time.
struct Places(u64);

impl Places {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

fn cache_file(folder: &Path) -> PathBuf {
    folder.join("scores-1.sqlite")
}

/// The files of a cache that was closed, or of one whose process was killed with most entries in the log.
fn sound_files(killed: bool) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..ENTRIES / 2);
    let (cache, _) = open(folder.path());
    cache.put_many(&entries(ENTRIES / 2..ENTRIES));
    cache.flush();
    let open_cache = killed.then_some(cache);
    let files = ["scores-1.sqlite", "scores-1.sqlite-wal"]
        .map(|name| (PathBuf::from(name), folder.path().join(name)));
    let files = files.into_iter().filter(|(_, path)| path.exists());
    let files = files.map(|(name, path)| (name, fs::read(path).unwrap())).collect();
    drop(open_cache);
    files
}

fn write_files(files: &[(PathBuf, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Opens a cache that may be damaged, twice, and uses it. Returns whether damage was found.
fn survives(folder: &Path, checked_bytes: u64, what: &str) -> bool {
    let (cache, moved) = ScoreCache::open_checking(folder, &SCOPE, checked_bytes).unwrap();
    if let Some(moved) = &moved {
        assert!(moved.to.exists(), "{what}");
        assert_eq!(found(&cache, 0..ENTRIES), 0, "{what}");
    }
    found(&cache, 0..ENTRIES);
    cache.put_many(&entries(0..ENTRIES + 500));
    cache.flush();
    found(&cache, 0..ENTRIES + 500);
    let notes = cache.take_notes();
    assert!(
        notes.iter().all(|note| matches!(note, Note::Damaged(_))) && notes.len() <= 1,
        "{what}: {notes:?}"
    );
    drop(cache);
    let (cache, moved_later) = ScoreCache::open_checking(folder, &SCOPE, MAX_CHECKED_BYTES).unwrap();
    assert!(notes.is_empty() || moved_later.is_some(), "{what}");
    cache.put_many(&entries(0..ENTRIES + 500));
    cache.flush();
    assert_eq!(found(&cache, 0..ENTRIES + 500), ENTRIES as usize + 500, "{what}");
    assert_eq!(cache.take_notes(), [], "{what}");
    moved.is_some() || moved_later.is_some()
}

/// Changes one byte of the files, `times` times at different places. Returns how often the damage was found.
fn flips(files: &[(PathBuf, Vec<u8>)], times: u64, checked_bytes: u64) -> usize {
    let mut places = Places(times ^ checked_bytes);
    let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    (0..times)
        .filter(|_| {
            let (mut file, mut place) = (0, places.below(total));
            while place >= files[file].1.len() {
                place -= files[file].1.len();
                file += 1;
            }
            let change = 1 + places.below(255) as u8;
            let mut files = files.to_vec();
            files[file].1[place] ^= change;
            let what = format!("{} byte {place} ^ {change}", files[file].0.display());
            survives(write_files(&files).path(), checked_bytes, &what)
        })
        .count()
}

#[test]
fn a_changed_byte_anywhere_gives_no_wrong_score() {
    let files = sound_files(false);
    assert_eq!(files.len(), 1);
    let seen = flips(&files, 100, MAX_CHECKED_BYTES);
    assert!(seen > 80, "of 100 changes {seen} were found");
    flips(&files, 100, CHECK_NOTHING);
}

#[test]
fn a_changed_byte_after_a_kill_gives_no_wrong_score() {
    let files = sound_files(true);
    assert_eq!(files.len(), 2);
    flips(&files, 50, MAX_CHECKED_BYTES);
    flips(&files, 50, CHECK_NOTHING);
}

#[test]
fn any_byte_of_the_files_header_may_change() {
    let mut files = sound_files(false);
    for place in 0..110 {
        let change = [0xff, 1, 0x80][place % 3];
        files[0].1[place] ^= change;
        survives(write_files(&files).path(), CHECK_NOTHING, &format!("byte {place} ^ {change}"));
        files[0].1[place] ^= change;
    }
}

#[test]
fn a_cut_anywhere_gives_no_wrong_score() {
    let mut places = Places(6);
    for killed in [false, true] {
        let files = sound_files(killed);
        for time in 0..50 {
            let (file, mut files) = (time % files.len(), files.clone());
            let length = places.below(files[file].1.len());
            files[file].1.truncate(length);
            let checked_bytes = if time % 4 < 2 { CHECK_NOTHING } else { MAX_CHECKED_BYTES };
            survives(
                write_files(&files).path(),
                checked_bytes,
                &format!("{} cut at {length}", files[file].0.display()),
            );
        }
    }
}

#[test]
fn garbage_is_moved_aside_without_overwriting_anything() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=3 {
        fs::write(cache_file(folder.path()), format!("garbage {number}").repeat(1000)).unwrap();
        let (cache, moved) = open(folder.path());
        let moved = moved.unwrap();
        assert!(moved.to.ends_with(format!("scores-1.damaged-{number}.sqlite")));
        assert!(moved.to_string().contains("not a database"), "{moved}");
        assert!(fs::read_to_string(&moved.to).unwrap().starts_with(&format!("garbage {number}")));
        cache.put_many(&entries(0..10));
        cache.flush();
        assert_eq!(found(&cache, 0..10), 10);
    }
}

#[test]
fn another_programs_database_is_moved_aside_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let other = rusqlite::Connection::open(cache_file(folder.path())).unwrap();
    other.execute_batch("CREATE TABLE scores (name TEXT); INSERT INTO scores VALUES ('kept')").unwrap();
    drop(other);
    let moved = open(folder.path()).1.unwrap();
    let other = rusqlite::Connection::open(moved.to).unwrap();
    let name: String = other.query_row("SELECT name FROM scores", (), |row| row.get(0)).unwrap();
    assert_eq!(name, "kept");
}

#[test]
fn damage_under_an_open_cache_ends_its_use() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..ENTRIES);
    let (cache, _) = ScoreCache::open_checking(folder.path(), &SCOPE, CHECK_NOTHING).unwrap();
    let file = OpenOptions::new().write(true).open(cache_file(folder.path())).unwrap();
    let length = file.metadata().unwrap().len();
    file.set_len(length / 4096 / 2 * 4096).unwrap();
    file.set_len(length).unwrap();
    found(&cache, 0..ENTRIES);
    assert!(matches!(&cache.take_notes()[..], [Note::Damaged(_)]));
    cache.put_many(&entries(0..ENTRIES));
    cache.flush();
    assert_eq!((found(&cache, 0..ENTRIES), cache.entries(), cache.take_notes()), (0, 0, vec![]));
    drop(cache);
    let (cache, moved) = ScoreCache::open_checking(folder.path(), &SCOPE, CHECK_NOTHING).unwrap();
    assert!(moved.is_some());
    assert_eq!(found(&cache, 0..ENTRIES), 0);
}

#[test]
fn a_damaged_cache_stays_until_no_process_uses_it() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..100);
    let (first, _) = open(folder.path());
    fs::write(folder.path().join("damaged"), "seen by another").unwrap();
    let (second, moved) = open(folder.path());
    assert_eq!((moved, found(&second, 0..100)), (None, 0));
    assert_eq!(second.take_notes(), [Note::Damaged("seen by another".to_owned())]);
    second.put_many(&entries(0..100));
    second.flush();
    drop(first);
    assert!(open(folder.path()).1.is_none(), "the second still uses it");
    drop(second);
    let moved = open(folder.path()).1.unwrap();
    assert_eq!(moved.why, "seen by another");
    assert!(open(folder.path()).1.is_none());
}

#[test]
fn a_mark_without_a_cache_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("damaged"), "long gone").unwrap();
    filled(folder.path(), 0..10);
    assert_eq!(found(&open(folder.path()).0, 0..10), 10);
}
