//! Who is in the document.
//!
//! Decides which names are of one entity: equal ones, a full name and its surname or first name
//! where only one person in the document can be meant, an organisation and its name without the
//! legal form, an acronym and what it is short for. Refuses a surname that two people share, or
//! that is part of the name of something else.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::acronyms;
use super::aliases;
use super::evidence;
use super::first_names::first_name;
use super::gender::Gender;
use super::kinds::{self, Form, Kind, Name};
use super::people::{People, Search};
use super::titles;
use super::tokens::Document;
use super::{Cluster, EntityMention, MentionKind};

/// An entity of the cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EntityId(pub(super) usize);

/// What is known of an entity.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) kind: Kind,
    pub(super) gender: Gender,
}

/// A mention by the tokens it covers.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) tokens: Range<usize>,
    pub(super) kind: MentionKind,
    pub(super) entity: EntityId,
}

/// The entities of a document and where they are mentioned.
pub(super) struct Cast {
    pub(super) entities: Vec<Entity>,
    /// The names, in order of appearance.
    pub(super) names: Vec<Name>,
    /// The entity of each name.
    pub(super) bearers: Vec<EntityId>,
    /// The mentions that are no names.
    pub(super) others: Vec<Reference>,
}

impl Cast {
    /// The cast by its names.
    pub(super) fn of(document: &Document) -> Self {
        let definitions = acronyms::definitions(document);
        let names = evidence::names(document, &definitions);
        let aliases = aliases::aliases(document, &names, &definitions);
        let mut casting = Casting {
            document,
            aliases,
            occupied: HashSet::new(),
            rival_endings: HashSet::new(),
            people: People::default(),
            by_text: HashMap::new(),
            entities: Vec::new(),
        };
        for name in &names {
            casting.register_full_name(name);
        }
        casting.occupy(&names);
        for name in &names {
            casting.register_titled(name);
        }
        let bearers = names.iter().map(|name| casting.bearer(name)).collect();
        Cast { entities: casting.entities, names, bearers, others: Vec::new() }
    }

    /// The clusters of the mentions found, without those that say one word again and again.
    pub(super) fn into_clusters(self, document: &Document) -> Vec<Cluster> {
        let named = self.names.iter().zip(&self.bearers).map(|(name, &entity)| Reference {
            tokens: name.tokens.clone(),
            kind: MentionKind::Name,
            entity,
        });
        let mut references: Vec<Reference> = named.chain(self.others).collect();
        references.sort_by_key(|reference| (reference.tokens.start, reference.tokens.end));
        let mut groups: HashMap<EntityId, usize> = HashMap::new();
        let mut clusters: Vec<Cluster> = Vec::new();
        for reference in references {
            let group = *groups.entry(reference.entity).or_insert(clusters.len());
            if group == clusters.len() {
                clusters.push(Cluster { mentions: Vec::new() });
            }
            let (first, last) =
                (&document.tokens[reference.tokens.start], &document.tokens[reference.tokens.end - 1]);
            clusters[group]
                .mentions
                .push(EntityMention { span: first.start..last.end(), kind: reference.kind });
        }
        clusters.retain(|cluster| says_something(document.text, cluster));
        clusters
    }
}

/// Whether a cluster has two mentions, of more than one word or of different words.
fn says_something(text: &str, cluster: &Cluster) -> bool {
    let [first, rest @ ..] = &cluster.mentions[..] else { return false };
    let name = &text[first.span.clone()];
    !rest.is_empty()
        && (name.contains(char::is_whitespace) || rest.iter().any(|other| &text[other.span.clone()] != name))
}

/// The cast while it is being put together.
struct Casting<'d, 't> {
    document: &'d Document<'t>,
    aliases: HashMap<String, String>,
    /// Words in longer names that are not people's.
    occupied: HashSet<&'d str>,
    /// Last words of longer names that may be of people unknown.
    rival_endings: HashSet<&'d str>,
    people: People,
    /// Entities that are found by the whole text of their names.
    by_text: HashMap<String, EntityId>,
    entities: Vec<Entity>,
}

impl Casting<'_, '_> {
    /// Takes note of the words that longer names have and that are nobody's surname there.
    fn occupy(&mut self, names: &[Name]) {
        let document = self.document;
        let longer = |name: &&Name| name.kind != Kind::Person && name.tokens.len() > 1;
        for name in
            names.iter().filter(longer).filter(|name| !self.people.has_ending(&document.lower(&name.tokens)))
        {
            let parts = &document.tokens[name.tokens.clone()];
            self.occupied.extend(parts.iter().map(|word| word.lower.as_str()));
            let may_be_person = name.kind == Kind::Unknown && !kinds::begins_as_other(&parts[0].lower);
            if let Some(last) = parts.last().filter(|_| may_be_person) {
                self.rival_endings.insert(&last.lower);
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

    /// A title tells the gender of the one who bears the name, or that it is somebody else.
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
            return if self.rival_endings.contains(surname) { Search::Several } else { by_ending };
        }
        // "Mr Wang" may be Wang Haolin, "Sir Edmund" may be Edmund Varley.
        self.people.by_first(surname, gender, &self.entities)
    }

    /// The entity that a name means.
    fn bearer(&mut self, name: &Name) -> EntityId {
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
                .any(|place| self.occupied.contains(self.document.tokens[place].lower.as_str()));
        if found != Search::Nobody && taken { Search::Several } else { found }
    }

    /// The entity with this very name.
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

/// Whether a person's name is a surname or a first name alone.
fn is_bare(document: &Document, name: &Name) -> bool {
    let first = &document.tokens[name.core.start].lower;
    name.core.len() == 1 || (titles::opens_surname(first) && first_name(first).is_none())
}
