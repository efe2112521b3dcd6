//! Who is there: the people of one sentence.
//!
//! Decides whether exactly one person of two scenes agrees with a pronoun. Refuses as soon as
//! somebody else could be meant, with a name or without.

use super::cast::{Entity, EntityId};
use super::gender::Gender;

/// More people than this are a crowd, in which nobody is found.
const CROWD: usize = 6;

/// A person in a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Present {
    pub(super) entity: EntityId,
    /// Token of the last mention.
    pub(super) last: usize,
    /// The quotation of the last mention, 0 if one stands outside quotations.
    pub(super) quote: u32,
}

/// The people of one sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    pub(super) people: Vec<Present>,
    /// Whom the sentence begins with.
    pub(super) subject: Option<EntityId>,
    /// Whether somebody's words are given.
    pub(super) has_speech: bool,
    /// Whether it is not clear who is there.
    unclear: bool,
    /// Whether a man, a woman, or somebody of whom neither is told is there without a name.
    man: bool,
    woman: bool,
    anybody: bool,
    /// Whether there is a name of one word that may be a surname.
    pub(super) has_unknown_name: bool,
}

impl Scene {
    /// The scene of a sentence before it is read; `clear` if its names can be seen.
    pub(super) fn new(clear: bool) -> Self {
        Scene { unclear: !clear, ..Scene::default() }
    }

    pub(super) fn enter(&mut self, entity: EntityId, last: usize, quote: u32) {
        if let Some(known) = self.people.iter_mut().find(|person| person.entity == entity) {
            known.last = last;
            known.quote = if known.quote == 0 { 0 } else { quote };
        } else if self.people.len() < CROWD {
            self.people.push(Present { entity, last, quote });
        } else {
            self.unclear = true;
        }
    }

    /// Somebody enters who has no name.
    pub(super) fn enter_stranger(&mut self, gender: Gender) {
        match gender {
            Gender::Male => self.man = true,
            Gender::Female => self.woman = true,
            Gender::Unknown => self.anybody = true,
        }
    }

    pub(super) fn find(&self, entity: EntityId) -> Option<&Present> {
        self.people.iter().find(|person| person.entity == entity)
    }

    /// Whether nobody is there, with a name or without.
    pub(super) fn is_empty(&self) -> bool {
        self.people.is_empty() && !(self.unclear || self.man || self.woman || self.anybody)
    }

    pub(super) fn is_unclear(&self) -> bool {
        self.unclear
    }

    /// Whether somebody without a name could be meant by a pronoun of this gender.
    pub(super) fn has_stranger(&self, gender: Gender) -> bool {
        self.unclear || self.anybody || if gender == Gender::Male { self.man } else { self.woman }
    }

    /// Whether somebody else with a name could be meant by a pronoun of this gender.
    pub(super) fn has_rival(&self, entity: EntityId, gender: Gender, entities: &[Entity]) -> bool {
        self.people
            .iter()
            .any(|person| person.entity != entity && entities[person.entity.0].gender.agrees(gender))
    }
}

/// The one person in two scenes of whom a pronoun of this gender can speak. One whose gender is
/// not known must be alone.
pub(super) fn only_match(
    before: &Scene,
    now: &Scene,
    gender: Gender,
    entities: &[Entity],
) -> Option<EntityId> {
    let scenes = [before, now];
    if scenes.iter().any(|scene| scene.has_stranger(gender)) {
        return None;
    }
    let agrees = |person: &&Present| entities[person.entity.0].gender.agrees(gender);
    let found = scenes.iter().flat_map(|scene| &scene.people).find(agrees)?.entity;
    let is_alone = scenes
        .iter()
        .all(|scene| scene.people.iter().all(|person| person.entity == found) && !(scene.man || scene.woman));
    let has_rival = scenes.iter().any(|scene| scene.has_rival(found, gender, entities));
    (!has_rival && (is_alone || entities[found.0].gender == gender)).then_some(found)
}
