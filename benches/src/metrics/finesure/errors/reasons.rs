//! Lists of words for the reason of an error.

use super::LocatedWord;

/// The maximum number of words in a reason.
const MAX_WORDS: usize = 6;

/// `"Everton" and "Saturday" are nowhere in the document`.
pub(super) fn reason(words: &[&LocatedWord<'_>], where_they_are: &str) -> String {
    let verb = if distinct(words).len() == 1 { "is" } else { "are" };
    format!("{} {verb} {where_they_are}", listed(words))
}

/// `"one"`, `"one" and "two"`, `"one", "two" and "three"`.
pub(super) fn listed(words: &[&LocatedWord<'_>]) -> String {
    let mut quoted: Vec<String> = distinct(words).into_iter().map(|word| format!("\"{word}\"")).collect();
    if quoted.len() > MAX_WORDS {
        let others = quoted.len() - MAX_WORDS;
        quoted.truncate(MAX_WORDS);
        quoted.push(format!("{others} more"));
    }
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

fn distinct<'t>(words: &[&LocatedWord<'t>]) -> Vec<&'t str> {
    let mut texts: Vec<&'t str> = Vec::new();
    for word in words {
        if !texts.contains(&word.spoken.text) {
            texts.push(word.spoken.text);
        }
    }
    texts
}
