use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::super::health::Note;
use super::{entries, found, open};

/// Environment variables that make this test program one of the children below, and name its folder.
const ROLE: &str = "SCORE_CACHE_TEST_CHILD";
const FOLDER: &str = "SCORE_CACHE_TEST_FOLDER";

/// Entries of a child's commit.
const COMMIT: u64 = 300;

fn child(role: &str, folder: &Path, shell: Option<&str>) -> Child {
    let module = module_path!().split_once("::").unwrap().1;
    let test = format!("{module}::child_process");
    let program = std::env::current_exe().unwrap();
    let mut command = match shell {
        None => Command::new(program),
        Some(setting) => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("{setting}; exec \"$0\" \"$@\"")).arg(program);
            command
        }
    };
    command.args([&test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(FOLDER, folder).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn child_process() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    match role.as_str() {
        "write" => write_forever(&folder),
        "fill" => fill(&folder),
        "hold" => {
            let (cache, _) = open(&folder);
            println!("\nholds {}", cache.entries());
            std::thread::sleep(Duration::from_secs(600));
        }
        other => panic!("{other}"),
    }
}

/// Prints the number of committed entries after each commit, until it is killed.
fn write_forever(folder: &Path) {
    let (cache, moved) = open(folder);
    assert_eq!(moved, None);
    let mut number = cache.entries();
    loop {
        cache.put_many(&entries(number..number + COMMIT));
        cache.flush();
        number += COMMIT;
        println!("\nkept {number}");
    }
}

/// Writes until writing fails, and once more.
fn fill(folder: &Path) {
    let (cache, _) = open(folder);
    let (mut number, mut notes) = (0, Vec::new());
    while notes.is_empty() && number < 100_000 {
        cache.put_many(&entries(number..number + COMMIT));
        cache.flush();
        number += COMMIT;
        notes = cache.take_notes();
    }
    assert!(matches!(&notes[..], [Note::Full | Note::Failed(_)]), "{notes:?}");
    cache.put_many(&entries(number..number + COMMIT));
    cache.flush();
    assert_eq!(cache.take_notes(), []);
    assert_eq!(found(&cache, 0..number) as u64, number - COMMIT);
    println!("\nkept {}", number - COMMIT);
}

/// The number after this word in the last line that starts with it.
fn last_number(lines: &[String], word: &str) -> Option<u64> {
    lines.iter().rev().find_map(|line| line.strip_prefix(word)?.trim().parse().ok())
}

fn output(child: &mut Child) -> Vec<String> {
    BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok).collect()
}

#[test]
fn a_killed_process_loses_nothing_that_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let mut kept = 0;
    for time in 0..20 {
        let mut child = child("write", folder.path(), None);
        std::thread::sleep(Duration::from_millis(30 + time * 37 % 300));
        child.kill().unwrap();
        kept = last_number(&output(&mut child), "kept ").unwrap_or(kept);
        child.wait().unwrap();
        let (cache, moved) = open(folder.path());
        assert_eq!((moved, cache.take_notes()), (None, vec![]), "killed {time} times");
        let there = cache.entries();
        assert!(there >= kept, "{there} of {kept}");
        assert_eq!(found(&cache, 0..there) as u64, there);
        kept = there;
    }
    assert!(kept > 0);
}

#[test]
fn processes_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, _) = open(folder.path());
    cache.put_many(&entries(0..COMMIT));
    cache.flush();
    let mut writers = [child("write", folder.path(), None), child("write", folder.path(), None)];
    let mut others = 0;
    for number in 0..20 {
        cache.put_many(&entries(1_000_000 + number * 10..1_000_010 + number * 10));
        cache.flush();
        others = found(&cache, 0..5000);
        std::thread::sleep(Duration::from_millis(20));
    }
    writers.iter_mut().for_each(|writer| writer.kill().unwrap());
    writers.iter_mut().for_each(|writer| assert!(!writer.wait().unwrap().success()));
    assert!(others as u64 > COMMIT);
    assert_eq!((found(&cache, 1_000_000..1_000_200), cache.take_notes()), (200, vec![]));
    drop(cache);
    assert_eq!(open(folder.path()).1, None);
}

#[test]
fn a_process_that_holds_the_folder_does_not_block_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut holder = child("hold", folder.path(), None);
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "holds 0"));
    let (cache, moved) = open(folder.path());
    cache.put_many(&entries(0..COMMIT));
    cache.flush();
    assert_eq!((moved, found(&cache, 0..COMMIT) as u64), (None, COMMIT));
    holder.kill().unwrap();
    holder.wait().unwrap();
}

#[test]
#[cfg(unix)]
fn a_limit_of_file_size_ends_writing_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = child("fill", folder.path(), Some("trap '' XFSZ; ulimit -f 4096"));
    let lines = output(&mut child);
    assert!(child.wait().unwrap().success(), "{lines:?}");
    let kept = last_number(&lines, "kept ").unwrap();
    let (cache, moved) = open(folder.path());
    assert_eq!((moved, found(&cache, 0..kept) as u64), (None, kept));
    cache.put_many(&entries(kept..kept + COMMIT));
    cache.flush();
    assert_eq!(found(&cache, 0..kept + COMMIT) as u64, kept + COMMIT);
}
