//! Closed classes of words, and the groups of them that rules name.
//!
//! Decides which words form a class. Refuses inflection, which `verb_forms` knows, and context.

use crate::word_list::WordList;

/// Determiners but for "that".
pub static DETERMINERS: WordList = WordList::new(
    "the a an this that these those some any each every either neither no another all both such half \
    several many few more most fewer less enough",
);

/// Possessive determiners.
pub static OWNERS: WordList = WordList::new("my your his her its our their");

/// Pronouns of all kinds.
pub static PRONOUNS: WordList = WordList::new(include_str!("words/pronouns.txt"));

/// Pronouns that a verb may follow.
pub static SUBJECT_PRONOUNS: WordList =
    WordList::new("i you he she it we they there who someone everyone somebody everybody");

/// Pronouns that are never a subject.
pub static OBJECT_PRONOUNS: WordList = WordList::new("him them us me");

/// Pronouns that no participle modifies.
pub static PERSONAL_PRONOUNS: WordList = WordList::new("he she it they we i you");

/// Pronouns and determiners that stand for several.
pub static PLURAL_PRONOUNS: WordList = WordList::new("they we you them us these those both many few several");

/// Pronouns that "of" may follow: "some of them".
pub static PARTITIVES: WordList = WordList::new("none one some all many most both each any those that");

/// Words that make their noun a quantity: nothing may be dropped from what is said of it.
pub static QUANTIFIERS: WordList = WordList::new(
    "no none neither nobody nothing few fewer any anyone anybody anything each every all everyone \
    everybody everything either only least most less hardly",
);

/// Words by which a noun is one of its kind.
pub static SUPERLATIVES: WordList = WordList::new("first last only best worst most least sole");

/// Words that count what has been.
pub static ORDINALS: WordList =
    WordList::new("first second third fourth fifth sixth seventh eighth ninth tenth last only");

/// Openers of objects that deny or diminish.
pub static NEGATIVES: WordList = WordList::new("no few little neither nothing nobody none only hardly any");

/// Words before a number that belong to it: "more than", "about".
pub static QUANTITY_OPENERS: WordList = WordList::new(
    "about above almost another approximately around as at below close exactly fewer further just \
    least less many more most nearly only over roughly some than to under up",
);

/// Modal verbs.
pub static MODALS: WordList =
    WordList::new("will would can could may might shall should must cannot ought wo ca sha");

/// Those that order what is to be done.
pub static ORDERS: WordList = WordList::new("must should shall ought");

/// Forms of "be".
pub static BE: WordList = WordList::new("is are was were am be been being");

/// Forms of "have".
pub static HAVE: WordList = WordList::new("has have had having");

/// Forms of "do" that are auxiliaries.
pub static DO: WordList = WordList::new("do does did");

/// Prepositions but for "to".
pub static PREPOSITIONS: WordList = WordList::new(include_str!("words/prepositions.txt"));

/// Words that belong to the verb before them.
pub static PARTICLES: WordList =
    WordList::new("up down out off away back over together forward apart aside ahead on in around along");

/// Particles that belong to the verb even before a noun.
pub static FREE_PARTICLES: WordList =
    WordList::new("up down out off away back apart aside ahead together forward");

/// Coordinating conjunctions.
pub static COORDINATORS: WordList = WordList::new("and but or nor & plus");

/// Subordinating conjunctions.
pub static SUBORDINATORS: WordList = WordList::new(
    "because after before while when although though if unless since until whereas once as whether \
    lest whenever wherever despite till than",
);

/// Subordinators of what holds if the sentence does.
pub static FACTUAL: WordList =
    WordList::new("because after while when although though since whereas as once");

/// Subordinators of what no claim may leave out.
pub static CONDITIONAL: WordList = WordList::new("if unless whether lest whenever wherever than");

/// Those of a reason, which is the speaker's where the sentence reports.
pub static REASONS: WordList = WordList::new("because although though since whereas as");

/// Those of a time, which may be to come: "when he dies".
pub static TIMES: WordList = WordList::new("after when once");

/// Prepositions whose phrase is never apart from what is before it.
pub static CLOSE_PREPOSITIONS: WordList = WordList::new("of including than except excluding");

/// Prepositions without whose phrase the rest may be false.
pub static LIMITING: WordList = WordList::new("without except barring excluding");

/// Prepositions whose phrase is about a verb rather than a noun.
pub static FREE_PREPOSITIONS: WordList =
    WordList::new("after as because before by despite during following since through throughout until");

/// Prepositions that lead to what a verb without an object is about.
pub static ARGUMENT_PREPOSITIONS: WordList = WordList::new("about against for into of to upon with");

/// Prepositions that lead to where an object goes, or to what it is kept from.
pub static GOALS: WordList = WordList::new("about against into onto to toward towards");

/// Nouns with which "as" opens no role: "as part of".
pub static NO_ROLES: WordList = WordList::new("part of well");

/// Relative and question words.
pub static RELATIVES: WordList =
    WordList::new("who which whom whose where why how what whoever whatever whichever");

/// Numbers in letters.
pub static NUMBERS: WordList = WordList::new(include_str!("words/numbers.txt"));

/// Adverbs that no ending shows.
pub static ADVERBS: WordList = WordList::new(include_str!("words/adverbs.txt"));

/// Adverbs of time and place, of which a claim has none or one.
pub static TIME_ADVERBS: WordList = WordList::new(
    "yesterday today tomorrow tonight overnight earlier later recently soon again twice once online \
    abroad afterwards overseas worldwide nationwide elsewhere alone together there here ago",
);

/// Adverbs that tie a sentence to the one before; claims go without.
pub static CONNECTIVES: WordList = WordList::new(
    "however also meanwhile then therefore instead moreover furthermore nevertheless thus hence still \
    indeed nonetheless",
);

/// Adverbs that no claim may leave out.
pub static HEDGES: WordList = WordList::new(
    "allegedly reportedly apparently supposedly purportedly possibly probably almost nearly barely \
    perhaps maybe",
);

/// Adverbs that deny the verb or limit it.
pub static DENYING_ADVERBS: WordList = WordList::new("hardly barely scarcely rarely seldom only");

/// Adverbs in -ly that say how much of a noun: "to mostly rural areas".
pub static AMOUNTS: WordList = WordList::new(
    "chiefly entirely exclusively fully highly largely mainly mostly nearly only partly predominantly \
    primarily purely relatively roughly solely virtually",
);

/// Adverbs that go with the clause behind them: "even if".
pub static FOCUSING: WordList =
    WordList::new("especially even ever just long only particularly shortly soon");

/// Words by which several do what one of them does not.
pub static JOINT: WordList = WordList::new(
    "together other another both jointly their themselves they between apart respectively each same",
);

/// Adjectives that "to" goes on with.
pub static WITH_GOAL: WordList =
    WordList::new("adjacent close contrary due equal next prior related similar subject");

/// Adjectives that no ending shows.
pub static ADJECTIVES: WordList = WordList::new(include_str!("words/adjectives.txt"));

/// Function words of other languages that are none in English.
pub static FOREIGN: WordList = WordList::new(include_str!("words/foreign.txt"));
