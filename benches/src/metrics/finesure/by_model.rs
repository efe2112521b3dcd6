//! FineSurE as published: a language model names the category of each sentence (figure 3), extracts key facts from a text
//! (figure 5), and says which lines contain each key fact (figure 4). A reply counts as a success if it has as many labels
//! as there are sentences or key facts (section 4.2).

use serde_json::Value;

use super::alignment::{Alignment, Edge};
use super::error_type::ErrorType;
use super::key_facts::{self, KeyFactsFrom, MAX_KEY_FACTS, NEEDING};
use crate::llm::literal::{items, member, texts};
use crate::llm::wording::{numbered_lines, one_line};
use crate::llm::{LanguageModel, Parsed, Request, Step, Unparsable};
use crate::metrics::row::{Row, Rows};
use veridic::Result;
use veridic::schedule::OnEvent;

/// The model's judgement of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) category: Category,
    pub(super) reason: String,
}

/// The category of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    NoError,
    Error(ErrorType),
}

/// The categories with an error, by the letters that their names in figure 3 begin with.
const CATEGORIES: [(&str, ErrorType); 8] = [
    ("outofcontext", ErrorType::OutOfContext),
    ("entit", ErrorType::Entity),
    ("predicat", ErrorType::Predicate),
    ("circumstan", ErrorType::Circumstantial),
    ("gramma", ErrorType::Grammatical),
    ("corefer", ErrorType::Coreference),
    ("link", ErrorType::Linking),
    ("other", ErrorType::Other),
];

/// The maximum number of lines in a range of line numbers.
const MAX_RANGE: usize = 1000;

/// The beginnings of the category without an error.
const NO_ERROR: [&str; 3] = ["noerror", "none", "correct"];

/// Returns the judgements of each row's sentences that have words.
pub(super) fn judge(
    model: &LanguageModel,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Judged>>> {
    let sentences = rows.each(|row| Ok(lines(row)));
    let requests = rows.each_with(&sentences, |row, sentences| {
        Ok(facts_request(model, row.texts.pair.document, sentences).into_iter().collect())
    });
    let answers = model.ask_rows(&requests, on_event, |row, _, text| categories(text, sentences[row].len()));
    answers.into_iter().map(|answers| Ok(answers?.concat())).collect()
}

/// The source of a row's key facts.
enum Source<'t> {
    Known(Vec<String>),
    /// The model extracts them from this text.
    Asked(&'t str),
}

/// Returns the key facts of each row, unless it lacks them and may: the row's own, or those that the model extracts from its
/// reference or document.
pub(super) fn key_facts(
    model: &LanguageModel,
    from: KeyFactsFrom,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) -> Vec<Option<Vec<String>>> {
    let sources = rows.each(|row| {
        let source = match from {
            KeyFactsFrom::Row => key_facts::of_row(row).map(Source::Known),
            KeyFactsFrom::Reference => key_facts::reference(row).map(Source::Asked),
            KeyFactsFrom::Document => Ok(Source::Asked(row.texts.pair.document)),
        };
        row.or_leave_out(&NEEDING, source)
    });
    let request = |source: &Option<Source<'_>>| match source {
        Some(Source::Asked(text)) => vec![model.request(Step::FineSureKeyFacts, &[("text", text)])],
        _ => Vec::new(),
    };
    let requests: Vec<Vec<Request>> = sources.iter().map(request).collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| facts_of(text));
    rows.each_with(answers.into_iter().zip(sources), |row, (answers, source)| match source {
        Some(Source::Asked(_)) => row.or_leave_out(&NEEDING, answers.map(|facts| facts.concat())),
        Some(Source::Known(facts)) => Ok(Some(facts)),
        None => Ok(None),
    })
}

/// The alignment of each row that has key facts; `key_facts` are those of these rows.
pub(super) fn align(
    model: &LanguageModel,
    rows: &mut Rows<'_>,
    key_facts: Vec<Option<Vec<String>>>,
    on_event: &OnEvent<'_>,
) -> Vec<Option<Alignment>> {
    let requests = rows.each_with(&key_facts, |row, facts| {
        Ok(facts.iter().map(|facts| alignment_request(model, &lines(row), facts)).collect())
    });
    let places = rows.each(|row| Ok(row.unit_places()));
    let answers = model.ask_rows(&requests, on_event, |row, _, text| {
        edges(text, key_facts[row].as_ref().map_or(0, Vec::len), &places[row])
    });
    rows.each_with(answers.into_iter().zip(key_facts), |_, (answers, key_facts)| {
        let Some(key_facts) = key_facts else { return Ok(None) };
        Ok(Some(Alignment { key_facts, edges: answers?.concat() }))
    })
}

/// Returns the summary's sentences, one per line.
fn lines(row: &Row<'_>) -> Vec<String> {
    row.summary_units().into_iter().map(one_line).collect()
}

