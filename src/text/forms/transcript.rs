//! Transcripts of conversations: speakers, their words and times. Recognised by content: WebVTT and SRT by their timing
//! lines, other texts by the label or the time stamp that begins their turns ("Amira: ...", "[00:12] Amira: ...",
//! "Amira 0:12" above her words, `[00:12] <amira> ...`, names in a column of their own).
//!
//! A turn is everything that one speaker says in a row; cues of one turn are joined. A chat's reactions and notices of who
//! joins are left out. Refuses lists of names and values ("Price: 4"), which look alike, and texts of which only a few lines
//! have labels.

use std::collections::HashMap;
use std::ops::Range;

use super::passage::{Form, Part, Passage, Reading};
use crate::text::tagging::{PartOfSpeech, tagged_words};

/// Maximum characters and words of a label.
const MAX_LABEL: (usize, usize) = (48, 6);

/// Minimum number of turns with labels, and of turns with labels and time stamps.
const MIN_TURNS: (usize, usize) = (3, 2);

/// Minimum mean number of words per turn if labels are names, and if they are other words; with fewer, the text is a
/// list of values.
const MIN_WORDS: (usize, usize) = (3, 8);

/// What a chat writes about its members, not what they write.
const NOTICES: [&str; 6] =
    ["joined the channel", "left the channel", "joined the chat", "left the chat", "has joined", "has left"];

/// Maximum words of a name in a column, and of a notice.
const MAX_NAME_WORDS: usize = 3;
const MAX_NOTICE_WORDS: usize = 8;

/// Maximum mean number of unlabelled lines per turn.
const MAX_LINES: usize = 3;

/// A time stamp that begins a text.
pub(in crate::text) struct Stamp<'t> {
    /// "00:12:31": without brackets and fractions of a second.
    pub time: &'t str,
    /// Its length in bytes, with brackets.
    pub end: usize,
}

/// A label that begins a line.
pub(in crate::text) struct Label<'t> {
    /// The name.
    pub name: &'t str,
    /// A time stamp beside the name.
    time: Option<&'t str>,
    /// The length in bytes, with the colon and the white space after it.
    pub end: usize,
}

/// A spoken line, or a part of one.
struct Line<'t> {
    speaker: Option<&'t str>,
    /// Whether the line begins a turn by a label or a time stamp.
    begins: bool,
    time: Option<&'t str>,
    /// The line without a leading time stamp.
    line: Range<usize>,
    words: Range<usize>,
    /// Tags inside it.
    tags: Vec<Range<usize>>,
}

impl Line<'_> {
    /// Treats a line that looked like a speaker's name, but has no words below it, as spoken words.
    fn treat_as_words(&mut self) {
        self.speaker = None;
        self.words = self.line.clone();
    }
}

/// Reads a transcript; nothing for any other text. Each turn becomes a paragraph that begins with its speaker's label, without
/// time stamps and tags.
pub(super) fn read(text: &str) -> Option<Reading> {
    let lines = if is_subtitles(text) { cues(text) } else { labelled_lines(text)? };
    let mut reading = Reading::default();
    let mut cursor = 0;
    for line in lines {
        let part = Part { place: line.words.clone(), time: line.time.map(str::to_owned) };
        let own = |turn: &&mut Passage<Range<usize>>| {
            turn.name.as_deref() == line.speaker && (line.speaker.is_some() || !line.begins)
        };
        let turns = reading.passages.len();
        let before = match reading.passages.last_mut().filter(own) {
            Some(turn) => {
                turn.parts.push(part);
                " ".to_owned()
            }
            None => {
                let label = line.speaker.map_or_else(String::new, |speaker| format!("{speaker}: "));
                reading.passages.push(Passage {
                    form: Form::Transcript,
                    number: turns + 1,
                    name: line.speaker.map(str::to_owned),
                    label: label.clone(),
                    parts: vec![part],
                    is_whole: false,
                    header: None,
                    shown: None,
                });
                if turns == 0 { label } else { format!("\n\n{label}") }
            }
        };
        reading.edits.push((cursor..line.words.start, before));
        reading.edits.extend(line.tags.iter().map(|tag| (tag.clone(), String::new())));
        cursor = line.words.end;
    }
    reading.edits.push((cursor..text.len(), String::new()));
    reading.edits.retain(|(place, text)| !(place.is_empty() && text.is_empty()));
    (!reading.passages.is_empty()).then_some(reading)
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at + line.len() - line.trim_start_matches(['\u{feff}', ' ', '\t']).len();
        at += line.len();
        let length = text[start.min(at)..at].trim_end().len();
        start.min(at)..start.min(at) + length
    })
}

