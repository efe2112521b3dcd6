//! Extracts the statements of a text: the text without layout marks, and the parts that are not statements.
//!
//! Layout marks are Markdown ([`markdown`]), list numbers and letters, bullets, checkboxes, time stamps, citation
//! markers ([`markers`]), and the label of a line's writer. Header rows, code, greetings, questions to the reader,
//! refusals to answer, lists of sources, and headings and lines before lists that are noun phrases state nothing. An item
//! without a verb is read with the heading or the line that introduces its list: "Present: Amira". Decides by layout and
//! by words; what could be a statement is treated as one, wherever it stands. A statement inside another one, such as
//! the title of a link, is read by itself.

mod block;
mod classified;
mod edits;
mod marks;
mod questions;
mod remarks;

use std::ops::Range;

use self::classified::{Known, blocks_of};
use self::edits::Edits;
use super::markdown::{Markdown, markdown};
use super::no_answer::NoAnswer;
use super::{NormalizedText, Poll, Span, sentences};

/// The statements of a text.
#[derive(Debug, Clone)]
pub struct Statements<'t> {
    /// The statements as models read them, with their mapping to the text as given.
    pub read: NormalizedText<'t>,
    /// Statements that stand inside others and are read by themselves, in the text as given, in order.
    pub asides: Vec<Span>,
    /// The other parts of the text as given, in order, without parts that consist of marks only.
    pub others: Vec<Span>,
}

impl Statements<'_> {
    /// Whether a part of the text refuses to answer.
    #[must_use]
    pub fn refuses(&self) -> bool {
        let given = self.read.given();
        self.others.iter().any(|span| NoAnswer::is_refusal(given.slice(*span)))
    }
}

/// Extracts the statements of a text. Labels of these speakers are part of the statements: "Amira: It closes."
///
/// # Errors
/// That of `poll`.
pub fn statements<'t, E>(
    given: &'t str,
    speakers: &[String],
    poll: &Poll<'_, E>,
) -> Result<Statements<'t>, E> {
    let mut edits = Edits::of(given);
    let Markdown { edits: marks, headings, notes, others, asides } = markdown(given);
    marks.into_iter().for_each(|(part, text)| edits.add(part, text));
    let known =
        Known { headings: edits.spans(&headings), notes: edits.spans(&notes), others: edits.spans(&others) };
    let asides = sentences_in(&edits, &asides);
    poll()?;
    edits.leave_out_marks(speakers);
    let found = blocks_of(&edits, &known, poll)?;
    let mut others = known.others;
    others.extend(found.others);
    let mut others = without(&others, &asides);
    others.iter_mut().for_each(|span| *span = edits.trimmed(*span));
    others.retain(|span| !span.is_empty());
    others.sort_unstable();
    edits.insert(found.introduced);
    edits.merge(found.asserted);
    edits.leave_out(&both(&others, &asides));
    Ok(Statements { read: edits.read(), asides, others })
}

/// The sentences of parts of a text.
fn sentences_in(edits: &Edits<'_>, parts: &[Range<usize>]) -> Vec<Span> {
    let mut found = Vec::new();
    for part in parts {
        let begins = edits.span(part).start;
        let of_part = sentences(edits.slice(part));
        found.extend(
            of_part.into_iter().map(|span| Span { start: begins + span.start, end: begins + span.end }),
        );
    }
    found.sort_unstable();
    found
}

/// These parts without the asides inside them, which are in order.
fn without(parts: &[Span], asides: &[Span]) -> Vec<Span> {
    let mut left = Vec::new();
    for part in parts {
        let mut start = part.start;
        let first = asides.partition_point(|aside| aside.start < part.start);
        for aside in asides[first..].iter().take_while(|aside| aside.end <= part.end) {
            left.push(Span { start, end: aside.start });
            start = aside.end;
        }
        left.push(Span { start, end: part.end });
    }
    left
}

/// Both lists as one, in order.
fn both(parts: &[Span], asides: &[Span]) -> Vec<Span> {
    let mut all = [parts, asides].concat();
    all.sort_unstable();
    all
}

