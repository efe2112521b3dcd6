//! Closed classes of words, and the groups of them that rules name.
//!
//! Decides which words form a class. Refuses inflection, which `verb_forms` knows, and context.

use super::WordList;

/// Determiners but for "that".
pub static DETERMINERS: WordList = WordList::of(
    "the a an this that these those some any each every either neither no another all both such half \
    several many few more most fewer less enough",
);

/// Possessive determiners.
pub static OWNERS: WordList = WordList::of("my your his her its our their");

/// Pronouns of all kinds.
pub static PRONOUNS: WordList = WordList::of(
    "i you he she it we they me him us them himself herself itself themselves myself yourself ourselves \
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing \
    none there mine yours hers ours theirs one another",
);

/// Pronouns that a verb may follow.
pub static SUBJECT_PRONOUNS: WordList =
    WordList::of("i you he she it we they there who someone everyone somebody everybody");

/// Pronouns that are never a subject.
pub static OBJECT_PRONOUNS: WordList = WordList::of("him them us me");

/// Pronouns that no participle modifies.
pub static PERSONAL_PRONOUNS: WordList = WordList::of("he she it they we i you");

/// Pronouns and determiners that stand for several.
pub static PLURAL_PRONOUNS: WordList = WordList::of("they we you them us these those both many few several");

/// Pronouns that "of" may follow: "some of them".
pub static PARTITIVES: WordList = WordList::of("none one some all many most both each any those that");

/// Words that make their noun a quantity: nothing may be dropped from what is said of it.
pub static QUANTIFIERS: WordList = WordList::of(
    "no none neither nobody nothing few fewer any anyone anybody anything each every all everyone \
    everybody everything either only least most less hardly",
);

/// Words by which a noun is one of its kind.
pub static SUPERLATIVES: WordList = WordList::of("first last only best worst most least sole");

/// Words that count what has been.
pub static ORDINALS: WordList =
    WordList::of("first second third fourth fifth sixth seventh eighth ninth tenth last only");

/// Openers of objects that deny or diminish.
pub static NEGATIVES: WordList = WordList::of("no few little neither nothing nobody none only hardly any");

/// Words before a number that belong to it: "more than", "about".
pub static QUANTITY_OPENERS: WordList = WordList::of(
    "about above almost another approximately around as at below close exactly fewer further just least \
    less many more most nearly only over roughly some than to under up",
);

/// Modal verbs.
pub static MODALS: WordList =
    WordList::of("will would can could may might shall should must cannot ought wo ca sha");

/// Those that order what is to be done.
pub static ORDERS: WordList = WordList::of("must should shall ought");

/// Forms of "be".
pub static BE: WordList = WordList::of("is are was were am be been being");

/// Forms of "have".
pub static HAVE: WordList = WordList::of("has have had having");

/// Forms of "do" that are auxiliaries.
pub static DO: WordList = WordList::of("do does did");

/// Prepositions but for "to".
pub static PREPOSITIONS: WordList = WordList::of(
    "about above across against along alongside amid amidst among amongst around at behind below \
    beneath beside besides between beyond by despite down during except excluding for from in inside into like \
    near of off on onto opposite out outside over past per regarding through throughout toward towards \
    under underneath until unlike up upon via with within without worth versus vs aboard atop than as \
    till including",
);

/// Words that belong to the verb before them.
pub static PARTICLES: WordList =
    WordList::of("up down out off away back over together forward apart aside ahead on in around along");

/// Particles that belong to the verb even before a noun.
pub static FREE_PARTICLES: WordList =
    WordList::of("up down out off away back apart aside ahead together forward");

/// Coordinating conjunctions.
pub static COORDINATORS: WordList = WordList::of("and but or nor & plus");

/// Subordinating conjunctions.
pub static SUBORDINATORS: WordList = WordList::of(
    "because after before while when although though if unless since until whereas once as whether lest \
    whenever wherever despite till than",
);

/// Subordinators of what holds if the sentence does.
pub static FACTUAL: WordList = WordList::of("because after while when although though since whereas as once");

/// Subordinators of what no claim may leave out.
pub static CONDITIONAL: WordList = WordList::of("if unless whether lest whenever wherever than");

/// Those of a reason, which is the speaker's where the sentence reports.
pub static REASONS: WordList = WordList::of("because although though since whereas as");

/// Those of a time, which may be to come: "when he dies".
pub static TIMES: WordList = WordList::of("after when once");

/// Prepositions whose phrase is never apart from what is before it.
pub static CLOSE_PREPOSITIONS: WordList = WordList::of("of including than except excluding");

/// Prepositions without whose phrase the rest may be false.
pub static LIMITING: WordList = WordList::of("without except barring excluding");

/// Prepositions whose phrase is about a verb rather than a noun.
pub static FREE_PREPOSITIONS: WordList =
    WordList::of("after as because before by despite during following since through throughout until");

/// Prepositions that lead to what a verb without an object is about.
pub static ARGUMENT_PREPOSITIONS: WordList = WordList::of("about against for into of to upon with");

/// Prepositions that lead to where an object goes, or to what it is kept from.
pub static GOALS: WordList = WordList::of("about against into onto to toward towards");

/// Nouns with which "as" opens no role: "as part of".
pub static NO_ROLES: WordList = WordList::of("part of well");