fn is_subtitles(text: &str) -> bool {
    lines(text).any(|line| timing(&text[line]).is_some())
}

/// The timing line of a cue: "00:12:31.000 --> 00:12:34.000".
fn timing(line: &str) -> Option<&str> {
    let (from, to) = line.split_once("-->")?;
    let stamp = time_stamp(from.trim()).filter(|stamp| stamp.end == from.trim().len())?;
    time_stamp(to.trim_start()).map(|_| stamp.time).filter(|_| from.starts_with(|c: char| c.is_ascii_digit()))
}

/// The spoken lines of cues. A cue without a speaker continues with the speaker of the previous cue.
fn cues(text: &str) -> Vec<Line<'_>> {
    let mut found: Vec<Line<'_>> = Vec::new();
    let (mut time, mut labels, mut count) = (None, 0, 0);
    for range in lines(text) {
        let line = &text[range.clone()];
        if line.is_empty() {
            time = None;
        } else if let Some(stamp) = timing(line) {
            time = Some(stamp);
            count += 1;
        } else if time.is_some() {
            let (voice, words) = voice(text, range);
            let labelled = voice.is_none().then(|| label(&text[words.clone()])).flatten();
            labels += usize::from(labelled.is_some());
            let words = words.start + labelled.as_ref().map_or(0, |label| label.end)..words.end;
            let speaker = voice.or(labelled.map(|label| label.name));
            let tags = tags(text, words.clone());
            found.push(Line { speaker, begins: false, time, line: words.clone(), words, tags });
        }
    }
    // If labels are few, they are spoken words: "Remember: close the door."
    let has_labels = labels * 2 >= count;
    let mut speaker = None;
    for line in &mut found {
        let is_voice = text[..line.words.start].ends_with('>');
        if line.speaker.is_some() && !has_labels && !is_voice {
            line.words.start = text[..line.words.start].rfind('\n').map_or(0, |end| end + 1);
            line.speaker = None;
        }
        speaker = line.speaker.or(speaker);
        line.speaker = speaker;
    }
    found.retain(|line| text[line.words.clone()].contains(char::is_alphanumeric));
    found
}

/// The speaker of a voice tag `<v Amira Khan>`, and the words after it.
fn voice(text: &str, line: Range<usize>) -> (Option<&str>, Range<usize>) {
    let tag = text[line.clone()].strip_prefix("<v").and_then(|rest| rest.split_once('>'));
    let Some((tag, _)) = tag else { return (None, line) };
    let name = tag.split_once(char::is_whitespace).map_or("", |(_, name)| name.trim());
    let end = text[line.clone()].strip_suffix("</v>").map_or(line.end, |rest| line.start + rest.len());
    let start = line.start + "<v".len() + tag.len() + ">".len();
    ((!name.is_empty()).then_some(name), start..end.max(start))
}

/// The tags in a line of a cue.
fn tags(text: &str, words: Range<usize>) -> Vec<Range<usize>> {
    let line = &text[words.clone()];
    let tag = |(at, _)| Some(words.start + at..words.start + at + line[at..].find('>')? + 1);
    let is_tag =
        |(at, _): &(usize, &str)| line[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '/');
    line.match_indices('<').filter(is_tag).filter_map(tag).collect()
}

