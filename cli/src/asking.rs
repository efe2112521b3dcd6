//! From flags to a language model: a file of answers, a server, or both.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use veridic::llm::{Answers, ChatModel, LanguageModel, Step};
use veridic::metrics::MetricChoice;
use veridic::plan::{ClaimsChoice, read_answers, templates};

use crate::args::{AskingArgs, WordingArgs};
use crate::files;
#[cfg(feature = "judge")]
use crate::judge::Server;

/// The language model that the flags describe, for these metrics and claims; None if they describe none.
pub(crate) fn language_model(
    args: &AskingArgs,
    metrics: &[String],
    claims: Option<&ClaimsChoice>,
) -> Result<Option<LanguageModel>> {
    let model: Arc<dyn ChatModel> = match (&args.judge, &args.answers) {
        (Some(url), _) => server(url, args)?,
        (None, Some(file)) => {
            if args.wording.max_tokens.is_some() {
                bail!("--judge-max-tokens is for requests that are sent: add --judge");
            }
            Arc::new(read_answers("answers", file)?)
        }
        (None, None) => {
            refuse_unused(&args.wording, claims)?;
            return Ok(None);
        }
    };
    Ok(Some(worded(model, &args.wording, metrics, claims)?))
}

/// Refuses flags of requests where nothing is asked.
fn refuse_unused(args: &WordingArgs, claims: Option<&ClaimsChoice>) -> Result<()> {
    let from_file = matches!(claims, Some(ClaimsChoice::Answers(Some(_))));
    let flags = [
        ("--prompt-template", !args.templates.is_empty() && !from_file),
        ("--judge-runs", args.runs != 1),
        ("--judge-temperature", args.temperature != 0.0),
        ("--judge-max-tokens", args.max_tokens.is_some()),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => bail!("{flag} is for a language model's answers: add --answers or --judge"),
        None => Ok(()),
    }
}

/// A language model with the wording that the flags describe.
pub(crate) fn worded(
    model: Arc<dyn ChatModel>,
    args: &WordingArgs,
    metrics: &[String],
    claims: Option<&ClaimsChoice>,
) -> Result<LanguageModel> {
    if args.runs != 1 && !steps(metrics, claims).into_iter().any(Step::is_repeated) {
        bail!("--judge-runs is for the metric tofueval, the questions of which are asked several times");
    }
    let templates = templates(&wording(args, metrics, claims)?)?;
    let model = LanguageModel::new(model, templates).sampling(args.runs, args.temperature);
    Ok(model.max_tokens(args.max_tokens.map(NonZeroU32::get)))
}

/// The answers in a file, or none without one.
pub(crate) fn answers(file: Option<&Path>) -> Result<Answers> {
    Ok(file.map(|file| read_answers("answers", file)).transpose()?.unwrap_or_default())
}

#[cfg(feature = "judge")]
fn server(url: &str, args: &AskingArgs) -> Result<Arc<dyn ChatModel>> {
    Ok(Arc::new(Server::connect(url, args)?))
}

#[cfg(not(feature = "judge"))]
fn server(url: &str, _: &AskingArgs) -> Result<Arc<dyn ChatModel>> {
    bail!("--judge {url}: this build sends no requests; build it with the feature `judge`, or use --answers")
}

/// The templates in files, by the names of their steps.
pub(crate) fn wording(
    args: &WordingArgs,
    metrics: &[String],
    claims: Option<&ClaimsChoice>,
) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for given in &args.templates {
        let step = match given.step {
            Some(step) if steps(metrics, claims).contains(&step) => step,
            Some(step) => {
                bail!("--prompt-template {step}={}: nothing here asks {step}", given.file.display())
            }
            None => only_step(metrics, claims)
                .with_context(|| format!("--prompt-template {}", given.file.display()))?,
        };
        let text = files::read_text(&given.file)?;
        if texts.insert(step.name().to_owned(), text).is_some() {
            bail!("--prompt-template: {step} has two files: give one");
        }
    }
    Ok(texts)
}

/// The step of metrics and claims that have only one.
fn only_step(metrics: &[String], claims: Option<&ClaimsChoice>) -> Result<Step> {
    match steps(metrics, claims)[..] {
        [step] => Ok(step),
        [] => Err(anyhow!("no step of these metrics asks a language model: name the step, STEP=FILE")),
        ref steps => {
            let names = steps.iter().map(|step| step.name()).collect::<Vec<_>>().join(", ");
            Err(anyhow!("say which step it is for, STEP=FILE: {names}"))
        }
    }
}

/// The steps that are asked.
fn steps(metrics: &[String], claims: Option<&ClaimsChoice>) -> Vec<Step> {
    let choices = metrics.iter().filter_map(|name| name.parse::<MetricChoice>().ok());
    let mut steps: Vec<Step> = choices.flat_map(|choice| choice.steps()).collect();
    if matches!(claims, Some(ClaimsChoice::Answers(_))) {
        steps.push(Step::FeniceClaims);
    }
    steps
}
