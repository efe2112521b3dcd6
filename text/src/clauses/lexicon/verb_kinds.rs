//! Kinds of verbs: what they need behind them, and what follows from it.
//!
//! Decides by the base form alone. Refuses senses: a verb that is of a kind in one of its senses is
//! of that kind.

use super::WordList;

/// Their complement may be a clause: "X said (that) Y".
pub static CLAUSAL: WordList = WordList::of(
    "accept acknowledge add admit advise affirm agree allege announce argue assert assume assure believe boast \
    brag claim complain concede conclude confess confirm convince decide declare deem demand deny \
    discover doubt ensure estimate expect explain fear feel find guess hear hope imagine imply \
    indicate inform insist joke know learn maintain mean note notice observe order pledge predict \
    promise propose prove realise realize recall recommend regret remark remember remind report \
    request reveal rule say see show speculate state stress suggest suspect swear tell testify think \
    tweet understand urge vow warn wish worry write",
);

/// Their complement is hardly ever a thing: "X said trucks built in 2012 failed".
pub static CLAUSE_ONLY: WordList =
    WordList::of("add admit argue believe claim fear hope insist know say suggest suspect think warn");

/// They speak, and may stand behind what is said: "Y, X said".
pub static SPEAKING: WordList = WordList::of(
    "add admit announce argue believe claim confirm explain hear insist joke learn note recall report reveal say \
    state suggest tell tweet understand warn write",
);

/// They leave a hole without the phrase behind them.
pub static NEEDS_PHRASE: WordList = WordList::of(
    "account act aim amount appear apply associate base become belong come compare consist contribute \
    cope date deal depend differ focus fork get go hail involve lay lead leave lie link listen live locate \
    look participate place plead put range refer relate rely remain reside result seem send serve set sit situate \
    specialise specialize stand stay stem subject suffer talk tend turn",
);

/// Verbs with a preposition that they need, joined by a hyphen here.
pub static PHRASAL: WordList = WordList::of(
    "class-as describe-as know-as label-as recognise-as recognize-as regard-as treat-as view-as \
    account-for accuse-of admit-to agree-to aim-at ask-for attend-to believe-in call-for call-on \
    care-for carry-on cater-for come-across come-from compete-for compete-in comply-with confess-to \
    confide-in consider-for convert-to cooperate-with deal-with dream-of engage-in fall-in hand-over hear-of \
    hope-for insist-on invest-in look-at look-for make-for meet-with object-to opt-for pass-on pay-for \
    plot-against pray-for put-on react-to respond-to result-in run-into search-for see-as see-with set-for side-with \
    speak-of specialise-in succeed-in switch-on suspect-of take-on take-over take-to think-of treat-like \
    draw-against draw-in draw-with try-on turn-on turn-over \
    vie-for wait-for warn-of",
);

/// Their object acts in the infinitive behind it: "wants X to go".
pub static CONTROL: WordList = WordList::of(
    "advise allow ask beg believe call cause challenge choose consider convince demand enable encourage expect \
    forbid force get have hear help hire instruct intend invite lead let like make need order permit \
    persuade prefer remind require see select teach tell train urge want warn watch",
);

/// Several do them with each other: their subjects are not taken apart.
pub static COLLECTIVE: WordList = WordList::of(
    "agree argue clash collaborate collide combine compete converge cooperate chat date debate differ disagree discuss \
    divorce embrace exchange fight gather hug join kiss marry match meet merge mix negotiate pair part \
    partner resemble reunite separate share split swap team tie unite wed",
);

/// They deny what follows: nothing is dropped behind them.
pub static DENYING: WordList = WordList::of(
    "avoid ban bar block cease decline deny dismiss doubt fail forbid lack miss neglect oppose prevent \
    prohibit refuse reject stop",
);

/// What follows them is not, or only thought: no reason or time in it is said by itself.
pub static UNREAL: WordList =
    WordList::of("deny doubt dream forbid imagine pretend prevent prohibit ban wish");

/// With an object they need to say where it goes, or what it is kept from: "brings the show to London".
pub static MOVING: WordList = WordList::of(
    "attach attribute caution compare confine devote expose inform limit notify order owe put restrict subject transform \
    translate warn",
);

/// With an object they need to say where it is then: "left them in the bottom three".
pub static PLACING: WordList = WordList::of("lay leave place put set");

/// They say what their subject is, as "be" does.
pub static COPULAR: WordList = WordList::of("become remain seem appear");

/// A time behind them is their object: "It took a year".
pub static MEASURING: WordList = WordList::of("cost give have last need serve spend take wait");

/// They have an object, whatever else they have.
pub static TRANSITIVE: WordList = WordList::of(
    "accuse allow arrest bring buy carry cause create damage destroy discover earn enjoy find give have hit \
    include introduce invite make mention offer own praise provide publish put raise receive release \
    remove reveal send share steal suggest support take tell throw use",
);

/// A time behind them is that of what they plan.
pub static PLANNING: WordList = WordList::of(
    "announce arrange book expect invite offer organise organize plan postpone promise propose schedule",
);

/// They have two objects: "was given flowers".
pub static GIVING: WordList = WordList::of("award deny give grant hand lend offer send show teach tell");

/// What a participle says of their object is part of what they say: "had the car repaired".
pub static OBJECT_STATE: WordList =
    WordList::of("catch find get have hear keep leave let make put see set show want watch");

/// They say nothing of their object without its participle: "had the car repaired".
pub static NEEDS_STATE: WordList = WordList::of("have get keep leave let make put set want");

/// They have no object, or are often without: "sat and ate the soup".
pub static INTRANSITIVE: WordList = WordList::of(
    "agree appear apologise apologize arrive bow burst collapse come crash cry die disappear escape exist \
    fall flee go happen laugh leave move recover relapse remain resign retire return rise roll run score sit \
    sleep smile stand stay stop survive travel turn wait wake walk work",
);

/// In -ing behind a comma, the event does them: "He fled, sparking a search".
pub static OF_EVENTS: WordList = WordList::of(
    "add allow amplify become boost break bring cause cost create enable end enhance force give help improve include indicate injure \
    keep kill lead leave let make mark mean prompt prove push put raise reach result send set show \
    spark suggest take trigger turn usher worsen",
);

/// What their participle says still holds: "named after", "based in".
pub static LASTING: WordList = WordList::of("base call involve know locate name");
