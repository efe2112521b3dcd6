//! Words that tell organisations, places and events from people.
//!
//! Decides from the words of a name, and the noun before it, whether it is an organisation's.

use super::word_set::{WordSet, set};

/// Nouns for one organisation, which "the ..." can name again.
static NOUNS: WordSet = WordSet::new(|| {
    set(
        "company firm club charity council university school college hospital bank agency union party government \
    ministry department airline broadcaster newspaper retailer supermarket manufacturer carmaker organisation organization \
    institution institute trust authority commission committee regulator watchdog association federation museum theatre church \
    website magazine network studio chain operator supplier giant academy foundation society consortium startup \
    start-up group force watchdog brewery publisher bookmaker pharmacy insurer lender corporation",
    )
});

/// Last words of names of organisations.
static HEADS: WordSet = WordSet::new(|| {
    set(
        "company club council university school college hospital bank agency union party government ministry department airline \
    airlines airways organisation organization institution institute trust authority commission committee association federation \
    league museum theatre church network studios academy foundation society consortium group force police team fc united city \
    rovers wanderers albion athletic hotspur palace rangers county town utd service services office court parliament senate \
    congress assembly house cabinet army navy corps forces guard bureau board forum centre center alliance campaign charity times post \
    guardian mail telegraph herald tribune mirror news radio television tv press media magazine journal gazette express \
    motors electric energy oil petroleum gas power water systems tech technologies technology software entertainment pictures \
    records music hotels partners associates brothers bros sons stores supermarkets foods industries international \
    holdings enterprises capital insurance pharmaceuticals laboratories labs nations states kingdom republic emirates \
    administration treasury ombudsman inspectorate commons lords",
    )
});

/// Last words of names of places, events, works and things.
static THINGS: WordSet = WordSet::new(|| {
    set(
        "road street lane avenue square hill hills mountain mountains river lake sea ocean island islands bay coast beach park gardens garden \
    forest valley canal bridge tower castle hall palace cathedral abbey station airport stadium arena ground lodge farm hotel inn pub prison \
    cup open championship championships games olympics trophy prize award awards final finals festival tour race grand prix masters \
    derby marathon act bill treaty agreement accord law report inquiry review war battle day week month year night weekend season \
    age century show album film movie book story series show symphony bible virus disease syndrome fever storm hurricane \
    east west north south north-east south-east north-west south-west northeast southeast border desert district province state region \
    estate terrace way drive close crescent place mall centre center building buildings house houses temple mosque zoo fund scheme \
    project programme program plan project operation fire crisis scandal affair gate one two division section premiership cross peak pole star rose strip bank \
    eve act amendment constitution strait peninsula gulf canyon falls springs harbour harbor pier port docks shore wall line rail railway train express ferry",
    )
});

/// Legal forms and what is left out with them.
static LEGAL: WordSet = WordSet::new(|| {
    set("ltd limited plc inc incorporated corp corporation co company llc llp gmbh ag sa group holdings")
});

/// Whether the word names an organisation's sort: "company", "club".
pub(super) fn is_organisation_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// Whether a name that ends so is an organisation's.
pub(super) fn is_organisation_head(word: &str) -> bool {
    HEADS.contains(word) || LEGAL.contains(word)
}

/// Whether a name that ends so is a place's, an event's or a thing's.
pub(super) fn is_thing_head(word: &str) -> bool {
    THINGS.contains(word)
}

/// Whether the word is a legal form or "Group", which the short name leaves out.
pub(super) fn is_legal_form(word: &str) -> bool {
    LEGAL.contains(word)
}

/// Whether "of" or "for" after the word goes on with the name: "Bank of England".
pub(super) fn takes_of(word: &str) -> bool {
    matches!(
        word,
        "bank"
            | "university"
            | "department"
            | "ministry"
            | "house"
            | "association"
            | "institute"
            | "office"
            | "college"
            | "school"
            | "society"
            | "federation"
            | "union"
            | "church"
            | "council"
            | "court"
            | "agency"
            | "centre"
            | "center"
            | "academy"
            | "committee"
            | "organisation"
            | "organization"
            | "museum"
            | "isle"
            | "duke"
            | "duchess"
            | "prince"
            | "princess"
            | "archbishop"
            | "bishop"
            | "league"
            | "city"
            | "republic"
            | "states"
            | "secretary"
            | "minister"
            | "foundation"
            | "campaign"
            | "confederation"
            | "earl"
            | "countess"
            | "director"
            | "board"
            | "commission"
            | "authority"
            | "friends"
            | "chamber"
            | "guild"
            | "order"
    )
}

/// Whether "and" may go on with a name after such a word and "of" or "for".
pub(super) fn takes_and(word: &str) -> bool {
    matches!(
        word,
        "department"
            | "ministry"
            | "association"
            | "institute"
            | "office"
            | "society"
            | "council"
            | "committee"
            | "agency"
            | "college"
    )
}
