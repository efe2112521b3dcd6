//! Short names that the document uses for an organisation: an acronym that it introduces, and a company's name without
//! its legal form. Refuses a short form that may be a place, a person, an everyday word or another organisation.

use std::collections::{HashMap, HashSet};

use super::acronyms::Definition;
use super::first_names::first_name;
use super::kinds::{Kind, Name};
use super::organisations::is_legal_form;
use super::places::{is_people, is_place};
use super::tokens::Document;
use super::words::is_common_word;

/// The long form of each short form, both in lower case.
pub(super) fn aliases(
    document: &Document,
    names: &[Name],
    definitions: &[Definition],
) -> HashMap<String, String> {
    let mut found: HashMap<String, Option<String>> = HashMap::new();
    let mut add = |short: String, long: String| {
        let known = found.entry(short).or_insert_with(|| Some(long.clone()));
        if known.as_ref() != Some(&long) {
            *known = None;
        }
    };
    for definition in definitions {
        add(document.tokens[definition.short].lower.clone(), document.lower(&definition.long));
    }
    let firsts = first_words(document, names);
    let small: HashSet<&str> =
        document.tokens.iter().filter(|token| token.is_small()).map(|token| token.lower.as_str()).collect();
    for name in names.iter().filter(|name| name.kind == Kind::Organisation && name.tokens.len() > 1) {
        let last = &document.tokens[name.tokens.end - 1].lower;
        if !is_legal_form(last) {
            continue;
        }
        let long = document.lower(&name.tokens);
        let first = document.tokens[name.tokens.start].lower.as_str();
        let is_own = firsts.get(first).is_some_and(Option::is_some)
            && !small.contains(first)
            && !(is_place(first) || is_people(first) || is_common_word(first) || first_name(first).is_some());
        if name.tokens.len() > 2 {
            add(document.lower(&(name.tokens.start..name.tokens.end - 1)), long.clone());
        }
        if is_own {
            add(first.to_owned(), long);
        }
    }
    found.into_iter().filter_map(|(short, long)| Some((short, long?))).collect()
}

/// The first word of each longer name, with the name if there is only one.
fn first_words<'d>(document: &'d Document, names: &[Name]) -> HashMap<&'d str, Option<String>> {
    let mut found: HashMap<&str, Option<String>> = HashMap::new();
    for name in names.iter().filter(|name| name.tokens.len() > 1) {
        let end = name.tokens.end - usize::from(is_legal_form(&document.tokens[name.tokens.end - 1].lower));
        let text = document.lower(&(name.tokens.start..end));
        let known = found
            .entry(document.tokens[name.tokens.start].lower.as_str())
            .or_insert_with(|| Some(text.clone()));
        if known.as_ref() != Some(&text) {
            *known = None;
        }
    }
    found
}
