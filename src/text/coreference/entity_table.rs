//! The entities of a document, by their names.
//!
//! Decides which names are of one entity: equal ones; a full name and its surname or first name, if only one person in the
//! document can be meant; an organisation and its name without the legal form; an acronym and its long form. Refuses a
//! surname that two people share or that is part of another entity's name.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::acronyms;
use super::aliases;
use super::evidence;
use super::first_names::first_name;
use super::gender::Gender;
use super::kinds::{self, Form, Kind, Name};
use super::people::{PersonIndex, Search};
use super::titles;
use super::tokens::Document;
use super::{Cluster, EntityMention, MentionKind};

/// The index of an entity in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EntityId(pub(super) usize);

/// The kind and gender of an entity.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) kind: Kind,
    pub(super) gender: Gender,
}

/// A mention as a range of tokens.
#[derive(Clone, Debug)]
pub(super) struct TokenMention {
    pub(super) tokens: Range<usize>,
    pub(super) kind: MentionKind,
    pub(super) entity: EntityId,
}

/// The entities of a document and their mentions.
pub(super) struct EntityTable {
    pub(super) entities: Vec<Entity>,
    /// The names, in text order.
    pub(super) names: Vec<Name>,
    /// The entity of each name.
    name_entities: Vec<EntityId>,
    /// The resolved pronouns.
    pub(super) pronouns: Vec<TokenMention>,
}

impl EntityTable {
    /// Links the names of a document to entities.
    pub(super) fn of(document: &Document) -> Self {
        let definitions = acronyms::definitions(document);
        let names = evidence::names(document, &definitions);
        let aliases = aliases::aliases(document, &names, &definitions);
        let mut linker = EntityLinker {
            document,
            aliases,
            taken_words: HashSet::new(),
            ambiguous_endings: HashSet::new(),
            people: PersonIndex::default(),
            by_text: HashMap::new(),
            entities: Vec::new(),
        };
        for name in &names {
            linker.register_full_name(name);
        }
        linker.note_taken_words(&names);
        for name in &names {
            linker.register_titled(name);
        }
        let name_entities = names.iter().map(|name| linker.entity_of(name)).collect();
        EntityTable { entities: linker.entities, names, name_entities, pronouns: Vec::new() }
    }

    /// The names, in text order, each with its entity.
    pub(super) fn names_with_entities(&self) -> impl Iterator<Item = (&Name, EntityId)> {
        self.names.iter().zip(self.name_entities.iter().copied())
    }

    /// The clusters of all mentions, without those that only repeat one word.
    pub(super) fn into_clusters(self, document: &Document) -> Vec<Cluster> {
        let named = self.names_with_entities().map(|(name, entity)| TokenMention {
            tokens: name.tokens.clone(),
            kind: MentionKind::Name,
            entity,
        });
        let mut mentions: Vec<TokenMention> = named.collect();
        mentions.extend(self.pronouns);
        mentions.sort_by_key(|mention| (mention.tokens.start, mention.tokens.end));
        let mut groups: HashMap<EntityId, usize> = HashMap::new();
        let mut clusters: Vec<Cluster> = Vec::new();
        for mention in mentions {
            let group = *groups.entry(mention.entity).or_insert(clusters.len());
            if group == clusters.len() {
                clusters.push(Cluster { mentions: Vec::new() });
            }
            let (first, last) =
                (&document.tokens[mention.tokens.start], &document.tokens[mention.tokens.end - 1]);
            clusters[group]
                .mentions
                .push(EntityMention { span: first.start..last.end(), kind: mention.kind });
        }
        clusters.retain(|cluster| is_informative(document.text, cluster));
        clusters
    }
}

/// Whether a cluster has two or more mentions, which are not all the same single word.
fn is_informative(text: &str, cluster: &Cluster) -> bool {
    let [first, rest @ ..] = &cluster.mentions[..] else { return false };
    let name = &text[first.span.clone()];
    !rest.is_empty()
        && (name.contains(char::is_whitespace) || rest.iter().any(|other| &text[other.span.clone()] != name))
}

/// Builds the table.
struct EntityLinker<'d, 't> {
    document: &'d Document<'t>,
    aliases: HashMap<String, String>,
    /// Words of longer names that are not people's.
    taken_words: HashSet<&'d str>,
    /// Last words of longer names that may be of unknown people.
    ambiguous_endings: HashSet<&'d str>,
    people: PersonIndex,
    /// Entities by the whole text of their names.
    by_text: HashMap<String, EntityId>,
    entities: Vec<Entity>,
}

