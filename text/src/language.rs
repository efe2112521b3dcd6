//! Which language a text is in, and whether it is one of those that a model was made for. Refuses to say where it cannot
//! be told: a short text, a list of names or code is in no language, and so in none that a model does not know.
//!
//! Alphabets are told by `whatlang`'s trigrams of the words without capitals, since names are no sign of a language; another
//! script than the listed languages have is told by its letters alone.

use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use whatlang::{Detector, Info, Lang, Script, detect, detect_script};

/// whatlang's codes (ISO 639-3) and those that cards have (ISO 639-1).
static CODES: LazyLock<Vec<(Lang, &str)>> = LazyLock::new(|| {
    let lines = include_str!("languages.tsv").lines();
    let pair = |line: &'static str| {
        line.split_once('\t').and_then(|(long, short)| Some((Lang::from_code(long)?, short)))
    };
    lines.filter_map(pair).collect()
});

/// Texts above this many bytes are judged by three pieces of a third of it.
const SAMPLE_BYTES: usize = 9000;

/// From this many letters on, a text that is surely in none of the listed languages is that, though its own is not sure
/// (Danish or Norwegian).
const ENOUGH_LETTERS: usize = 120;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// This one.
    Known(Lang),
    /// None of those that were asked for; which one is not sure.
    Other,
}

/// The languages that a model was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages {
    listed: Vec<Lang>,
}

/// The languages of a pair's texts, where they can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PairLanguages {
    /// The document's.
    pub document: Option<Language>,
    /// The summary's.
    pub summary: Option<Language>,
}

impl Language {
    /// The language of a text, where it can be told.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let info = told(&sample(text))?;
        info.is_reliable().then_some(Self::Known(info.lang()))
    }

    /// Its code: ISO 639-1, `und` for one that is not sure.
    #[must_use]
    pub fn code(self) -> &'static str {
        let Self::Known(lang) = self else { return "und" };
        CODES.iter().find(|(other, _)| *other == lang).map_or(lang.code(), |(_, short)| short)
    }

    /// What people call the language of a code.
    #[must_use]
    pub fn name_of(code: &str) -> &'static str {
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
    /// The languages with these codes; none where one of them cannot be told from others, so that nothing is said.
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

    /// The language of a text, and whether it is surely none of these.
    #[must_use]
    pub fn detect(&self, text: &str) -> (Option<Language>, bool) {
        let text = sample(text);
        let told = told(&text);
        let language =
            told.as_ref().filter(|info| info.is_reliable()).map(|info| Language::Known(info.lang()));
        if self.is_foreign(&text) {
            return (language.or(Some(Language::Other)), true);
        }
        match (language, told) {
            (Some(Language::Known(lang)), _) => (language, !self.listed.contains(&lang)),
            (_, Some(info)) if self.excludes(&info, &text) => (Some(Language::Other), true),
            _ => (None, false),
        }
    }

    /// Whether most letters of a text, words among them, are of a script that none of these languages has. Single letters are
    /// symbols (of mathematics, of units).
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

    /// Whether some of the languages is written with a letter; nothing of letters that stand for those of any script.
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

    /// Whether a text whose own language is not sure is in none of these.
    fn excludes(&self, told: &Info, text: &str) -> bool {
        let words = plain_words(text);
        if words.chars().filter(|character| character.is_alphabetic()).count() < ENOUGH_LETTERS {
            return false;
        }
        let among: Vec<Lang> = self.listed.iter().copied().chain([told.lang()]).collect();
        let told = Detector::with_allowlist(among).detect(&words);
        told.is_some_and(|told| told.is_reliable() && !self.listed.contains(&told.lang()))
    }
}

/// What the words without capitals of a text say.
fn told(text: &str) -> Option<Info> {
    let (script, words) = (detect_script(text)?, plain_words(text));
    let has_word = words.split(' ').any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1);
    detect(&words).filter(|info| has_word && family(info.script()) == family(script))
}

/// Scripts that one text is written in together: Japanese has three.
fn family(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana => Script::Mandarin,
        script => script,
    }
}

