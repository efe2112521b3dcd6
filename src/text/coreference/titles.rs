//! Word lists of titles before a name and of letters after it.
//!
//! A listed word is not always a title: "King" may be a surname.

use super::gender::Gender;
use crate::text::word_list::WordList;

static MALE: WordList = WordList::new(
    "mr mister messrs sir lord baron king prince duke earl pope father brother fr monsignor señor \
    monsieur herr sheikh sultan emperor viscount archbishop cardinal imam ayatollah rabbi uncle",
);

static FEMALE: WordList = WordList::new(
    "mrs ms miss dame lady baroness queen princess duchess countess madame mme mlle señora frau \
    empress sister aunt",
);

static NEUTRAL: WordList = WordList::new("dr doctor prof professor mx rev reverend hon");

static RANKS: WordList = WordList::new(include_str!("words/ranks.txt"));

static POST_NOMINALS: WordList = WordList::new("mp msp mep am ms qc kc obe mbe cbe kbe phd md");

/// Particles between a given name and a surname: "van Gaal".
static PARTICLES: WordList = WordList::new(
    "van von de der den del della di da do dos du la le bin ibn al el ter ten abu st mac ap zu y",
);

/// The gender of a title of address: "Mr", "Dame", "Dr".
pub(super) fn honorific(word: &str) -> Option<Gender> {
    if MALE.contains(word) {
        Some(Gender::Male)
    } else if FEMALE.contains(word) {
        Some(Gender::Female)
    } else {
        NEUTRAL.contains(word).then_some(Gender::Unknown)
    }
}

/// Whether the word is a title of address or an abbreviated rank that takes a full stop.
pub(super) fn is_honorific(word: &str) -> bool {
    honorific(word).is_some()
        || ["sgt", "capt", "gen", "sen", "rep", "gov", "supt", "insp", "lt", "col"].contains(&word)
}

/// Whether the word is a rank or an office that can precede a name.
pub(super) fn is_rank(word: &str) -> bool {
    RANKS.contains(word)
}

/// Whether the word distinguishes generations: "Jr".
pub(super) fn is_generation(word: &str) -> bool {
    matches!(word, "jr" | "sr" | "jnr" | "snr" | "ii" | "iii" | "iv")
}

pub(super) fn is_post_nominal(word: &str) -> bool {
    POST_NOMINALS.contains(word)
}

pub(super) fn is_particle(word: &str) -> bool {
    PARTICLES.contains(word)
}

/// Whether the lower-case particle can be the first word of a surname: "van Gaal".
pub(super) fn opens_surname(word: &str) -> bool {
    static WORDS: WordList = WordList::new("van von de der den di da dos del della bin ten ter le du");
    WORDS.contains(word)
}

/// Whether the word can be part of an office: "Foreign Secretary", "Chief Executive".
pub(super) fn is_office_word(word: &str) -> bool {
    static WORDS: WordList = WordList::new(
        "foreign home defence defense shadow deputy vice chief attorney health education transport \
        finance environment culture trade interior assistant state general",
    );
    WORDS.contains(word)
}

/// Whether the title is used with a given name alone: "Prince Harry", "Pope Francis".
pub(super) fn is_regnal(word: &str) -> bool {
    static WORDS: WordList = WordList::new(
        "king queen prince princess pope emperor empress sister father brother sheikh sultan aunt \
        uncle",
    );
    WORDS.contains(word)
}