/// Returns the request about the sentences; `None` for a summary without sentences.
fn facts_request(model: &LanguageModel, document: &str, sentences: &[String]) -> Option<Request> {
    let (count, lines) = (sentences.len().to_string(), sentences.join("\n"));
    let fields = [("document", document), ("sentences", lines.as_str()), ("count", count.as_str())];
    (!sentences.is_empty()).then(|| model.request(Step::FineSureFacts, &fields))
}

fn alignment_request(model: &LanguageModel, sentences: &[String], facts: &[String]) -> Request {
    let sentences = numbered_lines(sentences.iter().map(String::as_str));
    let count = facts.len().to_string();
    let facts = facts.iter().map(|fact| one_line(fact)).collect::<Vec<_>>().join("\n");
    let fields = [("sentences", sentences.as_str()), ("key_facts", &facts), ("count", &count)];
    model.request(Step::FineSureAlignment, &fields)
}

/// Parses the judgements of `count` sentences. If the list is damaged, uses the text after each word "category".
fn categories(text: &str, count: usize) -> Parsed<Vec<Judged>> {
    let mut found: Vec<Judged> =
        items(text, "sentences", "category").unwrap_or_default().iter().filter_map(of_item).collect();
    if found.len() != count {
        let mentioned: Vec<Judged> = text.split("category").skip(1).filter_map(of_mention).collect();
        if mentioned.len() == count {
            found = mentioned;
        }
    }
    if found.len() == count {
        return Ok(found);
    }
    Err(Unparsable(format!("it has {} categories for {count} sentences", found.len())))
}

