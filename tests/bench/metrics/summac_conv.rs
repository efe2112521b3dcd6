//! SummaC-Conv against torch's convolution (scripts/fixtures/make_summac.py), and as a metric.

use std::path::PathBuf;

use serde_json::{Value, json};
use veridic::Probabilities;
use veridic_bench::metrics::summac_conv::{NliLabels, SummacConv};

use super::{assert_near, flags, nli, row, run};
use crate::common::{Place, list, number, repository};

fn fixture(file: &str) -> PathBuf {
    repository("tests/fixtures/summac").join(file)
}

fn weights() -> String {
    fixture("percentile_e.bin").to_str().unwrap().to_owned()
}

fn probabilities(pair: &Value) -> Probabilities {
    let [entailment, neutral, contradiction] = [0, 1, 2].map(|place| number(&pair[place]) as f32);
    Probabilities { entailment, neutral, contradiction }
}

#[test]
fn values_and_scores_are_those_of_torch() {
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(fixture("expected.json")).unwrap()).unwrap();
    let cases = list(&expected["cases"]);
    assert_eq!(cases.len(), 7);
    for case in cases {
        let labels: NliLabels = case["labels"].as_str().unwrap().parse().unwrap();
        let network = SummacConv::load(&fixture(case["weights"].as_str().unwrap()), labels).unwrap();
        let pairs: Vec<Probabilities> = list(&case["pairs"]).iter().map(probabilities).collect();
        let document = case["document_sentences"].as_u64().unwrap() as usize;
        let sentences = network.of_sentences(&pairs, document);
        let theirs = list(&case["sentences"]);
        assert_eq!(sentences.len(), theirs.len());
        for (ours, theirs) in sentences.iter().zip(theirs) {
            assert!((ours - number(theirs)).abs() <= 1e-4, "{labels}, {document}: {ours}, {theirs}");
        }
        let score = network.score(&sentences);
        assert!((score - number(&case["score"])).abs() <= 1e-4, "{labels}, {document}: {score}");
    }
}

#[test]
fn the_metric_is_the_network_on_all_pairs_of_sentences() {
    let place = Place::new();
    let mut row = row();
    // A sentence of ten characters does not count.
    row["summary"] = "The pool closes. So it was. Rust was found in the beams.".into();
    let result = run(&place, &row, &format!("metric=summac-conv summac_conv={}", weights()));
    let document = ["The pool in Harwell will close.", "It opened in 1974.", "Its beams are rusty."];
    let summary = ["The pool closes.", "So it was.", "Rust was found in the beams."];
    let pairs = [summary[0], summary[2]].into_iter().flat_map(|sentence| nli(&document, sentence));
    let pairs: Vec<Probabilities> = pairs
        .map(|[entailment, contradiction]| {
            let [entailment, contradiction] = [entailment as f32, contradiction as f32];
            Probabilities { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
        })
        .collect();
    let network = SummacConv::load(&fixture("percentile_e.bin"), NliLabels::E).unwrap();
    let sentences = network.of_sentences(&pairs, document.len());
    assert_near(&result["summac_conv"], network.score(&sentences));
    assert_near(&result["score"], number(&result["summac_conv"]));
    let facts = &result["summac_conv_facts"];
    for (ours, theirs) in list(&facts["sentences"]).iter().zip(&sentences) {
        assert_near(ours, *theirs);
    }
    let counts = ["document_sentences", "summary_sentences", "bins", "labels"].map(|name| &facts[name]);
    assert_eq!(counts, [&json!(3), &json!(2), &json!(23), &json!("e")]);
}

#[test]
fn without_weights_it_is_an_error_or_left_out() {
    let place = Place::new();
    let error = place.score_tiny("A b.", "A b.", &["--set", "metric=summac-conv"]).error();
    for part in
        ["--metric summac-conv: needs weights", "summac_conv_vitc_sent_perc_e.bin", "tingofurro/summac"]
    {
        assert!(error.contains(part), "{error}");
    }
    let result = run(&place, &row(), "metric=all");
    assert!(result["not_measured"]["summac-conv"].as_str().unwrap().contains("weights"), "{result}");
    let result = run(&place, &row(), &format!("metric=all summac_conv={}", weights()));
    assert!(result["summac_conv"].is_number(), "{result}");
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let place = Place::new();
    let model = repository("models/tests/fixtures/roberta/published_bin/pytorch_model.bin");
    let [weights, other] = [weights(), model.display().to_string()].map(|file| format!("summac_conv={file}"));
    for (sets, parts) in [
        (format!("metric=summac-conv {weights} summac_labels=ec"), ["--summac-labels ec", "23 inputs"]),
        ("metric=summac-conv summac_conv=nowhere.bin".into(), ["--summac-conv nowhere.bin", "nowhere.bin"]),
        (format!("metric=summac-conv {other}"), ["--summac-conv ", "mlp.weight"]),
        ("metric=all summac_labels=ec".into(), ["--summac-labels ec: describes weights", ""]),
        (format!("metric=menli {weights}"), ["is for the metric summac-conv", ""]),
    ] {
        let error = place.score_tiny("A b.", "A b.", &flags(&sets)).error();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}
