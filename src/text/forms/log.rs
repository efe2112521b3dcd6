//! Logs: lines that begin with a date and a time, or with a level. A passage is a line, with the lines of its stack trace.
//!
//! Refuses a text of which most lines begin otherwise.

use std::ops::Range;

use super::lines::{lines, trimmed};
use super::passage::{Form, Passage, Reading};

/// Minimum number of entries.
const MIN_ENTRIES: usize = 3;

/// Words that say how serious an entry is.
const LEVELS: [&str; 14] = [
    "trace", "debug", "info", "notice", "warn", "warning", "err", "error", "crit", "critical", "fatal",
    "panic", "alert", "emerg",
];

/// Maximum words before the time or level of an entry: "myhost", "1:".
const MAX_BEFORE: usize = 2;

/// Reads a log; nothing for any other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let numbered = (1..).zip(lines(text)).map(|(number, line)| (number, trimmed(text, &line)));
    let lines: Vec<(usize, Range<usize>)> = numbered.filter(|(_, line)| !line.is_empty()).collect();
    let begins: Vec<bool> = lines.iter().map(|(_, line)| is_entry(&text[line.clone()])).collect();
    let entries = begins.iter().filter(|begins| **begins).count();
    if entries < MIN_ENTRIES || entries * 2 < lines.len() {
        return None;
    }
    let mut reading = Reading::default();
    for ((number, line), begins) in lines.into_iter().zip(begins) {
        match reading.passages.last_mut() {
            Some(last) if !begins => last.parts[0].place.end = line.end,
            _ => reading.passages.push(Passage::whole(Form::Log, number, line)),
        }
    }
    Some(reading)
}

/// Whether a line begins an entry: with a date and a time, or with a level.
fn is_entry(line: &str) -> bool {
    let mut words = line.split([' ', '\t', '|', ',']).filter(|word| !word.is_empty()).take(MAX_BEFORE + 3);
    let Some(first) = words.next() else { return false };
    let after: Vec<&str> = words.collect();
    let has_date = is_date(first) || after.first().is_some_and(|day| is_month(first) && is_number(day));
    let has_time = is_time(first) || after.iter().take(MAX_BEFORE).any(|word| is_time(word));
    is_instant(first) || is_level(first) || has_time && (has_date || after.iter().any(|word| is_level(word)))
}

/// A word without brackets.
fn bare(word: &str) -> &str {
    word.trim_matches(['[', ']', '(', ')', '<', '>', ':'])
}

/// "ERROR", "[error]", "error:", "level=error"; not the word "Error".
pub(super) fn is_level(word: &str) -> bool {
    let (_, level) = word.split_once('=').unwrap_or(("", word));
    let is_marked = level.len() < word.len() || bare(level).len() < level.len();
    let level = bare(level);
    LEVELS.iter().any(|name| name.eq_ignore_ascii_case(level))
        && (is_marked || level.chars().all(|c| c.is_ascii_uppercase()))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_month(word: &str) -> bool {
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].contains(&word)
}

/// "2024-05-08", "08/05/2024", "08.05.24".
fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = bare(word).split(['-', '/', '.']).collect();
    parts.len() == 3 && parts.iter().all(|part| is_number(part) && part.len() <= 4)
}

/// "10:02", "10:02:11.503Z".
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = bare(word).split(':').collect();
    (2..=3).contains(&parts.len())
        && parts[..2].iter().all(|part| is_number(part) && part.len() <= 2)
        && parts.iter().all(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

/// "2024-05-08T10:02:11Z".
fn is_instant(word: &str) -> bool {
    let word = bare(word);
    word.split_once(['T', '_'])
        .is_some_and(|(date, time)| is_date(date) && is_time(time.trim_end_matches('Z')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_passage_with_its_trace() {
        let logs = [
            "2024-05-08T10:02:11Z INFO api: started\n2024-05-08T10:02:12Z ERROR api: failed\n  at main.rs:10\n  at lib.rs:4\n2024-05-08T10:02:13Z INFO api: again",
            "[2024-05-08 10:02:11] started\n[2024-05-08 10:02:12] failed\nTraceback:\n  File \"a\"\n[2024-05-08 10:02:13] again",
            "May  8 10:02:11 host app: started\nMay  8 10:02:12 host app: failed\n\tat x\n\tat y\nMay  8 10:02:13 host app: again",
            "INFO: started\nERROR: failed\n  at x\n  at y\nWARN: again",
        ];
        for log in logs {
            let read = read(log).unwrap_or_else(|| panic!("{log}")).read(log);
            assert_eq!(read.len(), 3, "{read:?}");
            assert!(read[1].contains("failed\n") && read[2].ends_with("again"), "{read:?}");
        }
    }

    #[test]
    fn other_texts_are_no_logs() {
        for text in [
            "At 10:02 he came.\nThe error was his.\nInfo follows.",
            "10:30 Breakfast\n12:00 Lunch\n18:00 Dinner",
            "Error handling is hard. We try.\nWarning signs were there.\nInfo desks were closed.",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
