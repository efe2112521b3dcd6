//! `token_classifier`: unsupported words found by a dedicated model.

use insta::assert_snapshot;
use serde_json::Value;
use veridic::find_model;
use veridic_models::{ComputeDevice, PackedBatch, TokenClassifier, Truncation};

use crate::common::{Place, list, number, repository, tiny};

const DOCUMENT: &str = "The pool in Harwell will close. It opened in 1974. Its beams are rusty.";
const SUMMARY: &str = "The pool closes in March. Otters bought the beams for 40 euro.";

fn classifier(name: &str) -> String {
    repository("models/tests/fixtures/token_classifiers").join(name).to_str().unwrap().to_owned()
}

fn judged(place: &Place, model: &str, more: &[&str]) -> Value {
    place.write("d.txt", DOCUMENT);
    place.write("s.txt", SUMMARY);
    let fixed = ["score", "d.txt", "s.txt", "-q", "--format", "json", "--claims", "sentence"];
    place.run([&fixed[..], &["--model", model, "--set", "screen=words:8"], more].concat()).json()
}

/// The probability of each token of a hypothesis, with its span.
fn tokens(classifier: &str, premise: &str, hypothesis: &str) -> Vec<((usize, usize), f32)> {
    let model = TokenClassifier::load(&find_model(classifier).unwrap(), ComputeDevice::Cpu).unwrap();
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (tokenizer.text(premise).unwrap(), tokenizer.hypothesis(hypothesis).unwrap());
    let pair =
        tokenizer.pair(&premise.ids, &hypothesis.ids, model.token_limit(), Truncation::Refuse).unwrap();
    let batch = PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])]);
    let probabilities = model.unsupported_tokens(&batch).unwrap().swap_remove(0);
    let range = tokenizer.hypothesis_range(&pair, &hypothesis);
    hypothesis.spans.iter().copied().zip(probabilities[range].iter().copied()).collect()
}

#[test]
fn words_are_those_that_the_classifier_finds_likelier_unsupported() {
    let place = Place::new();
    let mut found = 0;
    for name in ["bert", "roberta", "mpnet", "modernbert", "albert", "deberta_v1", "deberta"] {
        let classifier = classifier(name);
        let result = judged(&place, &tiny(), &["--set", &format!("token_classifier={classifier}")]);
        assert_eq!(result["models"]["token_classifier"]["id"], classifier.as_str());
        for claim in list(&result["claims"]).iter().filter(|claim| claim["verdict"] != "supported") {
            let text = claim["text"].as_str().unwrap();
            let tokens = tokens(&classifier, claim["evidence"]["text"].as_str().unwrap(), text);
            for piece in list(&claim["unsupported_words"]) {
                let bound = |place: usize| number(&piece["span"][place]) as usize;
                let inside = tokens.iter().filter(|((start, end), _)| *start < bound(1) && bound(0) < *end);
                let highest = inside.map(|(_, probability)| *probability).fold(0.0, f32::max);
                let probability = number(&piece["probability"]) as f32;
                // A quantity that is nowhere in the document has the probability 1 whatever the model says.
                assert!((probability - highest).abs() < 1e-5 || probability == 1.0, "{name}: {piece}");
                assert!(probability >= 0.5, "{name}: {piece}");
                found += 1;
            }
            let marked = |(start, end): (usize, usize)| {
                let pieces = list(&claim["unsupported_words"]).iter();
                let mut spans =
                    pieces.map(|piece| [0, 1].map(|place| number(&piece["span"][place]) as usize));
                spans.any(|[from, to]| start < to && from < end)
            };
            let letters = |(start, end): (usize, usize)| {
                start < end && text.chars().nth(start).unwrap().is_alphanumeric()
            };
            for (span, probability) in tokens.iter().filter(|(span, _)| letters(*span)) {
                assert!(*probability < 0.5 || marked(*span), "{name}: {span:?} of {text}");
            }
        }
    }
    assert!(found > 3, "{found}");
}

#[test]
fn without_a_classifier_or_a_head_there_are_no_words() {
    let place = Place::new();
    let result = judged(&place, &tiny(), &[]);
    assert!(result["models"].get("token_classifier").is_none(), "{result}");
    assert!(list(&result["claims"]).iter().all(|claim| claim.get("unsupported_words").is_none()), "{result}");
    let with = judged(&place, &tiny(), &["--set", &format!("token_classifier={}", classifier("bert"))]);
    assert_eq!((&with["score"], &with["verdict"]), (&result["score"], &result["verdict"]));
}

#[cfg(feature = "bundled")]
#[test]
fn the_classifier_is_asked_in_the_place_of_the_models_own_head() {
    let place = Place::new();
    let own = judged(&place, "mini", &[]);
    let other = judged(&place, "mini", &["--set", &format!("token_classifier={}", classifier("roberta"))]);
    let words = |result: &Value| -> Vec<Value> {
        list(&result["claims"]).iter().map(|claim| claim["unsupported_words"].clone()).collect()
    };
    assert!(words(&own).iter().any(Value::is_array), "{own}");
    assert_ne!(words(&own), words(&other));
    assert_eq!(own["score"], other["score"]);
}

#[test]
fn a_model_that_is_no_token_classifier_is_refused() {
    let place = Place::new();
    place.write("d.txt", DOCUMENT);
    let models = [repository("models/tests/fixtures/bert/bert").display().to_string(), "nosuch".to_owned()];
    let commands = models.map(|model| format!("score d.txt d.txt --set token_classifier={model}"));
    assert_snapshot!("refused", place.refusals(&commands));
}
