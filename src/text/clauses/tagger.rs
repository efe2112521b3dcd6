//! Parts of speech by lists, endings and neighbours.
//!
//! Decides one tag a token, left to right, with a short look ahead where a word is a noun as well
//! as a verb. Refuses probabilities: what no rule decides is a noun (or, with a capital, a name).

use std::collections::HashMap;
use std::sync::OnceLock;

use super::context::resolve;
use super::tokens::{Kind, Token};
use super::verbs::{Forms, verb_form};
use super::words;

/// The part of speech of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Noun,
    Name,
    Pronoun,
    Determiner,
    /// "his", "their".
    Owner,
    /// The mark of a possessor: "'s".
    Possessive,
    Adjective,
    Number,
    Adverb,
    Not,
    Preposition,
    To,
    Coordinator,
    Subordinator,
    That,
    Relative,
    Modal,
    Be,
    Have,
    Do,
    Verb,
    Comma,
    Break,
    Quote,
    Bracket,
    Stop,
}

/// A token with its tag.
#[derive(Clone, Debug)]
pub(super) struct Word<'t> {
    pub token: Token<'t>,
    pub tag: Tag,
    /// The verb forms it can have here; those of `Be`, `Have` and `Do` too.
    pub forms: Forms,
    pub base: String,
}

impl Word<'_> {
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag
    }

    pub fn lower(&self) -> &str {
        &self.token.lower
    }
}

/// Classes by word, made once.
fn closed() -> &'static HashMap<&'static str, Tag> {
    static CLOSED: OnceLock<HashMap<&'static str, Tag>> = OnceLock::new();
    CLOSED.get_or_init(|| {
        let lists = [
            (words::ADJECTIVES, Tag::Adjective),
            (words::ADVERBS, Tag::Adverb),
            (words::PREPOSITIONS, Tag::Preposition),
            (words::SUBORDINATORS, Tag::Subordinator),
            (words::RELATIVES, Tag::Relative),
            (words::NUMBERS, Tag::Number),
            (words::PRONOUNS, Tag::Pronoun),
            (words::DETERMINERS, Tag::Determiner),
            (words::POSSESSIVES, Tag::Owner),
            (words::MODALS, Tag::Modal),
            (words::BE, Tag::Be),
            (words::HAVE, Tag::Have),
            (words::DO, Tag::Do),
            ("and but or nor & plus", Tag::Coordinator),
            ("to", Tag::To),
            ("that", Tag::That),
            ("not never", Tag::Not),
            ("one", Tag::Number),
        ];
        lists.iter().flat_map(|(list, tag)| list.split_whitespace().map(|word| (word, *tag))).collect()
    })
}

