//! `--coref` through the real binary: rewritten sentences are computed, reported and limited. Which rewriting wins depends
//! on the model and is not tested here.
use crate::common::{Place, list, number, repository, slice, tiny};
use insta::assert_snapshot;
use serde_json::{Value, json};

const DOCUMENT: &str = "Gordon Brown spoke to reporters in London on Monday. He resigned the same evening. \
                        The World Health Organization (WHO) said nothing about it. The WHO meets in May.";
const SUMMARY: &str = "Gordon Brown resigned the same evening.";

/// Levels on which only sentences and their rewritings can win.
const LEVELS: [&str; 4] = ["--set", "levels=sentence,coref", "--set", "epsilon=0"];

fn fcoref() -> String {
    repository("models/tests/fixtures/fcoref/published").to_str().unwrap().to_owned()
}

/// Both mentions are slices of the document, and the evidence is the whole sentence.
fn assert_substitution(claim: &Value, document: &str) {
    let substitution = &claim["substitution"];
    let text = |field: &str| substitution[field].as_str().unwrap().to_owned();
    assert_eq!(slice(document, &substitution["mention_span"]), text("mention"));
    assert_eq!(slice(document, &substitution["by_span"]), text("by"));
    assert_eq!(slice(document, &claim["evidence"]["span"]), claim["evidence"]["text"].as_str().unwrap());
    assert_eq!(claim["level"], "coref");
    assert!(text("rewritten") != claim["evidence"]["text"].as_str().unwrap());
}

#[cfg(feature = "bundled")]
#[test]
fn a_pronoun_is_read_as_the_name() {
    let place = Place::new();
    let off =
        place.score("mini", DOCUMENT, SUMMARY, &["--set", "levels=sentence", "--set", "epsilon=0"]).json();
    let more: Vec<&str> = LEVELS.iter().copied().chain(["--coref", "rules"]).collect();
    let result = place.score("mini", DOCUMENT, SUMMARY, &more).json();
    let claim = &result["claims"][0];
    assert_substitution(claim, DOCUMENT);
    assert_eq!(claim["substitution"]["mention"], "He");
    assert_eq!(claim["substitution"]["by"], "Gordon Brown");
    assert!(claim["substitution"]["rewritten"].as_str().unwrap().starts_with("Gordon Brown resigned"));
    assert!(number(&claim["score"]) > number(&off["claims"][0]["score"]));
    assert_eq!(result["profile"]["coref"], "rules");
    assert_eq!(result["models"]["coref"], Value::Null);
    let score = ["score", "document.txt", "summary.txt", "--model", "mini"];
    let shown = place.run(score.iter().chain(&more)).ok();
    assert!(shown.contains("read with: Gordon Brown [0, 12] for He [53, 55]"), "{shown}");
}

#[test]
fn veridic_and_paper_have_coreference_by_default() {
    let place = Place::new();
    for (more, resolver, levels) in [
        (&[][..], "rules", &["sentence", "coref", "window", "document"][..]),
        (&["--coref", "off"], "off", &["sentence", "window", "document"]),
        (&["--set", "levels=sentence"], "off", &["sentence"]),
        (&["--set", "levels=coref,sentence"], "rules", &["sentence", "coref"]),
        (&["--profile", "paper"], "rules", &["sentence", "coref", "window", "document"]),
        (&["--profile", "paper", "--coref", "off"], "off", &["sentence", "window", "document"]),
        (&["--profile", "released"], "off", &["sentence", "window", "document"]),
        (&["--profile", "released-aggrefact", "--coref", "off"], "off", &["sentence", "window", "document"]),
    ] {
        let profile = &place.score_tiny(DOCUMENT, SUMMARY, more).json()["profile"];
        assert_eq!((&profile["coref"], &profile["levels"]), (&json!(resolver), &json!(levels)), "{more:?}");
    }
}

