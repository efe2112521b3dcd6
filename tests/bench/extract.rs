//! `veridic-bench extract`: budgets and order; and that documents are judged whole.
use crate::common::{Place, list, repository, slice, tiny};
use serde_json::{Value, json};

const DOCUMENT: &str = "Ä dog barked all night. The pool in Harwell will close. It rained. Nobody came. \
     Its beams are rusty and old. A train was late. The council met on Monday.";
const SUMMARY: &str = "The pool in Harwell closes. Its beams are rusty.";

fn extract(place: &Place, more: &[&str]) -> Value {
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    let tiny = tiny();
    let fixed = ["extract", "document.txt", "summary.txt", "--format", "json", "-q", "--model", &tiny];
    place.run(fixed.iter().chain(more)).json()
}

fn texts(extract: &Value) -> Vec<String> {
    list(&extract["sentences"]).iter().map(|sentence| sentence["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn rouge_finds_the_sentences_that_the_summary_is_about() {
    let place = Place::new();
    for method in ["rouge-1", "rouge-2", "rouge-1+2"] {
        let extract = extract(&place, &["--method", method, "--budget", "16"]);
        assert_eq!(
            texts(&extract),
            ["The pool in Harwell will close.", "Its beams are rusty and old."],
            "{method}"
        );
        assert_eq!((&extract["of"], &extract["method"]), (&json!(7), &json!(method)));
        for sentence in list(&extract["sentences"]) {
            assert_eq!(slice(DOCUMENT, &sentence["span"]), sentence["text"].as_str().unwrap());
        }
    }
    assert_eq!(texts(&extract(&place, &["--method", "lead", "--budget", "16"])).len(), 2);
    assert_eq!(
        texts(&extract(&place, &["--budget", "1000"])).len(),
        7,
        "a document within the budget stays whole"
    );
    for method in ["nli", "bertscore"] {
        let extract = extract(&place, &["--method", method, "--budget", "16"]);
        assert!((1..7).contains(&list(&extract["sentences"]).len()), "{method}: {extract}");
    }
}

/// Wu et al.'s program stems words, counts pairs across the ends of sentences and ends at the first sentence that does not
/// fit; the rule `fill` does none of this.
#[test]
fn recall_is_counted_as_in_the_authors_program() {
    let place = Place::new();
    let chosen = |document: &str, summary: &str, more: &[&str]| {
        place.write("d.txt", document);
        place.write("s.txt", summary);
        let tiny = tiny();
        let fixed = ["extract", "d.txt", "s.txt", "--format", "json", "-q", "--model", &tiny];
        place.run(fixed.iter().chain(more))
    };
    let texts_of =
        |document: &str, summary: &str, more: &[&str]| texts(&chosen(document, summary, more).json());
    let fill = ["--extract-rule", "fill"];

    let stems = ["It rained here.", "Closed pools rusted."];
    let (document, summary) = (stems.join(" "), "A pool closes.");
    let budget = ["--budget", "8"];
    assert_eq!(texts_of(&document, summary, &budget), [stems[1]]);
    assert_eq!(texts_of(&document, summary, &[&budget[..], &fill].concat()), [stems[0]]);

    // "burst" and "water" are a pair across two sentences.
    let pairs = ["It rained.", "The dam burst.", "Floods came.", "Water rose."];
    let (document, summary) = (pairs.join(" "), "The dam burst. Water came.");
    let more = ["--method", "rouge-2", "--budget", "10"];
    assert_eq!(texts_of(&document, summary, &more), [pairs[1], pairs[3]]);
    assert_eq!(texts_of(&document, summary, &[&more[..], &fill].concat()), [pairs[0], pairs[1]]);

    // The best sentence does not fit.
    let long = ["The old pool in Harwell on the hill will close for good this year.", "The pool is old."];
    let document = long.join(" ");
    let error = chosen(&document, "The pool in Harwell will close.", &budget).error();
    assert!(error.contains("budget of 8 tokens") && error.contains("--extract-rule fill"), "{error}");
    let filled = texts_of(&document, "The pool in Harwell will close.", &[&budget[..], &fill].concat());
    assert_eq!(filled, [long[1]]);
    let unknown = chosen(&document, "A pool.", &["--extract-rule", "best"]);
    assert!(unknown.stderr.contains("authors, fill"), "{}", unknown.stderr);
}

#[test]
fn bertscore_finds_the_sentence_that_is_the_summary() {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", "The council met on Monday.");
    let tiny = tiny();
    let extract = place.run([
        "extract",
        "document.txt",
        "summary.txt",
        "--format",
        "json",
        "-q",
        "--model",
        &tiny,
        "--method",
        "bertscore",
        "--budget",
        "8",
    ]);
    assert_eq!(
        texts(&extract.json()),
        ["The council met on Monday."],
        "identical tokens are the most similar ones in any encoder"
    );
    let other = place.run([
        "extract",
        "document.txt",
        "summary.txt",
        "-q",
        "--model",
        &tiny,
        "--method",
        "bertscore",
        "--bertscore-layer",
        "99",
    ]);
    assert!(other.error().contains("layer 99"));
}

#[test]
fn tokens_are_counted_by_the_tokenizer_that_is_set() {
    let place = Place::new();
    let lead =
        |more: &[&str]| texts(&extract(&place, &[&["--method", "lead", "--budget", "14"], more].concat()));
    // 14 tokens are two sentences for the tiny model's tokenizer and one for the bundled model's.
    let counter = repository("models/weights/mini");
    let (ours, theirs) = (lead(&[]), lead(&["--budget-tokenizer", counter.to_str().unwrap()]));
    assert_eq!((ours.len(), theirs.len()), (2, 1), "{ours:?} {theirs:?}");
    let tiny = tiny();
    let nowhere =
        ["extract", "document.txt", "summary.txt", "--model", &tiny, "--budget-tokenizer", "nowhere"];
    assert!(place.run(nowhere).error().contains("--budget-tokenizer nowhere"));
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

#[test]
fn an_empty_extract_is_an_error() {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    let tiny = tiny();
    let error =
        place.run(["extract", "document.txt", "summary.txt", "--budget", "2", "--model", &tiny]).error();
    assert!(error.contains("budget of 2 tokens") && error.contains("raise --budget"), "{error}");
}
