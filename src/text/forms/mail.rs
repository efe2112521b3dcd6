//! Threads of mail. A message has its headers as one passage and its text as prose after its sender; quoted levels are messages
//! of their own, and what is not of the newest message is read as earlier: "Ewa Strand, earlier: ...".
//!
//! Refuses a text without a block of headers (`From:` with another) or a line such as "On 3 May, Ewa Strand wrote:" above a
//! quotation.

use std::ops::Range;

use super::lines::{lines, trimmed};
use super::passage::{Form, Part, Passage, Reading};

/// The names of headers that people keep in a thread.
const HEADERS: [&str; 8] = ["from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to"];

/// How the line above a quotation ends.
const WROTE: [&str; 2] = ["wrote:", "writes:"];

/// A message.
#[derive(Default)]
struct Message {
    sender: String,
    date: String,
    /// How many `>` begin its lines.
    depth: usize,
    /// Its lines of headers.
    headers: Vec<Range<usize>>,
    /// Its runs of lines, each without another message between its lines.
    runs: Vec<Vec<Range<usize>>>,
}

/// Reads a thread; nothing for any other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let messages = messages(text)?;
    let newest = newest(&messages);
    let mut passages = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let number = place + 1;
        let name = Some(message.sender.clone()).filter(|sender| !sender.is_empty());
        let time = Some(message.date.clone()).filter(|date| !date.is_empty());
        let label = match &name {
            _ if place == newest && name.is_none() => String::new(),
            None => "Earlier: ".to_owned(),
            Some(name) if place == newest => format!("{name}: "),
            Some(name) => format!("{name}, earlier: "),
        };
        let lines =
            std::iter::once((&message.headers, true)).chain(message.runs.iter().map(|run| (run, false)));
        for (lines, is_whole) in lines.filter(|(lines, _)| !lines.is_empty()) {
            let parts = lines.iter().map(|place| Part { place: place.clone(), time: time.clone() }).collect();
            let label = if is_whole { String::new() } else { label.clone() };
            passages.push(Passage {
                name: name.clone(),
                label,
                parts,
                is_whole,
                ..Passage::whole(Form::Mail, number, 0..0)
            });
        }
    }
    passages.sort_by_key(|passage| passage.parts[0].place.start);
    let mut reading = Reading::default();
    let mut cursor = 0;
    for Passage { parts, label, is_whole, .. } in &passages {
        for (place, part) in parts.iter().enumerate() {
            let before = match (place, is_whole) {
                (0, _) => format!("\n\n{label}"),
                (_, true) => "; ".to_owned(),
                // Blank lines end paragraphs, others are of wrapped lines.
                _ => text[cursor..part.place.start].chars().filter(|c| *c == '\n').collect(),
            };
            reading.replace(text, cursor..part.place.start, before)?;
            cursor = part.place.end;
        }
    }
    reading.replace(text, cursor..text.len(), String::new())?;
    reading.passages = passages;
    Some(reading)
}

/// The messages of a thread in the order of the text; the first may be without headers.
fn messages(text: &str) -> Option<Vec<Message>> {
    let lines = lines(text);
    let mut found = vec![Message::default()];
    // The message of each depth that the next line of this depth belongs to.
    let mut open = vec![0];
    let (mut begins, mut place, mut last) = (0, 0, None);
    while place < lines.len() {
        let (depth, line) = unquoted(text, &lines[place]);
        let headers = header_lines(text, &lines[place..]);
        let is_block = headers.len() > 1
            && headers.iter().any(|line| header(&text[line.clone()]).is_some_and(|(name, _)| name == "from"));
        let wrote = attribution(text, &lines[place..]);
        if is_block || wrote.is_some() {
            let length = if is_block { headers.len() } else { wrote.as_ref().map_or(1, |wrote| wrote.lines) };
            // What "wrote:" announces is quoted once more, if it is quoted at all.
            let quoted = lines
                .get(place + length..)
                .unwrap_or_default()
                .iter()
                .find(|line| !text[(*line).clone()].trim().is_empty());
            let depth =
                if is_block { depth } else { quoted.map_or(depth, |line| unquoted(text, line).0).max(depth) };
            let message =
                if is_block { Message::of_headers(text, headers, depth) } else { wrote?.message(depth) };
            open.truncate(depth);
            open.resize(depth + 1, found.len());
            found.push(message);
            (begins, last) = (begins + 1, None);
            place += length;
            continue;
        }
        open.truncate(depth + 1);
        let missing = open.last().copied().unwrap_or(0);
        open.resize(depth + 1, missing);
        let own = open[depth];
        if is_rule(&text[line.clone()]) {
            last = None;
        } else if !line.is_empty() {
            if last != Some(own) {
                found[own].runs.push(Vec::new());
            }
            found[own].runs.last_mut()?.push(line);
            last = Some(own);
        }
        place += 1;
    }
    let has_quotation = found.iter().any(|message| message.depth > 0);
    let has_headers = found.iter().any(|message| message.headers.len() > 1);
    found.retain(|message| !message.runs.is_empty() || !message.headers.is_empty());
    (begins > 0 && (has_quotation || has_headers)).then_some(found)
}

