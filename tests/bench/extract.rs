//! `veridic-bench extract`: budgets and order; and that documents are judged whole.
use crate::common::{Output, Place, list, repository, slice};
use crate::files::tiny;
use serde_json::{Value, json};

const DOCUMENT: &str = "Ä dog barked all night. The pool in Harwell will close. It rained. Nobody came. \
     Its beams are rusty and old. A train was late. The council met on Monday.";
const SUMMARY: &str = "The pool in Harwell closes. Its beams are rusty.";

/// `extract` of two texts with flags that are separated by spaces.
fn run(document: &str, summary: &str, flags: &str) -> Output {
    let place = Place::new();
    place.write("document.txt", document);
    place.write("summary.txt", summary);
    let fixed = ["extract", "document.txt", "summary.txt", "--format", "json", "-q", "--model", tiny()];
    place.run(fixed.into_iter().chain(flags.split_whitespace()))
}

fn extract(flags: &str) -> Value {
    run(DOCUMENT, SUMMARY, flags).json()
}

fn texts(extract: &Value) -> Vec<String> {
    list(&extract["sentences"]).iter().map(|sentence| sentence["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn rouge_finds_the_sentences_that_the_summary_is_about() {
    for method in ["rouge-1", "rouge-2", "rouge-1+2"] {
        let extract = extract(&format!("--method {method} --budget 16"));
        let expected = ["The pool in Harwell will close.", "Its beams are rusty and old."];
        assert_eq!(texts(&extract), expected, "{method}");
        assert_eq!((&extract["of"], &extract["method"]), (&json!(7), &json!(method)));
        for sentence in list(&extract["sentences"]) {
            assert_eq!(slice(DOCUMENT, &sentence["span"]), sentence["text"].as_str().unwrap());
        }
    }
    assert_eq!(texts(&extract("--method lead --budget 16")).len(), 2);
    assert_eq!(texts(&extract("--budget 1000")).len(), 7, "a document within the budget stays whole");
    for method in ["nli", "bertscore"] {
        let extract = extract(&format!("--method {method} --budget 16"));
        assert!((1..7).contains(&list(&extract["sentences"]).len()), "{method}: {extract}");
    }
}

#[test]
fn recall_is_counted_as_in_the_authors_program() {
    let chosen = |document: &[&str], summary: &str, flags: &str| {
        texts(&run(&document.join(" "), summary, flags).json())
    };
    let stems = ["It rained here.", "Closed pools rusted."];
    assert_eq!(chosen(&stems, "A pool closes.", "--budget 8"), [stems[1]]);
    assert_eq!(chosen(&stems, "A pool closes.", "--budget 8 --extract-rule fill"), [stems[0]]);

    // The best sentence does not fit.
    let long = ["The old pool in Harwell on the hill will close for good this year.", "The pool is old."];
    let summary = "The pool in Harwell will close.";
    let error = run(&long.join(" "), summary, "--budget 8").error();
    assert!(
        ["budget of 8 tokens: raise --budget", "--extract-rule fill"].iter().all(|part| error.contains(part)),
        "{error}"
    );
    assert_eq!(chosen(&long, summary, "--budget 8 --extract-rule fill"), [long[1]]);
    let unknown = run(DOCUMENT, "A pool.", "--extract-rule best");
    assert!(unknown.stderr.contains("authors, fill"), "{}", unknown.stderr);
}

#[test]
fn bertscore_finds_the_sentence_that_is_the_summary() {
    let summary = "The council met on Monday.";
    let extract = run(DOCUMENT, summary, "--method bertscore --budget 8").json();
    assert_eq!(texts(&extract), [summary], "identical tokens are the most similar ones in any encoder");
    let other = run(DOCUMENT, summary, "--method bertscore --bertscore-layer 99");
    assert!(other.error().contains("layer 99"));
}

#[test]
fn tokens_are_counted_by_the_tokenizer_that_is_set() {
    let lead = |more: &str| texts(&extract(&format!("--method lead --budget 14 {more}")));
    // 14 tokens are two sentences for the tiny model's tokenizer and one for the bundled model's.
    let counter = repository("models/weights/mini");
    let (ours, theirs) = (lead(""), lead(&format!("--budget-tokenizer {}", counter.display())));
    assert_eq!((ours.len(), theirs.len()), (2, 1), "{ours:?} {theirs:?}");
    let nowhere = run(DOCUMENT, SUMMARY, "--budget-tokenizer nowhere");
    assert!(nowhere.error().contains("--budget-tokenizer nowhere"));
}

/// Documents of more than 200 sentences were reduced to extracts, and statements about the document concerned its extract.
#[test]
fn documents_are_read_whole() {
    let place = Place::new();
    let filler = "Nobody came on the first day of the week. ".repeat(250);
    let result = place
        .score("mini", &format!("{filler}The pool closes in March."), "The pool closes in March.", &[])
        .json();
    assert_eq!((&result["verdict"], &result["ledger"]["sentences"]), (&json!("supported"), &json!(251)));
    let refused = place.score_tiny(DOCUMENT, SUMMARY, &["--set", "extract=rouge-1"]);
    assert!(refused.code == 2 && refused.stderr.contains("no setting `extract`"), "{}", refused.stderr);
}
