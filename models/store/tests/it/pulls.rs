//! Pulls: the files fetched, the cache layout, reuse of existing files, requests and progress events.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;

use veridic_store::{HubModel, HubSettings, Manifest, Progress, PullTarget, Store, Token};

use crate::hub::{Repository, address};
use crate::setup::*;

#[test]
fn cache_layout_is_that_of_hugging_face() {
    let setup = Setup::new();
    let pulled = setup.pull().unwrap();
    assert_eq!(names(&setup.snapshot()), FETCHED);
    for (name, file) in MODEL.iter().filter(|(name, _)| FETCHED.contains(&name.as_str())) {
        let path = setup.snapshot().join(name);
        assert_eq!(fs::read(&path).unwrap(), file.bytes, "{name}");
        let etag = file.etag();
        #[cfg(unix)]
        assert_eq!(fs::read_link(&path).unwrap().to_str().unwrap(), format!("../../blobs/{etag}"));
        assert!(setup.blobs().contains(&etag.to_owned()), "{name}");
    }
    assert_eq!(fs::read_to_string(setup.repository_folder().join("refs/main")).unwrap(), commit('a'));
    assert_eq!(setup.partials(), [""; 0]);
    let bytes: usize = FETCHED.iter().map(|name| MODEL[*name].bytes.len()).sum();
    assert_eq!(
        (pulled.fetched_bytes, pulled.fetched_files),
        (bytes as u64, 4),
        "the empty file needs no bytes"
    );
    let found = setup.store().find(ID).unwrap();
    assert_eq!((found.folder, found.commit.unwrap()), (setup.snapshot(), commit('a')));
}

#[test]
fn missing_shard_is_an_error() {
    let index = r#"{"weight_map":{"a":"model-00001-of-00001.safetensors"}}"#;
    let setup = Setup::with(files(vec![
        ("config.json", small("{}")),
        ("tokenizer.json", small("x")),
        ("model.safetensors.index.json", small(index)),
    ]));
    assert_contains(&setup.pull().unwrap_err().to_string(), &[ID, "model-00001-of-00001.safetensors"]);
    assert!(setup.store().find(ID).is_err());
}

#[test]
fn second_pull_makes_no_request() {
    let setup = Setup::new();
    let first = setup.pull().unwrap();
    setup.hub.clear_requests();
    let second = setup.pull().unwrap();
    assert!(setup.hub.all_requests().is_empty(), "{:?}", setup.hub.all_requests());
    assert_eq!((second.record, second.fetched_bytes), (first.record, 0));
    assert!(first.newly_recorded && !second.newly_recorded);
}

/// Creates the cache that `huggingface_hub` leaves after loading the model.
fn foreign_cache(setup: &Setup) {
    let (blobs, refs) = (setup.repository_folder().join("blobs"), setup.repository_folder().join("refs"));
    for folder in [&blobs, &refs, &setup.snapshot()] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(refs.join("main"), commit('a')).unwrap();
    for name in ["config.json", "tokenizer.json", WEIGHTS] {
        let file = &MODEL[name];
        let etag = file.etag();
        fs::write(blobs.join(etag), &file.bytes).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(format!("../../blobs/{etag}"), setup.snapshot().join(name)).unwrap();
        #[cfg(not(unix))]
        fs::write(setup.snapshot().join(name), &file.bytes).unwrap();
    }
}

#[test]
fn model_fetched_by_other_tools_is_found_as_it_is_and_completed_by_a_pull() {
    let setup = Setup::new();
    foreign_cache(&setup);
    let before = tree(setup.home.path());
    let found = setup.store().find(ID).unwrap();
    assert_eq!(found.folder, setup.snapshot());
    assert!(found.record.is_none());
    assert_eq!(tree(setup.home.path()), before);
    assert!(setup.hub.all_requests().is_empty());
    let pulled = setup.pull().unwrap();
    assert_eq!(names(&setup.snapshot()), FETCHED);
    assert!(setup.hub.requests("GET", "/content/").is_empty());
    assert_eq!(pulled.fetched_files, 1, "README.md");
    assert_eq!(pulled.record.files.len(), FETCHED.len());
}

