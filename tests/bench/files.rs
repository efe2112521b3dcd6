//! Small files in the formats of the benchmarks, scores for their texts, and a check of SVG.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::common::runs::{Random, json_lines, table};
use crate::common::{self, Output, Place, list};

pub const DOCUMENTS: [&str; 5] = [
    "The cat sat on the mat. The \"old\" bridge was closed,\nsaid the mayor.",
    "The mayor was late. Rain left the city early.",
    "Gordon Brown spoke to reporters in London on Monday. He resigned the same evening.",
    "A dog sat by the river. The boat was open.",
    "The rain was early. The bridge was old.",
];
pub const SUMMARIES: [&str; 4] = [
    "The cat sat.",
    "No boat left early and the cat was late.",
    "Gordon Brown resigned.",
    "The bridge was open.",
];
pub const COLUMNS: [&str; 8] = ["dataset", "origin", "id", "doc", "summary", "model_name", "label", "cut"];

/// Two models of each category of AggreFact.
pub const CATEGORIES: [(&str, [&str; 2]); 3] = [
    ("SOTA", ["BART", "PegasusDynamic"]),
    ("XFORMER", ["BertSum", "TranS2S"]),
    ("OLD", ["PtGen", "missing"]),
];

/// The folder of a complete untrained model of one layer and 63 tokens.
pub fn tiny() -> &'static str {
    static FOLDER: LazyLock<String> = LazyLock::new(common::tiny);
    &FOLDER
}

/// A benchmark with its files and the number of texts to score.
pub struct Named {
    pub name: &'static str,
    pub files: Vec<(&'static str, String)>,
    pub texts: usize,
}

impl Named {
    /// Writes the files and runs the benchmark.
    pub fn bench(&self, place: &Place, more: &[&str]) -> Output {
        for (name, content) in &self.files {
            place.write(name, content);
        }
        let files: Vec<&str> = self.files.iter().map(|(name, _)| *name).collect();
        place.run([&[self.name, "--data"], &files[..], more].concat())
    }

    pub fn bench_tiny(&self, place: &Place, more: &[&str]) -> Output {
        self.bench(place, &[&["--model", tiny()], more].concat())
    }

    /// The benchmark's figures for the scores of `scores`, as JSON.
    #[track_caller]
    pub fn figures(&self, place: &Place, more: &[&str]) -> Value {
        write_scores(place, &scores(self.texts));
        self.bench(place, &[&["--scores", "scores.txt", "--format", "json"], more].concat()).json()
    }
}

/// Scores in multiples of 1/64, so that ties occur and nothing is rounded.
pub fn scores(texts: usize) -> Vec<f64> {
    let random = &mut Random(7);
    (0..texts).map(|_| random.below(65) as f64 / 64.0).collect()
}

pub fn write_scores(place: &Place, scores: &[f64]) {
    let lines: String = scores.iter().map(|score| format!("{score}\n")).collect();
    place.write("scores.txt", lines);
}

/// A row of AggreFact without its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub dataset: &'static str,
    pub origin: &'static str,
    pub model: &'static str,
    pub label: bool,
    pub cut: &'static str,
}

/// Rows of both origins and all categories, of two datasets each, with both labels in every cut.
pub fn aggrefact_rows() -> Vec<Row> {
    let (random, mut rows) = (&mut Random(5), Vec::new());
    for (origin, datasets) in [("cnndm", ["FRANK", "SummEval"]), ("xsum", ["Cao22", "XSumFaith"])] {
        for (_, models) in CATEGORIES {
            for (dataset, cut, count) in [(0, "val", 6), (0, "test", 7), (1, "val", 5), (1, "test", 11)]
                .map(|(n, c, k)| (datasets[n], c, k))
            {
                rows.extend((0..count).map(|number| {
                    let label = number % 3 > 0;
                    Row { dataset, origin, model: models[random.below(2)], label, cut }
                }));
            }
        }
    }
    rows
}

pub fn aggrefact_csv(rows: &[Row]) -> String {
    let cells = |(number, row): (usize, &Row)| {
        let document = number / 4 % DOCUMENTS.len();
        let [id, summary] = [format!("d{document}"), SUMMARIES[number % 4].to_owned()];
        let label = u8::from(row.label).to_string();
        let [dataset, origin, model, cut] = [row.dataset, row.origin, row.model, row.cut].map(str::to_owned);
        vec![dataset, origin, id, DOCUMENTS[document].to_owned(), summary, model, label, cut]
    };
    let cells: Vec<Vec<String>> = rows.iter().enumerate().map(cells).collect();
    table(&COLUMNS, &cells, ',', "\n")
}

pub fn aggrefact(rows: &[Row]) -> Named {
    Named { name: "aggrefact", files: vec![("aggre_fact_final.csv", aggrefact_csv(rows))], texts: rows.len() }
}

