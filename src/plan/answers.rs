//! Where the answers of a language model come from, and how its requests are worded.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::llm::{Answers, LanguageModel, Step, Templates};

/// What answers requests, if anything does, and their wording.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    /// The language model.
    pub model: Option<LanguageModel>,
    /// The wording.
    pub templates: Templates,
}

impl Asking {
    /// What answers requests for claims: the file, else the language model.
    pub(super) fn claims(&self, file: Option<&Path>) -> Result<LanguageModel> {
        match (file, &self.model) {
            (Some(file), _) => {
                Ok(LanguageModel::new(Arc::new(read_answers("claims", file)?), self.templates.clone()))
            }
            (None, Some(model)) => Ok(model.clone()),
            (None, None) => Err(Error::setting(
                "claims",
                "answers",
                "give their file: answers=FILE, or the setting `answers`",
            )),
        }
    }
}

/// The answers in a file that a setting names.
///
/// # Errors
/// When it cannot be read, or is not one of answers.
pub fn read_answers(setting: &'static str, file: &Path) -> Result<Answers> {
    let refuse = |reason: String| Error::setting(setting, file.display(), reason);
    let open = File::open(file).map_err(|error| refuse(format!("cannot read it: {error}")))?;
    Answers::read(BufReader::new(open), &file.display().to_string())
        .map_err(|error| refuse(error.to_string()))
}

/// Our templates with others for the steps that are named.
///
/// # Errors
/// For a name that no step has, and a template that its step cannot use.
pub fn templates<'t>(given: impl IntoIterator<Item = (&'t String, &'t String)>) -> Result<Templates> {
    given.into_iter().try_fold(Templates::default(), |templates, (name, text)| {
        let refuse = |reason: String| Error::setting("prompt_templates", name, reason);
        let step: Step = name.parse().map_err(|error: crate::named::UnknownName| refuse(error.expected()))?;
        templates.with(step, text).map_err(|error| refuse(error.to_string()))
    })
}