/// The lines of a text whose turns begin with labels or time stamps; `None` for any other text.
fn labelled_lines(text: &str) -> Option<Vec<Line<'_>>> {
    let mut found: Vec<Line<'_>> = Vec::new();
    let has_columns = has_names_in_a_column(text);
    for range in lines(text).filter(|range| !range.is_empty()) {
        let mut line = begun(text, range, has_columns);
        if let Some(last) = found.last_mut() {
            if !line.begins {
                (line.speaker, line.time) = (last.speaker, last.time);
                line.begins = last.words.is_empty();
            } else if last.words.is_empty() {
                last.treat_as_words();
            }
        }
        found.push(line);
    }
    if let Some(last) = found.last_mut().filter(|last| last.words.is_empty()) {
        last.treat_as_words();
    }
    found.retain(|line| !line.words.is_empty());
    if !is_transcript(text, &found) {
        return None;
    }
    found.retain(|line| !is_of_chat_itself(&text[line.words.clone()]));
    Some(found)
}

/// The time stamp of a line, and where the rest of the line begins.
fn stamped(line: &str) -> (Option<&str>, usize) {
    let stamp = time_stamp(line)
        .filter(|stamp| line[stamp.end..].is_empty() || line[stamp.end..].starts_with([' ', '\t', '-']));
    let after = stamp.as_ref().map_or(0, |stamp| {
        let rest = &line[stamp.end..];
        stamp.end + rest.len() - rest.trim_start_matches([' ', '\t', '-', '–']).len()
    });
    (stamp.map(|stamp| stamp.time), after)
}

/// Parses a line with its label and time stamp, if any.
fn begun(text: &str, range: Range<usize>, has_columns: bool) -> Line<'_> {
    let line = &text[range.clone()];
    let (time, after) = stamped(line);
    let (rest, line) = (&line[after..], range.start + after..range.end);
    let column = if has_columns && time.is_some() { name_in_column(rest) } else { None };
    let (speaker, time, words) = if let Some((name, end)) = column {
        (Some(name), time, line.start + end..line.end)
    } else if let Some(label) = label(rest) {
        (Some(label.name), time.or(label.time), line.start + label.end..line.end)
    } else if let Some((name, beside)) = name_with_time(rest, time) {
        (Some(name), Some(beside), line.end..line.end)
    } else {
        (None, time, line.clone())
    };
    Line { speaker, begins: speaker.is_some() || time.is_some(), time, line, words, tags: Vec::new() }
}

/// Whether the lines of a text have a time stamp and a name before each message: "12:31  ines.h    It rusts.",
/// `[12:31] <ines> It rusts.` Most names occur more than once.
fn has_names_in_a_column(text: &str) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for range in lines(text) {
        let line = &text[range];
        let (time, after) = stamped(line);
        if let Some((name, _)) = time.and_then(|_| name_in_column(&line[after..])) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let named: usize = counts.values().sum();
    let repeated: usize = counts.values().filter(|count| **count > 1).sum();
    counts.len() > 1 && named >= MIN_TURNS.0 && repeated * 2 >= named
}

/// The name before a message, which two spaces, a tab or brackets set apart, and where the message begins.
fn name_in_column(line: &str) -> Option<(&str, usize)> {
    let (name, message) = match line.strip_prefix('<') {
        Some(rest) => rest.split_once("> ")?,
        None => {
            let end = line.find("  ").into_iter().chain(line.find('\t')).min()?;
            line.split_at(end)
        }
    };
    let message = message.trim_start();
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '\'' | '@' | '#');
    let is_name = name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '@' | '#'))
        && name.len() <= MAX_LABEL.0
        && name.split(' ').count() <= MAX_NAME_WORDS
        && !name.ends_with('.')
        && name.chars().all(belongs);
    (is_name && !message.is_empty()).then(|| (name, line.len() - message.len()))
}

/// Whether a message is of reactions (":tada:", "[eyes x2]") or a notice of who joins and leaves.
fn is_of_chat_itself(message: &str) -> bool {
    let notice = message.trim_end_matches('.').to_lowercase();
    let is_notice = NOTICES.iter().any(|known| notice.ends_with(known))
        && message.split_whitespace().count() <= MAX_NOTICE_WORDS;
    is_notice || is_of_reactions(message)
}

