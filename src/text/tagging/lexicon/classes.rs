//! Closed classes of words, and the lists of nouns and verbs that rules name.
//!
//! Decides which words are in a list. Refuses inflection, which `verb_forms` handles, and context.

use crate::text::word_list::WordList;

/// Determiners except "that".
pub(crate) static DETERMINERS: WordList = WordList::new(
    "the a an this that these those some any each every either neither no another all both such half \
    several many few more most fewer less enough",
);

/// Possessive determiners.
pub(crate) static POSSESSIVE_DETERMINERS: WordList = WordList::new("my your his her its our their");

/// Pronouns of all kinds.
pub(crate) static PRONOUNS: WordList = WordList::new(include_str!("words/pronouns.txt"));

/// Pronouns that can be a subject.
pub(crate) static SUBJECT_PRONOUNS: WordList =
    WordList::new("i you he she it we they there who someone everyone somebody everybody");

/// Modal verbs.
pub(crate) static MODALS: WordList =
    WordList::new("will would can could may might shall should must cannot ought wo ca sha");

/// Forms of "be".
pub(crate) static BE: WordList = WordList::new("is are was were am be been being");

/// Forms of "have".
pub(crate) static HAVE: WordList = WordList::new("has have had having");

/// Forms of "do" that are auxiliaries.
pub(crate) static DO: WordList = WordList::new("do does did");

/// Prepositions except "to".
pub(crate) static PREPOSITIONS: WordList = WordList::new(include_str!("words/prepositions.txt"));

/// Particles of phrasal verbs.
pub(crate) static PARTICLES: WordList =
    WordList::new("up down out off away back over together forward apart aside ahead on in around along");

/// Coordinating conjunctions.
pub(crate) static COORDINATORS: WordList = WordList::new("and but or nor & plus");

/// Subordinating conjunctions.
pub(crate) static SUBORDINATORS: WordList = WordList::new(
    "because after before while when although though if unless since until whereas once as whether \
    lest whenever wherever despite till than",
);

/// Subordinators whose clause is a fact if the sentence is true.
pub(crate) static FACTUAL: WordList =
    WordList::new("because after while when although though since whereas as once");

/// Relative and question words.
pub(crate) static RELATIVES: WordList =
    WordList::new("who which whom whose where why how what whoever whatever whichever");

/// Spelled-out numbers.
pub(crate) static NUMBERS: WordList = WordList::new(include_str!("words/numbers.txt"));

/// Adverbs that have no typical ending.
pub(crate) static ADVERBS: WordList = WordList::new(include_str!("words/adverbs.txt"));

/// Adverbs in -ly that quantify a noun: "to mostly rural areas".
pub(crate) static AMOUNTS: WordList = WordList::new(
    "chiefly entirely exclusively fully highly largely mainly mostly nearly only partly predominantly \
    primarily purely relatively roughly solely virtually",
);

/// Adjectives that have no typical ending.
pub(crate) static ADJECTIVES: WordList = WordList::new(include_str!("words/adjectives.txt"));

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

/// Lower-case words inside names.
pub(crate) static NAME_PARTICLES: WordList =
    WordList::new("van von de der den del di da la le bin al du dos el ter");

/// Plural nouns without an -s.
pub(crate) static PLURALS: WordList = WordList::new("police people men women children staff");

/// Nouns that need an infinitive: "in a bid to win".
pub(crate) static INTENTS: WordList = WordList::new(
    "ability attempt bid desire effort failure inability intention move order refusal right \
    willingness",
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

/// Verbs whose complement may be a clause: "X said (that) Y".
pub(crate) static CLAUSAL: WordList = WordList::new(include_str!("words/clausal.txt"));

/// Verbs of speech, which may follow what is said: "Y, X said".
pub(crate) static SPEAKING: WordList = WordList::new(
    "add admit announce argue believe claim confirm explain hear insist joke learn note recall report \
    reveal say state suggest tell tweet understand warn write",
);

/// Verbs with two objects: "was given flowers".
pub(crate) static GIVING: WordList =
    WordList::new("award deny give grant hand lend offer send show teach tell");

/// Verbs whose object may take a participle that belongs to the verb: "had the car repaired".
pub(crate) static OBJECT_STATE: WordList =
    WordList::new("catch find get have hear keep leave let make put see set show want watch");
