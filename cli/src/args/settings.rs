//! Flags of settings, made of the library's table (`veridic::settings`): each setting is a key of `--set` and of a rules file,
//! and some have a flag of their own. What a command takes is its [`Audience`].

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use veridic::plan::ModelSettings;
use veridic::rules::{ClaimsChoice, RulesFile};
use veridic::settings::{Flag, Given, Group, Setting};
use veridic_bench::plan::MetricSettings;
use veridic_bench::plan::{all, find, known};
use veridic_models::DEFAULT_MODEL;

use crate::files;

/// What a kind of command takes.
pub(crate) trait Audience: std::fmt::Debug + Clone + 'static {
    /// Whether the command has a flag of its own for a setting.
    fn has_flag(setting: &Setting) -> bool;
    /// Whether it takes a setting at all.
    fn takes(setting: &Setting) -> bool;
}

/// Commands that judge: `score`, `run`, `serve`, `mcp`, `rules`.
#[derive(Debug, Clone)]
pub(crate) enum Judging {}

/// Commands that measure: benchmarks, and requests to a language model.
#[derive(Debug, Clone)]
pub(crate) enum Measuring {}

/// Commands that run the NLI model and judge nothing.
#[derive(Debug, Clone)]
pub(crate) enum ModelAlone {}

impl Audience for Judging {
    fn has_flag(setting: &Setting) -> bool {
        setting.flag == Flag::Judging
    }

    fn takes(_: &Setting) -> bool {
        true
    }
}

impl Audience for Measuring {
    fn has_flag(setting: &Setting) -> bool {
        setting.flag != Flag::None
    }

    fn takes(_: &Setting) -> bool {
        true
    }
}

impl Audience for ModelAlone {
    fn has_flag(setting: &Setting) -> bool {
        setting.flag == Flag::Judging && setting.group == Group::Model
    }

    fn takes(setting: &Setting) -> bool {
        setting.group == Group::Model || setting.key == "max_tokens"
    }
}

/// The model, the settings and how the program runs.
#[derive(Debug, Clone)]
pub(crate) struct SettingArgs<A> {
    /// The NLI model.
    pub(crate) model: String,
    pub(crate) threads: Option<NonZeroUsize>,
    /// No notes and no progress on stderr.
    pub(crate) quiet: bool,
    /// The settings that were given on the command line.
    pub(crate) given: Given,
    /// The rules file.
    pub(crate) file: Option<RulesFile>,
    /// The settings of metrics, a rules file's among them.
    pub(crate) metrics: MetricSettings,
    audience: PhantomData<A>,
}

impl<A: Audience> SettingArgs<A> {
    /// All settings that were given, a rules file's among them.
    pub(crate) fn all_given(&self) -> Given {
        self.file.as_ref().map_or_else(|| self.given.clone(), |file| self.given.clone().over(&file.given))
    }

    /// Where claims come from, if it is set.
    pub(crate) fn claims(&self) -> Option<ClaimsChoice> {
        self.all_given().get("claims").and_then(|given| given.text.parse().ok())
    }

    /// How models run.
    pub(crate) fn model_settings(&self) -> veridic::Result<ModelSettings> {
        ModelSettings::of(&self.all_given())
    }

    /// Whether claims near the limit are left without a verdict.
    pub(crate) fn abstains(&self) -> bool {
        self.all_given()
            .get("abstain")
            .is_some_and(|given| given.text.parse::<f32>().is_ok_and(|far| far > 0.0))
    }

    /// The same arguments with another setting.
    pub(crate) fn with(mut self, key: &str, text: &str) -> Self {
        let mut other = Given::default();
        if find(key).is_some_and(|setting| other.add(setting, text, "this command").is_ok()) {
            self.given = other.over(&self.given);
            self.metrics = MetricSettings::of(&self.all_given()).unwrap_or_default();
        }
        self
    }

    /// The same arguments with other metrics.
    pub(crate) fn with_metrics(self, names: &[String]) -> Self {
        self.with("metric", &names.join(";"))
    }
}

