//! The setting `extract` and `veridic extract`: budgets, order, and evidence with spans of the whole document.
use crate::common::{Place, assert_evidence, list, number, repository, slice, tiny};
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
    assert!(error.contains("budget of 8 tokens") && error.contains("by `--extract-rule fill`"), "{error}");
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

/// A document of so many sentences, one of them about the summary.
fn long(sentences: usize) -> String {
    let others = (1..sentences).map(|number| format!("Train {number} was late again."));
    others.chain(["The pool in Harwell will close.".to_owned()]).collect::<Vec<_>>().join(" ")
}

/// Documents above 200 sentences were extracted unless that was off.
#[test]
fn long_documents_are_read_whole_unless_an_extract_is_set() {
    let place = Place::new();
    let score = |document: &str, more: &[&str]| place.score_tiny(document, SUMMARY, more).json();
    for more in [&[][..], &["--set", "extract=off"], &["--profile", "paper"]] {
        let whole = score(&long(201), &[more, &["--set", "levels=sentence"]].concat());
        assert_eq!((&whole["ledger"]["extract"], &whole["ledger"]["sentences"]), (&Value::Null, &json!(201)));
    }
    let extract = ["--set", "extract=rouge-1", "--set", "extract_rule=fill"];
    let some = score(&long(201), &extract);
    assert_eq!(
        (&some["ledger"]["extract"]["sentences"], &some["ledger"]["extract"]["rule"]),
        (&json!(201), &json!("fill"))
    );
    assert!(number(&some["ledger"]["sentences"]) < 200.0, "{}", some["ledger"]);
    assert_evidence(&some["claims"][0]["evidence"], &long(201));
    let sentences: Vec<String> = (0..201).map(|number| format!("Train {number} was late.")).collect();
    let row = json!({"document": sentences.join(" "), "summary": SUMMARY, "document_sentences": sentences});
    place.write("rows.jsonl", row.to_string());
    let tiny = tiny();
    place
        .run(["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--model", &tiny, "--set", "levels=sentence"])
        .ok();
    let result: Value = serde_json::from_str(&place.read("out.jsonl")).unwrap();
    assert_eq!((&result["ledger"]["extract"], &result["ledger"]["sentences"]), (&Value::Null, &json!(201)));
}

#[test]
fn evidence_has_spans_of_the_whole_document() {
    let place = Place::new();
    let more =
        ["--set", "extract=rouge-1+2", "--set", "budget=16", "--claims", "sentence", "--set", "epsilon=0"];
    let result = place.score_tiny(DOCUMENT, SUMMARY, &more).json();
    assert_eq!(result["ledger"]["sentences"], 2);
    assert_eq!(
        result["ledger"]["extract"],
        json!({"method": "rouge-1+2", "budget": 16, "rule": "authors", "sentences": 7})
    );
    for claim in list(&result["claims"]) {
        assert_evidence(&claim["evidence"], DOCUMENT);
    }
    let alone = place
        .score_tiny("The pool in Harwell will close. Its beams are rusty and old.", SUMMARY, &more[4..])
        .json();
    assert_eq!(
        number(&result["score"]),
        number(&alone["score"]),
        "the extract is judged as a document of its own"
    );
    let whole = place.score_tiny(DOCUMENT, SUMMARY, &["--set", "extract=lead", "--set", "epsilon=0"]).json();
    assert_eq!(whole["score"], place.score_tiny(DOCUMENT, SUMMARY, &["--set", "epsilon=0"]).json()["score"]);
}

#[test]
fn sentences_that_meet_in_an_extract_stay_separate() {
    // Lines without full stops: side by side in an extract, a splitter would join them.
    let lines =
        ["The pool in Harwell will close", "it rained all night", "its beams are rusty", "nobody came"];
    let document = lines.join("\n\n");
    let place = Place::new();
    let more =
        ["--set", "extract=rouge-1", "--set", "budget=12", "--claims", "sentence", "--set", "epsilon=0"];
    let at = |levels: &str| {
        place.score_tiny(&document, SUMMARY, &[&more[..], &["--set", &format!("levels={levels}")]].concat())
    };
    let result = at("sentence").json();
    assert_eq!((&result["ledger"]["sentences"], &result["ledger"]["premises"]), (&json!(2), &json!(4)));
    for claim in list(&result["claims"]) {
        let text = claim["evidence"]["text"].as_str().unwrap();
        assert!(text == lines[0] || text == lines[2], "{text}");
    }
    let evidence = &at("document").json()["claims"][0]["evidence"];
    assert_eq!(evidence["text"], "The pool in Harwell will close [...] its beams are rusty");
    assert_eq!((&evidence["span"], &evidence["spans"]), (&json!([0, 72]), &json!([[0, 30], [53, 72]])));
    let text =
        place.run([&["score", "document.txt", "summary.txt", "--model", &tiny()][..], &more].concat()).ok();
    assert!(text.contains("\nread 2 of 4 sentences (rouge-1, 12 tokens)\n"), "{text}");
}

#[test]
fn an_empty_extract_is_an_error() {
    let place = Place::new();
    for error in
        [place.score_tiny(DOCUMENT, SUMMARY, &["--set", "extract=lead", "--set", "budget=2"]).error(), {
            let tiny = tiny();
            place.run(["extract", "document.txt", "summary.txt", "--budget", "2", "--model", &tiny]).error()
        }]
    {
        assert!(
            error.contains("budget of 2 tokens")
                && (error.contains("`--set budget`") || error.contains("`--budget`")),
            "{error}"
        );
    }
    assert!(
        place.score_tiny(DOCUMENT, SUMMARY, &["--set", "extract=first"]).stderr.contains("known are lead")
    );
    let row = json!({"document": DOCUMENT, "summary": SUMMARY, "document_sentences": [DOCUMENT]});
    place.write("rows.jsonl", row.to_string());
    let tiny = tiny();
    place.run(["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--model", &tiny, "--set", "extract=lead"]);
    assert!(place.read("out.jsonl").contains("from which `extract` cannot choose"));
}
