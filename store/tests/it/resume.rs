//! A pull that was cut goes on, asks for the missing bytes only, and never shows half a file.

use std::fs;
use std::path::PathBuf;

use veridic_store::{HubSettings, Store, StoreError};

use crate::hub::Fault;
use crate::setup::*;

const CUT: usize = 123_456;

fn digest() -> String {
    MODEL[WEIGHTS].sha256.clone()
}

fn partial(setup: &Setup) -> PathBuf {
    setup.repository_folder().join("blobs").join(format!("{}.incomplete", digest()))
}

fn leave_partial(setup: &Setup, bytes: &[u8]) {
    fs::create_dir_all(partial(setup).parent().unwrap()).unwrap();
    fs::write(partial(setup), bytes).unwrap();
}

fn assert_whole(setup: &Setup) {
    assert_eq!(fs::read(setup.snapshot().join(WEIGHTS)).unwrap(), MODEL[WEIGHTS].bytes);
    assert_eq!(setup.partials(), [""; 0]);
}

#[test]
fn a_cut_leaves_no_half_file_and_the_next_pull_fetches_the_rest() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::CutAfter(CUT));
    let error = setup.pull().unwrap_err();
    assert!(
        matches!(error, StoreError::Interrupted { have: 123_456, size: 300_000, kept: true, .. }),
        "{error:?}"
    );
    assert_says(&error.to_string(), &[ID, WEIGHTS, "123456 of 300000", "run the same command again"]);
    assert!(!setup.snapshot().join(WEIGHTS).exists());
    assert!(!setup.blobs().contains(&digest()));
    assert_says(&setup.store().find(ID).unwrap_err().to_string(), &["models pull"]);

    setup.hub.forget();
    let pulled = setup.pull().unwrap();
    assert_eq!(pulled.fetched_bytes as usize, 300_000 - CUT + MODEL["tokenizer.json"].bytes.len());
    let asked = setup.hub.asked("GET", "/content/");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].range.as_deref(), Some("bytes=123456-"));
    assert_eq!(asked[0].sent, 300_000 - CUT);
    assert_whole(&setup);
}

#[test]
fn a_pull_goes_on_by_itself_as_long_as_bytes_arrive() {
    let setup = Setup::new();
    for _ in 0..4 {
        setup.hub.fault("GET", "/content/", Fault::CutAfter(50_000));
    }
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
    let ranges: Vec<_> = setup.hub.asked("GET", "/content/").into_iter().map(|seen| seen.range).collect();
    let expected =
        [None, Some("bytes=50000-"), Some("bytes=100000-"), Some("bytes=150000-"), Some("bytes=200000-")];
    assert_eq!(ranges, expected.map(|range| range.map(str::to_owned)));
    assert_whole(&setup);
}

#[test]
fn a_pull_without_progress_gives_up() {
    let setup = Setup::new();
    for _ in 0..9 {
        setup.hub.fault("GET", "/content/", Fault::CutAfter(0));
    }
    let error = pull(&Store::new(HubSettings { retries: 2, ..setup.settings() })).unwrap_err();
    assert!(matches!(error, StoreError::Interrupted { have: 0, .. }), "{error:?}");
    assert_eq!(setup.hub.asked("GET", "/content/").len(), 3);
}

#[test]
fn what_another_tool_left_unfinished_is_gone_on_with() {
    let setup = Setup::new();
    leave_partial(&setup, &MODEL[WEIGHTS].bytes[..200_000]);
    setup.pull().unwrap();
    assert_eq!(setup.hub.asked("GET", "/content/")[0].range.as_deref(), Some("bytes=200000-"));
    assert_whole(&setup);
}

#[test]
fn a_part_that_is_whole_needs_no_bytes() {
    let setup = Setup::new();
    leave_partial(&setup, &MODEL[WEIGHTS].bytes);
    setup.pull().unwrap();
    assert!(setup.hub.asked("GET", "/content/").is_empty());
    assert_whole(&setup);
}

#[test]
fn a_part_of_something_else_is_thrown_away() {
    for wrong in [vec![7; 200_000], vec![7; 300_000], vec![7; 300_001]] {
        let setup = Setup::new();
        leave_partial(&setup, &wrong);
        setup.pull().unwrap();
        assert_eq!(setup.hub.asked("GET", "/content/").last().unwrap().range, None, "{}", wrong.len());
        assert_whole(&setup);
    }
}

#[test]
fn a_server_without_ranges_sends_all_again() {
    let setup = Setup::new();
    leave_partial(&setup, &MODEL[WEIGHTS].bytes[..200_000]);
    setup.hub.fault("GET", "/content/", Fault::NoRanges);
    setup.pull().unwrap();
    assert_whole(&setup);
}

#[test]
fn a_small_file_without_a_stated_digest_starts_again() {
    let setup = Setup::new();
    let file = &MODEL["tokenizer.json"];
    let part = setup.repository_folder().join("blobs").join(format!("{}.incomplete", file.etag()));
    fs::create_dir_all(part.parent().unwrap()).unwrap();
    fs::write(&part, "garbage").unwrap();
    setup.hub.fault("GET", "/api/resolve-cache/models/owner/model/aaaa", Fault::CutAfter(5));
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
    assert_eq!(fs::read(setup.snapshot().join("tokenizer.json")).unwrap(), file.bytes);
    assert!(setup.hub.asked("GET", "resolve-cache").iter().all(|seen| seen.range.is_none()));
}
