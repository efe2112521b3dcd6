//! The entities of a document, by their names.
//!
//! Decides which names are of one entity: equal ones; a full name and its surname or first name, if only one person in the
//! document can be meant; an organisation and its name without the legal form; an acronym and its long form. Refuses a
//! surname that two people share or that is part of another entity's name.

use std::collections::{HashMap, HashSet};

use super::kinds::{self, Kind, Name, with_one_value};
use super::lists::Gender;
use super::mentions::{Cluster, EntityMention, MentionKind};
use super::tokens::Document;

/// The index of an entity in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntityId(pub(super) usize);

/// The kind and gender of an entity.
pub(super) struct Entity {
    pub(super) kind: Kind,
    pub(super) gender: Gender,
}

/// The entities of a document and their mentions.
pub(super) struct EntityTable<'d, 't> {
    document: &'d Document<'t>,
    pub(super) entities: Vec<Entity>,
    /// The names, in text order, each with its entity.
    pub(super) names: Vec<(Name, EntityId)>,
    /// The long form of each acronym.
    aliases: HashMap<String, String>,
    /// Words of longer names that are not people's.
    taken_words: HashSet<&'d str>,
    /// People by each word of their name, and by their surname or its last words.
    people: HashMap<String, Vec<EntityId>>,
    /// Entities by their whole name.
    by_text: HashMap<String, EntityId>,
}

impl<'d, 't> EntityTable<'d, 't> {
    /// Links the names of a document to entities.
    pub(super) fn of(document: &'d Document<'t>) -> Self {
        let names = kinds::names(document);
        let mut table = EntityTable {
            document,
            entities: Vec::new(),
            names: Vec::new(),
            aliases: long_forms(document, &names),
            taken_words: HashSet::new(),
            people: HashMap::new(),
            by_text: HashMap::new(),
        };
        // Full names first, then titles, which show genders: a short name may precede them in the text.
        let people = || names.iter().filter(|name| name.kind == Kind::Person);
        for name in people().filter(|name| !name.is_bare(document)) {
            table.entity_of(name);
        }
        table.note_taken_words(&names);
        for name in people().filter(|name| name.is_titled() && name.is_bare(document)) {
            table.entity_of(name);
        }
        for name in names {
            let entity = table.entity_of(&name);
            table.names.push((name, entity));
        }
        table
    }

    /// The clusters of the names and of the pronouns, without those that only repeat one word.
    pub(super) fn into_clusters(self, pronouns: Vec<(EntityMention, EntityId)>) -> Vec<Cluster> {
        let named = self.names.iter().map(|(name, entity)| (self.document.span(&name.tokens), *entity));
        let named = named.map(|(span, entity)| (EntityMention { span, kind: MentionKind::Name }, entity));
        let mut mentions: Vec<_> = named.chain(pronouns).collect();
        mentions.sort_by_key(|(mention, _)| mention.span.start);
        let mut groups: HashMap<EntityId, usize> = HashMap::new();
        let mut clusters: Vec<Cluster> = Vec::new();
        for (mention, entity) in mentions {
            let group = *groups.entry(entity).or_insert(clusters.len());
            if group == clusters.len() {
                clusters.push(Cluster { mentions: Vec::new() });
            }
            clusters[group].mentions.push(mention);
        }
        clusters.retain(|cluster| is_informative(self.document.text, cluster));
        clusters
    }

    fn create(&mut self, name: &Name) -> EntityId {
        self.entities.push(Entity { kind: name.kind, gender: name.gender });
        EntityId(self.entities.len() - 1)
    }

    fn learn(&mut self, id: EntityId, gender: Gender) -> EntityId {
        let known = &mut self.entities[id.0].gender;
        *known = known.or(gender);
        id
    }

    /// Records the words of longer names in which they are nobody's surname.
    fn note_taken_words(&mut self, names: &[Name]) {
        for name in names.iter().filter(|name| name.kind != Kind::Person && name.tokens.len() > 1) {
            if !self.people.contains_key(&self.document.lower(&name.tokens)) {
                let words = &self.document.tokens[name.tokens.clone()];
                self.taken_words.extend(words.iter().map(|word| word.lower.as_ref()));
            }
        }
    }

