use std::fs;

use super::super::database::{Database, DatabaseError};
use super::super::folder::Folder;
use super::super::health::{Health, Note};
use super::super::{ScoreCache, ScoreCacheError};
use super::{SCOPE, entries, filled, found, key, open, scores};

#[test]
fn entries_are_found_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("made/on/the/way");
    filled(&inner, 0..3000);
    let (cache, moved) = open(&inner);
    assert_eq!((moved, cache.entries()), (None, 3000));
    assert_eq!(found(&cache, 0..4000), 3000);
    assert_eq!(cache.take_notes(), []);
}

#[test]
fn scores_are_in_the_keys_order() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..10);
    let (cache, _) = open(folder.path());
    let known = cache.get_many(&[key(9), key(10), key(0), key(9)]);
    assert_eq!(known, [Some(scores(9)), None, Some(scores(0)), Some(scores(9))]);
    assert_eq!(cache.get_many(&[]), []);
}

#[test]
fn flushed_entries_are_found_at_once_and_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, _) = open(folder.path());
    cache.put_many(&entries(0..100));
    cache.put_many(&entries(50..150));
    cache.flush();
    assert_eq!(found(&cache, 0..150), 150);
    cache.put_many(&entries(0..150));
    cache.flush();
    assert_eq!(cache.entries(), 150);
    cache.flush();
}

#[test]
fn scopes_do_not_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..100);
    let (other, moved) = ScoreCache::open(folder.path(), &[8; 32]).unwrap();
    assert_eq!((found(&other, 0..100), moved, other.entries()), (0, None, 100));
    other.put_many(&[(key(0), [1.0, 0.0, 0.0])]);
    other.flush();
    assert_eq!(other.get_many(&[key(0)]), [Some([1.0, 0.0, 0.0])]);
    assert_eq!(found(&open(folder.path()).0, 0..100), 100);
}

#[test]
fn impossible_scores_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, _) = open(folder.path());
    let wrong = [f32::NAN, f32::NEG_INFINITY, -0.5, 1.5];
    for (number, wrong) in (0..).zip(wrong) {
        cache.put_many(&[(key(number), [0.5, wrong, 0.5])]);
    }
    cache.put_many(&[(key(9), [-0.0, 0.0, 1.0])]);
    cache.flush();
    assert_eq!(cache.entries(), 1);
    assert!(cache.get_many(&[key(9)])[0].unwrap()[0].is_sign_negative());
    assert_eq!(cache.take_notes(), []);
}

#[test]
fn a_cache_of_a_newer_layout_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let newer = folder.path().join("scores-2.sqlite");
    fs::write(&newer, "what it says").unwrap();
    match ScoreCache::open(folder.path(), &SCOPE) {
        Err(error @ ScoreCacheError::Newer(_)) => assert!(error.to_string().contains("scores-2.sqlite")),
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read(&newer).unwrap(), b"what it says");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_in_the_folders_place_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = ScoreCache::open(&file, &SCOPE).unwrap_err();
    assert!(matches!(&error, ScoreCacheError::Io { path, .. } if *path == file), "{error}");
}

#[test]
fn a_file_locked_by_another_program_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..10);
    let path = folder.path().join("scores-1.sqlite");
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let error = ScoreCache::open(folder.path(), &SCOPE).unwrap_err();
    assert!(matches!(error, ScoreCacheError::InUse(_)), "{error}");
}

#[test]
fn a_full_disk_gives_one_note_and_keeps_existing_entries() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 0..1000);
    let path = folder.path().join("scores-1.sqlite");
    let mut database = Database::open(&path).unwrap();
    database.limit_pages(20);
    let rows: Vec<_> = entries(1000..9000);
    assert_eq!(database.put_many(&rows), Err(DatabaseError::Full));
    drop(database);
    let health = Health::sound(Folder::open(folder.path()).unwrap());
    health.write_failed(DatabaseError::Full);
    health.write_failed(DatabaseError::Full);
    assert_eq!((health.reads(), health.writes(), health.take_notes()), (true, false, vec![Note::Full]));
    let (cache, moved) = open(folder.path());
    assert_eq!((moved, cache.entries(), found(&cache, 0..9000)), (None, 1000, 1000));
}

#[test]
fn many_threads_may_use_one_cache() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, _) = open(folder.path());
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let cache = &cache;
            threads.spawn(move || {
                for part in 0..10 {
                    let from = thread * 1000 + part * 100;
                    cache.put_many(&entries(from..from + 100));
                    found(cache, 0..8000);
                    cache.flush();
                    assert_eq!(found(cache, from..from + 100), 100);
                }
            });
        }
    });
    assert_eq!((cache.entries(), cache.take_notes()), (8000, vec![]));
}

#[test]
fn many_threads_may_start_one_cache_at_once() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|threads| {
            for number in 0..6 {
                let folder = folder.path();
                threads.spawn(move || filled(folder, number * 100..number * 100 + 100));
            }
        });
        let (cache, moved) = open(folder.path());
        assert_eq!((moved, cache.entries(), found(&cache, 0..600)), (None, 600, 600));
    }
}
