//! Corrects a summary: applies the corrections of its claims to the text as given. Decides which of two overlapping
//! corrections is applied. The corrected text is not judged.

use crate::text::{Span, TextIndex};

use crate::findings::contrast::Instead;
use crate::result::ClaimResult;

/// A corrected summary.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Corrected<'c> {
    /// The summary, unchanged outside its corrections.
    pub text: String,
    /// The corrections that were applied, in text order.
    pub made: Vec<&'c Instead>,
    /// The corrections that were not applied, in the order of the claims: they have no span in the summary, or overlap
    /// a correction that was applied.
    pub left_out: Vec<&'c Instead>,
}

/// Replaces every [`Instead::summary_span`] of the claims by [`Instead::document`]. Of overlapping corrections, the one
/// that begins first is applied; of those that begin at the same character, the first claim's. A correction that
/// several claims share is applied once.
///
/// `summary` is the judged text as given: spans count its characters. A span that exceeds the text is ignored.
///
/// ```
/// # #[cfg(feature = "bundled")] {
/// use veridic::corrected::corrected;
///
/// let summary = "The plan was rejected.";
/// let scorer = veridic::Scorer::builder("mini").build()?;
/// let result = scorer.score("The council met on Monday. It rejected the plan.", summary)?;
/// assert_eq!(corrected(summary, &result.claims).text, summary);
/// # }
/// # Ok::<(), veridic::Error>(())
/// ```
#[must_use]
pub fn corrected<'c>(summary: &str, claims: &'c [ClaimResult]) -> Corrected<'c> {
    let all: Vec<&Instead> = claims.iter().filter_map(|claim| claim.instead.as_ref()).collect();
    apply(summary, &all)
}

fn apply<'c>(summary: &str, all: &[&'c Instead]) -> Corrected<'c> {
    let index = TextIndex::new(summary);
    let place = |instead: &Instead| instead.summary_span.filter(|span| span.end <= index.characters());
    let mut placed: Vec<(Span, &Instead)> =
        all.iter().filter_map(|instead| Some((place(instead)?, *instead))).collect();
    placed.sort_by_key(|(span, _)| span.start);
    let (mut text, mut made, mut end) = (String::new(), Vec::new(), 0);
    for (span, instead) in placed {
        if span.start >= end {
            text += index.slice(Span { start: end, end: span.start });
            text += &instead.document;
            end = span.end;
            made.push(instead);
        }
    }
    text += &summary[index.byte(end)..];
    let is_made = |instead: &Instead| made.iter().any(|other| is_same(other, instead));
    let left_out = all.iter().copied().filter(|instead| !is_made(instead)).collect();
    Corrected { text, made, left_out }
}

/// Whether two corrections change the summary in the same way.
fn is_same(one: &Instead, other: &Instead) -> bool {
    one.summary_span == other.summary_span && one.document == other.document
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::contrast::FillingKind;

    fn instead(text: &str, document: &str, summary_span: Option<(usize, usize)>) -> Instead {
        let span = |(start, end)| Span { start, end };
        Instead {
            kind: FillingKind::Quantity,
            span: Span { start: 0, end: text.chars().count() },
            text: text.into(),
            document: document.into(),
            document_span: Span { start: 0, end: document.chars().count() },
            summary_span: summary_span.map(span),
            gain: 0.5,
            sources: Vec::new(),
        }
    }

    /// The corrected text, and the `document` of the corrections that were applied and of those that were not.
    fn applied<'i>(summary: &str, all: &'i [Instead]) -> (String, Vec<&'i str>, Vec<&'i str>) {
        let all: Vec<&Instead> = all.iter().collect();
        let Corrected { text, made, left_out } = apply(summary, &all);
        let documents = |of: Vec<&'i Instead>| of.into_iter().map(|instead| &*instead.document).collect();
        (text, documents(made), documents(left_out))
    }

    #[test]
    fn places_are_characters_and_the_rest_is_unchanged() {
        let summary = "\u{feff}Höhe: 2.4 m \u{1f309}, 3 Türme.\r\n\n";
        let all = [instead("3", "two", Some((16, 17))), instead("2.4 m", "4.2 m", Some((7, 12)))];
        let (text, made, left_out) = applied(summary, &all);
        assert_eq!(text, "\u{feff}Höhe: 4.2 m \u{1f309}, two Türme.\r\n\n");
        assert_eq!((made, left_out), (vec!["4.2 m", "two"], vec![]));
    }

    #[test]
    fn summary_without_corrections_is_as_given() {
        assert_eq!(applied(" a\n", &[]), (" a\n".into(), vec![], vec![]));
    }

    #[test]
    fn corrections_without_a_place_in_the_summary_are_left_out() {
        let all =
            [instead("2", "4", None), instead("2", "5", Some((9, 12))), instead("3", "6", Some((2, 3)))];
        assert_eq!(applied("2 3", &all), ("2 6".into(), vec!["6"], vec!["4", "5"]));
    }

    #[test]
    fn of_overlapping_corrections_the_first_is_made() {
        let all = [
            instead("million", "billion", Some((4, 11))),
            instead("2.4 million", "4.2 million", Some((0, 11))),
            instead("2.4", "5", Some((0, 3))),
            instead(" euros", " crowns", Some((11, 17))),
        ];
        let (text, made, left_out) = applied("2.4 million euros", &all);
        assert_eq!(text, "4.2 million crowns");
        assert_eq!((made, left_out), (vec!["4.2 million", " crowns"], vec!["billion", "5"]));
    }

    #[test]
    fn correction_of_two_claims_is_made_once() {
        let all = [instead("2", "4", Some((0, 1))), instead("2", "4", Some((0, 1)))];
        assert_eq!(applied("2.", &all), ("4.".into(), vec!["4"], vec![]));
    }
}