fn is_of_reactions(message: &str) -> bool {
    let is_emoji = |word: &str| word.len() > 2 && word.starts_with(':') && word.ends_with(':');
    let is_count = |word: &str| {
        let number = word.strip_prefix('x').and_then(|word| word.strip_suffix(']'));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut words = message.split_whitespace();
    while let Some(word) = words.next() {
        let is_reaction = is_emoji(word) || word.starts_with('[') && words.next().is_some_and(is_count);
        if !is_reaction {
            return false;
        }
    }
    !message.is_empty()
}

/// A line that consists of a name and a time stamp.
fn name_with_time<'t>(line: &'t str, before: Option<&'t str>) -> Option<(&'t str, &'t str)> {
    if let Some(time) = before {
        return is_name(line).then_some((line, time));
    }
    let at = line.rfind([' ', '\t'])? + 1;
    let stamp = time_stamp(&line[at..]).filter(|stamp| at + stamp.end == line.len())?;
    let name = line[..at].trim();
    is_name(name).then_some((name, stamp.time))
}

/// Whether lines are turns of a conversation.
fn is_transcript(text: &str, lines: &[Line<'_>]) -> bool {
    let turns: Vec<&Line<'_>> = lines.iter().filter(|line| line.begins).collect();
    let labels: Vec<&str> = turns.iter().filter_map(|turn| turn.speaker).collect();
    let timed = turns.iter().filter(|turn| turn.time.is_some()).count();
    if turns.is_empty() || lines.len() > turns.len() * MAX_LINES {
        return false;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    labels.iter().for_each(|label| *counts.entry(label).or_default() += 1);
    if timed * 2 >= turns.len() {
        return turns.len() >= if labels.is_empty() { MIN_TURNS.0 } else { MIN_TURNS.1 };
    }
    let repeated = labels.iter().filter(|label| counts[*label] > 1).count();
    let words: usize = lines.iter().map(|line| text[line.words.clone()].split_whitespace().count()).sum();
    let names = counts.keys().filter(|label| is_of_person(label)).count();
    let fewest = if names * 2 >= counts.len() { MIN_WORDS.0 } else { MIN_WORDS.1 };
    labels.len() >= MIN_TURNS.0 && repeated * 2 >= labels.len() && words >= fewest * turns.len()
}

/// Whether a label is a person's name or number, not a word such as "Price".
pub(super) fn is_of_person(label: &str) -> bool {
    let is_number = label.contains(|c: char| c.is_ascii_digit() || c == '#');
    let is_short = label.chars().filter(|c| c.is_alphabetic()).count() == 1;
    is_number || is_short || tagged_words(label).iter().any(|word| word.part == PartOfSpeech::Name)
}

/// The label that begins a line: "Amira Khan: ", "**Amira:** ", "Amira (00:12): ".
pub(in crate::text) fn label(line: &str) -> Option<Label<'_>> {
    let colon = line.char_indices().take(MAX_LABEL.0).find(|(_, c)| *c == ':').map(|(at, _)| at)?;
    let is_mark = |c: char| matches!(c, '*' | '_');
    let after = line[colon + 1..].trim_start_matches(is_mark);
    if !(after.is_empty() || after.starts_with(char::is_whitespace)) {
        // The colon of a time stamp beside the name.
        let (name, rest) = line.split_once('(').filter(|(name, _)| name.len() < colon)?;
        let stamp = time_stamp(&line[name.len()..])?;
        let end = line.len() - rest.len() - 1 + stamp.end;
        let after = line[end..].strip_prefix(':')?;
        let name = name.trim().trim_matches(is_mark);
        let end = line.len() - after.trim_start().len();
        return is_name(name).then_some(Label { name, time: Some(stamp.time), end });
    }
    let name = line[..colon].trim().trim_matches(is_mark).trim();
    is_name(name).then_some(Label { name, time: None, end: line.len() - after.trim_start().len() })
}

/// Whether a text can be the name of a speaker.
fn is_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let begins =
        text.starts_with(|c: char| c.is_uppercase() || c == '#' || c.is_alphabetic() && !c.is_lowercase());
    let belongs = |c: char| {
        c.is_alphanumeric()
            || matches!(c, ' ' | '.' | ',' | '-' | '\'' | '’' | '#' | '(' | ')' | '_' | '&' | '/')
    };
    begins && !text.ends_with('.') && (1..=MAX_LABEL.1).contains(&words) && text.chars().all(belongs)
}

