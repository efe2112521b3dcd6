//! Flags for settings, generated from the library's table (`veridic::plan`): each setting is a key of `--set` and of a
//! rules file, and some also have a dedicated flag. An [`Audience`] determines which settings a command accepts.

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use veridic::plan::{ModelSettings, all_settings};
use veridic::rules::{ClaimsChoice, RulesFile};
use veridic::settings::{Given, MODEL_GROUP, RULES_GROUP, Setting};
use veridic::{Error, settings};
use veridic_models::DEFAULT_MODEL;

use crate::files;

/// The settings that a kind of command accepts.
pub trait Audience: std::fmt::Debug + Clone + 'static {
    /// Returns all settings of the program.
    fn all() -> Vec<&'static Setting> {
        all_settings().collect()
    }

    /// Whether the command accepts a setting.
    fn takes(_: &Setting) -> bool {
        true
    }

    /// Whether a repeated flag builds a list, stored as one value separated by semicolons.
    fn is_list(_: &Setting) -> bool {
        false
    }

    /// Refuses values of settings that the library does not know.
    ///
    /// # Errors
    /// If a key does not accept its value.
    fn check(_: &Given) -> veridic::Result<()> {
        Ok(())
    }

    /// The setting of a key.
    fn find(key: &str) -> Option<&'static Setting> {
        Self::all().into_iter().find(|setting| setting.key == key)
    }

    /// Returns the setting of a key.
    ///
    /// # Errors
    /// If there is none.
    fn known(key: &str) -> veridic::Result<&'static Setting> {
        settings::known(Self::all(), key)
    }
}

/// Commands that judge: `score`, `run`, `serve`, `mcp`, `rules`.
#[derive(Debug, Clone)]
pub enum Judging {}

/// Commands that run the NLI model and judge nothing.
#[derive(Debug, Clone)]
pub enum ModelAlone {}

impl Audience for Judging {}

impl Audience for ModelAlone {
    fn takes(setting: &Setting) -> bool {
        setting.group == MODEL_GROUP || setting.key == "max_tokens"
    }
}

/// The model, the settings and how the program runs.
#[derive(Debug, Clone)]
pub struct SettingArgs<A> {
    /// The NLI model.
    pub model: String,
    /// The number of threads; by default one per core.
    pub threads: Option<NonZeroUsize>,
    /// Suppresses notes and progress on stderr.
    pub quiet: bool,
    /// The settings that were given on the command line.
    pub given: Given,
    /// The rules file.
    pub file: Option<RulesFile>,
    audience: PhantomData<A>,
}

impl<A: Audience> SettingArgs<A> {
    /// Returns all settings, including those of a rules file.
    pub fn all_given(&self) -> Given {
        self.file.as_ref().map_or_else(|| self.given.clone(), |file| self.given.clone().over(&file.given))
    }

    /// Returns the claims setting, if it is set.
    pub fn claims(&self) -> Option<ClaimsChoice> {
        self.all_given().get("claims").and_then(|given| given.text.parse().ok())
    }

    /// Returns the settings that control how models run.
    pub fn model_settings(&self) -> veridic::Result<ModelSettings> {
        ModelSettings::of(&self.all_given())
    }

    /// Whether claims near the limit get no verdict.
    pub fn abstains(&self) -> bool {
        self.all_given()
            .get("abstain")
            .is_some_and(|given| given.text.parse::<f32>().is_ok_and(|far| far > 0.0))
    }

    /// Returns the same arguments with one setting changed.
    #[must_use]
    pub fn with(mut self, key: &str, text: &str) -> Self {
        let mut other = Given::default();
        if A::find(key).is_some_and(|setting| other.add(setting, text, "this command").is_ok()) {
            self.given = other.over(&self.given);
        }
        self
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
                    .help_heading(MODEL_GROUP),
            )
            .arg(
                Arg::new("threads")
                    .long("threads")
                    .value_name("N")
                    .value_parser(clap::value_parser!(NonZeroUsize))
                    .help("Threads [default: one per core]")
                    .help_heading(MODEL_GROUP),
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
                    .help_heading(RULES_GROUP),
            )
            .arg(
                Arg::new("rules")
                    .long("rules")
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(PathBuf))
                    .help("Rules file, as `veridic rules` writes")
                    .help_heading(RULES_GROUP),
            );
        A::all()
            .into_iter()
            .filter(|setting| setting.has_flag && A::takes(setting))
            .fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Audience> FromArgMatches for SettingArgs<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Given::default();
        for setting in A::all().into_iter().filter(|setting| setting.has_flag && A::takes(setting)) {
            let values = matches.get_many::<String>(setting.key).into_iter().flatten();
            let mut texts: Vec<String> = values.cloned().collect();
            if A::is_list(setting) && !texts.is_empty() {
                texts = vec![texts.join(";")];
            }
            for text in texts {
                given.add(setting, text, long(setting.key)).map_err(refuse::<A>)?;
            }
        }
        for (key, value) in matches.get_many::<(String, String)>("set").into_iter().flatten() {
            A::known(key)
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
            audience: PhantomData,
        };
        A::check(&arguments.all_given()).map_err(refuse::<A>)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Turns a settings error into a command-line error.
fn refuse<A: Audience>(error: Error) -> clap::Error {
    let message =
        error.message(|key, value| typed(A::find(key).filter(|setting| A::takes(setting)), key, value));
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"))
}

/// Reads a rules file.
fn read_rules<A: Audience>(file: &Path) -> Result<RulesFile, clap::Error> {
    let text = files::read_text(file)
        .map_err(|error| clap::Error::raw(ErrorKind::Io, format!("--rules: {error:#}\n")))?;
    RulesFile::parse(&text, &files::name(file), A::all().into_iter()).map_err(refuse::<A>)
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
        .help_heading(setting.group)
}

/// Returns how a value of a key is typed: by the flag of its setting, if it has one, else by `--set`.
#[must_use]
pub fn typed(setting: Option<&Setting>, key: &str, value: &str) -> String {
    match setting {
        Some(setting) if setting.has_flag => format!("{} {value}", long(key)),
        _ => format!("--set {key}={value}"),
    }
}

/// The flag of a key, as it is typed.
pub fn long(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// Parses `KEY=VALUE` for a setting that the command accepts.
fn key_and_value<A: Audience>(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("give KEY=VALUE, such as window=3")?;
    match A::known(key) {
        Ok(setting) if A::takes(setting) => Ok((key.to_owned(), value.to_owned())),
        Ok(_) => Err(format!("this command has no use for `{key}`")),
        Err(error) => Err(error.to_string()),
    }
}
