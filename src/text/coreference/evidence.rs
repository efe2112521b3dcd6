//! The kinds of names, from the whole document.
//!
//! Decides the kind of a name from all its occurrences: "striker Zelenka" once makes every "Zelenka" a person, and "Mr
//! Zelenka" makes "Ondrej Zelenka" a person. A name with evidence for two kinds stays unknown.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::acronyms::Definition;
use super::gender::Gender;
use super::kinds::{self, Form, Kind, Name};
use super::names;
use super::tokens::Document;
use crate::text::token::TokenKind;
use crate::text::word_list::WordList;

/// East Asian surnames, which precede the given name.
static LEADING_SURNAMES: WordList = WordList::new(include_str!("words/leading_surnames.txt"));

/// The names of the document, with their kinds.
pub(super) fn names(document: &Document, definitions: &[Definition]) -> Vec<Name> {
    let runs = with_long_forms(document, names::names(document), definitions);
    let mut names: Vec<Name> = runs.into_iter().map(|run| kinds::read(document, run)).collect();
    share_kinds(document, &mut names);
    recognise_surnames(document, &mut names);
    recognise_things(document, &mut names);
    names
}

/// The runs, with long forms of acronyms in place of the runs they overlap.
fn with_long_forms(
    document: &Document,
    runs: Vec<Range<usize>>,
    definitions: &[Definition],
) -> Vec<Range<usize>> {
    let mut taken = vec![false; document.tokens.len()];
    let mut longs: Vec<Range<usize>> = Vec::new();
    for long in definitions.iter().map(|definition| definition.long.clone()) {
        if !taken[long.clone()].contains(&true) {
            taken[long.clone()].fill(true);
            longs.push(long);
        }
    }
    let mut found: Vec<Range<usize>> =
        runs.into_iter().filter(|run| !taken[run.clone()].contains(&true)).collect();
    found.append(&mut longs);
    found.sort_by_key(|run| run.start);
    found
}

/// Gives occurrences of unknown kind the kind of the other occurrences.
fn share_kinds(document: &Document, names: &mut [Name]) {
    let mut by_name: HashMap<String, (bool, bool, Gender)> = HashMap::new();
    for name in names.iter() {
        let entry = by_name.entry(document.lower(&name.core)).or_insert((false, false, Gender::Unknown));
        entry.0 |= name.kind == Kind::Person && name.form != Form::Regnal;
        entry.1 |= name.kind == Kind::Organisation;
        if name.form == Form::Plain {
            entry.2 = entry.2.or(name.gender);
        }
    }
    for name in names.iter_mut().filter(|name| name.kind == Kind::Unknown) {
        match by_name[&document.lower(&name.core)] {
            (true, false, gender) => {
                name.kind = Kind::Person;
                name.gender = gender;
            }
            (false, true, _) => name.kind = Kind::Organisation,
            _ => {}
        }
    }
}

fn is_titled(name: &Name) -> bool {
    name.kind == Kind::Person && name.form == Form::Titled
}

/// "Zelenka said": a name of unknown kind that speaks like a person.
fn speaks(document: &Document, name: &Name) -> bool {
    let says = document.after(name.core.end - 1);
    let definite = document.before(name.core.start).is_some_and(|before| before.is("the"));
    name.kind == Kind::Unknown
        && !definite
        && says.is_some_and(|next| matches!(next.lower.as_str(), "said" | "told" | "added" | "says"))
}

/// Makes a longer name of unknown kind a person's if its surname has a title or speaks elsewhere.
fn recognise_surnames(document: &Document, names: &mut [Name]) {
    let titled: HashSet<String> = names
        .iter()
        .filter(|name| name.core.len() == 1 && (is_titled(name) || speaks(document, name)))
        .map(|name| document.lower(&name.core))
        .collect();
    for name in
        names.iter_mut().filter(|name| name.kind == Kind::Unknown && (2..=4).contains(&name.core.len()))
    {
        let [first, last] = [name.core.start, name.core.end - 1].map(|place| &document.tokens[place]);
        let plain =
            document.tokens[name.core.clone()].iter().all(|word| !word.is_all_capitals() && word.is_word());
        let leads = titled.contains(&first.lower) && LEADING_SURNAMES.contains(first.lower.as_str());
        if plain && !kinds::begins_as_other(&first.lower) && (leads || titled.contains(&last.lower)) {
            name.kind = Kind::Person;
        }
    }
}

/// Makes every occurrence of an unknown name a thing's if one of them follows "the" or "in".
fn recognise_things(document: &Document, names: &mut [Name]) {
    let people = names.iter().filter(|name| name.kind == Kind::Person).flat_map(|name| name.core.clone());
    let people: HashSet<&str> = people.map(|place| document.tokens[place].lower.as_str()).collect();
    let is_unknown = |name: &Name| {
        name.kind == Kind::Unknown
            && !name.core.clone().any(|place| people.contains(document.tokens[place].lower.as_str()))
    };
    let follows_the_or_in = |name: &Name| {
        let before = document.before(name.tokens.start);
        let owns = document.after(name.tokens.end - 1).is_some_and(|next| next.kind == TokenKind::Clitic);
        before.is_some_and(|before| match before.lower.as_str() {
            "the" => true,
            "in" | "at" | "near" => !owns,
            _ => false,
        })
    };
    let things: HashSet<String> = names
        .iter()
        .filter(|name| is_unknown(name) && follows_the_or_in(name))
        .map(|name| document.lower(&name.core))
        .collect();
    for name in
        names.iter_mut().filter(|name| is_unknown(name) && things.contains(&document.lower(&name.core)))
    {
        name.kind = Kind::Thing;
    }
}
