//! Rewritings of a sentence: one mention is replaced by another mention of its cluster (FENICE, section 3.3). Pure:
//! clusters in, texts out, ordered by the position of the mention, then of the other mention.
//!
//! A pronoun never replaces a mention. A mention that is the whole sentence, or that overlaps the other one, is not
//! replaced.

use std::collections::HashSet;

use serde::Serialize;

use super::cluster::{Cluster, Mention};
use super::pronouns::is_pronoun;
use crate::input::SourceSpans;
use crate::rules::Rewriting;
use crate::text::{Span, TextIndex};

/// Maximum number of rewritings of one sentence.
const MAX_REWRITINGS: usize = 128;

/// A rewritten sentence and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Substitution {
    /// The mention's text.
    pub mention: String,
    /// Its span, in Unicode characters of the document.
    pub mention_span: Span,
    /// The other mention's text.
    pub by: String,
    /// Its span.
    pub by_span: Span,
    /// The sentence with the mention replaced by the other mention.
    pub rewritten: String,
    /// The source of the mention, if the document is a list of sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mention_sources: Vec<SourceSpans>,
    /// The source of the other mention.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_sources: Vec<SourceSpans>,
}

/// The rewritings of a sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritings {
    /// At most [`MAX_REWRITINGS`], without repetition.
    pub list: Vec<Substitution>,
    /// The number of further rewritings that were dropped.
    pub left_out: usize,
}

/// The rewritings of the document's sentence at `sentence` by the clusters.
#[must_use]
pub fn rewritings(
    document: &TextIndex<'_>,
    sentence: Span,
    clusters: &[Cluster],
    how: Rewriting,
) -> Rewritings {
    let sentence = if how == Rewriting::Released { first_match(document, sentence) } else { sentence };
    let mut inside: Vec<(&Mention, &Cluster)> = clusters
        .iter()
        .flat_map(|cluster| cluster.iter().map(move |mention| (mention, cluster)))
        .filter(|(mention, _)| stands_inside(mention.span, sentence, how))
        .collect();
    inside.sort_by_key(|(mention, _)| mention.span);
    let mut seen = HashSet::from([document.slice(sentence).to_owned()]);
    let mut result = Rewritings::default();
    for (mention, cluster) in inside {
        let taken = names_in(document, cluster, sentence, how);
        for other in others(document, mention, cluster) {
            let substitution = substitute(document, sentence, mention, other, how);
            if taken.contains(substitution.by.as_str()) || !seen.insert(substitution.rewritten.clone()) {
                continue;
            }
            if result.list.len() < MAX_REWRITINGS {
                result.list.push(substitution);
            } else {
                result.left_out += 1;
            }
        }
    }
    result
}

/// The released program finds a sentence by the first occurrence of its text.
fn first_match(document: &TextIndex<'_>, sentence: Span) -> Span {
    let Some(byte) = document.text().find(document.slice(sentence)) else { return sentence };
    let start = document.character(byte);
    Span { start, end: start + sentence.len() }
}

fn stands_inside(mention: Span, sentence: Span, how: Rewriting) -> bool {
    let ends_inside = match how {
        Rewriting::Released => mention.end < sentence.end,
        _ => mention.end <= sentence.end && mention != sentence,
    };
    mention.start >= sentence.start && ends_inside && !mention.is_empty()
}

/// Texts of a cluster's mentions in the sentence, which the released program does not insert again; empty for other
/// ways of rewriting.
fn names_in<'d>(
    document: &TextIndex<'d>,
    cluster: &Cluster,
    sentence: Span,
    how: Rewriting,
) -> HashSet<&'d str> {
    if how != Rewriting::Released {
        return HashSet::new();
    }
    let inside = cluster.iter().filter(|mention| stands_inside(mention.span, sentence, how));
    inside.map(|mention| document.slice(mention.span)).collect()
}

/// The mentions that may replace a mention, in document order, without repeated texts.
fn others<'c>(
    document: &TextIndex<'_>,
    mention: &Mention,
    cluster: &'c Cluster,
) -> impl Iterator<Item = &'c Mention> {
    let own = document.slice(mention.span).to_owned();
    let (start, end) = (mention.span.start, mention.span.end);
    let mut texts = HashSet::new();
    let mut others: Vec<&Mention> = cluster
        .iter()
        .filter(|other| {
            let text = document.slice(other.span);
            let overlaps = other.span.start < end && start < other.span.end;
            !overlaps && text != own && !is_pronoun(text) && texts.insert(text.to_owned())
        })
        .collect();
    others.sort_by_key(|other| other.span);
    others.into_iter()
}

fn substitute(
    document: &TextIndex<'_>,
    sentence: Span,
    mention: &Mention,
    other: &Mention,
    how: Rewriting,
) -> Substitution {
    let by = document.slice(other.span).to_owned();
    let mut name = by.clone();
    if how == Rewriting::Grammatical {
        if mention.is_possessive {
            name.push_str(possessive_ending(&name));
        }
        if mention.span.start == sentence.start {
            name = capitalised(&name);
        }
    }
    let before = document.slice(Span { start: sentence.start, end: mention.span.start });
    let after = document.slice(Span { start: mention.span.end, end: sentence.end });
    Substitution {
        mention: document.slice(mention.span).to_owned(),
        mention_span: mention.span,
        by,
        by_span: other.span,
        rewritten: format!("{before}{name}{after}"),
        mention_sources: Vec::new(),
        by_sources: Vec::new(),
    }
}

