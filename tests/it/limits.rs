//! Texts longer than the model's limit: `veridic` splits them, `paper` and `released` cut them, and the ledger counts both;
//! `veridic` never cuts a claim.
use crate::common;
use crate::common::{Place, assert_spans};
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

/// `longest_first` cuts the claim if it is the longer text, as the authors' program does; the ledger counts it.
#[test]
fn what_is_split_and_cut_is_counted() {
    let (short, long, twenty) = ("The cat sat.".to_owned(), long_sentence(100), long_document(20));
    let sentences = [200, 480, 600, 1100].map(long_sentence);
    let cases = [
        ("--set max_tokens=64", &twenty, &short),
        ("--set max_tokens=64 --set levels=sentence", &sentences[0], &short),
        ("--set max_tokens=64", &long_document(12), &long_sentence(40)),
        ("--profile veridic", &twenty, &short),
        ("--profile paper", &twenty, &short),
        ("--profile released", &twenty, &short),
        ("--profile paper --set max_tokens=64 --set threshold=1", &twenty, &short),
        ("--profile released --set max_tokens=64", &twenty, &short),
        ("--profile paper --set max_tokens=64", &short, &long),
        ("--profile released --set max_tokens=64", &short, &long),
        ("--profile paper --set levels=sentence", &sentences[1], &short),
        ("--profile paper --set levels=sentence", &sentences[2], &short),
        ("--profile paper --set levels=sentence", &sentences[3], &short),
        ("--profile released --set levels=sentence", &sentences[1], &short),
        ("--profile released --set levels=sentence", &sentences[2], &short),
        ("--profile released --set levels=sentence", &sentences[3], &short),
    ];
    let mut told = String::new();
    for (more, document, summary) in cases {
        let result = score(document, summary, &more.split(' ').collect::<Vec<_>>());
        let [document, summary] = [document, summary].map(|text| text.split(' ').count());
        let counts = ["sentences", "premises_split", "premises_cut"].map(|name| &result["ledger"][name]);
        let [sentences, split, cut] = counts;
        told += &format!("{more}: {document} words in {sentences} sentences, a claim of {summary}\n");
        told += &format!("    {split} premises split, {cut} cut\n");
    }
    assert_snapshot!("counts", told);
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

/// `max_tokens` can only lower the model's limit.
#[test]
fn a_claim_over_the_limit_is_an_error_and_so_is_a_limit_over_the_models() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    place.write("s.txt", long_sentence(100));
    let commands = ["64", "5000"].map(|limit| format!("score d.txt s.txt --set max_tokens={limit}"));
    assert_snapshot!("refused", place.refusals(&commands));
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

/// The program itself takes at most 30 MB, its tables included, and each byte of a text at most 100 more. Brackets once took 650.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_at_most_a_hundred_times_the_text() {
    let texts = [
        format!("{}a", "(".repeat(300_000)),
        "# The pool\n\n".repeat(25_000),
        "12 euros, 4 March, ".repeat(16_000),
    ];
    for text in texts {
        let kilobytes = 30_000 + text.len() * 100 / 1000;
        let place = Place::new();
        place.write("d.txt", &text);
        place.write("s.txt", "The pool closed in March.");
        let mut shell = std::process::Command::new("sh");
        let program = common::binary().display().to_string();
        let arguments = common::with_tiny(&[
            "score",
            "d.txt",
            "s.txt",
            "--claims",
            "sentence",
            "--threads",
            "2",
            "--quiet",
        ]);
        shell.args(["-c", &format!("ulimit -d {kilobytes} && exec \"$0\" \"$@\""), &program]).args(arguments);
        shell.current_dir(place.folder.path());
        common::finish(shell).ok();
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