/// Relative and question words.
pub static RELATIVES: WordList =
    WordList::of("who which whom whose where why how what whoever whatever whichever");

/// Numbers in letters.
pub static NUMBERS: WordList = WordList::of(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand \
    million billion trillion dozen dozens hundreds thousands millions billions",
);

/// Adverbs that no ending shows.
pub static ADVERBS: WordList = WordList::of(
    "not never also now then still just only already ever even again soon later once twice here there \
    very too so quite rather almost nearly often always sometimes usually perhaps maybe however \
    instead therefore thus hence meanwhile moreover furthermore nevertheless away ago together \
    yesterday today tomorrow tonight overnight abroad online indoors outdoors upstairs downstairs \
    earlier well hard fast far long yet indeed else back around alone apart aside ahead forward inside \
    outside recently finally previously currently afterwards afterward beforehand seldom rarely \
    overseas nowhere somewhere anywhere everywhere thrice half-way halfway much more less most least \
    otherwise elsewhere thereafter nonetheless anyway straight worldwide nationwide out up down",
);

/// Adverbs of time and place, of which a claim has none or one.
pub static TIME_ADVERBS: WordList = WordList::of(
    "yesterday today tomorrow tonight overnight earlier later recently soon again twice once online \
    abroad afterwards overseas worldwide nationwide elsewhere alone together there here ago",
);

/// Adverbs that tie a sentence to the one before; claims go without.
pub static CONNECTIVES: WordList = WordList::of(
    "however also meanwhile then therefore instead moreover furthermore nevertheless thus hence still \
    indeed nonetheless",
);

/// Adverbs that no claim may leave out.
pub static HEDGES: WordList = WordList::of(
    "allegedly reportedly apparently supposedly purportedly possibly probably almost nearly barely \
    perhaps maybe",
);

/// Adverbs that deny the verb or limit it.
pub static DENYING_ADVERBS: WordList = WordList::of("hardly barely scarcely rarely seldom only");

/// Adverbs in -ly that say how much of a noun: "to mostly rural areas".
pub static AMOUNTS: WordList = WordList::of(
    "chiefly entirely exclusively fully highly largely mainly mostly nearly only partly predominantly \
    primarily purely relatively roughly solely virtually",
);

/// Adverbs that go with the clause behind them: "even if".
pub static FOCUSING: WordList = WordList::of("especially even ever just long only particularly shortly soon");

/// Words by which several do what one of them does not.
pub static JOINT: WordList = WordList::of(
    "together other another both jointly their themselves they between apart respectively each same",
);

/// Adjectives that "to" goes on with.
pub static WITH_GOAL: WordList =
    WordList::of("adjacent close contrary due equal next prior related similar subject");

/// Adjectives that no ending shows.
pub static ADJECTIVES: WordList = WordList::of(
    "existing growing leading neighbouring ongoing outstanding remaining surrounding abusive active aggressive attractive creative destructive effective excessive expensive extensive \
    impressive intensive negative offensive passive positive productive protective racist sensitive sexist able afraid alive alone ancient angry anonymous available aware bad bare best better big bigger \
    biggest bitter black blue bold brave brief bright brightest broad broken brown busiest busy calm \
    capable certain cheap cheapest chief clean clear close closest cold coldest common complete \
    concerned correct costly crazy critical cruel current daily dangerous dark darkest dead deadliest \
    deadly deaf dear deep different difficult dirty double dry due dull eager earliest early easy \
    elderly empty entire equal evil exact extra fair false familiar famous fastest fat female few \
    final fine finest firm first fit flat foreign former free fresh friendly front full fun funny \
    future general gentle glad golden good grand grateful great greatest green grey guilty happy hard \
    hardest harsh healthy heaviest heavy high higher highest hot hottest huge human hungry ill \
    important independent innocent joint keen key large largest last late latest lazy legal likely \
    lively local lone lonely long longest loose loud low lower lowest lucky mad main major male \
    massive mere mild military minor missing modern monthly narrow nasty national near nearest neat \
    new newest next nice normal obvious odd ok old older oldest only other outer overall own pale past \
    perfect permanent personal plain pleasant poor poorest popular possible present previous private \
    proper proud public pure quick quiet rare raw ready real recent red regular responsible rich \
    richest ripe rough round royal rude sad safe safest same second secret senior separate serious \
    severe shallow sharp short shortest shy sick silent similar simple single sleepy slow slowest \
    small smaller smallest smart smooth social soft solid sore sorry special stable steady steep still \
    strange strict strong strongest sudden sure sweet tall tallest tame tender thick thin third tight \
    timely tiny tired top total tough toughest true typical ugly unable unaware unbeaten unhappy \
    united unknown unlikely upset urgent usual vacant vague valid various vast violent visible vital \
    warm weak weakest wealthiest wealthy weekly weird wet white whole wide wild willing wise wooden \
    worried worse worst worth wrong yearly yellow young younger youngest",
);

/// Function words of other languages that are none in English.
pub static FOREIGN: WordList = WordList::of(
    "der die das und ist nicht ein eine einen dem den wir sie auf mit für le la les des du est et un \
    une dans pour avec sur que qui el los las por con una il lo gli che di della per non het een van \
    voor op zijn en os dos uma não och att det som av på",
);
