//! The citation markers of an answer, and to which claims each belongs: to those of the sentence that contains it or
//! directly precedes it; at the start of a line, to those of the following sentence.

use crate::input::Sources;
use crate::text::{Edit, Marker, NormalizedText, Span, markers};

/// The markers of an answer.
#[derive(Debug, Clone)]
pub(in crate::scorer) struct Markers(Vec<Marker>);

impl Markers {
    pub(in crate::scorer) fn of(answer: &str, sources: &Sources) -> Self {
        let ids: Vec<&str> = sources.list().iter().map(|source| source.id.as_str()).collect();
        Self(markers(answer, &ids))
    }

    /// The answer without them.
    pub(in crate::scorer) fn left_out<'t>(&self, answer: &'t str) -> NormalizedText<'t> {
        let edits: Vec<Edit> = self.0.iter().map(|marker| marker.left_out.clone()).collect();
        NormalizedText::edited(answer, &edits)
    }

    /// The markers.
    pub(super) fn list(&self) -> &[Marker] {
        &self.0
    }

    /// A part of the answer without the markers of its own.
    pub(in crate::scorer) fn removed(&self, part: &str) -> String {
        self.left_out(part).text().to_owned()
    }

    /// The indices of each claim's markers. `claims` has each claim's spans and `sentences` the sentences of the
    /// normalised answer.
    pub(super) fn of_claims(
        &self,
        answer: &NormalizedText<'_>,
        sentences: &[Span],
        claims: &[&[Span]],
    ) -> Vec<Vec<usize>> {
        let mut of_claims = vec![Vec::new(); claims.len()];
        for (number, marker) in self.0.iter().enumerate() {
            let at = answer.read_position(marker.left_out.span.start);
            let sentence = if marker.leads {
                sentences.iter().find(|sentence| sentence.end > at).or(sentences.last())
            } else {
                sentences.iter().rfind(|sentence| sentence.start < at).or(sentences.first())
            };
            let Some(sentence) = sentence else { continue };
            for (of_claim, spans) in of_claims.iter_mut().zip(claims) {
                if spans.iter().any(|span| span.start < sentence.end && sentence.start < span.end) {
                    of_claim.push(number);
                }
            }
        }
        of_claims
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceText;
    use crate::text::{TextIndex, sentences};

    fn span(text: &str, part: &str) -> Span {
        let start = text[..text.find(part).unwrap()].chars().count();
        Span { start, end: start + part.chars().count() }
    }

    /// The markers of each claim; a claim is a part of the answer without markers.
    fn markers_of(answer: &str, claims: &[&str]) -> Vec<Vec<String>> {
        let sources: Vec<SourceText> =
            (1..6).map(|number| SourceText::numbered(number, "A.".into())).collect();
        let (_, sources) = Sources::join(&sources).unwrap();
        let markers = Markers::of(answer, &sources);
        let read = markers.left_out(answer);
        let spans: Vec<[Span; 1]> = claims.iter().map(|claim| [span(read.text(), claim)]).collect();
        let spans: Vec<&[Span]> = spans.iter().map(|spans| spans.as_slice()).collect();
        let index = TextIndex::new(answer);
        let name = |marker: usize| index.slice(markers.0[marker].span).to_owned();
        let of_claims = markers.of_claims(&read, &sentences(read.text()), &spans).into_iter();
        of_claims.map(|markers| markers.into_iter().map(name).collect()).collect()
    }

    #[test]
    fn a_marker_belongs_to_the_sentence_that_it_stands_in_or_after() {
        let answer = "The pool closes [1]. It rusts, they say.[2] Nobody came [3] and [4] nobody left. [5]";
        let claims = ["The pool closes", "It rusts", "Nobody came", "nobody left"];
        let of = |markers: &[&str]| markers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let last = of(&["[3]", "[4]", "[5]"]);
        assert_eq!(markers_of(answer, &claims), [of(&["[1]"]), of(&["[2]"]), last.clone(), last]);
        let lines = "[1][2] The pool closes.\n\n[3] It rusts.\nNobody came.";
        assert_eq!(
            markers_of(lines, &["The pool closes.", "It rusts.", "Nobody came."]),
            [of(&["[1]", "[2]"]), of(&["[3]"]), of(&[])]
        );
        assert_eq!(markers_of("The pool closes.", &["The pool closes."]), [of(&[])]);
        assert_eq!(markers_of("The pool closes.\n[4]", &["The pool closes."]), [of(&["[4]"])]);
    }
}
