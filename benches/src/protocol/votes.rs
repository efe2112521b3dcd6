//! Labels by several annotators for each item of a summary, in FineSurE's files (Song et al., ACL 2024): `raw_annotations`
//! holds an object for each annotator, with lists of 0, 1 and the text `None`. The majority follows the authors' program: an
//! item with at most one label has none, and a tie is 0.

use serde_json::{Map, Value};
use veridic::corpus::Fields;
use veridic_models::store::quoting::kind_of;

use super::fields;

pub(crate) const ANNOTATIONS: &str = "raw_annotations";

pub(crate) struct Annotators(Map<String, Value>);

impl Annotators {
    pub(crate) fn of(fields: &Fields) -> Result<Self, String> {
        let all: Map<String, Value> =
            fields::parsed(fields, ANNOTATIONS, "an object with one object for each annotator")?;
        if all.is_empty() {
            return Err(format!("field `{ANNOTATIONS}` has no annotators"));
        }
        Ok(Self(all))
    }

    pub(crate) fn without(mut self, annotator: &str) -> Self {
        self.0.remove(annotator);
        self
    }

    /// Whether all of them have a list of this name.
    pub(crate) fn have(&self, list: &str) -> bool {
        self.0.values().all(|annotation| annotation.get(list).is_some())
    }

    /// Returns the result of `read` for each annotator's object, in the order of their names.
    pub(crate) fn each<T>(
        &self,
        mut read: impl FnMut(&str, &Value) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.0.iter().map(|(name, annotation)| read(name, annotation)).collect()
    }

    /// Returns the labels of each item; their number must be `items` if it is given.
    pub(crate) fn votes(&self, list: &str, items: Option<usize>) -> Result<Vec<Vec<bool>>, String> {
        let labels = self.each(|name, annotation| labels(name, annotation, list))?;
        let expected = items.unwrap_or_else(|| labels.first().map_or(0, Vec::len));
        if let Some((name, other)) = self.0.keys().zip(&labels).find(|(_, own)| own.len() != expected) {
            let (own, of) = (other.len(), if items.is_some() { "the row has" } else { "another has" });
            return Err(format!("annotator {name} has {own} labels in `{list}`, {of} {expected}"));
        }
        let of_item = |item: usize| labels.iter().filter_map(|own| own[item]).collect();
        Ok((0..expected).map(of_item).collect())
    }
}

/// Returns the majority label of an item; `None` with at most one label.
pub(crate) fn majority(votes: &[bool]) -> Option<bool> {
    let yes = votes.iter().filter(|vote| **vote).count();
    (votes.len() > 1).then_some(2 * yes > votes.len())
}

pub(crate) fn majorities(votes: &[Vec<bool>]) -> Vec<Option<bool>> {
    votes.iter().map(|votes| majority(votes)).collect()
}

/// The share of items whose majority is `wanted`, of those that have one.
pub(crate) fn share(majorities: &[Option<bool>], wanted: bool) -> Option<f64> {
    let known: Vec<bool> = majorities.iter().copied().flatten().collect();
    let count = known.iter().filter(|label| **label == wanted).count();
    (!known.is_empty()).then(|| count as f64 / known.len() as f64)
}

/// Returns an annotator's labels in a list; `None` for items without one.
pub(crate) fn labels(name: &str, annotation: &Value, list: &str) -> Result<Vec<Option<bool>>, String> {
    let Some(values) = annotation.get(list).and_then(Value::as_array) else {
        return Err(format!("annotator {name} has no list `{list}`"));
    };
    let label = |value: &Value| match value {
        Value::Null => Ok(None),
        Value::String(text) if text.eq_ignore_ascii_case("none") => Ok(None),
        value => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let known = fields::zero_or_one(&text);
            known.map(Some).ok_or_else(|| {
                let kind = kind_of(&value.to_string());
                format!("annotator {name} has {kind} as a label in `{list}`: it must be 0, 1 or None")
            })
        }
    };
    values.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotators(json: &str) -> Annotators {
        let fields: Fields = serde_json::from_str(&format!("{{\"raw_annotations\":{json}}}")).unwrap();
        Annotators::of(&fields).unwrap()
    }

    #[test]
    fn majorities_need_two_labels_and_ties_are_zero() {
        let all = annotators(
            r#"{"0":{"l":[1,"None","1",1]},"1":{"l":[1,"None",0,0.0]},"2":{"l":["0",1,"None",null]},"3":{"l":[0,0,0,1]}}"#,
        );
        let votes = all.votes("l", Some(4)).unwrap();
        assert_eq!(votes[1], [true, false]);
        let majorities: Vec<Option<bool>> = votes.iter().map(|votes| majority(votes)).collect();
        assert_eq!(majorities, [Some(false), Some(false), Some(false), Some(true)]);
        let three = all.without("3").votes("l", None).unwrap();
        let majorities: Vec<Option<bool>> = three.iter().map(|votes| majority(votes)).collect();
        assert_eq!(majorities, [Some(true), None, Some(false), Some(false)]);
        assert_eq!((share(&majorities, true), share(&[None], true)), (Some(1.0 / 3.0), None));
    }

    #[test]
    fn lists_that_do_not_fit_are_errors() {
        let all = annotators(r#"{"0":{"l":[1,2],"m":[1]},"1":{"l":[1],"m":[1,0]}}"#);
        let error = |list, items| all.votes(list, items).unwrap_err();
        assert_eq!(error("l", None), "annotator 0 has a number as a label in `l`: it must be 0, 1 or None");
        assert_eq!(error("m", Some(1)), "annotator 1 has 2 labels in `m`, the row has 1");
        assert_eq!(error("n", None), "annotator 0 has no list `n`");
        assert!(!all.have("n") && all.have("m"));
        let empty: Fields = serde_json::from_str(r#"{"raw_annotations":{}}"#).unwrap();
        assert!(Annotators::of(&empty).is_err());
    }
}
