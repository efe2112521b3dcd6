//! Entities in three steps: extraction, self-verification, and finding the phrases of the text that support each; an entity
//! without such a phrase is dropped (section 3.1).

use std::collections::BTreeMap;

use serde_json::Value;

use super::items;
use crate::llm::literal::{member, texts};
use crate::llm::wording::numbered_lines;
use crate::llm::{LanguageModel, NoAnswer, Request, Step, Unparsable};
use crate::metrics::row::has_words;
use crate::metrics::sumautoeval::entities::{Entity, whole};
use crate::metrics::sumautoeval::note::Note;
use veridic::schedule::OnEvent;
use veridic::text::TextIndex;
use veridic::{Error, Result, Span};

/// An entity and the phrases that support it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sourced {
    text: String,
    sources: Vec<String>,
}

/// Why the entities of a text are unknown. Unlike an error it can be cloned, for every row with the text.
#[derive(Debug, Clone)]
enum Unknown {
    Stopped,
    Answer(NoAnswer),
}

impl From<Error> for Unknown {
    fn from(error: Error) -> Self {
        NoAnswer::of(&error).map_or(Self::Stopped, |answer| Self::Answer(answer.clone()))
    }
}

impl From<Unknown> for Error {
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Stopped => Self::Stopped,
            Unknown::Answer(answer) => answer.into(),
        }
    }
}

/// The entities of texts, as a language model gives them.
pub(in crate::metrics::sumautoeval) struct AskedEntities {
    known: BTreeMap<String, std::result::Result<Vec<Sourced>, Unknown>>,
}

impl AskedEntities {
    /// Asks the entities of the sections of these texts.
    pub(in crate::metrics::sumautoeval) fn ask<'t>(
        model: &LanguageModel,
        texts: impl Iterator<Item = &'t str>,
        on_event: &OnEvent<'_>,
    ) -> Self {
        let mut bodies: Vec<&str> = texts
            .flat_map(|text| Note::of(text).bodies().map(|body| body.text).collect::<Vec<_>>())
            .collect();
        bodies.retain(|body| has_words(body));
        bodies.sort_unstable();
        bodies.dedup();
        let extracted = round(
            model,
            bodies,
            on_event,
            |body| (model.request(Step::SumAutoEvalEntities, &[("text", body)]), ()),
            |(), text| phrases(text),
        );
        let verified =
            round_of_known(model, extracted, on_event, Step::SumAutoEvalVerified, |_, text| phrases(text));
        let sourced = round_of_known(model, verified, on_event, Step::SumAutoEvalSources, |known, text| {
            sources(known, text)
        });
        Self { known: sourced.into_iter().map(|(body, found)| (body.to_owned(), found)).collect() }
    }

    /// The entities of a note whose text was asked about; at least one.
    pub(in crate::metrics::sumautoeval) fn entities(&self, note: &Note<'_>) -> Result<Vec<Entity>> {
        let mut all = Vec::new();
        for (section, body) in note.bodies().enumerate().filter(|(_, body)| has_words(body.text)) {
            let found = self.known.get(body.text).cloned().unwrap_or(Err(Unknown::Stopped))?;
            let index = TextIndex::new(body.text);
            for Sourced { text, sources } in found {
                let spans: Vec<Span> = sources.iter().filter_map(|source| span_of(&index, source)).collect();
                let spans: Vec<Span> = spans
                    .into_iter()
                    .map(|span| Span { start: span.start + body.start, end: span.end + body.start })
                    .collect();
                if !spans.is_empty() {
                    all.push(Entity { text, spans, section });
                }
            }
        }
        Ok(if all.is_empty() { vec![whole(note)] } else { all })
    }
}

type Found<'t, T> = Vec<(&'t str, std::result::Result<T, Unknown>)>;

/// Asks one request about each text.
fn round<'t, C, T>(
    model: &LanguageModel,
    texts: Vec<&'t str>,
    on_event: &OnEvent<'_>,
    request: impl Fn(&'t str) -> (Request, C),
    parse: impl Fn(&C, &str) -> std::result::Result<T, Unparsable>,
) -> Found<'t, T> {
    let (requests, contexts): (Vec<Request>, Vec<C>) = texts.iter().map(|text| request(text)).unzip();
    let answers = model.ask(&requests, on_event, |place, text| parse(&contexts[place], text));
    texts.into_iter().zip(answers).map(|(text, answer)| (text, answer.map_err(Unknown::from))).collect()
}

/// Asks the next step about the texts whose entities are known; the others keep their errors.
fn round_of_known<'t, T>(
    model: &LanguageModel,
    found: Found<'t, Vec<String>>,
    on_event: &OnEvent<'_>,
    step: Step,
    parse: impl Fn(&Vec<String>, &str) -> std::result::Result<T, Unparsable>,
) -> Found<'t, T> {
    let known: BTreeMap<&str, Vec<String>> =
        found.iter().filter_map(|(text, found)| Some((*text, found.clone().ok()?))).collect();
    let request = |text: &'t str| {
        let entities = known[text].clone();
        let lines = numbered_lines(entities.iter().map(String::as_str));
        (model.request(step, &[("text", text), ("entities", lines.as_str())]), entities)
    };
    let mut answers = round(model, known.keys().copied().collect(), on_event, request, parse)
        .into_iter()
        .collect::<BTreeMap<_, _>>();
    let next = |(text, before): (&'t str, std::result::Result<Vec<String>, Unknown>)| {
        let after = before.and_then(|_| answers.remove(text).unwrap_or(Err(Unknown::Stopped)));
        (text, after)
    };
    found.into_iter().map(next).collect()
}

/// The phrases in a reply.
fn phrases(text: &str) -> std::result::Result<Vec<String>, Unparsable> {
    texts(text, "entities", "entity")
}

/// Parses the entities with their sources. Without numbers they are matched by order.
fn sources(entities: &[String], text: &str) -> std::result::Result<Vec<Sourced>, Unparsable> {
    let items = items(text, "entities")?;
    if items.len() != entities.len() {
        return Err(Unparsable(format!(
            "it has the sources of {} entities, not of {}",
            items.len(),
            entities.len()
        )));
    }
    let sourced = |(text, item): (&String, &Value)| {
        let found = member(item, "sources").or_else(|| member(item, "source"));
        let sources = match found {
            Some(Value::String(source)) => vec![source.clone()],
            Some(value) => value
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|source| source.as_str().map(str::to_owned))
                .collect(),
            None => Vec::new(),
        };
        Sourced { text: text.clone(), sources }
    };
    let number = |item: &Value| usize::try_from(member(item, "entity")?.as_u64()?.checked_sub(1)?).ok();
    let mut numbers: Vec<usize> = items.iter().filter_map(number).collect();
    let mut items: Vec<&Value> = items.iter().collect();
    numbers.sort_unstable();
    if numbers.into_iter().eq(0..entities.len()) {
        items.sort_by_key(|item| number(item));
    }
    Ok(entities.iter().zip(items).map(sourced).collect())
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