/// Plural nouns in `s` take the apostrophe alone, names and all others `'s`.
fn possessive_ending(name: &str) -> &'static str {
    let last = name.split(' ').next_back().unwrap_or(name);
    if last.ends_with('s') && last.starts_with(char::is_lowercase) { "'" } else { "'s" }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sentences;

    /// The mentions `of` each cluster as (text, index of its occurrence).
    fn clusters(text: &str, of: &[&[(&str, usize)]]) -> Vec<Cluster> {
        let index = TextIndex::new(text);
        let mention = |&(name, occurrence): &(&str, usize)| {
            let byte = text.match_indices(name).nth(occurrence).unwrap().0;
            let (start, end) = (index.character(byte), index.character(byte + name.len()));
            let is_possessive = super::super::pronouns::is_possessive(text, &(byte..byte + name.len()));
            Mention { span: Span { start, end }, is_possessive }
        };
        of.iter().map(|cluster| cluster.iter().map(mention).collect()).collect()
    }

    fn rewritten(text: &str, sentence: usize, of: &[&[(&str, usize)]], how: Rewriting) -> Vec<String> {
        let index = TextIndex::new(text);
        let span = sentences(text)[sentence];
        let result = rewritings(&index, span, &clusters(text, of), how);
        result.list.into_iter().map(|substitution| substitution.rewritten.trim().to_owned()).collect()
    }

    #[test]
    fn the_papers_example() {
        let text = "Billy Vunipola will miss the opening game. There were initial fears the 24-years-old \
                    player would miss the tournament.";
        let cluster: &[(&str, usize)] = &[("Billy Vunipola", 0), ("the 24-years-old player", 0)];
        for how in [Rewriting::Plain, Rewriting::Grammatical, Rewriting::Released] {
            assert_eq!(
                rewritten(text, 1, &[cluster], how),
                ["There were initial fears Billy Vunipola would miss the tournament."]
            );
        }
    }

    #[test]
    fn pronouns_replace_nothing_and_possessives_keep_the_ending() {
        let text = "Anna Ross sold the shop. She kept her car.";
        let cluster: &[(&str, usize)] = &[("Anna Ross", 0), ("She", 0), ("her", 0)];
        assert_eq!(
            rewritten(text, 1, &[cluster], Rewriting::Grammatical),
            ["Anna Ross kept her car.", "She kept Anna Ross's car."]
        );
        assert_eq!(
            rewritten(text, 1, &[cluster], Rewriting::Plain),
            ["Anna Ross kept her car.", "She kept Anna Ross car."]
        );
        assert!(rewritten(text, 0, &[cluster], Rewriting::Plain).is_empty());
    }

    #[test]
    fn the_first_word_is_capitalised() {
        let text = "Acme lost money. It closed the old mill, said the maker of wire.";
        let cluster: &[(&str, usize)] = &[("It", 0), ("the maker of wire", 0)];
        assert_eq!(
            rewritten(text, 1, &[cluster], Rewriting::Grammatical)[0],
            "The maker of wire closed the old mill, said the maker of wire."
        );
    }

    #[test]
    fn overlapping_nested_and_whole_sentence_mentions() {
        let text = "Tom met the old player's coach. Nobody.";
        let of: &[&[(&str, usize)]] = &[
            &[("the old player's coach", 0), ("Nobody.", 0)],
            &[("the old player", 0), ("Tom", 0)],
            &[("old player", 0), ("player", 0)],
        ];
        let plain = rewritten(text, 0, of, Rewriting::Plain);
        assert_eq!(
            plain,
            ["the old player met the old player's coach.", "Tom met Tom's coach.", "Tom met Nobody.."]
        );
        assert!(rewritten(text, 1, of, Rewriting::Plain).is_empty());
    }

    #[test]
    fn the_released_program_inserts_no_name_twice_and_excludes_mentions_at_the_end() {
        let text = "Brown met Gordon Brown. The old man saw Brown";
        let cluster: &[(&str, usize)] =
            &[("Brown", 0), ("Gordon Brown", 0), ("The old man", 0), ("Brown", 2)];
        // `Gordon Brown` is in the sentence already; `The old man` is not.
        assert_eq!(
            rewritten(text, 0, &[cluster], Rewriting::Released),
            ["The old man met Gordon Brown.", "Brown met The old man."]
        );
        // The last mention ends where the sentence does, which the released program excludes.
        assert_eq!(
            rewritten(text, 1, &[cluster], Rewriting::Released),
            ["Brown saw Brown", "Gordon Brown saw Brown"]
        );
    }

    #[test]
    fn rewritings_are_limited_and_the_rest_is_counted() {
        let names: Vec<String> = (0..300).map(|n| format!("Name{n:03}")).collect();
        let text = format!("{} ran. Nobody saw Name000 there.", names.join(" and "));
        let cluster: Cluster = names
            .iter()
            .chain([&"Name000".to_owned()])
            .enumerate()
            .map(|(n, name)| {
                let byte = text.match_indices(name.as_str()).nth(usize::from(n == 300)).unwrap().0;
                Mention { span: Span { start: byte, end: byte + name.len() }, is_possessive: false }
            })
            .collect();
        let index = TextIndex::new(&text);
        let result = rewritings(&index, sentences(&text)[1], &[cluster], Rewriting::Plain);
        assert_eq!((result.list.len(), result.left_out), (MAX_REWRITINGS, 299 - MAX_REWRITINGS));
        assert_eq!(result.list[0].by, "Name001");
    }
}