/// `rows` claims of each of two datasets, about five documents.
pub fn llm_aggrefact_rows(rows: usize) -> Vec<Value> {
    let row = |number: usize| {
        json!({"dataset": (["Wice", "ExpertQA"][number % 2]), "doc": DOCUMENTS[number / 4 % 5],
               "claim": SUMMARIES[number % 4], "label": u8::from(!(number / 2).is_multiple_of(3))})
    };
    (0..2 * rows).map(row).collect()
}

pub fn llm_aggrefact() -> Named {
    let files = vec![
        ("dev.jsonl", json_lines(&llm_aggrefact_rows(8))),
        ("test.jsonl", json_lines(&llm_aggrefact_rows(12))),
    ];
    Named { name: "llm-aggrefact", files, texts: 40 }
}

/// Summaries of one to `sentences` sentences, each with three votes.
pub fn qags_rows(rows: usize, sentences: usize) -> Vec<Value> {
    let random = &mut Random(rows as u64);
    let mut sentence = |number: usize| {
        let response = |worker| json!({"worker_id": worker, "response": (["no", "yes"][random.below(2)])});
        json!({"sentence": SUMMARIES[number % 4], "responses": ([0, 1, 2].map(response))})
    };
    let mut row = |number: usize| {
        let sentences: Vec<Value> = (0..=number % sentences).map(|place| sentence(number + place)).collect();
        json!({"article": DOCUMENTS[number % 5], "summary_sentences": sentences})
    };
    (0..rows).map(&mut row).collect()
}

pub fn qags() -> Named {
    let (cnndm, xsum) = (qags_rows(9, 3), qags_rows(8, 1));
    let sentences =
        |rows: &[Value]| rows.iter().map(|row| list(&row["summary_sentences"]).len() + 1).sum::<usize>();
    let texts = sentences(&cnndm) + sentences(&xsum);
    let files = vec![("mturk_cnndm.jsonl", json_lines(&cnndm)), ("mturk_xsum.jsonl", json_lines(&xsum))];
    Named { name: "qags", files, texts }
}

/// Four edited summaries of each document.
pub fn summedits_rows(domain: &str, documents: usize) -> Vec<Value> {
    let row = |number: usize| {
        let label = u8::from(number % 5 < 2);
        let edits: &[&str] = if label == 1 { &[] } else { &["antonym_swap", "negation_insertion_removal"] };
        json!({"id": format!("{domain}_{number}"), "doc": DOCUMENTS[number / 4], "summary": SUMMARIES[number % 4],
               "label": label, "original_summary": SUMMARIES[0], "edit_types": edits[..edits.len() * (number % 2 + 1) / 2]})
    };
    (0..4 * documents).map(row).collect()
}

pub fn summedits() -> Named {
    let rows = |domain, documents| Value::from(summedits_rows(domain, documents)).to_string();
    let files =
        vec![("summedits_news.json", rows("news", 5)), ("summedits_sales_call.json", rows("sales_call", 4))];
    Named { name: "summedits", files, texts: 36 }
}

/// Labelled rows for `bench jsonl`, with a dataset and a split.
pub fn labelled_rows() -> Vec<Value> {
    let row = |number: usize| {
        json!({"id": format!("r{number}"), "document": DOCUMENTS[number / 4 % 5], "summary": SUMMARIES[number % 4],
               "label": u8::from(number * 5 % 7 < 3), "source": (["a", "b"][number / 4 % 2]),
               "part": (["dev", "test"][number / 8 % 2])})
    };
    (0..40).map(row).collect()
}

pub fn labelled() -> Named {
    Named { name: "jsonl", files: vec![("rows.jsonl", json_lines(&labelled_rows()))], texts: 40 }
}

pub fn all() -> [Named; 5] {
    [aggrefact(&aggrefact_rows()), llm_aggrefact(), qags(), summedits(), labelled()]
}

/// The text is an element svg, every element is closed in order, and `&` and `<` are escaped.
#[track_caller]
pub fn assert_svg(text: &str) {
    assert!(text.starts_with("<svg "), "begins with {:?}", text.chars().take(60).collect::<String>());
    let mut open: Vec<&str> = Vec::new();
    for piece in text.trim_end().split('<').skip(1) {
        let (tag, between) = piece.split_once('>').unwrap_or_else(|| panic!("no end: <{piece}"));
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            (false, false) => open.push(name),
            (false, true) => (),
        }
        let entities = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"];
        let mut after = [tag, between].into_iter().flat_map(|part| part.split('&').skip(1));
        assert!(after.all(|rest| entities.iter().any(|entity| rest.starts_with(entity))), "<{piece}");
        assert!(!open.is_empty() || between.is_empty(), "after the end: {between}");
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

/// Fails unless the text has all of these words, which are separated by bars.
#[track_caller]
pub fn assert_words(text: &str, words: &str) {
    words.split('|').for_each(|word| assert!(text.contains(word), "{word}: {text}"));
}