/// The words of a text without names, numbers and code: no capitals, and beside Latin letters no digits and signs.
fn plain_words(text: &str) -> String {
    let is_sign = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !"'-".contains(c);
    let is_code = |word: &&str| word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(is_sign);
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let words = words.filter(|word| !word.contains(char::is_uppercase) && !is_code(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Enough of a text to know its language by.
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

    /// Short English claims with names, numbers, code and symbols: never taken for another language.
    const ENGLISH: &[&str] = &[
        "Mayor Lena Okafor has resigned.",
        "Daniel Osei starts Monday.",
        "Tomas Reilly will succeed Maria da Silva as finance chief.",
        "Juan Carlos de la Cruz met Jean-Luc Mélenchon in Les Sables-d'Olonne.",
        "Real Madrid beat Bayern München 3-1.",
        "Saint-Étienne drew Olympique de Marseille.",
        "Villa 2 Everton 0",
        "Ibrahimovic, Cavani, Di Maria, Verratti, Thiago Silva, Marquinhos, Matuidi, Motta.",
        "Cristina Fernández de Kirchner, Luiz Inácio Lula da Silva and Nicolás Maduro Moros attended.",
        "Mr Van den Berg sued Schmidt & Söhne GmbH, Volkswagen AG, Wolfsburg and Società Generale.",
        "Kofi Annan was born in Kumasi, Ghana.",
        "Oman is now offering a new scenic route to Israeli carriers, including El Al.",
        "League table of complaints made to New York authorities about loud sex.",
        "goalkeeper gerhard tremmel lrb swansea rrb",
        "says he nutmegged paris saint-germain defender david luiz twice",
        "curves galore! alexandra harra recently dyed her hair from blonde to black to look more like kim kardashian",
        "Revenue rose 9% to $2.5m.",
        "2024-05-03",
        "iPhone 15 Pro Max, 256 GB",
        "Quo vadis?",
        "\"C'est la vie,\" he said.",
        "NEW YORK POLICE ARREST TWO MEN OVER BANK ROBBERY IN QUEENS",
        "SELECT name FROM users WHERE id = 3;",
        "let x = fn(a, b) => a + b;",
        "git commit -m \"fix\" && git push origin main",
        "for i in range(10): print(i, end=' ')",
        "https://www.example.org/la/casa/de/papel?id=7",
        "Li Ming (李明) met Wang Wei (王伟).",
        "Putin (Путин) spoke.",
        "The α, β and γ rays.",
        "π ≈ 3.14",
        "λ_i = μ_i + σ_i",
        "E = mc², λ = h/p.",
        "𝗕𝗿𝗲𝗮𝗸𝗶𝗻𝗴 𝗻𝗲𝘄𝘀",
        "Yes please.",
        "OK 👍",
        "",
    ];

    /// A sentence of other languages, and its code where one sentence suffices to tell it.
    const OTHERS: &[(&str, &str)] = &[
        (
            "de",
            "Der Stadtrat hat am Dienstag beschlossen, das einzige Schwimmbad der Stadt im März zu schließen.",
        ),
        ("fr", "Les réparations coûteraient 4,2 millions d'euros et dureraient au moins dix-huit mois."),
        ("es", "Las reparaciones costarían 4,2 millones de euros y durarían al menos dieciocho meses."),
        ("it", "Il consiglio comunale ha deciso martedì di chiudere l'unica piscina della città a marzo."),
        ("pt", "A câmara municipal decidiu na terça-feira encerrar a única piscina da cidade em março."),
        ("pl", "Rada miasta zdecydowała we wtorek o zamknięciu jedynego basenu w mieście w marcu."),
        ("cs", "Městská rada v úterý rozhodla, že v březnu uzavře jediný bazén ve městě."),
        ("sv", "Kommunfullmäktige beslutade på tisdagen att stänga stadens enda simhall i mars."),
        ("fi", "Kaupunginvaltuusto päätti tiistaina sulkea kaupungin ainoan uimahallin maaliskuussa."),
        ("tr", "Belediye meclisi salı günü kentin tek yüzme havuzunu mart ayında kapatmaya karar verdi."),
        (
            "vi",
            "Hội đồng thành phố hôm thứ Ba đã quyết định đóng cửa bể bơi duy nhất của thành phố vào tháng Ba.",
        ),
        ("zh", "工程于十月开始。"),
        ("zh", "关闭"),
        ("ja", "工事は10月に始まる。"),
        ("ko", "공사는 10월에 시작된다."),
        ("el", "Οι εργασίες αρχίζουν τον Οκτώβριο."),
        ("th", "งานจะเริ่มในเดือนตุลาคม"),
        ("hy", "աշխատանքները կսկսվեն հոկտեմբերին"),
        ("und", "Работы начнутся в октябре."),
        ("und", "تبدأ الأعمال في أكتوبر."),
        ("und", "העבודות יתחילו באוקטובר."),
        ("und", "काम अक्टूबर में शुरू होगा।"),
        ("und", "ວຽກງານຈະເລີ່ມໃນເດືອນຕຸລາ"),
        (
            "da",
            "Byrådet besluttede tirsdag at lukke byens eneste svømmehal i marts, fordi taget ikke længere kan bære \
             sneen, og det vil koste mange penge at bygge en ny.",
        ),
        (
            "und",
            "De gemeenteraad besloot dinsdag het enige zwembad van de stad in maart te sluiten omdat het dak de sneeuw niet \
             meer kan dragen en een nieuw bad te duur is.",
        ),
        (
            "no",
            "Kommunestyret vedtok tirsdag å stenge byens eneste svømmehall i mars, fordi taket ikke lenger kan bære snøen og \
             en ny hall koster for mye.",
        ),
    ];

    #[test]
    fn short_english_is_never_another_language() {
        for text in ENGLISH {
            assert!(!english().detect(text).1, "{text}: {:?}", english().detect(text));
        }
    }

    /// "Works begin in October" in Chinese, which the document did not say, was supported by a model of English.
    #[test]
    fn other_languages_are_told() {
        for (code, text) in OTHERS {
            let (language, is_other) = english().detect(text);
            assert!(is_other, "{text}");
            assert_eq!(language.map(Language::code), Some(*code), "{text}");
            let alone = Language::of(text).map(Language::code);
            assert!(alone.is_none_or(|alone| alone == *code), "{text}: {alone:?}");
        }
    }

    #[test]
    fn a_language_that_is_listed_is_read() {
        for (code, text) in OTHERS.iter().filter(|(code, _)| *code != "und") {
            for listed in [vec![code.to_string()], vec!["en".to_owned(), code.to_string()]] {
                assert!(!Languages::of(&listed).unwrap().detect(text).1, "{listed:?}: {text}");
            }
        }
        // Their own language is not sure, but it may be one of these.
        let listed =
            Languages::of(&["ru".to_owned(), "ar".to_owned(), "he".to_owned(), "hi".to_owned()]).unwrap();
        for (_, text) in OTHERS.iter().filter(|(code, _)| *code == "und").take(4) {
            assert_eq!(listed.detect(text), (None, false), "{text}");
        }
    }

    #[test]
    fn a_language_that_nobody_can_tell_forbids_nothing() {
        for codes in [vec![], vec!["ga"], vec!["en", "ga"], vec!["code"]] {
            let codes: Vec<String> = codes.into_iter().map(str::to_owned).collect();
            assert_eq!(Languages::of(&codes), None, "{codes:?}");
        }
        let codes = ["en-GB", "eng", "zh_CN"].map(str::to_owned);
        assert_eq!(Languages::of(&codes).unwrap().listed, [Lang::Eng, Lang::Eng, Lang::Cmn]);
    }

    #[test]
    fn every_language_has_its_code() {
        assert_eq!(CODES.len(), Lang::all().len());
        for lang in Lang::all() {
            assert_eq!(Language::Known(*lang).code().len(), 2, "{lang}");
        }
    }

    #[test]
    fn long_texts_are_sampled_at_characters() {
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
