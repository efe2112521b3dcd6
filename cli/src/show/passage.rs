//! Selects the part of long evidence to show: the sentences with most of the claim's words, so that the deciding one is
//! never omitted, with `…` for the rest. Cuts between words. Pure; compares word forms only.

use std::collections::HashSet;

use veridic::text::{TextIndex, Word, WordKind, sentences, words};

use veridic_program::output::visible;

/// Stands for omitted words.
const LEFT_OUT: &str = "…";

/// Returns the part of the evidence that is shown for a claim, of about `most` characters.
pub(super) fn shown(evidence: &str, claim: &str, most: usize) -> String {
    let whole = visible(evidence);
    if length(&whole) <= most {
        return whole;
    }
    let wanted = content_words(claim);
    let index = TextIndex::new(evidence);
    let sentences = sentences(evidence).into_iter().map(|span| visible(index.slice(span)));
    let sentences: Vec<String> = sentences.filter(|sentence| !sentence.is_empty()).collect();
    let chosen = choose(&sentences, &wanted, most);
    match chosen[..] {
        [only] if length(&sentences[only]) > most => {
            cut(&sentences[only], &wanted, most, [only > 0, only + 1 < sentences.len()])
        }
        _ => joined(&sentences, &chosen),
    }
}

/// Returns the forms of a claim's content words.
fn content_words(claim: &str) -> HashSet<String> {
    let content = words(claim).into_iter().filter(|word| word.kind != WordKind::Function);
    content.map(|word| word.form).collect()
}

