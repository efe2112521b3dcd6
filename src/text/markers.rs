//! Finds the citation markers of an answer. A marker is the id of a source in square brackets (`[1]`, `[doc-2]`),
//! several ids in one pair of brackets (`[2, 3]`, `[1-3]`), or superscript digits after a word or a mark. Other text in
//! brackets, such as `[sic]`, is not a marker. Pure.

use super::{Edit, Span};

/// Maximum characters of a marker in brackets.
const MAX_IN_BRACKETS: usize = 120;

/// Maximum digits of a number in brackets that is an unknown id: `[2024]` is a year, not a citation.
const MAX_UNKNOWN_DIGITS: usize = 3;

/// Maximum number of sources in a range such as `[2-5]`.
const MAX_RANGE: usize = 100;

/// Minimum letters of a word whose superscript digits are a citation: `km²` has two.
const MIN_LETTERS: usize = 3;

/// A marker of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Its span in the answer.
    pub span: Span,
    /// The edit that removes it from the answer, with adjacent white space and the separator after the previous marker.
    pub left_out: Edit,
    /// Whether it begins a line and therefore belongs to the following sentence.
    pub leads: bool,
    /// The sources that it names.
    pub cited: Vec<Cited>,
}

/// A source that a marker names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cited {
    /// The index of a source.
    Known(usize),
    /// An unknown id.
    Unknown(String),
}

/// The markers of an answer that cites sources with these ids, in order. Without ids, every number in brackets and
/// every superscript cites an unknown source.
#[must_use]
pub fn markers(answer: &str, ids: &[&str]) -> Vec<Marker> {
    let text: Vec<char> = answer.chars().collect();
    let mut markers: Vec<Marker> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let found = in_brackets(&text, at, ids).or_else(|| superscript(&text, at, ids));
        let Some((end, cited)) = found else {
            at += 1;
            continue;
        };
        let span = Span { start: at, end };
        let (left_out, leads) = around(&text, span, markers.last());
        let is_beside = |c: Option<&char>| c.is_some_and(|c| !c.is_whitespace());
        let before = left_out.start.checked_sub(1).and_then(|before| text.get(before));
        let parts_words = is_beside(before) && text.get(left_out.end).is_some_and(|c| c.is_alphanumeric());
        let left_out = Edit { span: left_out, text: if parts_words { " ".into() } else { String::new() } };
        markers.push(Marker { span, left_out, leads, cited });
        at = end;
    }
    markers
}

/// Parses a marker in brackets at `at`; returns its end and the cited sources.
fn in_brackets(text: &[char], at: usize, ids: &[&str]) -> Option<(usize, Vec<Cited>)> {
    if text[at] != '[' {
        return None;
    }
    let inside = &text[at + 1..text.len().min(at + 2 + MAX_IN_BRACKETS)];
    let length = inside.iter().position(|c| matches!(c, ']' | '[' | '\n'))?;
    if inside[length] != ']' {
        return None;
    }
    let inside: String = inside[..length].iter().collect();
    let cited = match place(inside.trim(), ids) {
        Some(source) => vec![Cited::Known(source)],
        None => {
            let items: Option<Vec<Vec<Cited>>> =
                inside.split([',', ';']).map(|item| cited(item.trim(), ids)).collect();
            items?.concat()
        }
    };
    Some((at + 1 + length + 1, cited))
}

/// The sources that an item in brackets cites; `None` if it is not a citation.
fn cited(item: &str, ids: &[&str]) -> Option<Vec<Cited>> {
    if let Some(source) = place(item, ids) {
        return Some(vec![Cited::Known(source)]);
    }
    if let Some((first, last)) = item.split_once(['-', '–']) {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|_| is_number(text.trim()));
        if let (Some(first), Some(last)) = (number(first), number(last)) {
            if first >= last || last - first >= MAX_RANGE {
                return None;
            }
            let each = |number: usize| cited(&number.to_string(), ids);
            return Some((first..=last).map(each).collect::<Option<Vec<_>>>()?.concat());
        }
    }
    let is_unknown = if is_number(item) {
        item.len() <= MAX_UNKNOWN_DIGITS
    } else {
        let stem = stem(item);
        stem.len() < item.len() && !stem.is_empty() && ids.iter().any(|id| self::stem(id) == stem)
    };
    is_unknown.then(|| vec![Cited::Unknown(item.to_owned())])
}

/// Parses superscript digits at `at`; returns their end and the cited sources.
fn superscript(text: &[char], at: usize, ids: &[&str]) -> Option<(usize, Vec<Cited>)> {
    digit_of(text[at])?;
    let before = text[..at].last()?;
    let letters = text[..at].iter().rev().take_while(|c| c.is_alphabetic()).count();
    let is_after_mark =
        matches!(before, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '"' | '\'' | '”' | '’' | '»');
    if !is_after_mark && letters < MIN_LETTERS {
        return None;
    }
    let digits: String = text[at..].iter().map_while(|c| digit_of(*c)).collect();
    let whole = place(&digits, ids).map(|source| vec![source]);
    let each = || digits.split("").filter(|digit| !digit.is_empty()).map(|digit| place(digit, ids)).collect();
    let end = at + digits.chars().count();
    if ids.is_empty() {
        return Some((end, vec![Cited::Unknown(digits)]));
    }
    let sources: Vec<usize> = whole.or_else(each)?;
    Some((end, sources.into_iter().map(Cited::Known).collect()))
}

