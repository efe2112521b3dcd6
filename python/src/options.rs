//! Converts the arguments of `Scorer(...)`, given as a JSON object, to a builder of the library.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;

use serde_json::{Map, Value};
use veridic::corpus::read::RowNames;
use veridic::plan::Builder;
use veridic::rules::RulesFile;
use veridic::settings::Given;
use veridic::{Error, Result};
use veridic_bench::Evaluator;
use veridic_bench::metrics::METRIC_INPUTS;
use veridic_bench::plan::{EvaluatorBuilder, known};
use veridic_bench::plan::{KeyFacts, MetricSettings};

/// The arguments of `Scorer(...)`.
pub(crate) struct Options {
    builder: EvaluatorBuilder,
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
        let (mut given, mut templates) = (Given::default(), BTreeMap::new());
        for (key, value) in &arguments {
            given.add_json(known(key)?, value, "the argument")?;
        }
        for (key, value) in rules.as_object().into_iter().flatten() {
            match value {
                Value::Object(texts) if key == "prompt_template" => templates = template_texts(texts, value)?,
                _ => given.add_json(known(key)?, value, "rules")?,
            }
        }
        let mut builder = Builder::from_json(&model)?.settings(given);
        if let Value::String(file) = &rules {
            let text = fs::read_to_string(file)
                .map_err(|error| refused("rules", file, format!("cannot read it: {error}")))?;
            builder = builder.rules(RulesFile::parse(&text, file)?);
        }
        let builder = EvaluatorBuilder::new(builder).wording(templates);
        refuse_those_of_the_program(&builder)?;
        Ok(Self { builder, threads })
    }

    /// Returns how rows are read.
    pub(crate) fn names(&self) -> RowNames {
        let mut names = RowNames::default();
        names.claims = self.builder.has_given_claims();
        if self.builder.has_metrics() {
            names.inputs = METRIC_INPUTS;
        }
        names
    }

    /// Loads the models; also returns notes for a person.
    pub(crate) fn load(self) -> Result<(Evaluator, Vec<String>)> {
        let mut notes = Vec::new();
        let evaluator = self.builder.build(&mut |note| notes.push(note))?;
        Ok((evaluator, notes))
    }
}

/// Refuses values that only the command-line program supports.
fn refuse_those_of_the_program(builder: &EvaluatorBuilder) -> Result<()> {
    let metrics = MetricSettings::of(&builder.given())?;
    if let Some(url) = &metrics.judge.url {
        let expected = "only the program asks a server: give the file of its answers, `answers`";
        return Err(refused("judge", url, expected.to_owned()));
    }
    match &metrics.key_facts {
        KeyFacts::From(_) => Ok(()),
        KeyFacts::File(file) => Err(refused(
            "key_facts",
            &file.display().to_string(),
            "known are row, reference, document".to_owned(),
        )),
    }
}

/// Returns the wording of steps, as texts by their names.
fn template_texts(texts: &Map<String, Value>, given: &Value) -> Result<BTreeMap<String, String>> {
    let text = |(step, text): (&String, &Value)| Some((step.clone(), text.as_str()?.to_owned()));
    let texts: Option<_> = texts.iter().map(text).collect();
    let expected = "give an object of texts, by the names of steps";
    texts.ok_or_else(|| refused("prompt_template", &given.to_string(), expected.to_owned()))
}

fn threads(value: Value) -> Result<NonZeroUsize> {
    let text = value.to_string();
    serde_json::from_value(value).map_err(|error| refused("threads", &text, error.to_string()))
}

fn refused(setting: &'static str, value: &str, expected: String) -> Error {
    Error::Setting { setting, value: value.to_owned(), expected }
}
