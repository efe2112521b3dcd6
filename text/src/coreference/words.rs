//! Closed classes of words, and the open ones that rules ask for.
//!
//! Decides nothing about a sentence: a lower-cased word is in a list or it is not.

use super::word_set::{WordSet, set};

/// Words that have a capital letter only where a sentence or a headline gives them one.
static FUNCTION: WordSet = WordSet::new(|| {
    set(
        "a an the this that these those some any each every either neither no another all both such half several many \
    few more most fewer less enough my your his her its our their whose i you he she it we they me him us them \
    himself herself itself themselves myself yourself someone somebody something anyone anybody anything everyone \
    everybody everything nobody nothing none there here who whom which what when where why how whether whoever \
    whatever and or but nor so yet for if unless because although though while whereas since until till as than \
    of in on at by to from with without within into onto over under about above across against along amid among \
    amongst around before behind below beneath beside besides between beyond despite down during except following \
    inside like near off out outside past per regarding round through throughout toward towards underneath up upon \
    via versus is are was were am be been being do does did has have had having can could may might shall should \
    must would will cannot not never also now then still just only already ever even again soon later once twice \
    too very quite rather almost nearly often always sometimes usually perhaps maybe however instead therefore thus \
    hence meanwhile moreover furthermore nevertheless nonetheless otherwise anyway indeed well yes oh ok okay please \
    today tomorrow yesterday tonight earlier recently finally previously currently afterwards eventually initially \
    apparently clearly obviously sadly unfortunately fortunately hopefully surprisingly interestingly additionally \
    elsewhere together alone first second third last next one two three four five six seven eight nine ten eleven \
    twelve former other others own same according due given asked speaking despite amid let lets get got go going \
    make made let's don't didn't isn't wasn't doesn't can't won't it's that's there's here's what's who's",
    )
});

/// Days, months and feasts: capital letters, but no names of anybody.
static CALENDAR: WordSet = WordSet::new(|| {
    set(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays \
    saturdays sundays january february march april may june july august september october november december jan feb \
    mar apr jun jul aug sep sept oct nov dec christmas easter halloween thanksgiving gmt bst am pm est",
    )
});

/// Months that are surnames or first names as well.
pub(super) const NAME_MONTHS: [&str; 5] = ["may", "march", "april", "june", "august"];

static SPEECH: WordSet = WordSet::new(|| {
    set(
        "said says saying told tells added adds admitted admits announced announces argued argues believes believed \
    claimed claims confirmed confirms denied denies insisted insists revealed reveals explained explains warned warns \
    wrote writes tweeted replied stated states commented acknowledged suggested suggests hopes hoped expects expected \
    thinks thought reported reports estimates estimated pledged promised vowed feels felt conceded declared recalled",
    )
});

/// Finite verbs and auxiliaries that follow a subject at once.
static AUXILIARIES: WordSet = WordSet::new(|| {
    set("is was has had will would can could may might must should does did do are were have been be")
});

static COMMON_NAMES: WordSet = WordSet::new(|| {
    set(
        "bank banks baker barber bell berry best bishop black blue bond brown bush butcher butler carpenter case chance church \
    coach cook cross day dean drew driver early english faith farmer field fisher fish flood flowers ford forest fox french frost \
    gates gold good grace grant gray green grey hall hardy hill holiday hope house hunt hunter irish joy judge keen king knight \
    lake lamb lane law little long lord love major march mark mason may miller mills moon moore noble page park parks peel penny \
    pike pitt poor pope porter potter pound power powers price priest prince queen read reed rice rich ring rivers rock rose rowe \
    rush sharp shepherd short silver singer small smart snow son spring stone storm street strong summer summers swan swift taylor \
    temple turner usher wall ward waters way weaver webb wells west white wild wise wolf wood woods young",
    )
});

/// Past forms of irregular verbs that are no nouns.
static PAST: WordSet = WordSet::new(|| {
    set(
        "became began bought brought built came caught chose did drew drove fell felt fled fought found gave \
    got grew held kept knew laid lay led left lent lost made meant met paid ran rose sang sat saw sent shook \
    shut slept sold sought spent spoke stood struck swore swam taught threw told took went withdrew woke won wore",
    )
});

pub(super) fn is_past(word: &str) -> bool {
    PAST.contains(word)
}

pub(crate) fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

pub(super) fn is_calendar(word: &str) -> bool {
    CALENDAR.contains(word)
}

pub(super) fn is_speech(word: &str) -> bool {
    SPEECH.contains(word)
}

pub(super) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(word)
}

/// Whether a surname is an everyday word too, so that a capital at the start of a sentence says
/// little.
pub(super) fn is_common_word(word: &str) -> bool {
    COMMON_NAMES.contains(word)
}

/// Whether the word is a determiner or a possessive that opens a noun phrase.
pub(super) fn is_determiner(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "the"
            | "this"
            | "that"
            | "another"
            | "one"
            | "each"
            | "every"
            | "some"
            | "any"
            | "no"
            | "my"
            | "your"
            | "his"
            | "her"
            | "its"
            | "our"
            | "their"
            | "whose"
    )
}

/// Whether the word is a preposition or a conjunction that a noun phrase does not cross leftwards.
pub(super) fn is_link(word: &str) -> bool {
    matches!(
        word,
        "of" | "in"
            | "on"
            | "at"
            | "by"
            | "to"
            | "from"
            | "with"
            | "for"
            | "and"
            | "or"
            | "but"
            | "as"
            | "that"
            | "than"
            | "who"
            | "which"
            | "when"
            | "while"
            | "after"
            | "before"
            | "because"
            | "if"
            | "like"
    )
}

/// A form of "to be" or of becoming: what follows describes the subject.
pub(super) fn is_copula(word: &str) -> bool {
    matches!(
        word,
        "is" | "was"
            | "be"
            | "been"
            | "being"
            | "become"
            | "became"
            | "becomes"
            | "becoming"
            | "remains"
            | "remained"
            | "as"
    )
}
