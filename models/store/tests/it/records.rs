//! Files that differ from the record of the first pull are errors that name both digests.

use std::fs;

use veridic_store::{FileState, HubSettings, PullTarget, Store, StoreError};

use crate::hub::{File, sha256};
use crate::setup::*;

fn state_of(setup: &Setup, name: &str) -> FileState {
    let store = setup.store();
    let verification = store.verify(&store.find(ID).unwrap(), &mut ignore).unwrap();
    verification.files.into_iter().find(|verified| verified.file == name).unwrap().state
}

fn refusal(setup: &Setup) -> StoreError {
    let (store, found) = (setup.store(), setup.store().find(ID).unwrap());
    store.verify(&found, &mut ignore).unwrap().check().unwrap_err()
}

#[test]
fn first_pull_records_every_digest() {
    let setup = Setup::new();
    let record = setup.pull().unwrap().record;
    for name in FETCHED {
        let bytes = &MODEL[name].bytes;
        assert_eq!(record.files[name].sha256, sha256(bytes), "{name}");
        assert_eq!(record.files[name].bytes, bytes.len() as u64, "{name}");
    }
    let path = setup.home.path().join("veridic/digests/models--owner--model/main.json");
    assert_contains(&fs::read_to_string(path).unwrap(), &[ID, &commit('a'), &MODEL[WEIGHTS].sha256]);
    let (store, found) = (setup.store(), setup.store().find(ID).unwrap());
    store.verify(&found, &mut ignore).unwrap().check().unwrap();
}

#[test]
fn changed_file_is_an_error_with_both_digests() {
    for name in [WEIGHTS, "config.json"] {
        let setup = Setup::new();
        setup.pull().unwrap();
        fs::write(setup.snapshot().join(name), "other").unwrap();
        let (recorded, found) = (MODEL[name].sha256.clone(), sha256(b"other"));
        assert_eq!(
            state_of(&setup, name),
            FileState::Changed { recorded: recorded.clone(), found: found.clone() }
        );
        assert_contains(&refusal(&setup).to_string(), &[ID, name, &recorded, &found, "veridic models pull"]);
        let by_loader = setup.store().find(ID).unwrap().check_digest(name, &found).unwrap_err();
        assert_contains(&by_loader.to_string(), &[&recorded, &found]);
    }
}

#[test]
fn pull_restores_the_recorded_files() {
    let setup = Setup::new();
    setup.pull().unwrap();
    for name in [WEIGHTS, "config.json"] {
        fs::write(setup.snapshot().join(name), "other").unwrap();
    }
    fs::remove_file(setup.snapshot().join("tokenizer.json")).unwrap();
    let pulled = setup.pull().unwrap();
    assert!(!pulled.newly_recorded);
    for name in FETCHED {
        assert_eq!(fs::read(setup.snapshot().join(name)).unwrap(), MODEL[name].bytes, "{name}");
    }
}

#[test]
fn unrecorded_file_that_would_be_loaded_is_an_error() {
    let setup = Setup::with(files(vec![
        ("config.json", small("{}")),
        ("tokenizer.json", small("{}")),
        ("pytorch_model.bin", large(1, 100)),
    ]));
    setup.pull().unwrap();
    fs::write(setup.snapshot().join(WEIGHTS), "slipped in").unwrap();
    assert_eq!(state_of(&setup, WEIGHTS), FileState::Unrecorded);
    assert_contains(&refusal(&setup).to_string(), &[ID, WEIGHTS, "was not part of the model", "remove it"]);
    let found = setup.store().find(ID).unwrap();
    assert!(matches!(
        found.check_digest(WEIGHTS, &sha256(b"slipped in")),
        Err(StoreError::Unrecorded { .. })
    ));
}

#[test]
fn unrecorded_file_that_is_not_loaded_is_ignored() {
    let setup = Setup::new();
    setup.pull().unwrap();
    for name in ["pytorch_model.bin", "flax_model.msgpack"] {
        fs::write(setup.snapshot().join(name), "of another tool").unwrap();
    }
    let (store, found) = (setup.store(), setup.store().find(ID).unwrap());
    store.verify(&found, &mut ignore).unwrap().check().unwrap();
}

#[test]
fn missing_file_is_an_error() {
    let setup = Setup::new();
    setup.pull().unwrap();
    fs::remove_file(setup.snapshot().join("README.md")).unwrap();
    assert_eq!(state_of(&setup, "README.md"), FileState::Missing);
    assert_contains(&refusal(&setup).to_string(), &["README.md", "veridic models pull owner/model"]);
}

#[test]
fn changed_files_under_the_same_commit_are_an_error() {
    for name in [WEIGHTS, "config.json"] {
        let setup = Setup::new();
        setup.pull().unwrap();
        let other = File::new(b"other".to_vec(), MODEL[name].large);
        let mut forged = model();
        forged.insert(name.to_owned(), other);
        setup.hub.put(ID, repository(forged));
        fs::remove_file(setup.snapshot().join(name)).unwrap();
        setup.hub.clear_requests();
        let error = setup.pull().unwrap_err();
        assert!(matches!(error, StoreError::Changed { on_hub: true, .. }), "{error:?}");
        let (recorded, found) = (MODEL[name].sha256.clone(), sha256(b"other"));
        assert_contains(&error.to_string(), &[ID, name, &recorded, &found, "--update"]);
        assert!(!setup.snapshot().join(name).exists(), "{name}");
        assert!(setup.hub.requests("GET", "/content/").is_empty(), "a file known to differ is not fetched");

        let accepted = setup.store().pull(&hub_model(), PullTarget::Newest, &mut ignore).unwrap();
        assert_eq!(accepted.record.files[name].sha256, found);
    }
}

#[test]
fn offline_pull_of_a_changed_file_is_an_error_and_records_nothing() {
    let setup = Setup::new();
    setup.pull().unwrap();
    fs::write(setup.snapshot().join("config.json"), "other").unwrap();
    let store = Store::new(HubSettings { offline: true, ..setup.settings() });
    for target in [PullTarget::Recorded, PullTarget::Newest] {
        let error = store.pull(&hub_model(), target, &mut ignore).unwrap_err();
        assert_contains(&error.to_string(), &["config.json", &sha256(b"other")]);
    }
}

#[test]
fn damaged_record_is_an_error() {
    let setup = Setup::new();
    setup.pull().unwrap();
    fs::write(setup.home.path().join("veridic/digests/models--owner--model/main.json"), "{").unwrap();
    for error in [setup.pull().unwrap_err(), setup.store().find(ID).unwrap_err()] {
        assert!(matches!(error, StoreError::BadRecord { .. }), "{error:?}");
    }
}
