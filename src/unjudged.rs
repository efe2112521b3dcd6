//! The words of a summary that no verdict covers: greetings, headings, questions, and whatever else was not read. Words are
//! runs of characters between white space with a letter or digit; marks of lists, markers in
//! brackets and HTML tags are none.

use serde::Serialize;

use crate::text::{Span, TextIndex, is_only_marks};

/// A longer word in brackets is no marker of a note, a source or a checkbox.
const MOST_OF_MARKER: usize = 6;

/// The part of a summary that is in no claim and in no refusal to answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Unjudged {
    /// Runs of its words, in order.
    pub spans: Vec<Span>,
    /// Its share of the summary's words, 0..=1.
    pub share: f64,
}

impl Unjudged {
    /// What is left of a summary beside the parts that have a verdict.
    #[must_use]
    pub(crate) fn of(summary: &str, judged: &[Span]) -> Self {
        let index = TextIndex::new(summary);
        let (mut spans, mut words, mut left): (Vec<Span>, usize, usize) = (Vec::new(), 0, 0);
        let at = |word: &str| word.as_ptr() as usize - summary.as_ptr() as usize;
        let mut is_run = false;
        for word in summary.split_whitespace().filter(|word| is_word(word)) {
            let start = at(word);
            let place = Span { start: index.character(start), end: index.character(start + word.len()) };
            words += 1;
            if judged.iter().any(|span| span.start < place.end && place.start < span.end) {
                is_run = false;
                continue;
            }
            left += 1;
            match spans.last_mut().filter(|_| is_run) {
                Some(run) => run.end = place.end,
                None => spans.push(place),
            }
            is_run = true;
        }
        Self { spans, share: if words == 0 { 0.0 } else { left as f64 / words as f64 } }
    }
}

fn is_word(word: &str) -> bool {
    let is_tag = word.starts_with('<') && word.ends_with('>') && word.matches('<').count() == 1;
    let is_marker =
        word.starts_with('[') && word.ends_with([']', ':']) && word.chars().count() <= MOST_OF_MARKER;
    word.contains(char::is_alphanumeric) && !is_only_marks(word) && !is_tag && !is_marker
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_outside_judged_parts_are_left() {
        let summary = "Hello Zoë! 1. It rains. Any questions? Bye.";
        let judged = [Span { start: 14, end: 23 }];
        let found = Unjudged::of(summary, &judged);
        let texts: Vec<&str> = found.spans.iter().map(|span| span.slice(summary)).collect();
        assert_eq!(texts, ["Hello Zoë!", "Any questions? Bye."]);
        assert!((found.share - 5.0 / 7.0).abs() < 1e-9, "{}", found.share);
        assert_eq!(Unjudged::of("- ... [x] [^1]: </table>", &[]), Unjudged::default());
    }
}