#[test]
fn damaged_blob_of_another_tool_is_refetched() {
    let setup = Setup::new();
    foreign_cache(&setup);
    let blob = setup.repository_folder().join("blobs").join(&MODEL[WEIGHTS].sha256);
    fs::write(&blob, "half").unwrap();
    setup.pull().unwrap();
    assert_eq!(fs::read(blob).unwrap(), MODEL[WEIGHTS].bytes);
}

#[test]
fn update_to_newer_commit_fetches_only_changed_files() {
    let setup = Setup::new();
    setup.pull().unwrap();
    let mut newer = model();
    newer.insert("config.json".to_owned(), small("{\"newer\": true}"));
    let mut changed = repository(model());
    changed.commits.insert(commit('b'), newer);
    changed.branches.insert("main".to_owned(), commit('b'));
    setup.hub.put(ID, changed);
    setup.hub.clear_requests();
    assert_eq!(
        setup.pull().unwrap().record.commit,
        commit('a'),
        "the recorded commit stays until an update is requested"
    );
    let pulled = setup.store().pull(&hub_model(), PullTarget::Newest, &mut ignore).unwrap();
    assert_eq!((pulled.record.commit.as_str(), pulled.fetched_files), (commit('b').as_str(), 1));
    assert!(setup.hub.requests("GET", "/content/").is_empty());
    let found = setup.store().find(ID).unwrap();
    assert_eq!(fs::read_to_string(found.folder.join("config.json")).unwrap(), "{\"newer\": true}");
}

#[test]
fn revision_is_pulled_beside_the_newest() {
    let setup = Setup::new();
    let mut two = repository(model());
    two.commits.insert(commit('b'), model());
    two.branches.insert("refs/pr/7".to_owned(), commit('b'));
    setup.hub.put(ID, two);
    setup.pull().unwrap();
    let other = HubModel::parse("owner/model@refs/pr/7").unwrap();
    setup.store().pull(&other, PullTarget::Recorded, &mut ignore).unwrap();
    assert_eq!(setup.store().find("owner/model@refs/pr/7").unwrap().commit.unwrap(), commit('b'));
    assert_eq!(setup.store().find(ID).unwrap().commit.unwrap(), commit('a'));
}

#[test]
fn moved_repository_is_followed() {
    let setup = Setup::new();
    setup.hub.put("old/name", Repository { moved_to: Some(ID.to_owned()), ..Repository::default() });
    let store = setup.store();
    store.pull(&HubModel::parse("old/name").unwrap(), PullTarget::Recorded, &mut ignore).unwrap();
    assert_eq!(names(&store.find("old/name").unwrap().folder), FETCHED);
}

#[test]
fn token_is_sent_only_to_the_endpoint() {
    let setup = Setup::new();
    let gated = Repository { gate: Some("secret".to_owned()), ..repository(model()) };
    setup.hub.put(ID, gated);
    let token = Token::parse("HF_TOKEN", "secret").unwrap();
    pull(&Store::new(HubSettings { token, ..setup.settings() })).unwrap();
    let (contents, others): (Vec<_>, Vec<_>) =
        setup.hub.all_requests().into_iter().partition(|request| request.path.starts_with("/content/"));
    assert!(!contents.is_empty() && contents.iter().all(|request| request.authorization.is_none()));
    assert!(others.iter().all(|request| request.authorization.as_deref() == Some("Bearer secret")));
}

#[test]
fn pulled_model_needs_no_network() {
    let setup = Setup::new();
    setup.pull().unwrap();
    setup.hub.clear_requests();
    let store = Store::new(HubSettings { offline: true, ..setup.settings() });
    let found = store.find(ID).unwrap();
    store.verify(&found, &mut ignore).unwrap().check().unwrap();
    assert_eq!(pull(&store).unwrap().fetched_bytes, 0);
    assert!(setup.hub.all_requests().is_empty());
}

