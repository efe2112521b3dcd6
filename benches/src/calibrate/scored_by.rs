//! The judge and the rules behind the scores of rows, as `veridic run` writes them.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use veridic::corpus::Fields;
use veridic::rules::{OverClaims, Rules, ScoreRule};
use veridic_models::store::quoting::without_values;

/// The keys of rules that scores depend on, which are written with the limit, and their places in results.
const CARRIED: [(&str, &str); 12] = [
    ("levels", "/levels"),
    ("window", "/window"),
    ("stride", "/stride"),
    ("epsilon", "/epsilon"),
    ("score", "/score"),
    ("temperature", "/temperature"),
    ("threshold", "/threshold"),
    ("quantity_nowhere", "/caps/quantity_nowhere"),
    ("date_nowhere", "/caps/date_nowhere"),
    ("instead", "/caps/instead"),
    ("contrast", "/contrast"),
    ("shared_words", "/verdicts/shared_words"),
];

/// The judge and the rules behind a row's score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ScoredBy {
    pub(super) model: ModelOfRow,
    pub(super) profile: String,
    /// The rules as written in the row.
    rules: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct ModelOfRow {
    pub(super) id: String,
    pub(super) sha256: String,
}

impl ScoredBy {
    pub(super) fn of(fields: &Fields) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Models {
            nli: ModelOfRow,
        }
        #[derive(Deserialize)]
        struct Profile {
            name: String,
        }
        let Models { nli: model } = part(fields, "models")?;
        let rules: Box<RawValue> = part(fields, "profile")?;
        let Profile { name: profile } = part(fields, "profile")?;
        Ok(Self { model, profile, rules: rules.get().to_owned() })
    }

    /// Returns how claims' scores are pooled, if a row's score is not that of its weakest claim.
    pub(super) fn pooled(&self) -> Option<String> {
        let rules: Value = serde_json::from_str(&self.rules).unwrap_or_default();
        let pooled = rules.pointer("/over_claims").and_then(Value::as_str);
        pooled.filter(|rule| *rule != OverClaims::Minimum.name()).map(str::to_owned)
    }

    /// Returns the limit of the rules; 0.5 if they do not state one.
    pub(super) fn limit(&self) -> f64 {
        let rules: Value = serde_json::from_str(&self.rules).unwrap_or_default();
        rules.pointer("/verdicts/supported").and_then(Value::as_f64).unwrap_or(0.5)
    }

    /// Returns the values of the rules that differ from the profile's, as in a rules file. Rules under the papers' profiles
    /// are compared with our own, so that all of theirs are included.
    pub(super) fn other_values(&self) -> Vec<(&'static str, String)> {
        let values = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        // Compared as text, as in results: `to_value` would widen 0.1 to 0.10000000149.
        let usual = serde_json::to_string(&Rules::veridic()).unwrap_or_default();
        let (rules, usual) = (values(&self.rules), values(&usual));
        let text = |key: &str, value: &Value| match value {
            Value::Null => Some(Value::from("off").to_string()),
            Value::Bool(on) => Some(Value::from(if *on { "on" } else { "off" }).to_string()),
            Value::String(_) if key == "score" => {
                let score: ScoreRule = serde_json::from_value(value.clone()).ok()?;
                Some(Value::from(score.name()).to_string())
            }
            value => Some(value.to_string()),
        };
        let other = |(key, at): &(&'static str, &str)| {
            let value = rules.pointer(at).filter(|value| usual.pointer(at) != Some(value))?;
            Some((*key, text(key, value)?))
        };
        CARRIED.iter().filter_map(other).collect()
    }

    pub(super) fn check(&self, other: &Self) -> Result<(), String> {
        let what = if self.model.sha256 != other.model.sha256 {
            "another NLI model"
        } else if self.rules != other.rules {
            "other rules"
        } else {
            return Ok(());
        };
        Err(format!("has {what} than the first row: a limit is for one only"))
    }
}

/// Reads a field of a row written by `veridic run`.
pub(super) fn part<'f, T: Deserialize<'f>>(fields: &'f Fields, name: &str) -> Result<T, String> {
    let Some(value) = fields.get(name) else {
        return Err(format!("has no field `{name}`: rows of `veridic run`, as .jsonl, are needed"));
    };
    serde_json::from_str(value.get()).map_err(|error| {
        format!("field `{name}` is not as `veridic run` writes it to .jsonl: {}", without_values(&error))
    })
}
