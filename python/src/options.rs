//! Converts the arguments of `Scorer(...)`, given as a JSON object, to a builder of the library.

use std::fs;
use std::num::NonZeroUsize;

use serde_json::{Map, Value};
use veridic::corpus::read::RowNames;
use veridic::plan::{Builder, all_settings};
use veridic::rules::{ClaimsChoice, RulesFile};
use veridic::settings::{Given, known};
use veridic::{Error, Result, Scorer};

/// The arguments of `Scorer(...)`.
pub(crate) struct Options {
    builder: Builder,
    pub(crate) threads: Option<NonZeroUsize>,
}

impl Options {
    /// Parses the arguments; no model is loaded. `rules` is an object of settings, or the path of a rules file.
    pub(crate) fn read(json: &str) -> Result<Self> {
        let mut arguments: Map<String, Value> = serde_json::from_str(json).map_err(|error| Error::Text {
            role: "settings",
            reason: format!("are not a JSON object: {error}"),
        })?;
        let threads = arguments.remove("threads").map(threads).transpose()?;
        let rules = arguments.remove("rules").unwrap_or_default();
        let model: Map<String, Value> = arguments.remove_entry("model").into_iter().collect();
        let mut given = Given::default();
        for (key, value) in &arguments {
            given.add_json(known(all_settings(), key)?, value, "the argument")?;
        }
        for (key, value) in rules.as_object().into_iter().flatten() {
            given.add_json(known(all_settings(), key)?, value, "rules")?;
        }
        let mut builder = Builder::from_json(&model)?.settings(given);
        if let Value::String(file) = &rules {
            let text = fs::read_to_string(file)
                .map_err(|error| refused("rules", file, format!("cannot read it: {error}")))?;
            builder = builder.rules(RulesFile::parse(&text, file, all_settings())?);
        }
        Ok(Self { builder, threads })
    }

    /// Returns how rows are read.
    pub(crate) fn names(&self) -> RowNames {
        let mut names = RowNames::default();
        names.claims = self.builder.claims() == Some(ClaimsChoice::Given);
        names
    }

    /// Loads the models; also returns notes for a person.
    pub(crate) fn load(self) -> Result<(Scorer, Vec<String>)> {
        let mut notes = Vec::new();
        let scorer = self.builder.build_noting(&mut |note| notes.push(note))?;
        Ok((scorer, notes))
    }
}

fn threads(value: Value) -> Result<NonZeroUsize> {
    let text = value.to_string();
    serde_json::from_value(value).map_err(|error| refused("threads", &text, error.to_string()))
}

fn refused(setting: &'static str, value: &str, expected: String) -> Error {
    Error::Setting { setting, value: value.to_owned(), expected }
}
