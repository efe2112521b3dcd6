//! Keyword arguments, as a JSON object, to what judges rows. Refuses names and values that mean nothing, each by its
//! name.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use veridic::corpus::read::RowNames;
use veridic::extract::{Extraction, Method};
use veridic::metrics::{Evaluator, KeyFactsFrom, Metric, MetricChoice};
use veridic::pipeline::{Level, OverClaims, ScoreRule};
use veridic::plan::{CalibrationChoice, ClaimsChoice, CorefChoice, ScorerPlan};
use veridic::{Error, Precision, Result};

/// What `Scorer(...)` was called with.
pub(crate) struct Options {
    plan: ScorerPlan,
    pub(crate) threads: Option<NonZeroUsize>,
    metrics: Vec<MetricChoice>,
    is_all: bool,
    key_facts: KeyFactsFrom,
    /// Nothing: the profile's own.
    extraction: Option<Option<Extraction>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Dtype {
    Auto,
    F32,
    Int8,
    F16,
    Bf16,
}

#[derive(Deserialize)]
enum Rule {
    #[serde(rename = "e")]
    Entailment,
    #[serde(rename = "e-t")]
    MinusContradiction,
    #[serde(rename = "e-n")]
    MinusNeutral,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Over {
    Mean,
    Minimum,
    SoftMinimum,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeyFacts {
    Row,
    Reference,
    Document,
}

#[derive(Deserialize)]
struct File {
    file: String,
    text: String,
}

/// Keyword arguments that were not read yet.
struct Given(Map<String, Value>);

impl Given {
    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.0.remove(name) else { return Ok(None) };
        let refused = |error| Error::Setting(format!("{name} {value}: {error}"));
        T::deserialize(&value).map(Some).map_err(refused)
    }

    fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(text) = self.take::<String>(name)? else { return Ok(None) };
        let refused = |error| Error::Setting(format!("{name} {text}: {error}"));
        text.parse().map(Some).map_err(refused)
    }
}

impl Options {
    /// Reads them; nothing is loaded.
    pub(crate) fn read(json: &str) -> Result<Self> {
        let refused = |error| Error::Setting(format!("the settings are no JSON object: {error}"));
        let mut given = Given(serde_json::from_str(json).map_err(refused)?);
        let plan = plan(&mut given)?;
        let threads = given.take("threads")?;
        let names: Vec<String> = given.take("metrics")?.unwrap_or_default();
        let (is_all, metrics) = metrics(&names)?;
        let key_facts = match given.take("keyfacts")? {
            None | Some(KeyFacts::Row) => KeyFactsFrom::Row,
            Some(KeyFacts::Reference) => KeyFactsFrom::Reference,
            Some(KeyFacts::Document) => KeyFactsFrom::Document,
        };
        let extraction = extraction(&mut given)?;
        match given.0.keys().next() {
            Some(unknown) => Err(Error::Setting(format!("there is no setting `{unknown}`"))),
            None => Ok(Self { plan, threads, metrics, is_all, key_facts, extraction }),
        }
    }

    /// How rows are read.
    pub(crate) fn names(&self) -> RowNames {
        let mut names = RowNames::default();
        if self.plan.claims == Some(ClaimsChoice::Given) {
            names = names.with_claims();
        }
        if !self.metrics.is_empty() {
            names = names.with_aids();
        }
        names
    }

    /// Whether scores are kept in a folder.
    pub(crate) fn has_cache(&self) -> bool {
        self.plan.cache.is_some()
    }

