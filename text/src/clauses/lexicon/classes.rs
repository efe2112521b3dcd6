//! Closed classes of words, and the groups of them that rules name.
//!
//! Decides which words form a class. Refuses inflection, which `verb_forms` handles, and context.

use crate::word_list::WordList;

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

/// Pronouns that are never a subject.
pub(crate) static OBJECT_PRONOUNS: WordList = WordList::new("him them us me");

/// Pronouns that a participle cannot modify.
pub(crate) static PERSONAL_PRONOUNS: WordList = WordList::new("he she it they we i you");

/// Plural pronouns and determiners.
pub(crate) static PLURAL_PRONOUNS: WordList =
    WordList::new("they we you them us these those both many few several");

/// Pronouns that may take "of": "some of them".
pub(crate) static PARTITIVES: WordList =
    WordList::new("none one some all many most both each any those that");

/// Words that quantify their noun: a claim about it must keep the whole predicate.
pub(crate) static QUANTIFIERS: WordList = WordList::new(
    "no none neither nobody nothing few fewer any anyone anybody anything each every all everyone \
    everybody everything either only least most less hardly",
);

/// Words that single out one member of a set.
pub(crate) static SUPERLATIVES: WordList = WordList::new("first last only best worst most least sole");

/// Ordinals.
pub(crate) static ORDINALS: WordList =
    WordList::new("first second third fourth fifth sixth seventh eighth ninth tenth last only");

/// First words of objects that negate or diminish the statement.
pub(crate) static NEGATIVE_OPENERS: WordList =
    WordList::new("no few little neither nothing nobody none only hardly any");

/// Words that belong to the number after them: "more than", "about".
pub(crate) static QUANTITY_OPENERS: WordList = WordList::new(
    "about above almost another approximately around as at below close exactly fewer further just \
    least less many more most nearly only over roughly some than to under up",
);

/// Modal verbs.
pub(crate) static MODALS: WordList =
    WordList::new("will would can could may might shall should must cannot ought wo ca sha");

/// Modal verbs of obligation.
pub(crate) static ORDERS: WordList = WordList::new("must should shall ought");

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

/// Particles that belong to the verb even if a noun follows.
pub(crate) static FREE_PARTICLES: WordList =
    WordList::new("up down out off away back apart aside ahead together forward");

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

/// Subordinators whose clause every claim must keep.
pub(crate) static CONDITIONAL: WordList = WordList::new("if unless whether lest whenever wherever than");

/// Subordinators of a reason; in reported speech the reason is the speaker's.
pub(crate) static REASONS: WordList = WordList::new("because although though since whereas as");

/// Subordinators of a time that may be in the future: "when he dies".
pub(crate) static TIMES: WordList = WordList::new("after when once");

/// Prepositions whose phrase always belongs to the word before it.
pub(crate) static CLOSE_PREPOSITIONS: WordList = WordList::new("of including than except excluding");

/// Prepositions whose phrase every claim must keep, because the rest may be false without it.
pub(crate) static LIMITING: WordList = WordList::new("without except barring excluding");

/// Prepositions whose phrase modifies a verb rather than a noun.
pub(crate) static FREE_PREPOSITIONS: WordList =
    WordList::new("after as because before by despite during following since through throughout until");

/// Prepositions of the argument of a verb without an object.
pub(crate) static ARGUMENT_PREPOSITIONS: WordList = WordList::new("about against for into of to upon with");

/// Prepositions of the goal of an object, or of what it is kept from.
pub(crate) static GOALS: WordList = WordList::new("about against into onto to toward towards");

/// Nouns after which "as" does not introduce a role: "as part of".
pub(crate) static NO_ROLES: WordList = WordList::new("part of well");

/// Relative and question words.
pub(crate) static RELATIVES: WordList =
    WordList::new("who which whom whose where why how what whoever whatever whichever");

/// Spelled-out numbers.
pub(crate) static NUMBERS: WordList = WordList::new(include_str!("words/numbers.txt"));

/// Adverbs that have no typical ending.
pub(crate) static ADVERBS: WordList = WordList::new(include_str!("words/adverbs.txt"));

/// Adverbs of time and place; a claim has at most one of them.
pub(crate) static TIME_ADVERBS: WordList = WordList::new(
    "yesterday today tomorrow tonight overnight earlier later recently soon again twice once online \
    abroad afterwards overseas worldwide nationwide elsewhere alone together there here ago",
);

/// Adverbs that link a sentence to the one before; claims omit them.
pub(crate) static CONNECTIVES: WordList = WordList::new(
    "however also meanwhile then therefore instead moreover furthermore nevertheless thus hence still \
    indeed nonetheless",
);

/// Adverbs that every claim must keep.
pub(crate) static HEDGES: WordList = WordList::new(
    "allegedly reportedly apparently supposedly purportedly possibly probably almost nearly barely \
    perhaps maybe",
);

/// Adverbs that negate or limit the verb.
pub(crate) static NEGATING_ADVERBS: WordList = WordList::new("hardly barely scarcely rarely seldom only");

/// Adverbs in -ly that quantify a noun: "to mostly rural areas".
pub(crate) static AMOUNTS: WordList = WordList::new(
    "chiefly entirely exclusively fully highly largely mainly mostly nearly only partly predominantly \
    primarily purely relatively roughly solely virtually",
);

/// Adverbs that belong to the clause after them: "even if".
pub(crate) static FOCUSING: WordList =
    WordList::new("especially even ever just long only particularly shortly soon");

/// Words that mark a joint action, which is not true of each participant.
pub(crate) static JOINT: WordList = WordList::new(
    "together other another both jointly their themselves they between apart respectively each same",
);

/// Adjectives that take "to".
pub(crate) static WITH_GOAL: WordList =
    WordList::new("adjacent close contrary due equal next prior related similar subject");

/// Adjectives that have no typical ending.
pub(crate) static ADJECTIVES: WordList = WordList::new(include_str!("words/adjectives.txt"));

/// Function words of other languages that are not English function words.
pub(crate) static FOREIGN: WordList = WordList::new(include_str!("words/foreign.txt"));