    /// The entity that a name refers to, which is made if it is new.
    fn entity_of(&mut self, name: &Name) -> EntityId {
        let may_be_part = match name.kind {
            Kind::Person => name.is_bare(self.document),
            kind => kind == Kind::Unknown,
        };
        let part = self.document.lower(&name.core);
        match self.people_with(&part, name.gender)[..] {
            [id] if may_be_part && (name.is_titled() || !self.is_taken(name, &part)) => {
                self.learn(id, name.gender)
            }
            [_, ..] if may_be_part => self.create(name),
            _ => self.by_whole_name(name),
        }
    }

    /// The people with a surname or a first name, given the gender that its title shows; two if they are more. More than six
    /// people are not told apart by gender, so that time is linear.
    fn people_with(&self, part: &str, gender: Gender) -> Vec<EntityId> {
        let known = self.people.get(part).map_or(&[][..], Vec::as_slice);
        let fits = |id: &&EntityId| known.len() > 6 || self.entities[id.0].gender.agrees(gender);
        known.iter().filter(fits).take(2).copied().collect()
    }

    /// Whether a surname or a first name may be part of another entity's name.
    fn is_taken(&self, name: &Name, part: &str) -> bool {
        let words = &self.document.tokens[name.core.clone()];
        self.aliases.contains_key(part)
            || words.iter().any(|word| self.taken_words.contains(word.lower.as_ref()))
    }

    /// The entity with exactly this name.
    fn by_whole_name(&mut self, name: &Name) -> EntityId {
        let text = name.text(self.document);
        let text = self.aliases.get(&text).cloned().unwrap_or(text);
        match self.by_text.get(&text).copied() {
            Some(id) if self.entities[id.0].gender.agrees(name.gender) => self.learn(id, name.gender),
            Some(_) => self.create(name),
            None => {
                let id = self.create(name);
                self.by_text.insert(text, id);
                if name.kind == Kind::Person {
                    self.add_parts(name, id);
                }
                id
            }
        }
    }

    /// Records each word of a person's name, and the surname with all its words or the last ones.
    fn add_parts(&mut self, name: &Name, id: EntityId) {
        let (start, end) = (name.core.start, name.core.end);
        let surname = start + usize::from(!name.is_bare(self.document));
        let endings = (surname..end - 1).map(|start| start..end);
        for part in endings.chain((start..end).map(|place| place..place + 1)) {
            self.people.entry(self.document.lower(&part)).or_default().push(id);
        }
    }
}

/// The long form of each acronym that the text introduces with one meaning: "World Health Organization (WHO)". The capitals of
/// the name before the bracket, or the last of them, are the acronym's.
fn long_forms(document: &Document, names: &[Name]) -> HashMap<String, String> {
    let defined = names.iter().filter_map(|name| {
        let last = name.tokens.end - 1;
        let [open, short, close] = [1, 2, 3].map(|distance| document.near(last + distance, last));
        let (short, is_bracketed) = (short?, open?.is("(") && matches!(close?.text, ")" | "," | ";"));
        let words = document.tokens[name.tokens.clone()].iter().filter(|word| word.is_capitalised());
        let initials: String = words.filter_map(|word| word.text.chars().next()).collect();
        let letters: String = short.text.chars().filter(|letter| letter.is_uppercase()).collect();
        let is_long_form = letters.len() > 1 && name.tokens.len() > 1 && initials.ends_with(&letters);
        (is_bracketed && is_long_form).then(|| (short.lower.clone().into_owned(), name.text(document)))
    });
    with_one_value(defined)
}

/// Whether a cluster has two or more mentions, which are not all the same single word.
fn is_informative(text: &str, cluster: &Cluster) -> bool {
    let mut names = cluster.mentions.iter().map(|mention| &text[mention.span.clone()]);
    let first = names.next().unwrap_or_default();
    cluster.mentions.len() > 1 && (first.contains(char::is_whitespace) || names.any(|name| name != first))
}
