//! The people of one sentence.
//!
//! Decides whether exactly one person of two sentences agrees with a pronoun. Refuses as soon as somebody else could be
//! meant, with or without a name.

use super::entity_table::{Entity, EntityId};
use super::gender::Gender;

/// With more people than this, it is unclear whom a pronoun refers to.
const MOST_PEOPLE: usize = 6;

/// A person that a sentence mentions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PersonMention {
    pub(super) entity: EntityId,
    /// Token of the last mention.
    pub(super) last: usize,
    /// The quotation of the last mention; 0 if a mention is outside quotations.
    pub(super) quote: u32,
}

/// The people of one sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct SentenceContext {
    pub(super) people: Vec<PersonMention>,
    /// The person that the sentence begins with.
    pub(super) subject: Option<EntityId>,
    /// Whether there is a verb of saying.
    pub(super) has_speech: bool,
    /// Whether people may be missing from `people`.
    unclear: bool,
    /// Whether a man, a woman or a person of unknown gender is mentioned without a name.
    unnamed_man: bool,
    unnamed_woman: bool,
    unnamed_unknown: bool,
    /// Whether there is a one-word name that may be a surname.
    pub(super) has_unknown_name: bool,
}

impl SentenceContext {
    /// The context at the start of a sentence; `clear` if capital letters mark its names.
    pub(super) fn new(clear: bool) -> Self {
        SentenceContext { unclear: !clear, ..SentenceContext::default() }
    }

    pub(super) fn add_person(&mut self, entity: EntityId, last: usize, quote: u32) {
        if let Some(known) = self.people.iter_mut().find(|person| person.entity == entity) {
            known.last = last;
            known.quote = if known.quote == 0 { 0 } else { quote };
        } else if self.people.len() < MOST_PEOPLE {
            self.people.push(PersonMention { entity, last, quote });
        } else {
            self.unclear = true;
        }
    }

    /// Adds a person without a name.
    pub(super) fn add_unnamed(&mut self, gender: Gender) {
        match gender {
            Gender::Male => self.unnamed_man = true,
            Gender::Female => self.unnamed_woman = true,
            Gender::Unknown => self.unnamed_unknown = true,
        }
    }

    pub(super) fn find(&self, entity: EntityId) -> Option<&PersonMention> {
        self.people.iter().find(|person| person.entity == entity)
    }

    /// Whether nobody is mentioned, with or without a name.
    pub(super) fn is_empty(&self) -> bool {
        self.people.is_empty()
            && !(self.unclear || self.unnamed_man || self.unnamed_woman || self.unnamed_unknown)
    }

    pub(super) fn is_unclear(&self) -> bool {
        self.unclear
    }

    /// Whether a pronoun of this gender could refer to somebody without a name.
    pub(super) fn has_unnamed_match(&self, gender: Gender) -> bool {
        self.unclear
            || self.unnamed_unknown
            || if gender == Gender::Male { self.unnamed_man } else { self.unnamed_woman }
    }

    /// Whether a pronoun of this gender could refer to another named person.
    pub(super) fn has_other_match(&self, entity: EntityId, gender: Gender, entities: &[Entity]) -> bool {
        self.people
            .iter()
            .any(|person| person.entity != entity && entities[person.entity.0].gender.agrees(gender))
    }
}

/// The only person in two sentences that a pronoun of this gender can refer to. A person of unknown gender must be the
/// only one mentioned.
pub(super) fn only_match(
    before: &SentenceContext,
    now: &SentenceContext,
    gender: Gender,
    entities: &[Entity],
) -> Option<EntityId> {
    let contexts = [before, now];
    if contexts.iter().any(|context| context.has_unnamed_match(gender)) {
        return None;
    }
    let agrees = |person: &&PersonMention| entities[person.entity.0].gender.agrees(gender);
    let found = contexts.iter().flat_map(|context| &context.people).find(agrees)?.entity;
    let is_alone = contexts.iter().all(|context| {
        context.people.iter().all(|person| person.entity == found)
            && !(context.unnamed_man || context.unnamed_woman)
    });
    let has_other_match = contexts.iter().any(|context| context.has_other_match(found, gender, entities));
    (!has_other_match && (is_alone || entities[found.0].gender == gender)).then_some(found)
}
