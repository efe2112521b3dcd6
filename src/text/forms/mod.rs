//! Documents that are not prose: recognised by their content, and read as passages that a judge of prose can read.
//!
//! Each form has one reader. It returns the passages of a text with the edits that make them read as words: a row of a
//! table with its headers said again, a line of a log, a message with its sender. A reader decides by layout, never by
//! what the text is about, and refuses what it does not recognise: the text is then prose. Every visible character stays
//! in a passage, or in the prose around the passages, or is a mark of the layout.

mod commands;
mod data;
mod diff;
mod lines;
mod log;
mod mail;
mod passage;
mod records;
mod table;
mod transcript;

use self::passage::Reading;
pub use self::passage::{Form, Passage};
pub(super) use self::transcript::{Stamp, label, time_stamp};
use super::{Edit, Poll};

/// The readers of whole texts, in the order in which they are asked.
const OF_WHOLE: [fn(&str) -> Option<Reading>; 6] =
    [diff::read, mail::read, talk_or_log, log::read, data::read, commands::read];

/// The passages of a text, with the edits after which they read as words; none in prose.
///
/// # Errors
/// That of `poll`, which is asked before each reader.
pub fn passages<E>(text: &str, poll: &Poll<'_, E>) -> Result<(Vec<Edit>, Vec<Passage>), E> {
    for read in OF_WHOLE {
        poll()?;
        if let Some(reading) = read(text) {
            return Ok(reading.in_characters(text));
        }
    }
    poll()?;
    Ok(blocks(text).in_characters(text))
}

/// A transcript, or a log that looks like one: both may begin their lines with times.
fn talk_or_log(text: &str) -> Option<Reading> {
    let talk = transcript::read(text)?;
    let names = talk.passages.iter().filter_map(|turn| turn.name.as_deref());
    let people =
        names.clone().filter(|name| transcript::is_of_person(name) && !name.split(' ').any(log::is_level));
    let is_of_people = people.count() * 2 > names.count();
    log::read(text).filter(|_| !is_of_people).or(Some(talk))
}

/// The tables and records of a text, which is prose around them.
fn blocks(text: &str) -> Reading {
    let mut found = table::read(text);
    found.extend(records::read(text));
    found.retain(|block| !block.edits.is_empty());
    // Sorting keeps a table before records that begin at the same line.
    found.sort_by_key(|block| block.edits[0].0.start);
    let mut reading = Reading::default();
    for block in found {
        if reading.edits.last().is_none_or(|(last, _)| last.end <= block.edits[0].0.start) {
            reading.edits.extend(block.edits);
            reading.passages.extend(block.passages);
        }
    }
    reading
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::go_on;

    fn form(text: &str) -> Option<Form> {
        let Ok((_, passages)) = passages(text, &go_on);
        passages.first().map(|passage| passage.form)
    }

    /// What is said again is bounded, so that a hostile text of 200 kB does not become one of gigabytes.
    #[test]
    fn headers_too_long_to_be_said_again_are_none() {
        let name = "Region ".repeat(1000);
        let rows = |separator: &str| format!("1{separator}2\n").repeat(10_000);
        let objects = format!("{{\"{name}\": [{}]}}", vec!["{\"a\": 1}"; 10_000].join(","));
        let output = format!("$ {name}\n{}", "1\n".repeat(100_000));
        let texts = [format!("{name}\tB\n{}", rows("\t")), objects, output];
        for text in &texts {
            let Ok((edits, passages)) = passages(text, &go_on);
            let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
            let labels: usize = passages.iter().map(|passage| passage.label.len()).sum();
            assert!(added.max(labels) <= 5 * text.len(), "{added}, {labels} of {}", text.len());
        }
        let short = "Region of sale\tB\n1\t2\n3\t4\n5\t6\n";
        assert_eq!(form(short), Some(Form::Table));
    }

    #[test]
    fn forms_are_recognised() {
        for (text, expected) in [
            ("It rains. It snows, too.\n\nIt stopped.", None),
            ("INFO: up\nERROR: down\nINFO: up", Some(Form::Log)),
            ("[00:12] Amira: hello\n[00:20] Ben: hello", Some(Form::Transcript)),
            (
                "03/05/2024, 10:02 - Ana: come\n03/05/2024, 10:03 - Ben: no\n03/05/2024, 10:04 - Ana: why",
                Some(Form::Transcript),
            ),
            ("[1] A source.\n[2] Another one.", None),
            ("{\"a\": {\"b\": 1}}", Some(Form::Data)),
            ("From: Ana\nTo: Ben\nSubject: x\n\nYes.", Some(Form::Mail)),
            ("Date: 3 May\nRoom: 12\nTotal: 40\n", Some(Form::Records)),
            ("Day | Tide\n----|----\nMon | 3 m", Some(Form::Table)),
        ] {
            assert_eq!(form(text), expected, "{text}");
        }
    }
}
