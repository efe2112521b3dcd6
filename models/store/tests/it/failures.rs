//! Failed pulls: each error names what happened, the file and the next step, and no incomplete file becomes visible.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use veridic_store::{HubModel, HubSettings, PullTarget, Store, StoreError, Token};

use crate::hub::{Fault, Repository, address, sha256};
use crate::setup::*;

/// Every file in the snapshot is complete and correct.
fn assert_no_partial_file_is_visible(setup: &Setup) {
    for name in names(&setup.snapshot()) {
        assert_eq!(fs::read(setup.snapshot().join(&name)).unwrap(), MODEL[&name].bytes, "{name}");
    }
    let weights = setup.repository_folder().join("blobs").join(&MODEL[WEIGHTS].sha256);
    assert!(!weights.exists());
    assert!(setup.store().find(ID).is_err());
    assert!(!setup.home.path().join("veridic").exists(), "nothing is recorded");
}

fn fails(setup: &Setup, parts: &[&str]) -> StoreError {
    let error = setup.pull().unwrap_err();
    assert_contains(&error.to_string(), parts);
    assert_no_partial_file_is_visible(setup);
    error
}

#[test]
fn unreachable_hub_is_an_error_without_retries() {
    let setup = Setup::new();
    let nobody = address(&TcpListener::bind("127.0.0.1:0").unwrap());
    let longest_backoff = Duration::from_secs(60);
    let settings = HubSettings { endpoint: nobody.clone(), retries: 5, longest_backoff, ..setup.settings() };
    let begin = Instant::now();
    let error =
        pull(&Store::new(HubSettings { initial_backoff: Duration::from_secs(30), ..settings })).unwrap_err();
    assert!(matches!(error, StoreError::NoNetwork { .. }), "{error:?}");
    assert_contains(&error.to_string(), &[ID, &nobody, "refused", "check the network", "again"]);
    assert!(begin.elapsed() < Duration::from_secs(25), "a hub that never answered is not retried");
    assert_no_partial_file_is_visible(&setup);
}

#[test]
fn gated_repositories_and_invalid_tokens_are_errors() {
    let setup = Setup::new();
    setup.hub.put(ID, Repository { gate: Some("secret".to_owned()), ..repository(model()) });
    let page = format!("{}/{ID}", setup.hub.endpoint);
    let error = fails(&setup, &[ID, "README.md", "HTTP 401", &page, "accept the terms", "HF_TOKEN"]);
    assert!(matches!(error, StoreError::Refused { status: 401, .. }));
    let token = Token::parse("HF_TOKEN", "other").unwrap();
    let store = Store::new(HubSettings { token, ..setup.settings() });
    let error = pull(&store).unwrap_err();
    assert!(matches!(error, StoreError::Refused { status: 403, .. }));
    assert_contains(&error.to_string(), &[ID, "HTTP 403", "accept the terms", "account of your token"]);
    assert!(!error.to_string().contains("other"));
    setup.hub.fault("GET", "/api/models/", Fault::Status(401, &[]));
    let error = pull(&store).unwrap_err();
    assert_contains(&error.to_string(), &[ID, "rejected the token", "HF_TOKEN"]);
}

#[test]
fn unknown_repositories_and_revisions_are_errors() {
    let setup = Setup::new();
    for (id, parts) in [
        ("owner/nothing", ["no such repository", "check the name", "HF_TOKEN"]),
        ("owner/model@v9", ["no such revision", "HTTP 404", "newest"]),
    ] {
        let nowhere = HubModel::parse(id).unwrap();
        let error = setup.store().pull(&nowhere, PullTarget::Recorded, &mut ignore).unwrap_err();
        assert_contains(&error.to_string(), &[id]);
        assert_contains(&error.to_string(), &parts);
    }
}

#[test]
fn bad_answers_are_errors() {
    const MISSING: Fault = Fault::Status(404, &[("X-Error-Code", "EntryNotFound")]);
    const BROKEN: Fault = Fault::Status(500, &[("X-Error-Message", "out of order")]);
    const PATH_AS_ETAG: Fault = Fault::Status(200, &[("ETag", "\"../../x\"")]);
    const FILE_AS_ADDRESS: Fault = Fault::Status(302, &[("Location", "file:///etc/passwd")]);
    let setup = Setup::new();
    for (method, path, fault, parts) in [
        ("HEAD", WEIGHTS, MISSING, &[WEIGHTS, "no such file", "HTTP 404"][..]),
        ("GET", "/content/", BROKEN, &[WEIGHTS, "HTTP 500", "out of order", "later"][..]),
        (
            "GET",
            "/api/models/",
            Fault::Page("<html>Log in to the network</html>"),
            &["not a listing", &setup.hub.endpoint, "Hugging Face hub?"][..],
        ),
        ("GET", "/api/models/", Fault::Page(r#"{"sha":"../../x","siblings":[]}"#), &["no commit"][..]),
        ("HEAD", WEIGHTS, Fault::Status(200, &[]), &[WEIGHTS, "no ETag"][..]),
        ("HEAD", WEIGHTS, PATH_AS_ETAG, &[WEIGHTS, "no ETag"][..]),
        ("GET", "/resolve/", FILE_AS_ADDRESS, &["redirects without a valid address"][..]),
        ("GET", "/content/", Fault::Shorter(10), &[WEIGHTS, "299990 of 300000", "again"][..]),
    ] {
        setup.hub.fault(method, path, fault);
        assert_contains(&fails(&setup, parts).to_string(), &[ID]);
    }
    setup.pull().unwrap();
}

#[test]
fn transient_server_errors_are_retried() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/api/models/", Fault::Status(503, &[]));
    setup.hub.fault("HEAD", WEIGHTS, Fault::Status(500, &[]));
    setup.hub.fault("GET", "/content/", Fault::Status(502, &[]));
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
}

#[test]
fn retry_after_is_respected() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/api/models/", Fault::Status(429, &[("Retry-After", "1")]));
    let begin = Instant::now();
    pull(&Store::new(HubSettings { retries: 1, ..setup.settings() })).unwrap();
    assert!(begin.elapsed() >= Duration::from_secs(1));
}

