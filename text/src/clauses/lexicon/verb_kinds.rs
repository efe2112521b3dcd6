//! Kinds of verbs: what they need behind them, and what follows from it.
//!
//! Decides by the base form alone. Refuses senses: a verb that is of a kind in one of its senses is
//! of that kind.

use crate::word_list::WordList;

/// Their complement may be a clause: "X said (that) Y".
pub static CLAUSAL: WordList = WordList::new(include_str!("words/clausal.txt"));

/// Their complement is hardly ever a thing: "X said trucks built in 2012 failed".
pub static CLAUSE_ONLY: WordList =
    WordList::new("add admit argue believe claim fear hope insist know say suggest suspect think warn");

/// They speak, and may stand behind what is said: "Y, X said".
pub static SPEAKING: WordList = WordList::new(
    "add admit announce argue believe claim confirm explain hear insist joke learn note recall report \
    reveal say state suggest tell tweet understand warn write",
);

/// They leave a hole without the phrase behind them.
pub static NEEDS_PHRASE: WordList = WordList::new(include_str!("words/needs_phrase.txt"));

/// Verbs with a preposition that they need, joined by a hyphen here.
pub static PHRASAL: WordList = WordList::new(include_str!("words/phrasal.txt"));

/// Their object acts in the infinitive behind it: "wants X to go".
pub static CONTROL: WordList = WordList::new(include_str!("words/control.txt"));

/// Several do them with each other: their subjects are not taken apart.
pub static COLLECTIVE: WordList = WordList::new(include_str!("words/collective.txt"));

/// They deny what follows: nothing is dropped behind them.
pub static DENYING: WordList = WordList::new(
    "avoid ban bar block cease decline deny dismiss doubt fail forbid lack miss neglect oppose \
    prevent prohibit refuse reject stop",
);

/// What follows them is not, or only thought: no reason or time in it is said by itself.
pub static UNREAL: WordList =
    WordList::new("deny doubt dream forbid imagine pretend prevent prohibit ban wish");

/// With an object they need to say where it goes, or what it is kept from: "brings the show to London".
pub static MOVING: WordList = WordList::new(
    "attach attribute caution compare confine devote expose inform limit notify order owe put \
    restrict subject transform translate warn",
);

/// With an object they need to say where it is then: "left them in the bottom three".
pub static PLACING: WordList = WordList::new("lay leave place put set");

/// They say what their subject is, as "be" does.
pub static COPULAR: WordList = WordList::new("become remain seem appear");

/// A time behind them is their object: "It took a year".
pub static MEASURING: WordList = WordList::new("cost give have last need serve spend take wait");

/// They have an object, whatever else they have.
pub static TRANSITIVE: WordList = WordList::new(include_str!("words/transitive.txt"));

/// A time behind them is that of what they plan.
pub static PLANNING: WordList = WordList::new(
    "announce arrange book expect invite offer organise organize plan postpone promise propose \
    schedule",
);

/// They have two objects: "was given flowers".
pub static GIVING: WordList = WordList::new("award deny give grant hand lend offer send show teach tell");

/// What a participle says of their object is part of what they say: "had the car repaired".
pub static OBJECT_STATE: WordList =
    WordList::new("catch find get have hear keep leave let make put see set show want watch");

/// They say nothing of their object without its participle: "had the car repaired".
pub static NEEDS_STATE: WordList = WordList::new("have get keep leave let make put set want");

/// They have no object, or are often without: "sat and ate the soup".
pub static INTRANSITIVE: WordList = WordList::new(include_str!("words/intransitive.txt"));

/// In -ing behind a comma, the event does them: "He fled, sparking a search".
pub static OF_EVENTS: WordList = WordList::new(include_str!("words/of_events.txt"));

/// What their participle says still holds: "named after", "based in".
pub static LASTING: WordList = WordList::new("base call involve know locate name");
