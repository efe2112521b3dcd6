//! The endpoints that clients of other servers call, with the fields of those servers. `/alignscore_base`: the server that
//! NVIDIA NeMo Guardrails queries for AlignScore. `/predict`: sequence classification in Hugging Face's
//! text-embeddings-inference. Scores are this engine's; errors have the same form as on all other endpoints.

use serde::Serialize;
use serde_json::Value;
use veridic::Pair;
use veridic::corpus::Fields;
use veridic::pipeline::{ClassifierInput, LabelScores, NliPair, check_text};
use veridic_models::Truncation;

use super::error::RequestError;
use super::request::Reader;

/// The supported value of `truncation_direction`.
const CUTS_RIGHT: &str = "right";

/// A claim and its evidence, as NeMo Guardrails sends them.
pub(super) struct AlignScoreRequest {
    evidence: String,
    claim: String,
}

/// The answer that NeMo Guardrails reads.
#[derive(Serialize)]
pub(super) struct AlignScoreResponse {
    /// The score, from 0 to 1.
    pub(super) alignscore: f64,
}

/// Texts to classify, as clients of text-embeddings-inference send them.
pub(super) struct PredictRequest {
    inputs: Vec<Texts>,
    /// Whether `inputs` is a list of inputs, in which case the answer is a list of lists.
    pub(super) is_batch: bool,
    pub(super) scores: LabelScores,
    pub(super) truncation: Truncation,
}

/// One text or two.
struct Texts {
    first: String,
    second: Option<String>,
}

/// An output of the model.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Prediction {
    score: f32,
    label: String,
}

impl AlignScoreRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        // NeMo's own retrieval joins its passages; other configurations may pass a list of passages.
        let (evidence, sources) = reader.document("evidence")?;
        if sources.is_some_and(|sources| sources.list().is_empty()) {
            let message = "`evidence` is an empty list: give at least one source";
            return Err(RequestError::invalid("evidence", message.to_owned()));
        }
        let claim = reader.text("claim")?;
        reader.end("evidence, claim")?;
        let texts = check_text("evidence", &evidence).and_then(|()| check_text("claim", &claim));
        texts.map_err(|error| RequestError::of(&error))?;
        let request = Self { evidence, claim };
        // The remaining checks are limits on the two texts, which errors call document and summary.
        request.pair().check().map_err(|error| RequestError::of(&error).renamed(&FIELDS))?;
        Ok(request)
    }

    pub(super) fn pair(&self) -> Pair<'_> {
        Pair::new(&self.evidence, &self.claim)
    }
}

/// The fields of [`AlignScoreRequest`], by the names that the engine's errors use.
pub(super) const FIELDS: [(&str, &str); 2] = [("document", "evidence"), ("summary", "claim")];

impl PredictRequest {
    pub(super) fn read(fields: Fields) -> Result<Self, RequestError> {
        let mut reader = Reader::of(fields);
        let inputs = reader.optional::<Value>("inputs", "valid JSON")?;
        let inputs =
            inputs.ok_or_else(|| RequestError::invalid("inputs", "the field `inputs` is missing"))?;
        let (inputs, is_batch) = texts(inputs)?;
        let truncate = reader.optional("truncate", "true or false")?.unwrap_or(false);
        let raw = reader.optional("raw_scores", "true or false")?.unwrap_or(false);
        let direction = reader.optional::<String>("truncation_direction", "a string")?;
        if direction.is_some_and(|direction| !direction.eq_ignore_ascii_case(CUTS_RIGHT)) {
            let message = format!("`truncation_direction` is {CUTS_RIGHT}: texts are cut at their ends only");
            return Err(RequestError::invalid("truncation_direction", message));
        }
        reader.end("inputs, truncate, truncation_direction, raw_scores")?;
        let scores = if raw { LabelScores::Logits } else { LabelScores::Softmax };
        let truncation = if truncate { Truncation::LongestFirst } else { Truncation::Refuse };
        Ok(Self { inputs, is_batch, scores, truncation })
    }

    /// Returns the name of an input for errors.
    pub(super) fn field(&self, number: usize) -> String {
        if self.is_batch { format!("inputs[{number}]") } else { "inputs".to_owned() }
    }

    pub(super) fn inputs(&self) -> Vec<ClassifierInput<'_>> {
        fn input(texts: &Texts) -> ClassifierInput<'_> {
            match &texts.second {
                Some(second) => ClassifierInput::Pair(NliPair { premise: &texts.first, hypothesis: second }),
                None => ClassifierInput::Text(&texts.first),
            }
        }
        self.inputs.iter().map(input).collect()
    }
}