/// Tags every token.
pub(super) fn tag(tokens: Vec<Token<'_>>) -> Vec<Word<'_>> {
    let mut found: Vec<Word> = tokens.into_iter().map(first_guess).collect();
    single_dash(&mut found);
    name_particles(&mut found);
    let capitals = mostly_capitals(&found);
    let mut has_finite = false;
    for place in 0..found.len() {
        resolve(&mut found, place, &mut has_finite, capitals);
    }
    found
}

/// "van", "de" between names are names.
fn name_particles(words: &mut [Word]) {
    for place in 1..words.len().saturating_sub(1) {
        let between =
            words[place - 1].is(Tag::Name) && words[place + 1].token.text.starts_with(char::is_uppercase);
        if between
            && super::nouns::in_list(
                "van von de der den del di da la le bin al du dos el ter",
                words[place].lower(),
            )
        {
            words[place].tag = Tag::Name;
        }
    }
}

/// A dash that is alone does what a comma does.
fn single_dash(words: &mut [Word]) {
    let is_dash = |word: &Word| matches!(word.lower(), "-" | "–" | "—");
    if let [place] =
        words.iter().enumerate().filter(|(_, word)| is_dash(word)).map(|(place, _)| place).collect::<Vec<_>>()
            [..]
        && place > 0
    {
        words[place].tag = Tag::Comma;
    }
}

/// The tag that a token has by itself; words that can be verbs are `Verb` for now.
fn first_guess(token: Token<'_>) -> Word<'_> {
    let lower = token.lower.as_str();
    let plain = |tag| (tag, Forms::default(), String::new());
    let (tag, forms, base) = match token.kind {
        Kind::Number => plain(if token.text.contains('-') && lower.ends_with(|l: char| l.is_alphabetic()) {
            Tag::Noun
        } else {
            Tag::Number
        }),
        Kind::OpenQuote | Kind::CloseQuote => plain(Tag::Quote),
        Kind::Mark(',') => plain(Tag::Comma),
        Kind::Mark('(' | ')' | '[' | ']') => plain(Tag::Bracket),
        Kind::Mark('.' | '!' | '?' | '…') => plain(Tag::Stop),
        Kind::Mark('&') => plain(Tag::Name),
        Kind::Mark(_) => plain(Tag::Break),
        Kind::Clitic => clitic(lower),
        Kind::Word => word(&token),
    };
    Word { token, tag, forms, base }
}

fn clitic(lower: &str) -> (Tag, Forms, String) {
    match lower {
        "'s" | "'" => (Tag::Possessive, Forms::default(), String::new()),
        "'m" | "'re" => (Tag::Be, Forms::BASE, "be".into()),
        "'ve" => (Tag::Have, Forms::BASE, "have".into()),
        _ => (Tag::Modal, Forms::default(), String::new()),
    }
}

fn word(token: &Token) -> (Tag, Forms, String) {
    let lower = token.lower.strip_suffix("n't").unwrap_or(&token.lower);
    let named = token.text.starts_with(char::is_uppercase);
    if token.text == "May" {
        return (Tag::Name, Forms::default(), String::new());
    }
    if let Some(&tag) = closed().get(lower) {
        let verb = if tag == Tag::Adjective || tag == Tag::Adverb {
            Default::default()
        } else {
            auxiliary(lower, tag)
        };
        return (tag, verb, base_of(tag).to_owned());
    }
    let form = verb_form(lower);
    if named && words::MONTHS.split(' ').chain(words::DAYS.split(' ')).any(|name| name == lower) {
        return (Tag::Name, Forms::default(), String::new());
    }
    if form.forms.is_verb() && (form.known || !named) {
        return (Tag::Verb, form.forms, form.base);
    }
    let tag = if named {
        Tag::Name
    } else if lower.len() > 4
        && lower.ends_with("ly")
        && !["family", "reply", "supply", "ally", "bully", "assembly", "anomaly"].contains(&lower)
    {
        Tag::Adverb
    } else if is_adjective_shape(lower) {
        Tag::Adjective
    } else {
        Tag::Noun
    };
    (tag, Forms::default(), String::new())
}

fn is_adjective_shape(lower: &str) -> bool {
    lower.len() > 5
        && ["ous", "ful", "able", "ible", "less", "ish", "ical", "-old"]
            .iter()
            .any(|end| lower.ends_with(end))
}

fn base_of(tag: Tag) -> &'static str {
    match tag {
        Tag::Be => "be",
        Tag::Have => "have",
        Tag::Do => "do",
        _ => "",
    }
}

fn auxiliary(lower: &str, tag: Tag) -> Forms {
    match (tag, lower) {
        (Tag::Be | Tag::Have | Tag::Do, "being" | "having" | "doing") => Forms::ING,
        (Tag::Be, "been") => Forms::PARTICIPLE,
        (Tag::Be | Tag::Have | Tag::Do, "is" | "has" | "does" | "'s") => Forms::THIRD,
        (Tag::Be, "was" | "were") | (Tag::Have, "had") | (Tag::Do, "did") => Forms::PAST,
        (Tag::Be | Tag::Have | Tag::Do, _) => Forms::BASE,
        _ => Forms::default(),
    }
}

/// Whether capitals say nothing: most words have one (a headline) or are all capitals.
fn mostly_capitals(words: &[Word]) -> bool {
    let long: Vec<&Word> =
        words.iter().filter(|word| word.token.kind == Kind::Word && word.token.text.len() > 3).collect();
    let capital = long.iter().filter(|word| word.token.text.starts_with(char::is_uppercase)).count();
    long.len() > 4 && capital * 10 > long.len() * 9
}
