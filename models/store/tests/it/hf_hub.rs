//! The transfer of the crate hf-hub at the faults that keep it from replacing ours. When a test fails with a later version,
//! that fault is mended there.

use std::fs;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use hf_hub::api::sync::{ApiBuilder, ApiRepo};
use tempfile::TempDir;
use veridic_store::{HubSettings, Store, Token};

use crate::hub::{Fault, sha256};
use crate::setup::*;

/// Its access to the test repository, with a cache of its own.
fn theirs(setup: &Setup, token: Option<&str>) -> (TempDir, ApiRepo) {
    let cache = tempfile::tempdir().unwrap();
    let api = ApiBuilder::new()
        .with_endpoint(setup.hub.endpoint.clone())
        .with_cache_dir(cache.path().to_owned())
        .with_token(token.map(str::to_owned))
        .with_progress(false)
        .build()
        .unwrap();
    (cache, api.model(ID.to_owned()))
}

#[test]
fn it_reads_and_writes_the_same_cache() {
    let setup = Setup::new();
    let (_cache, repository) = theirs(&setup, None);
    assert_eq!(fs::read(repository.get(WEIGHTS).unwrap()).unwrap(), MODEL[WEIGHTS].bytes);
    setup.pull().unwrap();
    let ours = hf_hub::Cache::new(setup.settings().cache).model(ID.to_owned());
    assert_eq!(fs::read(ours.get(WEIGHTS).unwrap()).unwrap(), MODEL[WEIGHTS].bytes);
}

#[test]
fn it_publishes_bytes_with_another_digest() {
    let setup = Setup::new();
    // One for its look at the file, one for the transfer.
    for _ in 0..2 {
        setup.hub.fault("GET", "/content/", Fault::OtherBytes);
    }
    let (_cache, repository) = theirs(&setup, None);
    let file = repository.get(WEIGHTS).unwrap();
    assert_ne!(sha256(&fs::read(file).unwrap()), MODEL[WEIGHTS].sha256);
    setup.hub.fault("GET", "/content/", Fault::OtherBytes);
    assert!(setup.pull().is_err());
}

#[test]
fn it_sends_the_token_to_another_host() {
    let setup = Setup::new();
    let (_cache, repository) = theirs(&setup, Some("secret"));
    // The content server refuses requests with a token.
    assert!(repository.get(WEIGHTS).is_err());
    assert!(setup.hub.requests("GET", "/content/").iter().any(|request| request.authorization.is_some()));
    setup.hub.clear_requests();
    let token = Token::parse("HF_TOKEN", "secret").unwrap();
    pull(&Store::new(HubSettings { token, ..setup.settings() })).unwrap();
    assert!(setup.hub.requests("GET", "/content/").iter().all(|request| request.authorization.is_none()));
}

#[test]
fn it_waits_for_a_silent_server() {
    let setup = Setup::new();
    let silence = Fault::Silent(Duration::from_secs(8));
    setup.hub.fault("GET", "/resolve/", silence.clone());
    let (_cache, repository) = theirs(&setup, None);
    let (done, waited) = channel();
    thread::spawn(move || done.send(repository.get(WEIGHTS).is_ok()));
    assert!(waited.recv_timeout(Duration::from_secs(3)).is_err(), "it has a time limit");
    setup.hub.fault("GET", "/resolve/", silence);
    let read_timeout = Duration::from_millis(200);
    let settings = HubSettings { read_timeout, retries: 0, ..setup.settings() };
    let begin = std::time::Instant::now();
    assert!(pull(&Store::new(settings)).is_err());
    assert!(begin.elapsed() < Duration::from_secs(3));
}
