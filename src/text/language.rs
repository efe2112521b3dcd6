//! Detects the language of a text, and whether it is one of the languages that a model was made for. Returns no language
//! for short texts, lists of names and code.
//!
//! Languages of one alphabet are detected by `whatlang`'s trigrams, on words without capitals because names can be of
//! any language. A text in a script that no listed language uses is detected by its letters alone.

use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use whatlang::{Detector, Info, Lang, Script, detect, detect_script};

/// whatlang's languages and their ISO 639-1 codes, which model cards use.
static CODES: LazyLock<Vec<(Lang, &str)>> = LazyLock::new(|| {
    let lines = include_str!("languages.tsv").lines();
    let pair = |line: &'static str| {
        line.split_once('\t').and_then(|(long, short)| Some((Lang::from_code(long)?, short)))
    };
    lines.filter_map(pair).collect()
});

/// Longer texts are sampled: their beginning, middle and end, a third of this size each.
const SAMPLE_BYTES: usize = 9000;

/// A text with at least this many letters can be found to be in none of the listed languages although its own language
/// is uncertain (Danish or Norwegian).
const ENOUGH_LETTERS: usize = 120;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// A detected language.
    Known(Lang),
    /// Certainly none of the listed languages; which one is uncertain.
    Other,
}

/// The languages that a model was made for, as its card lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages {
    listed: Vec<Lang>,
}

/// The languages of a document and its summary; `None` where detection is uncertain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PairLanguages {
    /// The document's language.
    pub document: Option<Language>,
    /// The summary's language.
    pub summary: Option<Language>,
}

impl Language {
    /// Detects the language of a text; `None` if that is uncertain.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let info = detect_plain_words(&sample(text))?;
        info.is_reliable().then_some(Self::Known(info.lang()))
    }

    /// The ISO 639-1 code; `und` for an uncertain language.
    #[must_use]
    pub fn code(self) -> &'static str {
        let Self::Known(lang) = self else { return "und" };
        CODES.iter().find(|(other, _)| *other == lang).map_or(lang.code(), |(_, short)| short)
    }

    /// The English name of the language with a code, for messages.
    #[must_use]
    pub(crate) fn name_of(code: &str) -> &'static str {
        let known = CODES.iter().find(|(_, short)| *short == code).map(|(lang, _)| *lang);
        match known.or_else(|| Lang::from_code(code)) {
            Some(Lang::Cmn) => "Chinese",
            Some(Lang::Nob) => "Norwegian",
            Some(lang) => lang.eng_name(),
            None => "another language",
        }
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl Languages {
    /// The languages with these codes (ISO 639-1 or 639-3, a region is ignored). `None` if the list is empty or has a
    /// language that cannot be detected, because nothing can be ruled out then.
    #[must_use]
    pub fn of(codes: &[String]) -> Option<Self> {
        let lang = |code: &String| {
            let code = code.split(['-', '_']).next().unwrap_or_default();
            let short = CODES.iter().find(|(_, short)| *short == code).map(|(lang, _)| *lang);
            short.or_else(|| Lang::from_code(code))
        };
        let listed = codes.iter().map(lang).collect::<Option<Vec<_>>>()?;
        (!listed.is_empty()).then_some(Self { listed })
    }

    /// The language of a text, and whether the text is certainly in none of the listed languages.
    #[must_use]
    pub fn detect(&self, text: &str) -> (Option<Language>, bool) {
        let text = sample(text);
        let detected = detect_plain_words(&text);
        let language =
            detected.as_ref().filter(|info| info.is_reliable()).map(|info| Language::Known(info.lang()));
        if self.is_foreign(&text) {
            return (language.or(Some(Language::Other)), true);
        }
        match (language, detected) {
            (Some(Language::Known(lang)), _) => (language, !self.listed.contains(&lang)),
            (_, Some(info)) if self.excludes(&info, &text) => (Some(Language::Other), true),
            _ => (None, false),
        }
    }

    /// Whether a text has more letters of scripts that no listed language uses than of the others, and a word of such
    /// letters. Single letters are symbols (in mathematics, of units).
    #[must_use]
    pub fn is_foreign(&self, text: &str) -> bool {
        let (mut own, mut foreign, mut run, mut has_word) = (0, 0, 0, false);
        for character in text.chars() {
            let is_foreign = character.is_alphabetic() && self.has_letter(character) == Some(false);
            own += usize::from(character.is_alphabetic() && self.has_letter(character) == Some(true));
            foreign += usize::from(is_foreign);
            run = if is_foreign { run + 1 } else { 0 };
            has_word |= run > 1;
        }
        has_word && foreign > own
    }

    /// Whether a listed language is written with a letter; `None` for letters that are used with any script.
    fn has_letter(&self, letter: char) -> Option<bool> {
        let is_written = |script: Script| self.listed.iter().any(|lang| script.langs().contains(lang));
        if letter.is_ascii() {
            return Some(is_written(Script::Latin));
        }
        match detect_script(letter.encode_utf8(&mut [0; 4])) {
            // Japanese is written with Chinese characters too.
            Some(Script::Mandarin) => Some(is_written(Script::Mandarin) || is_written(Script::Hiragana)),
            Some(script) => Some(is_written(script)),
            // Mathematical and full-width letters.
            None if letter > '\u{ffff}' || ('\u{ff00}'..'\u{fff0}').contains(&letter) => None,
            None => Some(false),
        }
    }

    /// Whether a text whose own language is uncertain is certainly in none of the listed languages.
    fn excludes(&self, detected: &Info, text: &str) -> bool {
        let words = plain_words(text);
        if words.chars().filter(|character| character.is_alphabetic()).count() < ENOUGH_LETTERS {
            return false;
        }
        let among: Vec<Lang> = self.listed.iter().copied().chain([detected.lang()]).collect();
        let detected = Detector::with_allowlist(among).detect(&words);
        detected.is_some_and(|info| info.is_reliable() && !self.listed.contains(&info.lang()))
    }
}