    /// Loads what judges, with what a person should know.
    pub(crate) fn load(self) -> Result<(Evaluator, Vec<String>)> {
        let mut notes = Vec::new();
        let mut evaluator = Evaluator::new(self.plan.scorer(&mut |note| notes.push(note))?);
        if let Some(extraction) = self.extraction {
            evaluator = evaluator.extracting(extraction);
        }
        if !self.metrics.is_empty() {
            evaluator = evaluator.with_metrics(self.metrics, self.key_facts);
        }
        Ok((if self.is_all { evaluator.leniently() } else { evaluator }, notes))
    }
}

fn plan(given: &mut Given) -> Result<ScorerPlan> {
    let usual = ScorerPlan::default();
    let calibration = match given.0.get("calibration").and_then(Value::as_str) {
        Some("off") => {
            given.0.remove("calibration");
            CalibrationChoice::Off
        }
        _ => given
            .take("calibration")?
            .map_or(CalibrationChoice::Own, |File { file, text }| CalibrationChoice::Text { file, text }),
    };
    Ok(ScorerPlan {
        model: given.take("model")?.unwrap_or(usual.model),
        labels: given.take("labels")?,
        device: given.parse("device")?.unwrap_or(usual.device),
        precision: given.take("dtype")?.and_then(|dtype| match dtype {
            Dtype::Auto => None,
            Dtype::F32 => Some(Precision::F32),
            Dtype::Int8 => Some(Precision::Int8),
            Dtype::F16 => Some(Precision::F16),
            Dtype::Bf16 => Some(Precision::Bf16),
        }),
        max_tokens: given.take("max_tokens")?,
        batch_tokens: given.take("batch_tokens")?,
        profile: given.take("profile")?,
        claims: given.parse::<ClaimsChoice>("claims")?,
        coref: given.parse::<CorefChoice>("coref")?,
        levels: given.take::<Vec<Level>>("levels")?,
        window: given.take("window")?,
        stride: given.take("stride")?,
        threshold: given.take("threshold")?,
        rule: given.take("rule")?.map(|rule| match rule {
            Rule::Entailment => ScoreRule::Entailment,
            Rule::MinusContradiction => ScoreRule::EntailmentMinusContradiction,
            Rule::MinusNeutral => ScoreRule::EntailmentMinusNeutral,
        }),
        over_claims: given.take("over_claims")?.map(|over| match over {
            Over::Mean => OverClaims::Mean,
            Over::Minimum => OverClaims::Minimum,
            Over::SoftMinimum => OverClaims::SoftMinimum,
        }),
        screen: given.parse("screen")?,
        epsilon: given.take("epsilon")?,
        calibration,
        any_language: given.take("any_language")?.unwrap_or(usual.any_language),
        cache_bytes: given
            .take::<usize>("cache_mb")?
            .map_or(usual.cache_bytes, |megabytes| megabytes.saturating_mul(1 << 20)),
        cache: given.take::<PathBuf>("cache")?,
    })
}

fn metrics(names: &[String]) -> Result<(bool, Vec<MetricChoice>)> {
    if names.iter().any(|name| name == "all") {
        let without_downloads = |choice: &MetricChoice| choice.metric != Metric::BertScore;
        return Ok((true, MetricChoice::all().into_iter().filter(without_downloads).collect()));
    }
    let parse = |name: &String| {
        let choice: MetricChoice = name.parse().map_err(|error| Error::Setting(format!("{error}")))?;
        match choice.metric {
            Metric::BertScore => Err(Error::Setting(
                "metric bertscore is measured by the command `veridic run --metric bertscore`".into(),
            )),
            _ => Ok(choice),
        }
    };
    Ok((false, names.iter().map(parse).collect::<Result<Vec<_>>>()?))
}

fn extraction(given: &mut Given) -> Result<Option<Option<Extraction>>> {
    let budget = given.take::<usize>("budget")?;
    let Some(name) = given.take::<String>("extract")? else {
        return match budget {
            Some(_) => Err(Error::Setting("budget is given, and extract is not".into())),
            None => Ok(None),
        };
    };
    if name == "off" {
        return Ok(Some(None));
    }
    let usable = || Method::ALL.into_iter().filter(|method| *method != Method::BertScore);
    let Some(method) = usable().find(|method| method.name() == name) else {
        let known: Vec<&str> = usable().map(Method::name).collect();
        return Err(Error::Setting(format!("extract {name}: known are {}, off", known.join(", "))));
    };
    Ok(Some(Some(Extraction::new(method, budget.unwrap_or(Extraction::USUAL_BUDGET)))))
}
