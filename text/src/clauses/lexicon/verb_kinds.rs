//! Kinds of verbs: what they need after them, and what they imply.
//!
//! Decides by the base form alone. Refuses word senses: a verb that is of a kind in one of its senses is of that kind.

use crate::word_list::WordList;

/// Verbs whose complement may be a clause: "X said (that) Y".
pub(crate) static CLAUSAL: WordList = WordList::new(include_str!("words/clausal.txt"));

/// Verbs whose complement is hardly ever a thing: "X said trucks built in 2012 failed".
pub(crate) static CLAUSE_ONLY: WordList =
    WordList::new("add admit argue believe claim fear hope insist know say suggest suspect think warn");

/// Verbs of speech, which may follow what is said: "Y, X said".
pub(crate) static SPEAKING: WordList = WordList::new(
    "add admit announce argue believe claim confirm explain hear insist joke learn note recall report \
    reveal say state suggest tell tweet understand warn write",
);

/// Verbs that are incomplete without the phrase after them.
pub(crate) static NEEDS_PHRASE: WordList = WordList::new(include_str!("words/needs_phrase.txt"));

/// Verbs with the preposition that they need, joined by a hyphen.
pub(crate) static PHRASAL: WordList = WordList::new(include_str!("words/phrasal.txt"));

/// Verbs whose object is the subject of the infinitive after it: "wants X to go".
pub(crate) static CONTROL: WordList = WordList::new(include_str!("words/control.txt"));

/// Verbs of joint action: a list of subjects is not split.
pub(crate) static COLLECTIVE: WordList = WordList::new(include_str!("words/collective.txt"));

/// Verbs that negate what follows, all of which a claim must keep.
pub(crate) static NEGATING: WordList = WordList::new(
    "avoid ban bar block cease decline deny dismiss doubt fail forbid lack miss neglect oppose \
    prevent prohibit refuse reject stop",
);

/// Verbs whose complement is not a fact: a reason or time in it makes no claim of its own.
pub(crate) static NON_FACTUAL: WordList =
    WordList::new("deny doubt dream forbid imagine pretend prevent prohibit ban wish");

/// Verbs with an object that need its goal, or what it is kept from: "brings the show to London".
pub(crate) static MOVING: WordList = WordList::new(
    "attach attribute caution compare confine devote expose inform limit notify order owe put \
    restrict subject transform translate warn",
);

/// Verbs with an object that need its place afterwards: "left them in the bottom three".
pub(crate) static PLACING: WordList = WordList::new("lay leave place put set");

/// Verbs that link the subject to a description, as "be" does.
pub(crate) static COPULAR: WordList = WordList::new("become remain seem appear");

/// Verbs whose object may be a time: "It took a year".
pub(crate) static MEASURING: WordList = WordList::new("cost give have last need serve spend take wait");

/// Verbs that always have an object.
pub(crate) static TRANSITIVE: WordList = WordList::new(include_str!("words/transitive.txt"));

/// Verbs of planning: a time after them is the time of what is planned.
pub(crate) static PLANNING: WordList = WordList::new(
    "announce arrange book expect invite offer organise organize plan postpone promise propose \
    schedule",
);

/// Verbs with two objects: "was given flowers".
pub(crate) static GIVING: WordList =
    WordList::new("award deny give grant hand lend offer send show teach tell");

/// Verbs whose object may take a participle that belongs to the verb: "had the car repaired".
pub(crate) static OBJECT_STATE: WordList =
    WordList::new("catch find get have hear keep leave let make put see set show want watch");

/// Verbs that need the participle of their object: "had the car repaired".
pub(crate) static NEEDS_STATE: WordList = WordList::new("have get keep leave let make put set want");

/// Verbs that often or always have no object: "sat and ate the soup".
pub(crate) static INTRANSITIVE: WordList = WordList::new(include_str!("words/intransitive.txt"));

/// Verbs whose -ing form after a comma has the event as its subject: "He fled, sparking a search".
pub(crate) static OF_EVENTS: WordList = WordList::new(include_str!("words/of_events.txt"));

/// Verbs whose participle describes a lasting state: "named after", "based in".
pub(crate) static LASTING: WordList = WordList::new("base call involve know locate name");
