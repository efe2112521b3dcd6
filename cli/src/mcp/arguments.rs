//! The arguments of each tool. Refuses an argument that is missing, unknown or of another type; the message names it and the
//! expected value, worded for the language model that wrote the call.

use serde_json::{Map, Value};
use veridic::corpus::read::document_of;
use veridic::pipeline::check_text;
use veridic::{Error, Pair, Scorer, Sources};

use super::answer;
use super::tools::{CHECK, EXTRACT_CLAIMS};

/// A call with its arguments.
#[derive(Debug)]
pub(super) enum Call {
    /// Checks a text against its sources.
    Check { text: String, document: String, sources: Option<Sources>, citations: bool },
    /// Extracts the claims of a text.
    ExtractClaims { text: String },
}

impl Call {
    /// Parses a call of the tool `name`; an error says which argument is wrong. `None` if there is no such tool.
    pub(super) fn read(name: &str, mut arguments: Map<String, Value>) -> Option<Result<Self, String>> {
        let arguments = &mut arguments;
        match name {
            CHECK => Some(Self::check(arguments)),
            EXTRACT_CLAIMS => Some(Self::extract_claims(arguments)),
            _ => None,
        }
    }

    fn check(arguments: &mut Map<String, Value>) -> Result<Self, String> {
        let text = text(arguments)?;
        let sources = given(arguments, "sources")?;
        let citations = match arguments.remove("citations") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(citations)) => citations,
            Some(_) => return Err("`citations` must be true or false".to_owned()),
        };
        end(arguments, "text, sources, citations")?;
        if !sources.is_array() {
            return Err(r#"`sources` must be a list of objects such as {"id": "a", "text": ".."}"#.to_owned());
        }
        let (document, sources) =
            document_of(&sources.to_string()).map_err(|reason| format!("`sources` {reason}"))?;
        if sources.as_ref().is_some_and(|sources| sources.list().is_empty()) {
            return Err("`sources` is an empty list: give at least one source".to_owned());
        }
        check_text("text of all sources", &document).map_err(|error| error.to_string())?;
        Ok(Self::Check { text, document, sources, citations })
    }

    fn extract_claims(arguments: &mut Map<String, Value>) -> Result<Self, String> {
        let text = text(arguments)?;
        end(arguments, "text")?;
        Ok(Self::ExtractClaims { text })
    }

    /// Returns the answer as JSON, or the reason for a failure; stops early once `is_over` returns true.
    pub(super) fn answer(
        self,
        scorer: &Scorer,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<String, String> {
        let answer = match &self {
            Self::Check { text, document, sources, citations } => {
                let pair =
                    Pair { sources: sources.as_ref(), citations: *citations, ..Pair::new(document, text) };
                answer::check(scorer, pair, is_over)
            }
            Self::ExtractClaims { text } => answer::claims(scorer, text),
        };
        answer.map_err(|error| match error {
            // The library's names for the two texts.
            Error::Text { role: "document", reason } => format!("the text of all sources {reason}"),
            Error::Text { role: "summary", reason } => format!("`text` {reason}"),
            error => error.to_string(),
        })
    }
}

fn text(arguments: &mut Map<String, Value>) -> Result<String, String> {
    match given(arguments, "text")? {
        Value::String(text) => {
            check_text("summary", &text).map_err(|error| match error {
                Error::Text { reason, .. } => format!("`text` {reason}"),
                error => error.to_string(),
            })?;
            Ok(text)
        }
        _ => Err("`text` must be a string".to_owned()),
    }
}

/// Removes a required argument.
fn given(arguments: &mut Map<String, Value>, name: &str) -> Result<Value, String> {
    arguments.remove(name).ok_or_else(|| format!("the argument `{name}` is missing"))
}

/// Refuses the remaining arguments.
fn end(arguments: &Map<String, Value>, known: &str) -> Result<(), String> {
    match arguments.keys().next() {
        Some(name) => Err(format!("unknown argument `{name}`: this tool takes {known}")),
        None => Ok(()),
    }
}