/// Chooses the sentence with most of the claim's words, then, while they fit, those that add most others. In document order.
fn choose(sentences: &[String], wanted: &HashSet<String>, most: usize) -> Vec<usize> {
    let held: Vec<HashSet<String>> =
        sentences.iter().map(|sentence| held(&words(sentence), wanted)).collect();
    let (mut chosen, mut covered, mut left) = (Vec::new(), HashSet::new(), most);
    loop {
        let adds = |place: &usize| held[*place].difference(&covered).count();
        let fits = |place: &usize| chosen.is_empty() || length(&sentences[*place]) < left;
        let others = (0..sentences.len()).filter(|place| !chosen.contains(place)).filter(fits);
        // The first one on ties.
        let Some(best) = others.rev().max_by_key(adds).filter(|best| chosen.is_empty() || adds(best) > 0)
        else {
            break;
        };
        covered.extend(held[best].iter().cloned());
        left = left.saturating_sub(length(&sentences[best]) + 1);
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

fn held(words: &[Word<'_>], wanted: &HashSet<String>) -> HashSet<String> {
    words.iter().filter(|word| wanted.contains(&word.form)).map(|word| word.form.clone()).collect()
}

/// Joins the chosen sentences, with `…` for omitted ones.
fn joined(sentences: &[String], chosen: &[usize]) -> String {
    let (mut shown, mut next) = (Vec::new(), 0);
    for place in chosen {
        if *place > next {
            shown.push(LEFT_OUT);
        }
        shown.push(&sentences[*place]);
        next = place + 1;
    }
    if next < sentences.len() {
        shown.push(LEFT_OUT);
    }
    shown.join(" ")
}

/// Returns the run of words in a long sentence that has most of the claim's words; on ties the first. `more` tells whether
/// text precedes and follows the sentence.
fn cut(sentence: &str, wanted: &HashSet<String>, most: usize, more: [bool; 2]) -> String {
    let pieces: Vec<&str> = sentence.split(' ').collect();
    let held_by: Vec<HashSet<String>> = pieces.iter().map(|piece| held(&words(piece), wanted)).collect();
    let runs = (0..pieces.len()).rev().map(|start| (start, end_of(&pieces, start, most)));
    let held_in = |(start, end): &(usize, usize)| -> usize {
        held_by[*start..*end].iter().flatten().collect::<HashSet<_>>().len()
    };
    let Some((start, end)) = runs.max_by_key(held_in) else { return String::new() };
    let shown: String = pieces[start..end].join(" ").chars().take(most).collect();
    let is_cut = end < pieces.len() || length(pieces[start]) > most;
    let before = if start > 0 || more[0] { format!("{LEFT_OUT} ") } else { String::new() };
    let behind = if is_cut || more[1] { format!(" {LEFT_OUT}") } else { String::new() };
    format!("{before}{shown}{behind}")
}

/// Returns the end of the run of words from `start` that fits; it has at least one word.
fn end_of(pieces: &[&str], start: usize, most: usize) -> usize {
    let mut left = most;
    let fits = |piece: &&&str| {
        let fits = length(piece) <= left;
        left = left.saturating_sub(length(piece) + 1);
        fits
    };
    start + pieces[start..].iter().take_while(fits).count().max(1)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MOST: usize = 300;

    fn shown(evidence: &str, claim: &str) -> String {
        super::shown(evidence, claim, MOST)
    }

    const FILLER: &str = "Nothing of note was said by anybody who stood there that morning.";

    /// Returns a document of `count` sentences: filler, with `others` at their places.
    fn document(count: usize, others: &[(usize, &str)]) -> String {
        let sentence =
            |place: usize| others.iter().find(|(at, _)| *at == place).map_or(FILLER, |(_, text)| text);
        (0..count).map(sentence).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn short_evidence_is_shown_whole_on_one_line() {
        assert_eq!(shown("The\u{2003}cat\n\nsat. It purred.", "A dog barked."), "The cat sat. It purred.");
    }

    /// The middle of a window was omitted, and with it the deciding sentence.
    #[test]
    fn deciding_sentence_is_shown() {
        let evidence = document(20, &[(11, "Engineers found rust in eleven of the beams.")]);
        let shown = shown(&evidence, "Engineers found rust.");
        assert!(shown.starts_with("… Engineers found rust in eleven of the beams. …"), "{shown}");
        let evidence = document(20, &[(3, "The mayor is Lena Okafor."), (15, "She resigned on Monday.")]);
        let shown = self::shown(&evidence, "Mayor Lena Okafor resigned on Monday.");
        assert_eq!(shown, "… The mayor is Lena Okafor. … She resigned on Monday. …");
    }

    #[test]
    fn evidence_has_no_ellipsis_where_nothing_is_left_out() {
        let evidence = document(10, &[(0, "Engineers found rust."), (9, "The beams were of steel.")]);
        assert_eq!(
            shown(&evidence, "Engineers found rust in steel beams."),
            "Engineers found rust. … The beams were of steel."
        );
    }

    #[test]
    fn long_sentence_is_cut_between_words_around_the_claims_words() {
        let filler = "somebody said something or other and ".repeat(20);
        let evidence = format!("{filler}engineers found rust in the beams {filler}that was all.");
        let shown = shown(&evidence, "Engineers found rust in the beams.");
        assert!(shown.contains("engineers found rust in the beams"), "{shown}");
        assert!(shown.starts_with("… ") && shown.ends_with(" …") && shown.chars().count() < 310, "{shown}");
        let words: HashSet<&str> = evidence.split(' ').collect();
        assert!(shown.trim_matches(['…', ' ']).split(' ').all(|word| words.contains(word)), "{shown}");
    }

    #[test]
    fn text_without_spaces_is_cut() {
        let shown = shown(&"议".repeat(5000), "议会");
        assert!(shown.ends_with(" …") && shown.chars().count() <= MOST + 2);
    }

    proptest! {
        #[test]
        fn shown_text_is_bounded_and_part_of_the_evidence(
            evidence in "([A-Z]?[a-z]{1,9}[ .,\\n]{1,2}){0,200}", claim in "([a-z]{1,9} ){0,6}",
        ) {
            let shown = shown(&evidence, &claim);
            prop_assert!(shown.chars().count() <= MOST + 60, "{shown}");
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            let is_of_evidence = |part: &str| letters(&evidence).contains(&letters(part));
            prop_assert!(shown.split('…').all(is_of_evidence), "{shown}");
        }
    }
}
