//! Which words keep their full stop, and what that says about the sentence.
//!
//! Decides from the word before a stop and the word after it whether the stop belongs to an
//! abbreviation in running text. The lists hold common English ones, by what may follow them.
//! Refuses to look further than these two words.

use super::style::Style;

/// Bytes of the longest word in the lists.
const LONGEST_LISTED: usize = size_of::<u64>();

/// What follows an abbreviation, and so when its stop can end a sentence as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abbreviation {
    /// "Dr.", "e.g.": the sentence always goes on.
    Inner,
    /// "No.", "Fig.": goes on if a number follows.
    BeforeNumber,
    /// "Inc.", "U.S.", "a.m.": ends if the next word usually opens a sentence.
    Final,
}

/// Titles and link words: something that belongs to them always follows.
const INNER: &[u64] = &pack([
    "adm", "asst", "atty", "brig", "capt", "cf", "cmdr", "col", "comdr", "cpl", "cpt", "det", "dr", "e.g",
    "eg", "fr", "gen", "gov", "hon", "i.e", "ie", "insp", "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs",
    "ms", "mx", "pres", "prof", "pte", "pvt", "rep", "reps", "rev", "sen", "sens", "sgt", "st", "supt", "v",
    "viz", "vs",
]);

/// Words of reference and the months: a number belongs to them.
const BEFORE_NUMBER: &[u64] = &pack([
    "apr", "art", "arts", "aug", "ch", "chap", "dec", "eq", "eqs", "feb", "fig", "figs", "jan", "jul", "jun",
    "mar", "no", "nos", "nov", "oct", "op", "p", "par", "pp", "pt", "sec", "sect", "sep", "sept", "tab",
    "vol", "vols",
]);

/// Words that stand inside a sentence or at its end.
const FINAL: &[u64] = &pack([
    "a.m", "al", "approx", "ark", "assn", "assoc", "ave", "b.c", "blvd", "bros", "calif", "co", "conn",
    "corp", "ct", "dept", "dist", "ed", "eds", "esp", "esq", "est", "etc", "ext", "fla", "ft", "hrs", "ill",
    "inc", "incl", "jr", "kan", "ks", "ky", "lb", "lbs", "llc", "ltd", "mass", "max", "mich", "min", "minn",
    "mins", "misc", "mo", "mt", "mts", "n.b", "neb", "nev", "okla", "ore", "oz", "p.m", "pa", "penn", "ph.d",
    "plc", "pop", "pty", "rd", "resp", "sq", "sr", "tenn", "tex", "univ", "va", "vt", "wash", "wis", "wyo",
    "yr", "yrs",
]);

/// Abbreviations that are also words: taken as such only with a capital letter.
const ALSO_WORDS: &[u64] = &pack([
    "ark", "art", "col", "dec", "det", "ed", "est", "fig", "gen", "gov", "hon", "ill", "jan", "mar", "mass",
    "max", "min", "mo", "no", "oct", "ore", "pa", "par", "pop", "pres", "rep", "reps", "rev", "sec", "sen",
    "sep", "tab", "tex", "va", "wash",
]);

/// Words that open a sentence far more often than they follow an abbreviation with a capital.
const OPENERS: &[u64] = &pack([
    "a", "after", "all", "also", "although", "an", "and", "another", "as", "at", "because", "before", "both",
    "but", "by", "despite", "did", "do", "does", "during", "each", "even", "every", "few", "for", "from",
    "had", "has", "have", "he", "her", "here", "his", "how", "however", "i", "if", "in", "instead", "is",
    "it", "its", "just", "last", "later", "many", "more", "most", "my", "neither", "next", "no", "nobody",
    "none", "not", "nothing", "now", "on", "once", "one", "only", "or", "other", "others", "our", "over",
    "she", "since", "so", "some", "still", "such", "that", "the", "their", "then", "there", "these", "they",
    "this", "those", "though", "through", "thus", "to", "under", "until", "was", "we", "were", "what",
    "when", "where", "whether", "which", "while", "who", "why", "will", "with", "yet", "you", "your",
]);

