//! Concurrent pulls of one model in threads and processes, and a killed pull.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use veridic_store::{HubSettings, Progress, PullTarget, Store};

use crate::hub::Fault;
use crate::setup::*;

const ENDPOINT: &str = "VERIDIC_STORE_TEST_ENDPOINT";
const HOME: &str = "VERIDIC_STORE_TEST_HOME";

fn assert_complete(setup: &Setup) {
    for name in FETCHED {
        assert_eq!(fs::read(setup.snapshot().join(name)).unwrap(), MODEL[name].bytes, "{name}");
    }
    assert_eq!(setup.partials(), [""; 0]);
    let store = setup.store();
    let found = store.find(ID).unwrap();
    store.verify(&found, &mut ignore).unwrap().check().unwrap();
}

#[test]
fn concurrent_threads_fetch_each_file_once() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Slow(Duration::from_millis(20)));
    let waited: usize = thread::scope(|scope| {
        let pulls: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut waited = 0;
                    let mut listener = |progress: Progress<'_>| {
                        waited += usize::from(matches!(progress, Progress::Busy { .. }))
                    };
                    setup.store().pull(&hub_model(), PullTarget::Recorded, &mut listener).unwrap();
                    waited
                })
            })
            .collect();
        pulls.into_iter().map(|pull| pull.join().unwrap()).sum()
    });
    assert_complete(&setup);
    assert_eq!(setup.hub.requests("GET", "/content/").len(), 1);
    assert!(waited > 0, "at least one thread reported the wait");
}

/// The child process's part; not a test by itself.
#[test]
#[ignore = "started as a child process by other tests"]
fn child() {
    let (Ok(endpoint), Ok(home)) = (env::var(ENDPOINT), env::var(HOME)) else { return };
    let settings = HubSettings { endpoint, ..HubSettings::with_home(Path::new(&home)) };
    pull(&Store::new(settings)).unwrap();
}

fn spawn_child(setup: &Setup) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "concurrent::child", "--ignored"])
        .env(ENDPOINT, &setup.hub.endpoint)
        .env(HOME, setup.home.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn concurrent_processes_fetch_each_file_once() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Slow(Duration::from_millis(5)));
    let children: Vec<Child> = (0..3).map(|_| spawn_child(&setup)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_complete(&setup);
    assert_eq!(setup.hub.requests("GET", "/content/").len(), 1);
}

#[test]
fn killed_pull_leaves_no_visible_partial_file_and_is_resumed() {
    let setup = Setup::new();
    setup.hub.fault("GET", "/content/", Fault::Slow(Duration::from_millis(100)));
    let mut child = spawn_child(&setup);
    let digest = &MODEL[WEIGHTS].sha256;
    let partial = setup.repository_folder().join("blobs").join(format!("{digest}.incomplete"));
    let begin = Instant::now();
    while fs::metadata(&partial).map_or(0, |part| part.len()) < 20_000 {
        assert!(begin.elapsed() < Duration::from_secs(60), "the child has not fetched enough");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = fs::metadata(&partial).unwrap().len();
    assert!(kept < 300_000 && !setup.snapshot().join(WEIGHTS).exists());
    assert!(setup.store().find(ID).is_err());

    setup.hub.clear_requests();
    setup.pull().unwrap();
    assert_eq!(setup.hub.requests("GET", "/content/")[0].range, Some(format!("bytes={kept}-")));
    assert_complete(&setup);
}
