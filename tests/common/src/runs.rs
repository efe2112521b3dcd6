//! Shared by the tests of `run` and `merge`: seeded corpora, rows in every text format, runs in the background, runs that are
//! killed.
use std::fs;
use std::io::Write;
use std::process::{Child, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Output, Place, with_tiny};

/// The longest wait for a run, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Random numbers from a seed (splitmix64), so that failures can be reproduced.
pub struct Random(pub u64);

impl Random {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }

    /// A number from 0 to 1.
    pub fn part(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Words that the tiny model's tokenizer knows.
const WORDS: [&str; 20] = [
    "the", "a", "cat", "dog", "mat", "city", "sat", "was", "old", "river", "bridge", "mayor", "rain", "late",
    "boat", "open", "closed", "new", "left", "early",
];

pub fn sentence(random: &mut Random, words: usize) -> String {
    let chosen: Vec<&str> = (0..words).map(|_| WORDS[random.below(WORDS.len())]).collect();
    let text = chosen.join(" ");
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}

/// Rows with `id`, `document`, `summary` and `label`; their texts almost surely differ.
pub fn corpus(seed: u64, rows: usize, sentences: usize) -> Vec<Value> {
    let random = &mut Random(seed);
    let row = |id: usize| {
        let document: Vec<String> = (0..sentences).map(|_| sentence(random, 5)).collect();
        json!({"id": id, "document": document.join(" "), "summary": sentence(random, 3), "label": id % 2})
    };
    (0..rows).map(row).collect()
}

/// The rows, and one that fails, so that a run of them keeps its journal.
pub fn with_a_broken_row(rows: &[Value]) -> String {
    json_lines(rows) + "{\"id\": \"broken\"}\n"
}

pub fn json_lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// A table by RFC 4180; cells are quoted if they contain the separator, a quote or a line end.
pub fn table(header: &[&str], rows: &[Vec<String>], separator: char, line_end: &str) -> String {
    let cell = |text: &str| {
        let is_quoted = text.contains([separator, '"', '\n', '\r']);
        if is_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    let line = |cells: Vec<String>| cells.join(&separator.to_string()) + line_end;
    let header = line(header.iter().map(|name| cell(name)).collect());
    let rows = rows.iter().map(|row| line(row.iter().map(|text| cell(text)).collect()));
    header + &rows.collect::<String>()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// A zstd frame of uncompressed blocks (RFC 8878: magic number, size, blocks).
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    frame.extend((bytes.len() as u64).to_le_bytes());
    let blocks: Vec<&[u8]> = bytes.chunks(100).collect();
    for (index, block) in blocks.iter().enumerate() {
        let last = u32::from(index + 1 == blocks.len());
        frame.extend(&((block.len() as u32) << 3 | last).to_le_bytes()[..3]);
        frame.extend(*block);
    }
    frame
}

impl Place {
    /// `run INPUT -o OUTPUT` with the tiny model and further arguments.
    pub fn judge(&self, input: &str, output: &str, more: &[&str]) -> Output {
        self.run(judging(input, output, more))
    }

    /// The output bytes of a fresh run of `input` in another folder.
    #[track_caller]
    pub fn fresh(&self, input: &str, output: &str, more: &[&str]) -> Vec<u8> {
        let place = Place::new();
        place.write(input, fs::read(self.path(input)).unwrap());
        let result = place.judge(input, output, more);
        assert!(!result.stderr.contains("panicked"), "{}", result.stderr);
        assert!(place.path(output).exists(), "exit code {}: {}", result.code, result.stderr);
        place.bytes(output)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn json_rows(&self, name: &str) -> Vec<Value> {
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The size of OUTPUT.journal; 0 before it exists.
    pub fn journal_bytes(&self, output: &str) -> u64 {
        fs::metadata(self.path(&format!("{output}.journal"))).map_or(0, |data| data.len())
    }

    /// Starts a run in the background, with stdin open and stderr piped.
    pub fn start(&self, arguments: &[String]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }
}

pub fn judging(input: &str, output: &str, more: &[&str]) -> Vec<String> {
    with_tiny(&[&["run", input, "-o", output], more].concat())
}

/// The last JSON object of `--progress json`.
#[track_caller]
pub fn closing(output: &Output) -> Value {
    let line = output.stderr.lines().rfind(|line| line.starts_with('{'));
    let line = line.unwrap_or_else(|| panic!("no progress in: {}", output.stderr));
    serde_json::from_str(line).unwrap()
}

/// Waits for a run in the background; returns its output.
#[track_caller]
pub fn ended(mut child: Child) -> Output {
    drop(child.stdin.take());
    assert!(wait_until(|| child.try_wait().unwrap().is_some()), "the run did not end");
    super::outcome(child.wait_with_output().unwrap())
}

/// Waits for `condition`; false after the timeout.
pub fn wait_until(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > TIMEOUT {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    true
}

/// Waits until the journal has at least `bytes`, so judging has begun; false if the run ended before.
#[track_caller]
pub fn is_judging(place: &Place, child: &mut Child, output: &str, bytes: u64) -> bool {
    let mut alive = true;
    let waited = wait_until(|| {
        alive = child.try_wait().unwrap().is_none();
        !alive || place.journal_bytes(output) >= bytes
    });
    assert!(waited, "no journal after {TIMEOUT:?}");
    alive
}

/// Kills a run (SIGKILL on Unix); false if it had ended before.
pub fn killed(child: &mut Child) -> bool {
    // It may have ended just before the signal, which its status shows.
    child.kill().unwrap();
    was_killed(child.wait().unwrap())
}

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(9)
}

#[cfg(not(unix))]
fn was_killed(status: ExitStatus) -> bool {
    // The exit code that the standard library gives TerminateProcess; the program itself exits with 0 or 2.
    status.code() == Some(1)
}
