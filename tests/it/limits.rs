//! Texts longer than the model's limit: `veridic` splits them, `paper` and `released` cut them, and the ledger counts both;
//! `veridic` never cuts a claim.
use crate::common;
use crate::common::{Place, assert_spans, list};
use insta::assert_snapshot;
use serde_json::Value;

/// `count` sentences of nine tokens each.
fn long_document(count: usize) -> String {
    let subjects = ["cat", "dog", "mayor", "boat", "river", "city"];
    (0..count).map(|i| format!("The {} sat on the old bridge late. ", subjects[i % 6])).collect()
}

/// One sentence of about `words` tokens, without a full stop inside.
fn long_sentence(words: usize) -> String {
    let words: Vec<&str> =
        ["rain", "fell", "on", "the", "cat", "and"].into_iter().cycle().take(words).collect();
    format!("The {} late.", words.join(" "))
}

/// The result for the summary's sentences as claims.
fn score(document: &str, summary: &str, more: &[&str]) -> Value {
    let more = [&["--claims", "sentence"], more].concat();
    let result = Place::new().score_tiny(document, summary, &more).json();
    assert_spans(&result, document, summary);
    result
}

#[test]
fn veridic_splits_a_long_document_and_cuts_nothing() {
    let result = score(&long_document(20), "The cat sat.", &["--set", "max_tokens=64"]);
    assert!(result["ledger"]["premises_split"].as_u64() > Some(0), "{}", result["ledger"]);
    assert_eq!(result["ledger"]["premises_cut"], 0);
}

#[test]
fn veridic_splits_a_sentence_that_is_too_long_by_tokens() {
    let document = long_sentence(200);
    let result = score(&document, "The cat sat.", &["--set", "max_tokens=64", "--set", "levels=sentence"]);
    assert_eq!(result["ledger"]["sentences"], 1);
    assert_eq!(result["ledger"]["premises_split"], 1);
    assert_eq!(result["ledger"]["premises_cut"], 0);
}

#[test]
fn veridic_reads_the_end_of_a_document_that_is_too_long() {
    let (filler, fact) = (long_sentence(120), "She closed the new boat early");
    let whole = score(fact, fact, &["--set", "levels=document"]);
    let split = score(
        &format!("{filler} {fact}"),
        fact,
        &["--set", "max_tokens=48", "--set", "levels=sentence,document"],
    );
    assert!(common::number(&split["score"]) >= common::number(&whole["score"]) - 1e-6, "{split}");
}

#[test]
fn paper_and_released_cut_and_count_it() {
    for profile in ["paper", "released"] {
        let more = ["--set", "max_tokens=64", "--profile", profile, "--set", "threshold=1"];
        let result =
            score(&long_document(20), "The cat sat.", &more[..if profile == "paper" { 6 } else { 4 }]);
        assert!(result["ledger"]["premises_cut"].as_u64() > Some(0), "{profile}: {}", result["ledger"]);
        assert_eq!(result["ledger"]["premises_split"], 0, "{profile}");
    }
}

#[test]
fn paper_cuts_a_sentence_at_512_tokens_and_released_at_1024() {
    for (words, paper, released) in [(480, 0, 0), (600, 1, 0), (1100, 1, 1)] {
        let document = long_sentence(words);
        for (profile, cut) in [("paper", paper), ("released", released)] {
            let result =
                score(&document, "The cat sat.", &["--profile", profile, "--set", "levels=sentence"]);
            assert_eq!(result["ledger"]["premises_cut"], cut, "{profile}, {words} words");
        }
    }
}

#[test]
fn texts_that_fit_are_neither_split_nor_cut() {
    for profile in ["veridic", "paper", "released"] {
        let result = score(&long_document(20), "The cat sat.", &["--profile", profile]);
        assert_eq!(result["ledger"]["premises_cut"], 0, "{profile}");
        assert_eq!(result["ledger"]["premises_split"], 0, "{profile}");
    }
}

/// `max_tokens` can only lower the model's limit.
#[test]
fn a_claim_over_the_limit_is_an_error_and_so_is_a_limit_over_the_models() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    place.write("s.txt", long_sentence(100));
    let commands = ["64", "5000"].map(|limit| format!("score d.txt s.txt --set max_tokens={limit}"));
    assert_snapshot!("refused", place.refusals(&commands));
}

/// `longest_first` cuts the claim if it is the longer text, as the authors' program does; the ledger counts it.
#[test]
fn paper_and_released_may_cut_a_claim_and_count_it() {
    for profile in ["paper", "released"] {
        let more = ["--set", "max_tokens=64", "--profile", profile];
        let result = score("The cat sat.", &long_sentence(100), &more);
        assert!(result["ledger"]["premises_cut"].as_u64() > Some(0), "{profile}: {}", result["ledger"]);
    }
}

#[test]
fn a_long_claim_that_fits_is_not_cut() {
    let claim = long_sentence(40);
    let result = score(&long_document(12), &claim, &["--set", "max_tokens=64"]);
    assert_eq!(list(&result["claims"]).len(), 1);
    assert_eq!(result["ledger"]["premises_cut"], 0);
    assert!(result["ledger"]["premises_split"].as_u64() > Some(0));
}

#[test]
fn split_results_do_not_depend_on_threads_or_batches() {
    let place = Place::new();
    let document = format!("{}{}", long_document(15), long_sentence(150));
    let run = |more: &[&str]| {
        let fixed = ["--set", "max_tokens=64"];
        place.score_tiny(&document, "The cat sat. The dog left.", &[&fixed[..], more].concat()).ok()
    };
    let first = run(&[]);
    for more in
        [["--threads", "1"], ["--threads", "2"], ["--set", "batch_tokens=64"], ["--set", "batch_tokens=9999"]]
    {
        assert_eq!(run(&more), first, "{more:?}");
    }
}

/// Documents are read in runs of 400 tokens; claims may be longer.
#[cfg(feature = "bundled")]
#[test]
fn a_claim_may_be_longer_than_a_run() {
    let place = Place::new();
    let claim = format!("The cat {}sat.", "very ".repeat(450));
    let result = place.score("mini", &long_document(2), &claim, &["--claims", "sentence"]).json();
    assert_eq!(result["claims"][0]["text"], claim);
}

#[cfg(feature = "bundled")]
#[test]
fn the_bundled_model_splits_beyond_its_512_positions() {
    let place = Place::new();
    let document = long_document(60);
    let result = place.score("mini", &document, "The cat sat.", &["--set", "levels=document"]).json();
    assert_spans(&result, &document, "The cat sat.");
    assert_eq!(result["ledger"]["premises_split"], 1, "{}", result["ledger"]);
}
