//! Interrupted pulls resume, request only the missing bytes, and never make a partial file visible.

use std::fs;
use std::path::PathBuf;

use veridic_store::{HubSettings, Store, StoreError};

use crate::hub::Fault;
use crate::setup::*;

const INTERRUPTED_AT: usize = 123_456;

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

fn assert_complete(setup: &Setup) {
    assert_eq!(fs::read(setup.snapshot().join(WEIGHTS)).unwrap(), MODEL[WEIGHTS].bytes);
    assert_eq!(setup.partials(), [""; 0]);
}

#[test]
fn next_pull_fetches_the_rest_after_an_interruption() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::CutAfter(INTERRUPTED_AT));
    let error = setup.pull().unwrap_err();
    assert!(
        matches!(error, StoreError::Interrupted { have: 123_456, size: 300_000, kept: true, .. }),
        "{error:?}"
    );
    assert_contains(&error.to_string(), &[ID, WEIGHTS, "123456 of 300000", "run the same command again"]);
    assert!(!setup.snapshot().join(WEIGHTS).exists());
    assert!(!setup.blobs().contains(&digest()));
    assert_contains(&setup.store().find(ID).unwrap_err().to_string(), &["models pull"]);

    setup.hub.clear_requests();
    let pulled = setup.pull().unwrap();
    assert_eq!(pulled.fetched_bytes as usize, 300_000 - INTERRUPTED_AT + MODEL["tokenizer.json"].bytes.len());
    let requests = setup.hub.requests("GET", "/content/");
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].range.as_deref(), Some("bytes=123456-"));
    assert_eq!(requests[0].sent, 300_000 - INTERRUPTED_AT);
    assert_complete(&setup);
}

#[test]
fn pull_resumes_by_itself_while_bytes_arrive() {
    let setup = Setup::new();
    for _ in 0..4 {
        setup.hub.fault("GET", "/content/", Fault::CutAfter(50_000));
    }
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
    let ranges: Vec<_> =
        setup.hub.requests("GET", "/content/").into_iter().map(|request| request.range).collect();
    let expected =
        [None, Some("bytes=50000-"), Some("bytes=100000-"), Some("bytes=150000-"), Some("bytes=200000-")];
    assert_eq!(ranges, expected.map(|range| range.map(str::to_owned)));
    assert_complete(&setup);
}

#[test]
fn pull_without_progress_gives_up() {
    let setup = Setup::new();
    for _ in 0..9 {
        setup.hub.fault("GET", "/content/", Fault::CutAfter(0));
    }
    let error = pull(&Store::new(HubSettings { retries: 2, ..setup.settings() })).unwrap_err();
    assert!(matches!(error, StoreError::Interrupted { have: 0, .. }), "{error:?}");
    assert_eq!(setup.hub.requests("GET", "/content/").len(), 3);
}

#[test]
fn partial_file_of_another_tool_is_resumed_or_discarded() {
    let bytes = &MODEL[WEIGHTS].bytes;
    let resumed = Some("bytes=200000-".to_owned());
    for (partial, last_range) in [
        (bytes[..200_000].to_vec(), Some(resumed)),
        (bytes.clone(), None),
        (vec![7; 200_000], Some(None)),
        (vec![7; 300_000], Some(None)),
        (vec![7; 300_001], Some(None)),
    ] {
        let setup = Setup::new();
        leave_partial(&setup, &partial);
        setup.pull().unwrap();
        let requests = setup.hub.requests("GET", "/content/");
        assert_eq!(requests.last().map(|request| request.range.clone()), last_range, "{}", partial.len());
        assert_complete(&setup);
    }
    let setup = Setup::new();
    leave_partial(&setup, &bytes[..200_000]);
    setup.hub.fault("GET", "/content/", Fault::NoRanges);
    setup.pull().unwrap();
    assert_complete(&setup);
}

#[test]
fn small_file_without_stated_digest_restarts() {
    let setup = Setup::new();
    let file = &MODEL["tokenizer.json"];
    let part = setup.repository_folder().join("blobs").join(format!("{}.incomplete", file.etag()));
    fs::create_dir_all(part.parent().unwrap()).unwrap();
    fs::write(&part, "garbage").unwrap();
    setup.hub.fault("GET", "/api/resolve-cache/models/owner/model/aaaa", Fault::CutAfter(5));
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
    assert_eq!(fs::read(setup.snapshot().join("tokenizer.json")).unwrap(), file.bytes);
    assert!(setup.hub.requests("GET", "resolve-cache").iter().all(|request| request.range.is_none()));
}