fn of_item(item: &Value) -> Option<Judged> {
    let category = category(member(item, "category")?.as_str()?)?;
    let reason = member(item, "reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Judged { category, reason })
}

/// Returns the category that a text names. Any other kind of error is `Other`.
fn category(text: &str) -> Option<Category> {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if NO_ERROR.iter().any(|name| letters.starts_with(name)) {
        return Some(Category::NoError);
    }
    let named = CATEGORIES.into_iter().filter_map(|(name, error)| Some((letters.find(name)?, error)));
    let first = named.min_by_key(|(at, _)| *at).map(|(_, error)| error);
    first.or(letters.contains("error").then_some(ErrorType::Other)).map(Category::Error)
}

/// The category in the line after the word "category".
fn of_mention(text: &str) -> Option<Judged> {
    let line = text.trim_start_matches(|c: char| !c.is_alphanumeric()).lines().next()?;
    let quoted = line.split(['"', '\'', '}']).next()?;
    Some(Judged { category: category(quoted)?, reason: String::new() })
}

/// The key facts in a reply.
fn facts_of(text: &str) -> Parsed<Vec<String>> {
    let mut facts = texts(text, "key facts", "key fact")?;
    facts.truncate(MAX_KEY_FACTS);
    if facts.is_empty() { Err(Unparsable("its list of key facts is empty".into())) } else { Ok(facts) }
}

/// Parses the edges of `facts` key facts; `places` are the sentences that the prompt's lines stand for. Numbers of lines
/// that do not exist are ignored.
fn edges(text: &str, facts: usize, places: &[usize]) -> Parsed<Vec<Edge>> {
    let items = items(text, "key facts", "response").unwrap_or_default();
    let responses: Vec<Response> = items.iter().filter_map(response).collect();
    if responses.len() != facts {
        return Err(Unparsable(format!("it has {} responses for {facts} key facts", responses.len())));
    }
    let mut edges = Vec::new();
    for (key_fact, response) in responses.into_iter().enumerate().filter(|(_, it)| it.is_inferred) {
        let lines = response.lines.into_iter().filter_map(|line| places.get(line.checked_sub(1)?).copied());
        let mut sentences: Vec<usize> = lines.collect();
        sentences.sort_unstable();
        sentences.dedup();
        edges.push(Edge { key_fact, sentences, score: None });
    }
    Ok(edges)
}

/// Whether a key fact is inferred, and the numbers of its lines.
#[derive(Debug, PartialEq, Eq)]
struct Response {
    is_inferred: bool,
    lines: Vec<usize>,
}

/// Parses the response about a key fact.
fn response(item: &Value) -> Option<Response> {
    let is_inferred = match member(item, "response")? {
        Value::Bool(said) => *said,
        said => said.as_str()?.trim().to_lowercase().starts_with("yes"),
    };
    let names = ["line number", "line numbers", "lines", "line"];
    let lines = match names.into_iter().find_map(|name| member(item, name)) {
        Some(given) => line_numbers(given)?,
        None => Vec::new(),
    };
    Some(Response { is_inferred, lines })
}

/// Parses the numbers in a number, a text such as "1, 2" or "1-3", or a list of these. `None` for anything else.
fn line_numbers(value: &Value) -> Option<Vec<usize>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::Number(number) => Some(vec![number.as_u64()? as usize]),
        Value::Array(values) => {
            values.iter().map(line_numbers).collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        Value::String(text) => {
            let is_number = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
            let ranges = text.split([',', ';', ' ', '[', ']']).filter(|part| !part.is_empty());
            let mut numbers = Vec::new();
            for range in ranges.filter(is_number) {
                let (first, last) = range.split_once(['-', '–']).unwrap_or((range, range));
                let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
                numbers.extend(first..=last.min(first + MAX_RANGE));
            }
            let is_none = ["", "none", "n/a", "[]", "-"].contains(&text.trim().to_lowercase().as_str());
            (is_none || !numbers.is_empty()).then_some(numbers)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_read_as_models_write_them() {
        let list = r#"Here: [{"sentence": "A.", "reason": "It is said.", "category": "No Error"},
            {'sentence': 'B.', 'reason': 'It isn\'t.', 'category': 'Out-of-context error'},
            {"sentence": "C.", "reason": "", "category": "numeric error"}]"#;
        let read = |text, count| -> Vec<Category> {
            categories(text, count).unwrap().iter().map(|judged| judged.category).collect()
        };
        let [out_of_context, other, entity] =
            [ErrorType::OutOfContext, ErrorType::Other, ErrorType::Entity].map(Category::Error);
        assert_eq!(read(list, 3), [Category::NoError, out_of_context, other]);
        assert_eq!(categories(list, 3).unwrap()[1].reason, "It isn't.");
        // An inner quote damages the list.
        let damaged =
            r#"[{"sentence": "He said "no".", "category": "entity error"}, {"category": "no error"}]"#;
        assert_eq!(read(damaged, 2), [entity, Category::NoError]);
        let error = categories(list, 4).unwrap_err();
        assert_eq!(error.0, "it has 3 categories for 4 sentences");
        assert!(categories("I cannot help with that.", 1).is_err());
    }

    #[test]
    fn spellings_of_categories_are_one() {
        for text in ["no_error", "No error", "none", "NoError"] {
            assert_eq!(category(text), Some(Category::NoError), "{text}");
        }
        for (text, error) in [
            ("out of context error", ErrorType::OutOfContext),
            ("EntityError", ErrorType::Entity),
            ("Linkage error", ErrorType::Linking),
            ("entity error and no error", ErrorType::Entity),
            ("numeric error", ErrorType::Other),
        ] {
            assert_eq!(category(text), Some(Category::Error(error)), "{text}");
        }
        assert_eq!(category("unclear"), None);
    }

    #[test]
    fn line_numbers_are_read_as_models_write_them() {
        for (text, lines) in [
            (r#""1, 2""#, vec![1, 2]),
            (r#""[1, 2]""#, vec![1, 2]),
            (r#""1 and 2""#, vec![1, 2]),
            (r#"["1-3", 5]"#, vec![1, 2, 3, 5]),
            ("null", vec![]),
            (r#""none""#, vec![]),
        ] {
            let item = serde_json::json!({ "response": "Yes", "line": serde_json::from_str::<Value>(text).unwrap() });
            assert_eq!(response(&item), Some(Response { is_inferred: true, lines }), "{text}");
        }
        assert_eq!(response(&serde_json::json!({ "response": "Yes", "line number": "the first" })), None);
    }

    #[test]
    fn alignments_keep_the_lines_that_exist() {
        let text = r#"{"key facts": [{"key fact": "a", "response": "Yes", "line number": [2, "[1]", 2, 9]},
            {"key fact": "b", "response": "No", "line number": [1]}, {"key fact": "c", "response": "Yes", "line number": 3}]}"#;
        let found = edges(text, 3, &[0, 1, 2]).unwrap();
        let pairs: Vec<(usize, &[usize])> =
            found.iter().map(|edge| (edge.key_fact, &edge.sentences[..])).collect();
        assert_eq!(pairs, [(0, &[0, 1][..]), (2, &[2][..])]);
        // The second of four sentences has no words and was not sent as a line.
        let found = edges(text, 3, &[0, 2, 3]).unwrap();
        assert_eq!(found[0].sentences, [0, 2]);
        assert_eq!(edges(text, 2, &[0, 1, 2]).unwrap_err().0, "it has 3 responses for 2 key facts");
    }

    #[test]
    fn key_facts_are_at_most_sixteen() {
        let many: Vec<String> = (0..20).map(|n| format!("Fact {n}.")).collect();
        let text = serde_json::json!({ "key facts": many }).to_string();
        assert_eq!(facts_of(&text).unwrap(), many[..16]);
        assert!(facts_of("{\"key facts\": []}").is_err() && facts_of("none").is_err());
    }
}