/// A single statement without its layout marks.
#[must_use]
pub fn read_alone(statement: &str) -> String {
    let mut edits = Edits::of(statement);
    markdown(statement).edits.into_iter().for_each(|(part, text)| edits.add(part, text));
    edits.leave_out_marks(&[]);
    let read = edits.read().text().trim().to_owned();
    if read.contains(char::is_alphanumeric) { read } else { statement.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{TextIndex, go_on};

    fn statements<'t>(given: &'t str, speakers: &[String]) -> Statements<'t> {
        let Ok(found) = super::statements(given, speakers, &go_on);
        found
    }

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let found = statements(text, &["Amira Khan".to_owned()]);
        let index = TextIndex::new(text);
        let own = found.read.text();
        let claims = sentences(own).into_iter().map(|span| span.slice(own).to_owned());
        let others = found.others.iter().map(|span| index.slice(*span).to_owned());
        (claims.filter(|claim| claim.contains(char::is_alphanumeric)).collect(), others.collect())
    }

    fn claims(text: &str) -> Vec<String> {
        read(text).0
    }

    #[test]
    fn list_marks_are_not_read() {
        let marks = "1.|1)|**1.**|(a)|a)|IV.|(iv)|-|*|•|- [ ]|[x]|☐|[12:31]|00:12:31|[00:12:31] -|(12:31)|Assistant:|\
                     Speaker 2:|[12:31] Ben Ode:";
        for mark in marks.split('|') {
            let text = format!("{mark} The pool closes in March.");
            assert_eq!(claims(&text), ["The pool closes in March."], "{text}");
            let list = format!("{mark} The pool closes in March.\n{mark} It rusts.");
            assert_eq!(claims(&list), ["The pool closes in March.", "It rusts."], "{list}");
        }
        assert_eq!(claims("Amira: It closes [12:31]."), ["Amira: It closes."]);
        assert_eq!(claims("12:31 is late. Decision: close it."), ["12:31 is late.", "Decision: close it."]);
        assert_eq!(claims("1. The pool closes. 2. It rusts."), ["The pool closes.", "It rusts."]);
        assert_eq!(claims("A. Smith left. I. Newton fell."), ["A. Smith left.", "I. Newton fell."]);
    }

    #[test]
    fn citations_are_not_read() {
        assert_eq!(
            claims("It is paid after the birth [5]. It ends [1, 2]."),
            ["It is paid after the birth.", "It ends."]
        );
    }

    #[test]
    fn what_states_nothing_is_told_apart() {
        let table =
            "## Overview\n\n| Decision | Owner |\n|---|---|\n| The roof | Amira |\n| The bus | Ben |\n\nEnd.";
        assert_eq!(
            claims(table),
            ["Decision: The roof; Owner: Amira", "Decision: The bus; Owner: Ben", "End."],
            "rows have their header alone"
        );
        let text = "Here is a summary of the meeting:\n\n## Decisions\n\n1. The pool closes in March.\n2. **Budget:** 4.2 million euros were approved.\n\nNext steps\n- Ben writes to the council.\n\nPresent:\n- Amira Khan\n- Ben\n\nI hope this helps! Would you like more detail?";
        let (claims, others) = read(text);
        assert_eq!(
            claims,
            [
                "The pool closes in March.",
                "Budget: 4.2 million euros were approved.",
                "Ben writes to the council.",
                "Present: Amira Khan",
                "Present: Ben",
            ]
        );
        assert_eq!(
            others,
            [
                "Here is a summary of the meeting:",
                "## Decisions",
                "Next steps",
                "Present:",
                "I hope this helps!",
                "Would you like more detail?",
            ]
        );
    }

    #[test]
    fn statements_are_not_taken_for_headings() {
        for text in [
            "Mayor resigns over affair\nThe council votes on Monday",
            "Thanks to the pump, the pool opened.",
            "He asked \"why?\"",
            "4.2 million euros\nNine months of work",
            "If you need a permit, apply by March.",
            "Police: man held",
        ] {
            assert_eq!(read(text).1, Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn rows_are_statements_with_the_words_of_their_header() {
        let (claims, others) = read("| Decision | Owner |\n|---|---|\n| Close it | Amira |");
        assert_eq!(claims, ["Decision: Close it; Owner: Amira"]);
        assert_eq!(others, ["| Decision | Owner |\n|---|---|"]);
    }

    #[test]
    fn statements_are_read_wherever_they_stand() {
        for (text, expected) in [
            (
                "# The mayor resigned in May\n\nThe pool closed.",
                &["The mayor resigned in May", "The pool closed."][..],
            ),
            ("The council met. Topics:\n\n- the roof", &["The council met.", "Topics: the roof"]),
            (
                "The pool closes in March and needs:\n- pumps",
                &["The pool closes in March.", "The pool closes in March and needs: pumps"],
            ),
            ("Did you know that the pool closes? It rusts.", &["the pool closes.", "It rusts."]),
            ("It rusts, doesn't it? The pool closes.", &["It rusts.", "The pool closes."]),
            (
                "It rusts.\n\n```\nThe pool closes in March.\nlet x = 5;\n```",
                &["It rusts.", "The pool closes in March."],
            ),
            (
                "It rusts.[^1]\n\n[^1]: The pool closes.\n\n[^2]: Report, p. 3.",
                &["It rusts.", "The pool closes."],
            ),
            ("Pool\n: closed in March", &["Pool: closed in March"]),
            (
                "Here is the summary: the pool closes in March.",
                &["Here is the summary: the pool closes in March."],
            ),
            ("THE POOL WILL CLOSE\n\nIt rusts.", &["THE POOL WILL CLOSE", "It rusts."]),
            ("TL;DR: It rusts.", &["It rusts."]),
            ("P.S. It rusts.", &["It rusts."]),
            ("I don't know. It rusts.", &["It rusts."]),
            (
                "<table><tr><th>Pool</th><th>State</th></tr>\n<tr><td>Harwell</td><td>closed</td></tr></table>",
                &["Pool: Harwell; State: closed"],
            ),
            (
                "It rusts.\n\nSources:\n- report.pdf, p. 3\n- Report, p. 4: the pool is closed.",
                &["It rusts.", "Report, p. 4: the pool is closed."],
            ),
        ] {
            assert_eq!(claims(text), expected, "{text}");
        }
    }

    #[test]
    fn statements_inside_others_are_read_by_themselves() {
        let asides = |text: &'static str| -> Vec<&str> {
            let index = TextIndex::new(text);
            statements(text, &[])
                .asides
                .iter()
                .map(|span| index.byte(span.start)..index.byte(span.end))
                .map(|bytes| &text[bytes])
                .collect()
        };
        assert_eq!(
            asides("The [pool](u \"It closes in March\") rusts <!-- The mayor resigned. --> now."),
            ["It closes in March", "The mayor resigned."]
        );
        assert_eq!(
            asides("See ![the pool is closed](p.png), says [him](u \"Plan of the pool\")."),
            ["the pool is closed"]
        );
        assert_eq!(
            asides("| The pool closes in March | State |\n|---|---|\n| yes | bad |"),
            ["The pool closes in March"]
        );
        assert_eq!(claims("The [pool](u \"It closes in March\") rusts."), ["The pool rusts."]);
    }

    #[test]
    fn statements_keep_their_places() {
        let text = "1. **The pool** closes [5].\n2. It rusts.";
        let found = statements(text, &[]);
        let own = found.read.text();
        let places: Vec<&str> = sentences(own)
            .into_iter()
            .map(|span| found.read.given().slice(found.read.given_span(span)))
            .collect();
        assert_eq!(places, ["The pool** closes [5].", "It rusts."]);
        assert_eq!(read_alone("- **The pool** closes [5]."), "The pool closes.");
        assert_eq!(read_alone("[5]"), "[5]");
    }

    proptest! {
        #[test]
        fn any_text_is_read(parts in proptest::collection::vec(proptest::sample::select(vec![
            "1. ", "- ", "**", "*", "_", "# ", "| a | b |\n", "|---|---|\n", "\n", "\n\n", "[5]", "[x](y)", "> ", "`", "```\n",
            "The pool closes. ", "Amira: ", "é", "\u{0}", "<b>", "&amp;", "[12:31] ", "Why? ", "Hello! ", "<!-- It rusts. -->", "<td>", "<tr>", "It rusts, right? ", "![a pool closes](p \"it is so\")", "\n: ", "    ", "\\", "东。",
        ]), 0..24)) {
            let text = parts.concat();
            let found = statements(&text, &[]);
            let characters = text.chars().count();
            let mut end = 0;
            for span in &found.others {
                prop_assert!(span.start >= end || span.end <= end, "{:?}", found.others);
                end = end.max(span.end);
            }
            prop_assert!(end <= characters);
            for span in sentences(found.read.text()) {
                prop_assert!(found.read.given_span(span).end <= characters);
            }
            prop_assert_eq!(read_alone(&text).is_empty(), text.is_empty());
        }
    }
}