/// Whether the stop after `word` only marks an abbreviation, given the word that follows it.
pub(super) fn continues(word: &str, next_word: &str, style: Style) -> bool {
    let opener = || !style.lower_cased && is_opener(next_word);
    let number_follows = next_word.starts_with(char::is_numeric);
    if is_initial(word) {
        return !(next_word.len() > 1 && opener());
    }
    let last_part = word.rsplit('-').next().unwrap_or(word);
    match classify(last_part) {
        None => false,
        Some(Abbreviation::Inner) => true,
        Some(Abbreviation::BeforeNumber) => number_follows,
        Some(Abbreviation::Final) => !number_follows && !opener(),
    }
}

fn classify(word: &str) -> Option<Abbreviation> {
    let Some(small) = SmallWord::of(word) else {
        return is_dotted(word).then_some(Abbreviation::Final);
    };
    if small.is_in(BEFORE_NUMBER) {
        return Some(Abbreviation::BeforeNumber);
    }
    if !word.starts_with(char::is_uppercase) && small.is_in(ALSO_WORDS) {
        return None;
    }
    if small.is_in(INNER) {
        return Some(Abbreviation::Inner);
    }
    (small.is_in(FINAL) || is_dotted(word)).then_some(Abbreviation::Final)
}

/// Whether a word is among those that usually open a sentence.
pub(super) fn is_opener(word: &str) -> bool {
    SmallWord::of(word).is_some_and(|small| small.is_in(OPENERS))
}

/// A word of at most eight ASCII letters, in small letters, as a number that sorts as the word
/// does. A word is looked up at every stop, so this is what the time of hostile texts hangs on.
#[derive(Clone, Copy)]
struct SmallWord(u64);

impl SmallWord {
    fn of(word: &str) -> Option<Self> {
        let mut bytes = [0; LONGEST_LISTED];
        bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
        bytes.make_ascii_lowercase();
        Some(Self(u64::from_be_bytes(bytes)))
    }

    fn is_in(self, list: &[u64]) -> bool {
        list.binary_search(&self.0).is_ok()
    }
}

/// A list of words as the numbers of [`SmallWord`], at compile time.
const fn pack<const N: usize>(words: [&str; N]) -> [u64; N] {
    let mut packed = [0; N];
    let mut index = 0;
    while index < N {
        let word = words[index].as_bytes();
        assert!(word.len() <= LONGEST_LISTED, "a listed word is too long");
        let mut bytes = [0; LONGEST_LISTED];
        let mut position = 0;
        while position < word.len() {
            assert!(!word[position].is_ascii_uppercase(), "a listed word has a capital");
            bytes[position] = word[position];
            position += 1;
        }
        packed[index] = u64::from_be_bytes(bytes);
        assert!(index == 0 || packed[index - 1] < packed[index], "a list is out of order");
        index += 1;
    }
    packed
}

/// Whether a word is letters with stops between, "U.S" or "p.m" or "J.K".
fn is_dotted(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
        })
}

/// Whether a word is one letter, as in "J. K. Rowling".
fn is_initial(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_abbreviations_at_once_are_abbreviations() {
        for word in ALSO_WORDS {
            assert!([INNER, BEFORE_NUMBER, FINAL].iter().any(|list| list.contains(word)));
        }
    }

    #[test]
    fn look_up_ignores_case() {
        assert!(is_opener("The") && is_opener("although") && is_opener("I"));
        assert!(!is_opener("") && !is_opener("Élan") && !is_opener("Nevertheless"));
        assert_eq!(classify("MR"), Some(Abbreviation::Inner));
        assert_eq!(classify("Wash"), Some(Abbreviation::Final));
        assert_eq!(classify("wash"), None);
    }
}
