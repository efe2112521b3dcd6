//! Entities in three steps: extraction, self-verification, and finding the phrases of the text that support each; an entity
//! without such a phrase is dropped (section 3.1).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::entity::Entity;
use super::note::Note;
use crate::llm::literal::{items, member, texts};
use crate::llm::wording::numbered_lines;
use crate::llm::{LanguageModel, NoAnswer, Parsed, Request, Step, Unparsable};
use crate::metrics::row::has_words;
use veridic::schedule::OnEvent;
use veridic::text::TextIndex;
use veridic::{Error, Result, Span};

/// An entity and the phrases that support it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sourced {
    text: String,
    sources: Vec<String>,
}

/// The entities of texts, as a language model gives them.
pub(super) struct AskedEntities {
    known: BTreeMap<String, Result<Vec<Sourced>>>,
}

impl AskedEntities {
    /// Asks the entities of the sections of these texts.
    pub(super) fn ask<'t>(
        model: &LanguageModel,
        texts: impl Iterator<Item = &'t str>,
        on_event: &OnEvent<'_>,
    ) -> Self {
        let mut bodies: BTreeSet<&str> = BTreeSet::new();
        for text in texts {
            bodies.extend(Note::of(text).bodies().map(|body| body.text).filter(|body| has_words(body)));
        }
        let bodies: Vec<&str> = bodies.into_iter().collect();
        let requests: Vec<Request> =
            bodies.iter().map(|body| model.request(Step::SumAutoEvalEntities, &[("text", body)])).collect();
        let extracted = model.ask(&requests, on_event, |_, text| phrases(text));
        let asked = Asked { model, bodies: &bodies, on_event };
        let verified = asked.next(Step::SumAutoEvalVerified, extracted, |_, text| phrases(text));
        let sourced = asked.next(Step::SumAutoEvalSources, verified, sources);
        Self { known: bodies.into_iter().map(str::to_owned).zip(sourced).collect() }
    }

    /// The entities of a note whose text was asked about.
    pub(super) fn entities(&self, note: &Note<'_>) -> Result<Vec<Entity>> {
        let mut all = Vec::new();
        for (section, body) in note.bodies().enumerate().filter(|(_, body)| has_words(body.text)) {
            let found = match self.known.get(body.text) {
                Some(Ok(found)) => found,
                // The error is that of every row with the text.
                Some(Err(error)) => {
                    return Err(NoAnswer::of(error).map_or(Error::Stopped, |answer| answer.clone().into()));
                }
                None => return Err(Error::Stopped),
            };
            let index = TextIndex::new(body.text);
            for Sourced { text, sources } in found {
                let spans = sources.iter().filter_map(|source| span_of(&index, source));
                let moved = |span: Span| Span { start: span.start + body.start, end: span.end + body.start };
                let spans: Vec<Span> = spans.map(moved).collect();
                if !spans.is_empty() {
                    all.push(Entity { text: text.clone(), spans, section });
                }
            }
        }
        Ok(all)
    }
}

/// Texts that are asked about in several steps.
struct Asked<'a> {
    model: &'a LanguageModel,
    bodies: &'a [&'a str],
    on_event: &'a OnEvent<'a>,
}

impl Asked<'_> {
    /// Asks the next step about the texts whose entities are known; the others keep their errors.
    fn next<T>(
        &self,
        step: Step,
        known: Vec<Result<Vec<String>>>,
        parse: impl Fn(&[String], &str) -> Parsed<T>,
    ) -> Vec<Result<T>> {
        let mut requests = Vec::with_capacity(known.len());
        for (body, entities) in self.bodies.iter().zip(&known) {
            let request = entities.as_ref().map(|entities| {
                let lines = numbered_lines(entities.iter().map(String::as_str));
                self.model.request(step, &[("text", body), ("entities", &lines)])
            });
            requests.push(request.into_iter().collect());
        }
        let answers = self.model.ask_rows(&requests, self.on_event, |body, _, text| {
            parse(known[body].as_deref().unwrap_or_default(), text)
        });
        let mut results = Vec::with_capacity(known.len());
        for (before, answers) in known.into_iter().zip(answers) {
            results.push(before.and(answers).and_then(|mut answers| answers.pop().ok_or(Error::Stopped)));
        }
        results
    }
}