/// The time stamp that begins a text: "[12:31]", "(00:12:31)", "00:12:31.500", "[00:12.000 --> 00:14.000]", "[03/05/2024,
/// 12:31]".
pub(in crate::text) fn time_stamp(text: &str) -> Option<Stamp<'_>> {
    let closing = match text.chars().next()? {
        '[' => Some(']'),
        '(' => Some(')'),
        _ => None,
    };
    let start = usize::from(closing.is_some());
    let at = start + date(&text[start..]);
    let (_, mut end) = clock(text, at)?;
    let time = &text[start..at + clock(text, at)?.0.len()];
    if let Some(rest) = closing.and_then(|_| text[end..].trim_start().strip_prefix("-->")) {
        let second = text.len() - rest.trim_start().len();
        end = clock(text, second)?.1;
    }
    match closing {
        Some(closing) => text[end..].starts_with(closing).then_some(Stamp { time, end: end + 1 }),
        None => Some(Stamp { time, end }),
    }
}

/// The length of the date that begins a text, and of what stands between it and a time: "03/05/2024, ", "2024-05-03 ".
fn date(text: &str) -> usize {
    let length = text.bytes().take_while(|byte| byte.is_ascii_digit() || b"./-".contains(byte)).count();
    let parts = text[..length].split(['.', '/', '-']);
    let is_date = parts.clone().count() == 3 && parts.clone().all(|part| (1..=4).contains(&part.len()));
    let rest = &text[length..];
    let between = rest.len() - rest.trim_start_matches([',', ' ']).len();
    if is_date && between > 0 { length + between } else { 0 }
}