/// Parses the inputs and whether they are a batch: a string, `[string]` or `[string, string]` is one input, a list of such
/// lists a batch.
fn texts(inputs: Value) -> Result<(Vec<Texts>, bool), RequestError> {
    match inputs {
        Value::String(text) => Ok((vec![one(vec![text], "inputs")?], false)),
        Value::Array(all) if all.first().is_some_and(Value::is_array) => {
            let mut inputs = Vec::new();
            for (number, texts) in all.into_iter().enumerate() {
                let field = format!("inputs[{number}]");
                let Value::Array(texts) = texts else { return Err(not_texts(&field)) };
                inputs.push(one(strings(texts, &field)?, &field)?);
            }
            Ok((inputs, true))
        }
        Value::Array(texts) => Ok((vec![one(strings(texts, "inputs")?, "inputs")?], false)),
        _ => Err(not_texts("inputs")),
    }
}

/// Returns the one or two texts of an input.
fn one(texts: Vec<String>, field: &str) -> Result<Texts, RequestError> {
    for text in &texts {
        check_text("inputs", text).map_err(|error| RequestError::invalid(field, error.to_string()))?;
    }
    let mut texts = texts.into_iter();
    match (texts.next(), texts.next(), texts.next()) {
        (Some(first), second, None) => Ok(Texts { first, second }),
        _ => Err(not_texts(field)),
    }
}

fn strings(values: Vec<Value>, field: &str) -> Result<Vec<String>, RequestError> {
    let string = |value| match value {
        Value::String(text) => Ok(text),
        _ => Err(RequestError::invalid(field, format!("`{field}` has an element that is not a string"))),
    };
    values.into_iter().map(string).collect()
}

fn not_texts(field: &str) -> RequestError {
    let message = format!(
        "`{field}` must be a text, a pair [premise, hypothesis] or, in `inputs` alone, a list of such pairs"
    );
    RequestError::invalid(field, message)
}

/// Returns the outputs of the model by descending score.
pub(super) fn predictions(labels: &[String], scores: Vec<f32>) -> Vec<Prediction> {
    let named = labels.iter().zip(scores);
    let mut outputs: Vec<Prediction> =
        named.map(|(label, score)| Prediction { score, label: label.clone() }).collect();
    outputs.sort_by(|one, other| other.score.total_cmp(&one.score));
    outputs
}

/// Maps a score to the range from 0 to 1; `is_signed` if it is from -1 to 1.
pub(super) fn from_zero_to_one(score: f32, is_signed: bool) -> AlignScoreResponse {
    // Parsed from its printed form, so that it equals what Python's `AlignScore` computes from results.
    let written = score.to_string().parse().unwrap_or(f64::from(score));
    AlignScoreResponse { alignscore: if is_signed { (1.0 + written) / 2.0 } else { written } }
}

#[cfg(test)]
mod tests {
    use super::super::request::object;
    use super::*;

    /// The texts of each input; the second is set for pairs.
    type Inputs = Vec<(String, Option<String>)>;

    /// Returns the inputs of a request and whether they are a batch.
    fn inputs(json: &str) -> Result<(Inputs, bool), RequestError> {
        let request = PredictRequest::read(object(json.as_bytes())?)?;
        Ok((request.inputs.into_iter().map(|texts| (texts.first, texts.second)).collect(), request.is_batch))
    }

    #[test]
    fn an_input_is_a_text_or_a_pair_and_a_list_of_lists_is_a_batch() {
        let one = |second: Option<&str>| ("A b.".to_owned(), second.map(ToOwned::to_owned));
        assert_eq!(inputs(r#"{"inputs":"A b."}"#), Ok((vec![one(None)], false)));
        assert_eq!(inputs(r#"{"inputs":["A b."]}"#), Ok((vec![one(None)], false)));
        assert_eq!(inputs(r#"{"inputs":["A b.","C"],"truncate":null}"#), Ok((vec![one(Some("C"))], false)));
        let batch = r#"{"inputs":[["A b.","C"],["A b."]],"raw_scores":true,"truncation_direction":"Right"}"#;
        assert_eq!(inputs(batch), Ok((vec![one(Some("C")), one(None)], true)));
    }

    #[test]
    fn outputs_are_sorted_by_score_and_signed_scores_become_shares() {
        let labels = ["a", "b", "c"].map(ToOwned::to_owned);
        let sorted: Vec<String> =
            predictions(&labels, vec![-1.0, 3.0, 0.5]).into_iter().map(|output| output.label).collect();
        assert_eq!(sorted, ["b", "c", "a"]);
        assert_eq!(from_zero_to_one(-0.5, true).alignscore, 0.25);
        assert_eq!(from_zero_to_one(0.601_198_55, false).alignscore, 0.601_198_55_f64);
    }
}