impl<A: Audience> Args for SettingArgs<A> {
    fn augment_args(command: Command) -> Command {
        let command = command
            .arg(
                Arg::new("model")
                    .long("model")
                    .value_name("NAME|DIR|ID")
                    .default_value(DEFAULT_MODEL)
                    .help("NLI model: a name, a folder or a pulled hub id")
                    .long_help(
                        "NLI model: a name, a folder or a pulled hub id\n\nbase and mini come with the program; `veridic \
                         models list` has the other names; a folder holds config.json, weights and tokenizer files; a hub id \
                         is OWNER/NAME.",
                    )
                    .help_heading(heading(Group::Model)),
            )
            .arg(
                Arg::new("threads")
                    .long("threads")
                    .value_name("N")
                    .value_parser(clap::value_parser!(NonZeroUsize))
                    .help("Threads [default: one per core]")
                    .help_heading(heading(Group::Model)),
            )
            .arg(
                Arg::new("quiet")
                    .long("quiet")
                    .short('q')
                    .action(ArgAction::SetTrue)
                    .help("No notes and no progress on stderr"),
            )
            .arg(
                Arg::new("set")
                    .long("set")
                    .value_name("KEY=VALUE")
                    .action(ArgAction::Append)
                    .value_parser(key_and_value::<A>)
                    .help("Any other setting by its key; may be given several times")
                    .long_help(
                        "Any other setting by its key; may be given several times\n\nSuch as --set window=3. `veridic rules` \
                         lists the keys of the rules with their values, origins and descriptions; \
             docs/reference/settings.md has all keys. Setting a key to its current value has no effect.",
                    )
                    .help_heading(heading(Group::Rules)),
            )
            .arg(
                Arg::new("rules")
                    .long("rules")
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(PathBuf))
                    .help("Rules file, as `veridic rules` or `veridic calibrate` writes")
                    .help_heading(heading(Group::Rules)),
            );
        all()
            .filter(|setting| A::has_flag(setting))
            .fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Audience> FromArgMatches for SettingArgs<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Given::default();
        for setting in all().filter(|setting| A::has_flag(setting)) {
            let values = matches.get_many::<String>(setting.key).into_iter().flatten().map(String::as_str);
            let values: Vec<&str> = values.collect();
            match setting.key {
                _ if values.is_empty() => {}
                // A list of names and of files, one a flag.
                "metric" | "prompt_template" => {
                    given.add(setting, values.join(";"), long(setting.key)).map_err(refuse::<A>)?;
                }
                _ => values
                    .into_iter()
                    .try_for_each(|value| given.add(setting, value, long(setting.key)))
                    .map_err(refuse::<A>)?,
            }
        }
        for (key, value) in matches.get_many::<(String, String)>("set").into_iter().flatten() {
            known(key)
                .and_then(|setting| given.add(setting, value, format!("--set {key}")))
                .map_err(refuse::<A>)?;
        }
        let file = matches.get_one::<PathBuf>("rules").map(|file| read_rules::<A>(file)).transpose()?;
        let arguments = Self {
            model: matches.get_one::<String>("model").cloned().unwrap_or_default(),
            threads: matches.get_one::<NonZeroUsize>("threads").copied(),
            quiet: matches.get_flag("quiet"),
            given,
            file,
            metrics: MetricSettings::default(),
            audience: PhantomData,
        };
        let metrics = MetricSettings::of(&arguments.all_given()).map_err(refuse::<A>)?;
        Ok(Self { metrics, ..arguments })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// An error of settings as one of the command line.
fn refuse<A: Audience>(error: veridic::Error) -> clap::Error {
    let message = error.message(|key, value| match find(key) {
        Some(setting) if A::has_flag(setting) => format!("{} {value}", long(key)),
        _ => format!("--set {key}={value}"),
    });
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"))
}

/// Reads a rules file.
fn read_rules<A: Audience>(file: &Path) -> Result<RulesFile, clap::Error> {
    let text = files::read_text(file)
        .map_err(|error| clap::Error::raw(ErrorKind::Io, format!("--rules: {error:#}\n")))?;
    RulesFile::parse(&text, &files::name(file)).map_err(refuse::<A>)
}

/// The flag of a setting.
fn flag(setting: &Setting) -> Arg {
    let help = match setting.more {
        "" => setting.about.to_owned(),
        more => format!("{}\n\n{more}", setting.about),
    };
    Arg::new(setting.key)
        .long(setting.key.replace('_', "-"))
        .value_name(setting.value)
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .help(setting.about)
        .long_help(help)
        .help_heading(heading(setting.group))
}

/// The flag of a key, as it is typed.
pub(crate) fn long(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// What to give instead of a flag that a setting had, or that is gone; none for any other.
pub(crate) fn instead_of(command: &str, flag: &str) -> Option<String> {
    if !["score", "run", "serve", "mcp", "rules", "prompts", "bench"].contains(&command) {
        return None;
    }
    let key = flag.strip_prefix("--")?.replace('-', "_");
    let key = match key.as_str() {
        "rule" => "score",
        "any_language" => return Some("give --set languages=any".to_owned()),
        "judge_remote" => return Some("give --set judge_remote=on".to_owned()),
        "calibration" => return Some("give --rules FILE, as `veridic calibrate` writes it".to_owned()),
        "escalate" => return Some("give --set screen=off to read everything of all claims".to_owned()),
        "keyfacts" => "key_facts",
        key => key,
    };
    let Setting { key, value, .. } = find(key)?;
    Some(format!("give --set {key}={value}"))
}

fn heading(group: Group) -> &'static str {
    match group {
        Group::Rules => "Rules",
        Group::Model => "Model",
        Group::Metrics => "Metrics",
    }
}

/// `KEY=VALUE` of a setting that the command takes.
fn key_and_value<A: Audience>(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("give KEY=VALUE, such as window=3")?;
    match known(key) {
        Ok(setting) if A::takes(setting) => Ok((key.to_owned(), value.to_owned())),
        Ok(_) => Err(format!("this command has no use for `{key}`")),
        Err(error) => Err(error.to_string()),
    }
}
