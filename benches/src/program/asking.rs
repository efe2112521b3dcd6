//! Builds a language model from settings: a file of answers, a server, or both.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use crate::llm::{Answers, ChatModel, LanguageModel, Step};
use crate::metrics::MetricChoice;
use crate::plan::{EvaluatorBuilder, MetricSettings, read_answers, steps};
use anyhow::{Result, bail};
use veridic::rules::ClaimsChoice;

#[cfg(feature = "judge")]
use crate::program::judge::Server;
use crate::program::settings::{Measuring, Metrics};
use veridic_program::load;
use veridic_program::settings::SettingArgs;

/// Returns the language model that the settings describe; `None` if they describe none.
pub(crate) fn language_model(args: &SettingArgs<Measuring>) -> Result<Option<LanguageModel>> {
    let settings = &args.metrics();
    let model: Arc<dyn ChatModel> = match (&settings.judge.url, &settings.answers) {
        (Some(url), _) => server(url, settings)?,
        (None, Some(file)) => {
            if settings.judge.max_tokens.is_some() {
                bail!("--judge-max-tokens is for requests that are sent: give --judge, too");
            }
            Arc::new(read_answers("answers", file)?)
        }
        (None, None) => {
            refuse_unused(args)?;
            return Ok(None);
        }
    };
    Ok(Some(worded(model, args)?))
}

/// Refuses settings of requests if nothing is asked.
fn refuse_unused(args: &SettingArgs<Measuring>) -> Result<()> {
    let from_file = matches!(args.claims(), Some(ClaimsChoice::Answers(Some(_))));
    let MetricSettings { judge, prompt_templates, .. } = &args.metrics();
    if judge.model.is_some() || judge.remote {
        bail!("--judge-model and --judge-remote are about a server: give --judge, too");
    }
    let settings = [
        ("prompt_template", !prompt_templates.is_empty() && !from_file),
        ("judge_runs", judge.runs != 1),
        ("judge_temperature", judge.temperature != 0.0),
        ("judge_max_tokens", judge.max_tokens.is_some()),
    ];
    match settings.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => bail!(
            "--{} is for a language model's answers: give --answers or --judge, too",
            key.replace('_', "-")
        ),
        None => Ok(()),
    }
}

/// A language model with the wording that the settings describe.
pub(crate) fn worded(model: Arc<dyn ChatModel>, args: &SettingArgs<Measuring>) -> Result<LanguageModel> {
    let MetricSettings { judge, metric, .. } = &args.metrics();
    let choices: Vec<MetricChoice> = metric.iter().filter_map(|name| name.parse().ok()).collect();
    let asked = steps(&choices, args.claims().as_ref());
    if judge.runs != 1 && !asked.into_iter().any(Step::is_repeated) {
        bail!("--judge-runs is for the metric tofueval, the questions of which are asked several times");
    }
    let templates = EvaluatorBuilder::new(load::builder(args)).templates(&args.metrics())?;
    let model = LanguageModel::new(model, templates).sampling(judge.runs, judge.temperature);
    Ok(model.max_tokens(judge.max_tokens.map(NonZeroU32::get)))
}

/// Reads the answers in a file; none without a file.
pub(crate) fn answers(file: Option<&Path>) -> Result<Answers> {
    Ok(file.map(|file| read_answers("answers", file)).transpose()?.unwrap_or_default())
}

#[cfg(feature = "judge")]
fn server(url: &str, settings: &MetricSettings) -> Result<Arc<dyn ChatModel>> {
    if settings.judge.model.is_none() {
        bail!("--judge={url} needs the name of the server's model: set judge_model, too");
    }
    Ok(Arc::new(Server::connect(url, settings)?))
}

#[cfg(not(feature = "judge"))]
fn server(url: &str, _: &MetricSettings) -> Result<Arc<dyn ChatModel>> {
    bail!("--judge={url}: this build sends no requests; build it with the feature `judge`, or set answers")
}
