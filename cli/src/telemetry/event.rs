//! The event `gen_ai.evaluation.result` of OpenTelemetry's conventions for generative AI: name, score, label and explanation
//! of a judgement. Quotes texts only if the environment allows it, as those conventions require.

use opentelemetry::Key;
use opentelemetry::logs::AnyValue;
use veridic::result::{ClaimResult, PairResult, Verdict};

use super::judged::Judged;

/// The name of the event.
pub(super) const NAME: &str = "gen_ai.evaluation.result";

/// The evaluation's name.
const FACTUALITY: &str = "factuality";

/// The maximum length of an explanation in characters.
const EXPLANATION_CHARACTERS: usize = 4000;

/// The attributes of an event.
pub(super) type Attributes = Vec<(Key, AnyValue)>;

/// Returns the attributes of a row's event. `quotes` allows the row's texts.
pub(super) fn attributes(judged: &Judged<'_>, quotes: bool) -> Attributes {
    let mut event = match judged.result {
        Ok(result) => of_result(result, quotes),
        Err(kind) => vec![attribute("error.type", kind.to_owned())],
    };
    event.insert(0, attribute("gen_ai.evaluation.name", FACTUALITY));
    if let Some(id) = judged.id {
        event.push(attribute("gen_ai.response.id", plain(id)));
    }
    event
}

fn of_result(result: &PairResult, quotes: bool) -> Attributes {
    // As printed in results, without the extra digits of the conversion from `f32`.
    let score = result.score.to_string().parse().unwrap_or(f64::from(result.score));
    vec![
        attribute("gen_ai.evaluation.score.value", score),
        attribute("gen_ai.evaluation.score.label", result.verdict.name()),
        attribute("gen_ai.evaluation.explanation", bounded(in_one_line(result, quotes))),
        attribute("veridic.model", result.models.nli.id.clone()),
        attribute("veridic.profile", result.profile.rules.profile.to_string()),
    ]
}

fn attribute(key: &'static str, value: impl Into<AnyValue>) -> (Key, AnyValue) {
    (Key::from_static_str(key), value.into())
}

/// Returns the text of an id, which is a JSON string or number.
fn plain(id: &str) -> String {
    serde_json::from_str::<String>(id).unwrap_or_else(|_| id.to_owned())
}

fn bounded(text: String) -> String {
    match text.char_indices().nth(EXPLANATION_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Summarizes how many claims are supported and which are not: with their texts and counter-evidence if `quotes`, else by
/// number.
fn in_one_line(result: &PairResult, quotes: bool) -> String {
    let claims = (1..).zip(&result.claims);
    let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
    let is_answer = |claim: &&ClaimResult| claim.verdict != Verdict::NoAnswer;
    let answers = result.claims.iter().filter(is_answer).count();
    let mut sentences = vec![format!("{supported} of {answers} claims supported")];
    for (number, claim) in claims.filter(|(_, claim)| is_answer(claim) && claim.verdict != Verdict::Supported)
    {
        let verdict = claim.verdict.name();
        sentences.push(if quotes {
            format!("{verdict}: \"{}\" ({})", claim.text, claim.explanation)
        } else {
            format!("claim {number} is {verdict}, score {}", result.limits.shown(claim.score))
        });
    }
    sentences.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_texts_and_long_explanations_end_with_an_ellipsis() {
        assert_eq!([r#""a\n1""#, "17", "-2.50"].map(plain), ["a\n1", "17", "-2.50"]);
        let long = bounded("é".repeat(EXPLANATION_CHARACTERS + 9));
        assert_eq!(long.chars().count(), EXPLANATION_CHARACTERS + 1);
        assert_eq!(bounded("short".into()), "short");
    }
}
