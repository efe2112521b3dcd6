//! Lists of names and nouns: times, places, persons, and nouns that look like verbs or singulars.
//!
//! Decides which words are listed. Refuses people's names, which are recognised by their capital letter.

use crate::word_list::WordList;

/// Months.
pub(crate) static MONTHS: WordList = WordList::new(
    "january february march april may june july august september october november december jan feb \
    mar apr jun jul aug sept sep oct nov dec jan. feb. mar. apr. aug. sept. sep. oct. nov. dec.",
);

/// Days of the week.
pub(crate) static DAYS: WordList = WordList::new(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays \
    fridays saturdays sundays mon tue tues wed thu thurs fri",
);

/// Nouns of time.
pub(crate) static TIME_NOUNS: WordList = WordList::new(include_str!("words/time_nouns.txt"));

/// First words of a time: "last year".
pub(crate) static TIME_OPENERS: WordList = WordList::new("last this next each every that");

/// Words that shift a time: "a week ago", "earlier this week".
pub(crate) static TIME_SHIFTS: WordList = WordList::new("ago later earlier previously");

/// Nouns that are a time without any modifier.
pub(crate) static NAMED_DAYS: WordList = WordList::new("tonight today yesterday tomorrow");

/// States, countries and counties that may follow a town: "Paris, Texas".
pub(crate) static REGIONS: WordList = WordList::new(include_str!("words/regions.txt"));

/// Regions of two words, joined by a hyphen.
pub(crate) static REGION_PAIRS: WordList = WordList::new(include_str!("words/region_pairs.txt"));

/// Lower-case words inside names.
pub(crate) static NAME_PARTICLES: WordList =
    WordList::new("van von de der den del di da la le bin al du dos el ter");

/// Plural nouns without an -s.
pub(crate) static PLURALS: WordList = WordList::new("police people men women children staff");

/// Persons by their age: "as a child" is a time.
pub(crate) static AGES: WordList = WordList::new(
    "adult adults baby boy boys child children girl girls kid kids schoolboy schoolgirl teenager \
    teenagers youngster",
);

/// Nouns for persons that have no typical ending.
pub(crate) static PERSONS: WordList = WordList::new(include_str!("words/persons.txt"));

/// Nouns that take "to": "a visit to Rome".
pub(crate) static WITH_GOAL: WordList = WordList::new(
    "access answer approach attention damage exposure flight journey key response return road route \
    threat tour trip visit",
);

/// Nouns of change, which take "in": "a drop in sales".
pub(crate) static CHANGES: WordList = WordList::new(
    "change changes confidence cut cuts decline decrease drop fall growth improvement increase \
    interest jump reduction rise slump surge",
);

/// Nouns that need an infinitive: "in a bid to win".
pub(crate) static INTENTS: WordList = WordList::new(
    "ability attempt bid desire effort failure inability intention move order refusal right \
    willingness",
);

/// Nouns that need the phrase after them: "in connection with".
pub(crate) static CONNECTIONS: WordList = WordList::new(
    "accordance addition charge collaboration conjunction connection contrast favour favor line \
    partnership relation response search terms",
);

/// Nouns that need the clause after them: "in the hope he can win".
pub(crate) static CONTENTS: WordList =
    WordList::new("belief claim claims fact fear fears hope hopes idea moment news way");

/// Nouns that quantify the noun after them.
pub(crate) static SHARES: WordList =
    WordList::new("amount majority number percentage portion proportion share");

/// Nouns that end like persons but are things.
pub(crate) static NO_PERSONS: WordList = WordList::new(
    "billboard career counter cover disorder error factor floor folder letter list matter mirror \
    motor number order poster quarter shelter shoulder shower tower trailer twist waist",
);

/// Nouns in -ly.
pub(crate) static ADVERB_LIKE: WordList =
    WordList::new("family reply supply ally bully assembly anomaly belly butterfly jelly lily monopoly");

/// Nouns and adjectives in -ing, -ed and -eed.
pub(crate) static VERB_LIKE: WordList = WordList::new(include_str!("words/verb_like.txt"));

/// Abbreviations with a capital letter whose full stop does not end a sentence.
pub(crate) static TITLES: WordList = WordList::new(
    "Mr Mrs Ms Dr St Jr Sr Gov Sen Rep Prof Rev Gen Lt Col Sgt Capt Inc Co Corp Ltd No vs Jan Feb Mar \
    Apr Aug Sept Sep Oct Nov Dec",
);