/// A time of hours, minutes and seconds, or of two of them, at a byte; and the byte after its fraction of a second.
fn clock(text: &str, start: usize) -> Option<(&str, usize)> {
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(start);
    let (mut end, mut parts) = (start + first, 1);
    while parts < 3 && text[end..].starts_with(':') && digits(end + 1) == 2 {
        end += 3;
        parts += 1;
    }
    if !(1..=2).contains(&first) || parts < 2 {
        return None;
    }
    let fraction = text[end..].strip_prefix(['.', ',']).map_or(0, |_| digits(end + 1));
    Some((&text[start..end], if fraction > 0 { end + 1 + fraction } else { end }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn read(text: &str) -> Option<String> {
        super::read(text).map(|found| found.normalized(text).text().to_owned())
    }

    const TALK: &str =
        "Amira Khan: Shall we close the pool? It rusts.\n\nBen: Not before March.\n\nAmira Khan: Agreed.";

    #[test]
    fn forms_of_one_talk_are_read_alike() {
        for text in [
            "WEBVTT\n\nNOTE made by hand\n\n1\n00:12:31.000 --> 00:12:34.000\nAmira Khan: Shall we close\n\n2\n00:12:34.000 --> 00:12:36.000\nAmira Khan: the pool? It rusts.\n\n3\n00:12:36.000 --> 00:12:38.000\nBen: Not before March.\n\n00:12:38.000 --> 00:12:39.000\nAmira Khan: Agreed.\n",
            "\u{feff}WEBVTT\r\n\r\n00:12:31.000 --> 00:12:34.000 align:start\r\n<v Amira Khan>Shall we <i>close</i>\r\nthe pool? It rusts.</v>\r\n\r\n00:12:36.000 --> 00:12:38.000\r\n<v Ben>Not before March.</v>\r\n\r\n00:12:38.000 --> 00:12:39.000\r\n<v Amira Khan>Agreed.</v>",
            "1\n00:12:31,000 --> 00:12:36,000\nAmira Khan: Shall we close the pool? It rusts.\n\n2\n00:12:36,000 --> 00:12:38,000\nBen: Not before March.\n\n3\n00:12:38,000 --> 00:12:39,000\nAmira Khan: Agreed.",
            "Amira Khan: Shall we close the pool?\nIt rusts.\n\nBen: Not before March.\nAmira Khan: Agreed.\n",
            "[00:12:31] Amira Khan: Shall we close the pool? It rusts.\n[00:12:36] Ben: Not before March.\n[00:12:38] Amira Khan: Agreed.",
            "Amira Khan (00:12:31): Shall we close the pool? It rusts.\nBen (00:12:36): Not before March.\nAmira Khan (00:12:38): Agreed.",
            "**Amira Khan:** Shall we close the pool? It rusts.\n\n**Ben:** Not before March.\n\n**Amira Khan:** Agreed.",
            "12:30 *ben* joined the channel\n12:31  Amira Khan   Shall we close the pool?\n12:31  Amira Khan   It rusts.\n12:32               [eyes x2]\n12:36  Ben          Not before March.\n12:36  Ben          :tada: :tada:\n12:38  Amira Khan   Agreed.",
            "[12:31] <Amira Khan> Shall we close the pool? It rusts.\n[12:36] <Ben> Not before March.\n[12:37] -- Ewa has joined\n[12:38] <Amira Khan> Agreed.",
            "Amira Khan  0:12\nShall we close the pool? It rusts.\n\nBen  0:36\nNot before March.\n\nAmira Khan  0:38\nAgreed.",
        ] {
            assert_eq!(read(text).as_deref(), Some(TALK), "{text}");
        }
    }

    #[test]
    fn turns_have_speakers_and_times() {
        let text = "WEBVTT\n\n00:12:31.000 --> 00:12:34.000\nAmira: It\n\n00:12:34.500 --> 00:12:36.000\nAmira: rusts.\n\n00:12:36.000 --> 00:12:38.000\nBen: No.\n";
        let turns = super::read(text).unwrap().passages;
        assert_eq!(turns.len(), 2);
        let told = turns.iter().flat_map(|turn| turn.parts.iter().map(move |part| (turn, part)));
        let told =
            told.map(|(turn, part)| (turn.name.as_deref(), &text[part.place.clone()], part.time.as_deref()));
        let expected =
            [("Amira", "It", "00:12:31"), ("Amira", "rusts.", "00:12:34"), ("Ben", "No.", "00:12:36")];
        assert!(told.eq(expected.map(|(speaker, words, time)| (Some(speaker), words, Some(time)))));
    }

    #[test]
    fn talk_without_names_is_timed() {
        let text = "[00:01] It rusts.\n[00:05] We close it.\n[00:09] In March.";
        assert_eq!(read(text).as_deref(), Some("It rusts.\n\nWe close it.\n\nIn March."));
        let srt = "1\n00:00:01,000 --> 00:00:02,000\nRemember: it rusts\n\n2\n00:00:02,000 --> 00:00:03,000\nand leaks.\n\n3\n00:00:03,000 --> 00:00:04,000\nClose it.";
        assert_eq!(read(srt).as_deref(), Some("Remember: it rusts and leaks. Close it."));
    }

    #[test]
    fn other_texts_are_no_transcripts() {
        for text in [
            "The pool closes. Police: man held.\nIt rusts.",
            "Price: 4 euros\nName: Pump\nPrice: 5 euros\nName: Pool\nPrice: 6 euros\nName: Roof",
            "Assessment: The wound heals.\nPlan: Rest for two weeks.\nFollow-up: In May.",
            "At 12:31 the pool closed.\nAt 12:45 it opened.\nAt 13:00 it closed.",
            "Note: It rains.\n\nA long text follows.\nIt has many lines.\nNone has a label.\nNote: It snows.\nMore.\nAnd more.\nNote: Sun.\nMore.\nAnd more.\nThe end.",
            "",
            "-->",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(parts in proptest::collection::vec(proptest::sample::select(vec![
            "WEBVTT\n", "00:01.000 --> 00:02.000\n", "[00:12] ", "Amira: ", "Ben (0:12): ", "It rusts.", "\n", "\n\n", "<v Ben>",
            "</v>", "<i>", "é", "12:31 ", "(", "東: ", "\u{feff}", "Ben 0:12\n", ":", "\r\n",
        ]), 0..24)) {
            let text = parts.concat();
            if let Some(found) = super::read(&text) {
                found.check(&text);
            }
        }
    }
}