/// The phrases in a reply.
fn phrases(text: &str) -> Parsed<Vec<String>> {
    texts(text, "entities", "entity")
}

/// Parses the entities with their sources. Without numbers they are matched by order.
fn sources(entities: &[String], text: &str) -> Parsed<Vec<Sourced>> {
    let items = items(text, "entities", "line")?;
    if items.len() != entities.len() {
        let (found, asked) = (items.len(), entities.len());
        return Err(Unparsable(format!("it has the sources of {found} entities, not of {asked}")));
    }
    let number = |item: &Value| usize::try_from(member(item, "entity")?.as_u64()?.checked_sub(1)?).ok();
    let mut numbers: Vec<usize> = items.iter().filter_map(number).collect();
    let mut items: Vec<&Value> = items.iter().collect();
    numbers.sort_unstable();
    if numbers.into_iter().eq(0..entities.len()) {
        items.sort_by_key(|item| number(item));
    }
    let mut sourced = Vec::with_capacity(entities.len());
    for (text, item) in entities.iter().zip(items) {
        let sources = match member(item, "sources").or_else(|| member(item, "source")) {
            Some(Value::String(source)) => vec![source.clone()],
            Some(Value::Array(sources)) => {
                sources.iter().filter_map(|source| source.as_str().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        };
        sourced.push(Sourced { text: text.clone(), sources });
    }
    Ok(sourced)
}

/// Finds the source in the text letter by letter, ignoring quotes and dots around it.
fn span_of(text: &TextIndex<'_>, source: &str) -> Option<Span> {
    let bare = source.trim().trim_matches(['"', '“', '”', '.', '…']).trim();
    let wanted =
        [source.trim(), bare].into_iter().find(|wanted| has_words(wanted) && text.text().contains(wanted))?;
    let start = text.text().find(wanted)?;
    Some(Span { start: text.character(start), end: text.character(start + wanted.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_spans_of_the_text() {
        let index = TextIndex::new("Fieber é seit Montag.");
        assert_eq!(span_of(&index, "\"seit Montag\""), Some(Span { start: 9, end: 20 }));
        assert_eq!(span_of(&index, "seit Dienstag"), None);
        assert_eq!(span_of(&index, "..."), None);
    }

    #[test]
    fn entities_without_a_source_are_dropped() {
        let note = Note::of("# Plan\nRest. X-ray on Monday.");
        let body = note.bodies().map(|body| body.text).collect::<Vec<_>>();
        let entities = vec!["Rest".to_owned(), "Aspirin".to_owned()];
        let reply =
            r#"{"entities": [{"entity": 1, "sources": ["Rest"]}, {"entity": 2, "sources": ["Aspirin"]}]}"#;
        let sourced = sources(&entities, reply).unwrap();
        let known = body.iter().map(|body| ((*body).to_owned(), Ok(sourced.clone()))).collect();
        let found = AskedEntities { known }.entities(&note).unwrap();
        let texts: Vec<&str> = found.iter().map(|entity| entity.text.as_str()).collect();
        assert_eq!(texts, ["Rest"]);
        assert_eq!(note.index.slice(found[0].spans[0]), "Rest");
        let reply = r#"{"entities": [{"entity": 2, "sources": ["a"]}, {"entity": 1, "sources": ["Rest"]}]}"#;
        assert_eq!(sources(&entities, reply).unwrap()[0].sources, ["Rest"]);
        assert!(sources(&entities, "{\"entities\": []}").unwrap_err().0.contains("of 0 entities, not of 2"));
    }
}
