//! `veridic models pull NAME`: fetches a model from the hub into the cache and shows the progress.

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use veridic_models::store::{HubModel, HubSettings, Progress, PullSummary, PullTarget, Store};
use veridic_program::output;

/// The interval between progress lines outside a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// The interval between updates of the line on a terminal.
const BETWEEN_UPDATES: Duration = Duration::from_millis(200);

pub(super) fn run(names: &[String], update: bool, offline: bool, quiet: bool) -> Result<ExitCode> {
    let mut settings = HubSettings::from_environment()?;
    settings.offline |= offline;
    let store = Store::new(settings);
    let wanted = names.iter().map(|name| HubModel::parse_all(name)).collect::<Result<Vec<_>, _>>()?;
    let target = if update { PullTarget::Newest } else { PullTarget::Recorded };
    for model in wanted.iter().flatten() {
        let mut display = Display::new(&model.name, quiet);
        let pulled = store.pull(model, target, &mut |progress| display.show(&progress));
        display.clear();
        print_end(&model.name, &pulled?, &store.cached(model)?.folder.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_end(name: &str, pulled: &PullSummary, folder: &str) -> Result<()> {
    let fetched = match pulled.fetched_files {
        0 => "nothing to fetch".to_owned(),
        1 => format!("1 file fetched, {}", megabytes(pulled.fetched_bytes)),
        files => format!("{files} files fetched, {}", megabytes(pulled.fetched_bytes)),
    };
    let digests = if pulled.newly_recorded { "digests recorded" } else { "all files match the first pull" };
    let commit: String = pulled.record.commit.chars().take(12).collect();
    output::line(&format!("{name}: {fetched}; {digests} (commit {commit}); in {folder}"))
}

/// The progress of one pull on stderr.
struct Display<'n> {
    name: &'n str,
    quiet: bool,
    terminal: bool,
    started: Instant,
    updated: Option<Instant>,
    /// The size of all files to fetch, in bytes.
    whole: u64,
    /// The size of the files before the current one, in bytes.
    before: u64,
    file: String,
    file_size: u64,
    /// The number of bytes already fetched by earlier pulls.
    inherited: u64,
}

impl<'n> Display<'n> {
    fn new(name: &'n str, quiet: bool) -> Self {
        Self {
            name,
            quiet,
            terminal: stderr().is_terminal(),
            started: Instant::now(),
            updated: None,
            whole: 0,
            before: 0,
            file: String::new(),
            file_size: 0,
            inherited: 0,
        }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Listing { source } => self.note(&format!("asking for {source}")),
            Progress::Checking { .. } => {}
            Progress::Repairing { file, expected, found } => self.note(&format!(
                "{file} differs from its digest and is fetched again\n  expected {expected}\n  found    {found}"
            )),
            Progress::Planned { files, bytes } => {
                self.whole = *bytes;
                self.note(&format!("{files} files to fetch, {}", megabytes(*bytes)));
            }
            Progress::Bytes { file, have, size } => self.bytes(file, *have, *size),
            Progress::Busy { file } => self.note(&format!("waiting: another program is fetching {file}")),
            Progress::Waiting { reason, wait } => {
                self.note(&format!("{reason}; trying again in {} s", wait.as_secs().max(1)));
            }
        }
    }

    fn bytes(&mut self, file: &str, have: u64, size: u64) {
        if self.file != file {
            self.before += self.file_size;
            (self.file, self.file_size) = (file.to_owned(), size);
            self.inherited += have;
        }
        let between = if self.terminal { BETWEEN_UPDATES } else { BETWEEN_LINES };
        if self.quiet || self.updated.get_or_insert(self.started).elapsed() < between {
            return;
        }
        self.updated = Some(Instant::now());
        let all = self.before + have;
        let share = if self.whole == 0 { 1.0 } else { all as f64 / self.whole as f64 };
        let fetched = all.saturating_sub(self.inherited) as f64;
        let speed = fetched / self.started.elapsed().as_secs_f64().max(0.001);
        let line = format!(
            "{}: {} of {} ({:.0}%), {}/s, {file}",
            self.name,
            megabytes(all),
            megabytes(self.whole),
            100.0 * share,
            megabytes(speed as u64)
        );
        if self.terminal {
            let _ = write!(stderr(), "\r\x1b[K{line}");
        } else {
            output::note(&line);
        }
    }

    fn note(&mut self, text: &str) {
        if !self.quiet {
            self.clear();
            output::note(&format!("{}: {text}", self.name));
        }
    }

    fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }
}

fn megabytes(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        small if small < 10.0 => format!("{small:.1} MB"),
        many => format!("{many:.0} MB"),
    }
}