fn digit_of(c: char) -> Option<char> {
    Some(match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10)?,
        _ => return None,
    })
}

/// The span to remove with a marker, and whether the marker leads its sentence.
fn around(text: &[char], span: Span, before: Option<&Marker>) -> (Span, bool) {
    let is_space = |c: &char| c.is_whitespace() && *c != '\n';
    let trailing = text[span.end..].iter().take_while(|c| is_space(c)).count();
    if let Some(before) = before {
        let between = &text[before.span.end..span.start];
        let separators = between.iter().filter(|c| matches!(c, ',' | ';')).count();
        if separators <= 1 && between.iter().all(|c| is_space(c) || matches!(c, ',' | ';')) {
            let end = if before.leads { span.end + trailing } else { span.end };
            // White space after a leading marker is removed with that marker.
            return (Span { start: before.left_out.span.end.min(span.start), end }, before.leads);
        }
    }
    let line = text[..span.start].iter().rev().take_while(|c| **c != '\n');
    if !line.clone().any(|c| c.is_alphanumeric()) {
        return (Span { start: span.start, end: span.end + trailing }, true);
    }
    let spaces = line.take_while(|c| is_space(c)).count();
    (Span { start: span.start - spaces, end: span.end }, false)
}

fn place(id: &str, ids: &[&str]) -> Option<usize> {
    ids.iter().position(|other| *other == id)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An id without the digits at its end.
fn stem(id: &str) -> &str {
    id.trim_end_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{NormalizedText, TextIndex};
    use proptest::prelude::*;

    /// The answer without its markers, and each marker with the sources that it cites.
    fn read(answer: &str, ids: &[&str]) -> (String, Vec<(String, Vec<String>)>) {
        let markers = markers(answer, ids);
        let left_out: Vec<Edit> = markers.iter().map(|marker| marker.left_out.clone()).collect();
        let reading = NormalizedText::edited(answer, &left_out);
        let index = TextIndex::new(answer);
        let name = |cited: &Cited| match cited {
            Cited::Known(source) => ids[*source].to_owned(),
            Cited::Unknown(id) => format!("?{id}"),
        };
        let found = markers
            .iter()
            .map(|marker| (index.slice(marker.span).to_owned(), marker.cited.iter().map(name).collect()));
        (reading.text().to_owned(), found.collect())
    }

    fn cites(answer: &str, ids: &[&str]) -> String {
        let all =
            read(answer, ids).1.into_iter().map(|(marker, cited)| format!("{marker}={}", cited.join("+")));
        all.collect::<Vec<_>>().join(" ")
    }

    const NUMBERS: [&str; 5] = ["1", "2", "3", "4", "5"];

    #[test]
    fn markers_are_found_and_left_out() {
        for line in include_str!("tests/markers.tsv").lines().filter(|line| !line.starts_with('#')) {
            let line = line.replace("\\n", "\n");
            let [answer, without, cited] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert_eq!((&*read(answer, &NUMBERS).0, &*cites(answer, &NUMBERS)), (without, cited));
        }
    }

    #[test]
    fn other_text_is_no_marker() {
        for answer in [
            "It was [sic] closed [in March] of [2024].",
            "x[1a] [a] [] [ ] [,] [1,] [-] [1-1] [5-2] [1\n] [1",
            "Ten km² and 10² and x¹, ² alone, ⁹.",
            "[[1",
        ] {
            assert_eq!(read(answer, &NUMBERS), (answer.to_owned(), vec![]), "{answer}");
        }
        assert_eq!(cites("[[1]]", &NUMBERS), "[1]=1");
    }

    #[test]
    fn without_ids_every_number_cites() {
        assert_eq!(
            read("It closes [5]. It rusts.¹² In [2024] x² [sic].", &[]).0,
            "It closes. It rusts. In [2024] x² [sic]."
        );
    }

    #[test]
    fn ids_are_any_texts() {
        let ids = ["doc-1", "doc-2", "a, b", "annual report", "7"];
        assert_eq!(
            cites("A [doc-2], b [a, b], c [annual report; doc-1], d [doc-9], e [x-1], f [7], g [sic].", &ids),
            "[doc-2]=doc-2 [a, b]=a, b [annual report; doc-1]=annual report+doc-1 [doc-9]=?doc-9 [7]=7"
        );
    }

    proptest! {
        #[test]
        fn any_answer_is_read(answer in "[a-z0-9é¹²\\[\\] ,;.\\n-]{0,60}") {
            let markers = markers(&answer, &NUMBERS);
            let characters = answer.chars().count();
            let mut end = 0;
            for marker in &markers {
                prop_assert!(marker.left_out.span.start >= end, "in order and apart: {markers:?}");
                prop_assert!(marker.left_out.span.end <= characters);
                prop_assert!(!marker.cited.is_empty());
                end = marker.left_out.span.end;
            }
            let spans: Vec<Span> = markers.iter().map(|marker| marker.left_out.span).collect();
            let (mut kept, mut at) = (String::new(), 0);
            let index = TextIndex::new(&answer);
            for span in spans.iter().chain([&Span { start: characters, end: characters }]) {
                kept += index.slice(Span { start: at, end: span.start });
                at = span.end;
            }
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            prop_assert_eq!(letters(&kept), letters(&answer), "no word is left out");
        }
    }
}