#[test]
fn the_paper_profile_notes_how_coreference_is_resolved() {
    let place = Place::new();
    let tells = |more: &[&str]| {
        let output = place.score_tiny(DOCUMENT, SUMMARY, &[&["--profile", "paper"], more].concat());
        output.stderr.contains("found by rules; the paper uses F-Coref")
    };
    assert!(tells(&[]));
    for more in [&["--coref", "rules"][..], &["--coref", "off"], &["--set", "levels=sentence"], &["--quiet"]]
    {
        assert!(!tells(more), "{more:?}");
    }
    let claim = &place.score_tiny(DOCUMENT, SUMMARY, &["--profile", "paper"]).json()["claims"][0];
    let told =
        &place.score_tiny(DOCUMENT, SUMMARY, &["--profile", "paper", "--coref", "rules"]).json()["claims"][0];
    assert_eq!(claim, told);
}

#[test]
fn every_profile_takes_a_resolver_and_counts_its_premises() {
    let place = Place::new();
    for profile in ["veridic", "paper", "released", "released-aggrefact"] {
        for coref in ["rules".to_owned(), fcoref()] {
            let result = place
                .score_tiny(
                    DOCUMENT,
                    SUMMARY,
                    &["--profile", profile, "--coref", &coref, "--set", "epsilon=0"],
                )
                .json();
            let levels: Vec<&str> =
                list(&result["profile"]["levels"]).iter().map(|l| l.as_str().unwrap()).collect();
            assert_eq!(levels, ["sentence", "coref", "window", "document"]);
            assert_eq!(result["ledger"]["rewritings_left_out"], 0);
            for claim in list(&result["claims"]).iter().filter(|claim| claim["level"] == "coref") {
                assert_substitution(claim, DOCUMENT);
            }
            let model = &result["models"]["coref"];
            if coref == "rules" {
                assert_eq!((&result["profile"]["coref"], model), (&json!("rules"), &Value::Null));
            } else {
                assert_eq!(model["sha256"].as_str().unwrap().len(), 64);
            }
        }
    }
}

#[test]
fn rewritings_are_computed_beside_the_sentences() {
    let place = Place::new();
    let count = |coref: &str| {
        let levels = if coref == "off" { "sentence" } else { "sentence,coref" };
        let more = ["--set", &format!("levels={levels}"), "--set", "epsilon=0", "--coref", coref];
        let result = place.score_tiny("Anna Ross sang. She bowed.", "Anna Ross bowed.", &more).json();
        (number(&result["ledger"]["premises"]), number(&result["claims"][0]["score"]))
    };
    let ((without, low), (with, high)) = (count("off"), count("rules"));
    assert!(without == 2.0 && with <= 3.0 && high >= low, "{without} {with}");
}

#[test]
fn contradicting_settings_are_refused() {
    let place = Place::new();
    place.write("text.txt", DOCUMENT);
    let mut settings = vec![
        "--profile released-aggrefact",
        "--profile released --set levels=sentence,coref",
        "--set levels=sentence,coref --coref off",
        "--set levels=sentence --coref rules",
        "--set levels=coref,document --coref rules",
        "--coref no/such/folder",
    ];
    let tiny = format!("--coref {}", tiny());
    settings.push(&tiny);
    if cfg!(feature = "bundled") {
        settings.push("--coref mini");
    }
    let commands: Vec<String> =
        settings.iter().map(|more| format!("score text.txt text.txt {more}")).collect();
    assert_snapshot!("contradicting_settings", place.refusals(&commands));
}

#[test]
fn documents_of_one_word_and_of_fifty_thousand() {
    let place = Place::new();
    let long = "Gordon Brown spoke to Anna Ross in Leeds. He told her that it was late. ".repeat(3_200);
    for document in ["Gordon", &long] {
        let more: Vec<&str> =
            LEVELS.iter().copied().chain(["--coref", "rules", "--claims", "sentence"]).collect();
        let result = place.score_tiny(document, "He was late.", &more).json();
        assert_eq!(list(&result["claims"]).len(), 1);
    }
}