#[test]
fn offline_pull_records_a_cache_of_other_tools() {
    let setup = Setup::new();
    foreign_cache(&setup);
    let store = Store::new(HubSettings { offline: true, ..setup.settings() });
    let pulled = pull(&store).unwrap();
    assert!(pulled.newly_recorded);
    let recorded: Vec<&String> = pulled.record.files.keys().collect();
    assert_eq!(recorded, ["config.json", WEIGHTS, "tokenizer.json"]);
    assert!(setup.hub.all_requests().is_empty());
}

#[test]
fn offline_error_for_missing_model_names_the_command() {
    let setup = Setup::new();
    let store = Store::new(HubSettings { offline: true, ..setup.settings() });
    for message in [store.find(ID).unwrap_err().to_string(), pull(&store).unwrap_err().to_string()] {
        assert_contains(&message, &[ID, "veridic models pull owner/model", "without --offline"]);
    }
    let message = store.find("f-coref").unwrap_err().to_string();
    assert_contains(&message, &["veridic models pull f-coref"]);
    assert!(setup.hub.all_requests().is_empty());
    assert_eq!(names(setup.home.path()), [""; 0], "a failed lookup writes nothing");
}

#[test]
fn incomplete_snapshot_of_another_tool_is_not_a_model() {
    let setup = Setup::new();
    foreign_cache(&setup);
    fs::remove_file(setup.snapshot().join(WEIGHTS)).unwrap();
    assert_contains(&setup.store().find(ID).unwrap_err().to_string(), &["model.safetensors", "models pull"]);
}

#[test]
fn folder_is_found_but_cannot_be_verified() {
    let setup = Setup::new();
    let folder = setup.home.path().to_str().unwrap();
    let found = setup.store().find(folder).unwrap();
    assert_eq!((found.id.as_str(), found.repository), (folder, None));
    assert!(setup.store().verify(&setup.store().find(folder).unwrap(), &mut ignore).is_err());
}

#[test]
fn bundle_of_three_models_is_pulled() {
    let setup = Setup::new();
    for named in HubModel::parse_all("fenice").unwrap() {
        setup.hub.put(named.source.repository.as_str(), repository(model()));
        setup.store().pull(&named, PullTarget::Recorded, &mut ignore).unwrap();
        let found = setup.store().find(&named.name).unwrap();
        assert_eq!(found.entry().unwrap().name, named.name);
    }
    assert_eq!(Manifest::get().bundle("fenice").unwrap().models.len(), 3);
}

#[test]
fn progress_reports_the_plan_and_ends_at_the_size() {
    let setup = Setup::new();
    let (mut planned, mut last) = ((0, 0), BTreeMap::new());
    let mut listener = |progress: Progress<'_>| match progress {
        Progress::Planned { files, bytes } => planned = (files, bytes),
        Progress::Bytes { file, have, size } => {
            let before = last.insert(file.to_owned(), (have, size));
            assert!(before.is_none_or(|(before, _)| before <= have), "{file}");
        }
        _ => {}
    };
    setup.store().pull(&hub_model(), PullTarget::Recorded, &mut listener).unwrap();
    let bytes: usize = FETCHED.iter().map(|name| MODEL[*name].bytes.len()).sum();
    assert_eq!(planned, (FETCHED.len(), bytes as u64));
    assert!(last.values().all(|(have, size)| have == size), "{last:?}");
}

#[test]
fn pulled_model_is_found_when_the_hub_is_unreachable() {
    let setup = Setup::new();
    let endpoint = format!("{}/", setup.hub.endpoint);
    pull(&Store::new(HubSettings { endpoint, ..setup.settings() })).unwrap();
    let nobody = address(&TcpListener::bind("127.0.0.1:0").unwrap());
    let store = Store::new(HubSettings { endpoint: nobody, ..setup.settings() });
    store.find(ID).unwrap();
    pull(&store).unwrap();
}
