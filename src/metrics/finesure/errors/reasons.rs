//! Words of a claim in a reason.

use super::Traced;

/// Words that a reason names at most.
const MOST_WORDS: usize = 6;

/// `"Everton" and "Saturday" are nowhere in the document`.
pub(super) fn reason(words: &[&Traced<'_>], where_they_are: &str) -> String {
    let verb = if distinct(words).len() == 1 { "is" } else { "are" };
    format!("{} {verb} {where_they_are}", listed(words))
}

/// `"one"`, `"one" and "two"`, `"one", "two" and "three"`.
pub(super) fn listed(words: &[&Traced<'_>]) -> String {
    let mut quoted: Vec<String> = distinct(words).into_iter().map(|word| format!("\"{word}\"")).collect();
    if quoted.len() > MOST_WORDS {
        let others = quoted.len() - MOST_WORDS;
        quoted.truncate(MOST_WORDS);
        quoted.push(format!("{others} more"));
    }
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

fn distinct<'t>(words: &[&Traced<'t>]) -> Vec<&'t str> {
    let mut texts: Vec<&'t str> = Vec::new();
    for word in words {
        if !texts.contains(&word.spoken.text) {
            texts.push(word.spoken.text);
        }
    }
    texts
}
