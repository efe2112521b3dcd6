//! An evaluator's answers about the parts of a text, besides the score: the error type of each sentence, and which key facts
//! it contains. They come from the facts `finesure` of a result, or the fields `pred_*` of the files that FineSurE's program
//! writes.

use serde_json::Value;
use veridic::corpus::Fields;
use veridic_models::store::quoting::kind_of;

use super::fields;

/// The answers about a text; `None` if a question was not asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// Whether each sentence is without error; `None` if its verdict is unsure.
    pub faithful: Option<Vec<Option<bool>>>,
    /// The error type of each sentence; `None` for one without error.
    pub errors: Option<Vec<Option<String>>>,
    /// The key facts that were looked for.
    pub key_facts: Option<Vec<AnsweredKeyFact>>,
}

/// A key fact, and whether it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredKeyFact {
    pub text: String,
    /// Whether it is in the summary.
    pub is_found: bool,
}

impl Answers {
    /// Reads the answers from a result's facts. A language model names types of errors (`is_asked`), the verdicts on claims
    /// do not.
    pub fn of_facts(finesure: &Value, is_asked: bool) -> Self {
        let list = |name: &str| finesure.get(name).and_then(Value::as_array);
        let error = |sentence: &Value| {
            let found = sentence.get("error").and_then(|error| error.get("type"));
            found.and_then(Value::as_str).map(str::to_owned)
        };
        let is_judged = |sentence: &Value| sentence.get("is_faithful").is_some();
        let judged = list("sentences").filter(|all| all.iter().any(is_judged));
        let key_fact = |fact: &Value| AnsweredKeyFact {
            text: fact.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
            is_found: fact.get("is_in_summary").and_then(Value::as_bool).unwrap_or_default(),
        };
        Self {
            faithful: judged.map(|all| {
                all.iter().map(|sentence| sentence.get("is_faithful").and_then(Value::as_bool)).collect()
            }),
            errors: judged.filter(|_| is_asked).map(|all| all.iter().map(error).collect()),
            key_facts: list("key_facts").map(|all| all.iter().map(key_fact).collect()),
        }
    }

    pub(crate) fn first_error(&self) -> Option<&str> {
        self.errors.iter().flatten().flatten().map(String::as_str).next()
    }
}

/// The answers given in a row, and the score that follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenAnswers {
    pub score: f64,
    pub answers: Answers,
}

/// Reads a list of labels, 0 or 1, from FineSurE's output files.
pub(crate) fn given_labels(fields: &Fields, field: &str) -> Result<Vec<bool>, String> {
    let labels: Vec<Value> = fields::parsed(fields, field, "a list of labels")?;
    let label = |value: &Value| {
        let text = value.to_string();
        fields::zero_or_one(&text)
            .ok_or_else(|| format!("field `{field}` has {}: it must be 0 or 1", kind_of(&text)))
    };
    labels.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_from_facts() {
        let facts = serde_json::json!({
            "sentences": [
                {"text": "A.", "is_faithful": true},
                {"text": "B.", "is_faithful": false, "error": {"type": "entity"}},
            ],
            "key_facts": [{"text": "f", "is_in_summary": true}, {"text": "g", "is_in_summary": false}],
        });
        let answers = Answers::of_facts(&facts, true);
        assert_eq!(answers.errors, Some(vec![None, Some("entity".to_owned())]));
        assert_eq!(
            (answers.key_facts.clone(), answers.first_error()),
            (
                Some(vec![
                    AnsweredKeyFact { text: "f".into(), is_found: true },
                    AnsweredKeyFact { text: "g".into(), is_found: false },
                ]),
                Some("entity")
            )
        );
        assert_eq!(answers.faithful, Some(vec![Some(true), Some(false)]));
        assert_eq!(Answers::of_facts(&facts, false).errors, None);
        let unjudged = serde_json::json!({"sentences": [{"text": "A."}]});
        assert_eq!(Answers::of_facts(&unjudged, false), Answers::default());
        assert_eq!(Answers::of_facts(&serde_json::json!({}), true), Answers::default());
    }
}