/// The message that was written last: by the dates of the first and the last message if both have one, else the first.
fn newest(messages: &[Message]) -> usize {
    let Some((first, last)) = messages.first().zip(messages.last()) else { return 0 };
    match (moment(&first.date), moment(&last.date)) {
        (Some(before), Some(after)) if after > before => messages.len() - 1,
        _ => 0,
    }
}

impl Message {
    fn of_headers(text: &str, lines: Vec<Range<usize>>, depth: usize) -> Self {
        let value = |names: &[&str]| {
            let headers = lines.iter().filter_map(|line| header(&text[line.clone()]));
            headers.filter(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value).next()
        };
        let sender = value(&["from"]).map_or_else(String::new, |from| person(from).to_owned());
        let date = value(&["date", "sent"]).unwrap_or("").to_owned();
        Self { sender, date, depth, headers: lines, runs: Vec::new() }
    }
}

/// The line above a quotation.
struct Attribution {
    sender: String,
    date: String,
    lines: usize,
}

impl Attribution {
    fn message(self, depth: usize) -> Message {
        Message { sender: self.sender, date: self.date, depth, ..Message::default() }
    }
}

/// "On Mon, 3 May 2024 at 10:12, Ewa Strand <ewa@example.org> wrote:", on one line or two.
fn attribution(text: &str, lines: &[Range<usize>]) -> Option<Attribution> {
    let first = &text[unquoted(text, lines.first()?).1];
    let second = lines.get(1).map_or("", |line| &text[unquoted(text, line).1]);
    let ends = |line: &str| WROTE.iter().any(|wrote| line.ends_with(wrote));
    let (line, lines) = match first {
        _ if ends(first) => (first.to_owned(), 1),
        _ if first.starts_with("On ") && ends(second) => (format!("{first} {second}"), 2),
        _ => return None,
    };
    let said = WROTE.iter().find_map(|wrote| line.strip_suffix(wrote))?.trim();
    let Some(rest) = said.strip_prefix("On ") else {
        // "Ewa Strand wrote:" is a name alone.
        let is_name = said.split_whitespace().count() <= 4 && said.starts_with(char::is_uppercase);
        return is_name.then(|| Attribution { sender: said.to_owned(), date: String::new(), lines });
    };
    let digit = rest.rfind(|c: char| c.is_ascii_digit()).filter(|_| !rest.ends_with('>'));
    let address = rest.find('<').unwrap_or(rest.len());
    let digit = digit.or_else(|| rest[..address].rfind(|c: char| c.is_ascii_digit()))?;
    let at = digit + rest[digit..].find([',', ' '])?;
    let name = rest[at..].trim_matches([',', ' ']);
    let name = name.trim_start_matches("AM ").trim_start_matches("PM ").trim_start_matches([',', ' ']);
    Some(Attribution { sender: person(name).to_owned(), date: rest[..at].to_owned(), lines })
}

/// The lines of headers at the beginning of these, at one depth.
fn header_lines(text: &str, lines: &[Range<usize>]) -> Vec<Range<usize>> {
    let own = lines.iter().map(|line| unquoted(text, line).1);
    own.take_while(|line| header(&text[line.clone()]).is_some()).collect()
}

/// A header's name in small letters, and its value.
fn header(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim_matches('*').to_ascii_lowercase();
    HEADERS.contains(&name.as_str()).then(|| (name, value.trim().trim_start_matches("**").trim()))
}

