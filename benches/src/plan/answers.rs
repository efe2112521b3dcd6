//! The source of a language model's answers, and the wording of its requests.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use veridic::rules::ClaimsChoice;
use veridic::settings::UnknownName;
use veridic::{Error, Result};

use crate::llm::{Answers, Step, TemplateError, Templates};
use crate::metrics::MetricChoice;

/// Reads the answers from a file that a setting names.
///
/// # Errors
/// If it cannot be read, or is not a file of answers.
pub fn read_answers(setting: &'static str, file: &Path) -> Result<Answers> {
    let refuse = |reason: String| Error::setting(setting, file.display(), reason);
    let open = File::open(file).map_err(|error| refuse(format!("cannot read it: {error}")))?;
    Answers::read(BufReader::new(open), &file.display().to_string())
        .map_err(|error| refuse(error.to_string()))
}

/// Returns our templates, with those replaced that files have, `[STEP=]FILE`. A file without a step is for the only one that
/// metrics and claims ask.
///
/// # Errors
/// If a file cannot be read, nothing asks a step, two files are for one step, or a step cannot use its template.
pub(super) fn templates(
    files: &[String],
    metrics: &[MetricChoice],
    claims: Option<&ClaimsChoice>,
) -> Result<Templates> {
    let asked = steps(metrics, claims);
    let mut texts = BTreeMap::new();
    for given in files {
        let refuse = |expected: String| Error::setting("prompt_template", given, expected);
        let (step, file) = match given.split_once('=') {
            Some((step, file)) => {
                let step: Step = step.parse().map_err(|error: UnknownName| refuse(error.expected()))?;
                if !asked.contains(&step) {
                    return Err(refuse(format!("nothing here asks {step}")));
                }
                (step, file)
            }
            None => (only_step(&asked).map_err(refuse)?, given.as_str()),
        };
        let text =
            fs::read_to_string(file).map_err(|error| refuse(format!("cannot read {file}: {error}")))?;
        if texts.insert(step.name(), (step, text)).is_some() {
            return Err(refuse(format!("{step} has two files: give one")));
        }
    }
    texts.into_values().try_fold(Templates::default(), |templates, (step, text)| {
        let refuse = |error: TemplateError| Error::setting("prompt_template", step.name(), error.to_string());
        templates.with(step, &text).map_err(refuse)
    })
}

/// Returns the only step of metrics and claims, or else the remedy.
fn only_step(asked: &[Step]) -> std::result::Result<Step, String> {
    match asked {
        [step] => Ok(*step),
        [] => Err("no step of these metrics asks a language model: name the step, STEP=FILE".to_owned()),
        steps => {
            let names = steps.iter().map(|step| step.name()).collect::<Vec<_>>().join(", ");
            Err(format!("say which step it is for, STEP=FILE: {names}"))
        }
    }
}

/// The steps that are asked.
pub(crate) fn steps(metrics: &[MetricChoice], claims: Option<&ClaimsChoice>) -> Vec<Step> {
    let mut steps: Vec<Step> = metrics.iter().flat_map(MetricChoice::steps).collect();
    if matches!(claims, Some(ClaimsChoice::Answers(_))) {
        steps.push(Step::FeniceClaims);
    }
    steps
}