/// The language that whatlang detects in the words of a text without capitals.
fn detect_plain_words(text: &str) -> Option<Info> {
    let (script, words) = (detect_script(text)?, plain_words(text));
    let has_word = words.split(' ').any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1);
    detect(&words).filter(|info| has_word && family(info.script()) == family(script))
}

/// One script for those that a text mixes: Japanese is written in three.
fn family(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana => Script::Mandarin,
        script => script,
    }
}

/// The words of a text without names, numbers and code: no capitals, and no digits or signs beside Latin letters.
fn plain_words(text: &str) -> String {
    let is_sign = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !"'-".contains(c);
    let is_code = |word: &&str| word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(is_sign);
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let words = words.filter(|word| !word.contains(char::is_uppercase) && !is_code(word));
    words.collect::<Vec<_>>().join(" ")
}

/// A part of a text that is long enough to detect its language.
fn sample(text: &str) -> String {
    if text.len() <= SAMPLE_BYTES {
        return text.to_owned();
    }
    let piece = SAMPLE_BYTES / 3;
    let cut = |start: usize| &text[text.floor_char_boundary(start)..text.floor_char_boundary(start + piece)];
    [0, (text.len() - piece) / 2, text.len() - piece].map(cut).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Languages {
        Languages::of(&["en".to_owned()]).unwrap()
    }

    /// Sentences in other languages, with the code where one sentence is enough to detect it.
    fn others() -> impl Iterator<Item = (&'static str, &'static str)> {
        include_str!("tests/languages.tsv").lines().filter_map(|line| line.split_once('\t'))
    }

    /// Short English claims with names, numbers, code and symbols are never detected as another language.
    #[test]
    fn short_english_is_not_another_language() {
        for text in include_str!("tests/english.txt").lines().chain([""]) {
            assert!(!english().detect(text).1, "{text}: {:?}", english().detect(text));
        }
    }

    /// A model trained on English supported "Works begin in October" in Chinese, which the document did not say.
    #[test]
    fn other_languages_are_detected() {
        for (code, text) in others() {
            let (language, is_other) = english().detect(text);
            assert!(is_other, "{text}");
            assert_eq!(language.map(Language::code), Some(code), "{text}");
            let alone = Language::of(text).map(Language::code);
            assert!(alone.is_none_or(|alone| alone == code), "{text}: {alone:?}");
        }
    }

    #[test]
    fn listed_languages_are_accepted() {
        for (code, text) in others().filter(|(code, _)| *code != "und") {
            for listed in [vec![code.to_string()], vec!["en".to_owned(), code.to_string()]] {
                assert!(!Languages::of(&listed).unwrap().detect(text).1, "{listed:?}: {text}");
            }
        }
        // The exact language is uncertain, but it may be a listed one.
        let listed =
            Languages::of(&["ru".to_owned(), "ar".to_owned(), "he".to_owned(), "hi".to_owned()]).unwrap();
        for (_, text) in others().filter(|(code, _)| *code == "und").take(4) {
            assert_eq!(listed.detect(text), (None, false), "{text}");
        }
    }

    #[test]
    fn undetectable_language_disables_the_check() {
        for codes in [vec![], vec!["ga"], vec!["en", "ga"], vec!["code"]] {
            let codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
            assert_eq!(Languages::of(&codes), None, "{codes:?}");
        }
        let codes = ["en-GB", "eng", "zh_CN"].map(str::to_owned);
        assert_eq!(Languages::of(&codes).unwrap().listed, [Lang::Eng, Lang::Eng, Lang::Cmn]);
    }

    #[test]
    fn every_language_has_a_two_letter_code() {
        assert_eq!(CODES.len(), Lang::all().len());
        for lang in Lang::all() {
            assert_eq!(Language::Known(*lang).code().len(), 2, "{lang}");
        }
    }

    #[test]
    fn long_texts_are_sampled_at_character_boundaries() {
        let english = "The town will close the pool because its beams are rusty and the roof may fall. ";
        let chinese = "工程于十月开始。";
        assert_eq!(Language::of(&english.repeat(500)).map(Language::code), Some("en"));
        let both = |document: usize| format!("{}{}", english.repeat(10), chinese.repeat(document));
        assert!(self::english().detect(&both(1000)).1);
        assert!(!self::english().detect(&both(10)).1, "a quotation");
        for length in 2995..3010 {
            assert!(sample(&"ä".repeat(length * 2)).len() <= SAMPLE_BYTES + 2);
        }
    }
}