/// A name without its address.
fn person(text: &str) -> &str {
    let name = text.split(['<', '[']).next().unwrap_or(text).trim().trim_matches('"');
    if name.is_empty() { text.trim_matches(['<', '>']) } else { name }
}

/// How often a line is quoted, and the line without the marks and the white space around it.
fn unquoted(text: &str, line: &Range<usize>) -> (usize, Range<usize>) {
    let content = &text[line.clone()];
    let rest = content.trim_start_matches(['>', ' ']);
    let marks = &content[..content.len() - rest.len()];
    let depth = if marks.starts_with('>') { marks.matches('>').count() } else { 0 };
    (depth, trimmed(text, &(line.start + marks.len()..line.end)))
}

/// "-----Original Message-----", "---------- Forwarded message ---------", "____".
fn is_rule(line: &str) -> bool {
    line.len() >= 4 && ["----", "____", "===="].iter().any(|rule| line.starts_with(rule))
}

/// Year, month, day and minute of a date in a header; of a day and month in numbers alone, the day first.
fn moment(date: &str) -> Option<[u32; 4]> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words = date.split([' ', ',', 'T']).filter(|word| !word.is_empty());
    let month_of = |word: &str| {
        let start = word.get(..3)?.to_ascii_lowercase();
        MONTHS.iter().position(|month| *month == start).map(|month| month as u32 + 1)
    };
    let (mut year, mut month, mut day, mut minute) = (None, None, None, 0);
    for word in words {
        let numbers: Vec<u32> =
            word.split(['-', '/', '.', ':']).map_while(|part| part.parse().ok()).collect();
        match numbers[..] {
            [hour, past, ..] if word.contains(':') => minute = hour * 60 + past,
            [first, second, third] if first > 31 => {
                (year, month, day) = (Some(first), Some(second), Some(third))
            }
            [first, second, third] => (year, month, day) = (Some(third), Some(second), Some(first)),
            [number] if number > 31 => year = Some(number),
            [number] => day = day.or(Some(number)),
            _ => month = month.or_else(|| month_of(word)),
        }
    }
    Some([year.unwrap_or(0), month?, day?, minute])
}

#[cfg(test)]
mod tests {
    fn passages(text: &str) -> Vec<String> {
        super::read(text).map_or_else(Vec::new, |mail| mail.read(text))
    }

    #[test]
    fn quoted_messages_are_earlier_ones() {
        let text = "Fine, Tuesday then.\nNoor\n\nOn Mon, 20 May 2024 at 08:15, Tobias Wrede <t@hotel.example> wrote:\n> Monday does not work for me.\n>\n> Is Tuesday\n> possible?\n>> On 19 May 2024, Noor wrote:\n>>> Monday?\n";
        assert_eq!(
            passages(text),
            [
                "Fine, Tuesday then.\nNoor",
                "Tobias Wrede, earlier: Monday does not work for me.\n\nIs Tuesday\npossible?",
                "Noor, earlier: Monday?"
            ]
        );
    }

    #[test]
    fn headers_are_one_passage() {
        let text = "From: Tan, Weiling\nSent: Monday 03/06/2024 08:47\nSubject: freezer\n\nPlease disregard it.\n\n-----Original Message-----\nFrom: Ulrike Soames\nSent: Sunday 02/06/2024 19:10\nSubject: freezer\n\nIt shows -38.";
        assert_eq!(
            passages(text),
            [
                "From: Tan, Weiling; Sent: Monday 03/06/2024 08:47; Subject: freezer",
                "Tan, Weiling: Please disregard it.",
                "From: Ulrike Soames; Sent: Sunday 02/06/2024 19:10; Subject: freezer",
                "Ulrike Soames, earlier: It shows -38."
            ]
        );
    }

    #[test]
    fn the_newest_message_may_be_the_last() {
        let text = "From: Ana\nDate: 3 May 2024 10:00\n\nYes.\n\nFrom: Ben\nDate: 4 May 2024 09:00\n\nNo.";
        let read = passages(text);
        assert_eq!([&read[1], &read[3]], ["Ana, earlier: Yes.", "Ben: No."]);
    }

    #[test]
    fn other_texts_are_no_mail() {
        for text in
            ["From: the start.\nIt was late.", "> quoted\ntext", "She wrote:\nDear Ben", "To: do\nCc: x"]
        {
            assert_eq!(passages(text), [""; 0], "{text}");
        }
    }
}