#[test]
fn retry_after_above_the_limit_is_an_error() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/api/models/", Fault::Status(429, &[("Retry-After", "300")]));
    let error = pull(&Store::new(HubSettings { retries: 5, ..setup.settings() })).unwrap_err();
    assert_contains(&error.to_string(), &[ID, "HTTP 429", "300 s", "HF_TOKEN"]);
}

#[test]
fn bytes_beyond_the_stated_size_are_dropped() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Longer(10));
    setup.pull().unwrap();
    assert_eq!(fs::read(setup.snapshot().join(WEIGHTS)).unwrap(), MODEL[WEIGHTS].bytes);
}

#[test]
fn wrong_digest_is_an_error() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::OtherBytes);
    let mut other = MODEL[WEIGHTS].bytes.clone();
    other[150_000] ^= 1;
    fails(&setup, &[ID, WEIGHTS, &sha256(&other), &MODEL[WEIGHTS].sha256, "nothing was kept"]);
    assert_eq!(setup.partials(), [""; 0]);
    setup.pull().unwrap();
}

#[test]
fn silent_server_times_out() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Silent(Duration::from_secs(60)));
    let read_timeout = Duration::from_millis(300);
    let begin = Instant::now();
    let error = pull(&Store::new(HubSettings { read_timeout, ..setup.settings() })).unwrap_err();
    assert!(begin.elapsed() < Duration::from_secs(50));
    assert_contains(&error.to_string(), &[ID, WEIGHTS, "in time", "again"]);
    assert_no_partial_file_is_visible(&setup);
}

#[test]
fn slow_server_does_not_time_out() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Slow(Duration::from_millis(40)));
    let read_timeout = Duration::from_secs(2);
    let begin = Instant::now();
    pull(&Store::new(HubSettings { read_timeout, ..setup.settings() })).unwrap();
    assert!(begin.elapsed() > read_timeout, "the pull takes longer than the read timeout");
}

#[test]
fn huge_stated_sizes_do_not_overflow() {
    let setup = Setup::new();
    const HUGE: &[(&str, &str)] = &[("ETag", "\"abc\""), ("X-Linked-Size", "18446744073709551615")];
    for name in ["README.md", "config.json"] {
        setup.hub.fault("HEAD", name, Fault::Status(200, HUGE));
    }
    fails(&setup, &[ID, "README.md", "18446744073709551615 bytes"]);
}

#[test]
fn redirect_loop_is_an_error() {
    let setup = Setup::new();
    for _ in 0..20 {
        setup.hub.fault(
            "GET",
            "/api/models/",
            Fault::Status(307, &[("Location", "/api/models/a/b/revision/c")]),
        );
    }
    fails(&setup, &[ID, "redirects more than"]);
}

#[test]
fn names_outside_the_folder_are_not_fetched() {
    let setup = Setup::with(files(vec![
        ("config.json", small("{}")),
        ("tokenizer.json", small("{}")),
        ("../../../tokenizer.json", small("evil")),
        ("/etc/config.json", small("evil")),
        ("pytorch_model.bin", large(1, 10)),
        ("pytorch_model-00001-of-0000/.bin", small("evil")),
    ]));
    setup.pull().unwrap();
    assert_eq!(names(&setup.snapshot()), ["config.json", "pytorch_model.bin", "tokenizer.json"]);
}

/// Writes to `/dev/full` fail with ENOSPC, as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    let setup = Setup::new();
    let blobs = setup.repository_folder().join("blobs");
    fs::create_dir_all(&blobs).unwrap();
    let partial = blobs.join(format!("{}.incomplete", MODEL[WEIGHTS].sha256));
    std::os::unix::fs::symlink("/dev/full", &partial).unwrap();
    let error = setup.pull().unwrap_err();
    assert!(matches!(error, StoreError::DiskFull { needed: 300_000, .. }), "{error:?}");
    let folder = blobs.display().to_string();
    assert_contains(
        &error.to_string(),
        &[ID, WEIGHTS, "disk is full", &folder, "300000 bytes", "free some space"],
    );
    assert_no_partial_file_is_visible(&setup);
    fs::remove_file(partial).unwrap();
    setup.pull().unwrap();
}

#[test]
fn unwritable_cache_is_an_error() {
    let setup = Setup::new();
    fs::create_dir_all(setup.home.path().join("hub")).unwrap();
    fs::write(setup.repository_folder(), "a file where a folder should be").unwrap();
    let error = setup.pull().unwrap_err();
    assert!(matches!(error, StoreError::File { .. }), "{error:?}");
    assert_contains(&error.to_string(), &[ID, "README.md", "cannot", "models--owner--model"]);
}