impl EntityLinker<'_, '_> {
    /// Records the words of longer names in which they are nobody's surname.
    fn note_taken_words(&mut self, names: &[Name]) {
        let document = self.document;
        let longer = |name: &&Name| name.kind != Kind::Person && name.tokens.len() > 1;
        for name in
            names.iter().filter(longer).filter(|name| !self.people.has_ending(&document.lower(&name.tokens)))
        {
            let parts = &document.tokens[name.tokens.clone()];
            self.taken_words.extend(parts.iter().map(|word| word.lower.as_str()));
            let may_be_person = name.kind == Kind::Unknown && !kinds::begins_as_other(&parts[0].lower);
            if let Some(last) = parts.last().filter(|_| may_be_person) {
                self.ambiguous_endings.insert(&last.lower);
            }
        }
    }

    fn create(&mut self, kind: Kind, gender: Gender) -> EntityId {
        self.entities.push(Entity { kind, gender });
        EntityId(self.entities.len() - 1)
    }

    fn learn(&mut self, id: EntityId, gender: Gender) {
        let known = &mut self.entities[id.0].gender;
        *known = known.or(gender);
    }

    fn register_full_name(&mut self, name: &Name) {
        if name.kind != Kind::Person || is_bare(self.document, name) {
            return;
        }
        let document = self.document;
        let core = &document.tokens[name.core.clone()];
        match self.people.by_full_name(core) {
            Some(id) => self.learn(id, name.gender),
            None => {
                let id = self.create(Kind::Person, name.gender);
                self.people.add_full(core, id);
            }
        }
    }

    /// A titled surname gives the gender of the known person with that name, or is another person's.
    fn register_titled(&mut self, name: &Name) {
        if name.kind != Kind::Person || !is_bare(self.document, name) || name.form != Form::Titled {
            return;
        }
        let surname = self.document.lower(&name.core);
        match self.by_title(&surname, name.gender) {
            Search::One(id) => self.learn(id, name.gender),
            Search::Several => {}
            Search::Nobody => {
                let id = self.create(Kind::Person, name.gender);
                self.people.add_single(&surname, false, id);
            }
        }
    }

    fn by_title(&self, surname: &str, gender: Gender) -> Search {
        let by_ending = self.people.by_ending(surname, gender, &self.entities);
        if by_ending != Search::Nobody {
            return if self.ambiguous_endings.contains(surname) { Search::Several } else { by_ending };
        }
        // "Mr Wang" may be Wang Haolin, "Sir Edmund" may be Edmund Varley.
        self.people.by_first(surname, gender, &self.entities)
    }

    /// The entity that a name refers to.
    fn entity_of(&mut self, name: &Name) -> EntityId {
        let text = self.document.lower(&name.core);
        if name.kind == Kind::Person && !is_bare(self.document, name) {
            let core = &self.document.tokens[name.core.clone()];
            return match self.people.by_full_name(core) {
                Some(id) if self.entities[id.0].gender.agrees(name.gender) => id,
                _ => self.create(name.kind, name.gender),
            };
        }
        let search = match (name.kind, name.form) {
            (Kind::Person, Form::Regnal) => Search::Nobody,
            (Kind::Person, Form::Titled) => self.by_title(&text, name.gender),
            (Kind::Person | Kind::Unknown, _) => self.by_bare_name(name, &text),
            _ => Search::Nobody,
        };
        match search {
            Search::One(id) => id,
            Search::Several => self.create(name.kind, name.gender),
            Search::Nobody => self.by_whole_text(name, text),
        }
    }

    fn by_bare_name(&self, name: &Name, text: &str) -> Search {
        let found = self.people.by_any(text, name.gender, &self.entities);
        let taken = self.aliases.contains_key(text)
            || name
                .core
                .clone()
                .any(|place| self.taken_words.contains(self.document.tokens[place].lower.as_str()));
        if found != Search::Nobody && taken { Search::Several } else { found }
    }

    /// The entity with exactly this name.
    fn by_whole_text(&mut self, name: &Name, text: String) -> EntityId {
        let title = name.tokens.start..name.core.start;
        let key =
            if name.form == Form::Regnal { format!("{} {text}", self.document.lower(&title)) } else { text };
        let key = self.aliases.get(&key).cloned().unwrap_or(key);
        if let Some(&id) = self.by_text.get(&key) {
            self.learn(id, name.gender);
            return id;
        }
        let id = self.create(name.kind, name.gender);
        if name.kind == Kind::Person {
            let word = self.document.lower(&name.core);
            let is_first = name.form == Form::Regnal || first_name(&word).is_some();
            self.people.add_single(&word, is_first, id);
        }
        self.by_text.insert(key, id);
        id
    }
}

/// Whether a person's name is only a surname or a first name.
fn is_bare(document: &Document, name: &Name) -> bool {
    let first = &document.tokens[name.core.start].lower;
    name.core.len() == 1 || (titles::opens_surname(first) && first_name(first).is_none())
}
