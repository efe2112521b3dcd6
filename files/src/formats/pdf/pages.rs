//! The lines of pages as one text: lines of a paragraph are joined, rows of a table become Markdown, and a sentence that runs over a
//! page's end goes on. What pages repeat at their top and bottom is left out, and so are their numbers.

use std::collections::HashMap;

use super::layout::Line;
use super::tables::{rows_at, table};

/// How many lines at the top and at the bottom of a page may be a head or a foot.
const HEAD_LINES: usize = 2;
/// How far it is from the text at least, in sizes.
const HEAD_GAP: f32 = 1.8;
/// How many lines around one say how wide its column is.
const COLUMN_LINES: usize = 40;
/// How far lines of one paragraph are apart at most, in the usual distance of lines.
const SAME_PARAGRAPH: f32 = 1.3;
/// How much larger letters are that begin another paragraph.
const OTHER_SIZE: f32 = 0.15;
/// The usual distance of lines, in sizes, where a page has too few to tell.
const USUAL_DISTANCE: f32 = 1.2;

/// Returns the text of pages.
pub(super) fn joined(mut pages: Vec<Vec<Line>>) -> String {
    remove_repeated(&mut pages);
    let mut text = String::new();
    for lines in pages.iter().filter(|lines| !lines.is_empty()) {
        let page = page_text(lines);
        match runs_on(&text, &page) {
            _ if text.is_empty() => text = page,
            true => append(&mut text, &page),
            false => text.extend(["\n\n", &page]),
        }
    }
    text.push('\n');
    text
}

/// Whether the first sentence of a page began on the page before.
fn runs_on(before: &str, page: &str) -> bool {
    let last_line = before.lines().next_back().unwrap_or_default();
    let ends =
        last_line.trim_end_matches(['"', '”', '’', ')', '»', ']']).ends_with(['.', '!', '?', ':', '…', '|']);
    let starts_within =
        page.starts_with(|first: char| first.is_lowercase() || first.is_numeric() || first == '(');
    !ends && starts_within || ends_with_hyphen(last_line)
}

fn ends_with_hyphen(text: &str) -> bool {
    let mut last = text.chars().rev();
    last.next().is_some_and(is_hyphen) && last.next().is_some_and(char::is_alphabetic)
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{ad}')
}

/// Adds a line to the paragraph that is at the end of a text; a hyphen between parts of a word goes.
fn append(text: &mut String, line: &str) {
    if !ends_with_hyphen(text) {
        text.extend([" ", line]);
        return;
    }
    if line.starts_with(char::is_lowercase) {
        text.pop();
    }
    text.push_str(line);
}

/// Returns the text of a page.
fn page_text(lines: &[Line]) -> String {
    let distance = usual_distance(lines);
    let mut text = String::new();
    let mut number = 0;
    let mut is_after_table = false;
    while number < lines.len() {
        let rows = rows_at(&lines[number..]);
        if let Some(table) = table(&lines[number..number + rows]) {
            text.push_str(if text.is_empty() { "" } else { "\n\n" });
            text.push_str(&table);
            number += rows;
            is_after_table = true;
            continue;
        }
        let line = lines[number].text();
        let before = number.checked_sub(1).map(|before| &lines[before]);
        match before.map(|before| joint(before, &lines[number], distance, column_right(lines, number))) {
            None => text.push_str(&line),
            Some(_) if is_after_table => text.extend(["\n\n", &line]),
            Some(Joint::Sentence) => append(&mut text, &line),
            Some(Joint::Line) => text.extend(["\n", &line]),
            Some(Joint::Paragraph) => text.extend(["\n\n", &line]),
        }
        is_after_table = false;
        number += 1;
    }
    text
}

/// What is between two lines.
#[derive(Debug, PartialEq, Eq)]
enum Joint {
    Sentence,
    Line,
    Paragraph,
}

/// Decides by their places what is between two lines; `right` is where their column ends.
fn joint(before: &Line, line: &Line, distance: f32, right: f32) -> Joint {
    let size = line.size;
    let down = before.bottom - line.baseline;
    let is_other_size = (before.size - size).abs() > OTHER_SIZE * size;
    if down <= 0.0 || down > SAME_PARAGRAPH * distance * size || is_other_size {
        // A column that goes on at the top of the next one.
        let is_next_column = down <= 0.0 && !is_other_size && line.left() > before.right();
        return if is_next_column && runs_on(&before.text(), &line.text()) {
            Joint::Sentence
        } else {
            Joint::Paragraph
        };
    }
    if is_item(line) || before.cells.len() > 1 || line.cells.len() > 1 {
        return Joint::Line;
    }
    if line.left() > before.left() + 0.8 * size && !is_item(before) {
        return Joint::Paragraph;
    }
    let text = line.text();
    let first_word = text.split(' ').next().unwrap_or_default().chars().count();
    let character_width = (line.right() - line.left()) / text.chars().count().max(1) as f32;
    let would_have_fitted = before.right() + (first_word as f32 + 2.0) * character_width < right;
    if would_have_fitted { Joint::Line } else { Joint::Sentence }
}

/// Whether a line begins an item of a list.
fn is_item(line: &Line) -> bool {
    let text = line.text();
    let mut characters = text.chars();
    let first = characters.next();
    if first.is_some_and(|first| "•·◦▪■●‣–—-*".contains(first) || is_private(first)) {
        return characters.next() == Some(' ');
    }
    let (number, _) = text.split_once(['.', ')']).unwrap_or_default();
    (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a character has a meaning in its font alone, as bullets have.
fn is_private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}')
}

/// Returns where the column of a line ends: where the longest of the lines around it ends that begin where it does.
fn column_right(lines: &[Line], number: usize) -> f32 {
    let line = &lines[number];
    let around = &lines[number.saturating_sub(COLUMN_LINES)..lines.len().min(number + COLUMN_LINES)];
    let same_column = around
        .iter()
        .filter(|other| other.cells.len() == 1 && (other.left() - line.left()).abs() < 4.0 * line.size);
    same_column.map(Line::right).fold(line.right(), f32::max)
}

/// Returns the usual distance of lines, in sizes.
fn usual_distance(lines: &[Line]) -> f32 {
    let mut distances: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[0].bottom - pair[1].baseline) / pair[1].size.max(1.0))
        .filter(|distance| (0.9..2.5).contains(distance))
        .collect();
    distances.sort_by(f32::total_cmp);
    // Lines of a paragraph are the closest ones.
    distances.get(distances.len() / 4).copied().unwrap_or(USUAL_DISTANCE)
}

/// Removes the lines at the top and bottom of pages that other pages have too, and numbers of pages.
fn remove_repeated(pages: &mut [Vec<Line>]) {
    let mut pages_with: HashMap<String, usize> = HashMap::new();
    for lines in pages.iter() {
        let mut keys: Vec<String> =
            outer_lines(lines).iter().map(|number| without_digits(&lines[*number])).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *pages_with.entry(key).or_default() += 1;
        }
    }
    for lines in pages.iter_mut() {
        let repeated = |number: &usize| {
            let key = without_digits(&lines[*number]);
            pages_with.get(&key).is_some_and(|count| *count > 1) || is_page_number(&key)
        };
        let mut removed: Vec<usize> = outer_lines(lines).into_iter().filter(repeated).collect();
        removed.sort_unstable();
        removed.dedup();
        for number in removed.into_iter().rev() {
            lines.remove(number);
        }
    }
}

/// Returns the lines at the top and at the bottom of a page that stand apart from the others.
fn outer_lines(lines: &[Line]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..lines.len()).collect();
    numbers.sort_by(|one, other| lines[*other].baseline.total_cmp(&lines[*one].baseline));
    let stands_apart = |pair: &[usize]| {
        let (above, below) = (&lines[pair[0]], &lines[pair[1]]);
        above.bottom - below.baseline > HEAD_GAP * above.size.min(below.size)
    };
    let gaps: Vec<bool> = numbers.windows(2).map(stands_apart).collect();
    let top = gaps.iter().take(HEAD_LINES).rposition(|gap| *gap).map_or(0, |last| last + 1);
    let bottom = gaps.iter().rev().take(HEAD_LINES).rposition(|gap| *gap).map_or(0, |last| last + 1);
    [&numbers[..top], &numbers[numbers.len() - bottom..]].concat()
}

/// Returns a line with a mark for each number.
fn without_digits(line: &Line) -> String {
    let text = line.text();
    let parts = text.split(|character: char| !character.is_ascii_digit());
    let mut key = text.clone();
    for digits in parts.filter(|digits| !digits.is_empty()) {
        key = key.replacen(digits, "#", 1);
    }
    key
}

/// Whether a line, as it is without digits, is the number of a page.
fn is_page_number(key: &str) -> bool {
    let key = key.to_lowercase().replace([' ', '-', '–', '—', '.'], "");
    matches!(key.as_str(), "#" | "#/#" | "#of#" | "page#" | "page#of#" | "page#/#" | "p#")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::pdf::geometry::Piece;

    /// Lines of size 10, each of one cell that begins at 50.
    fn page(lines: &[(f32, &str)]) -> Vec<Line> {
        let line = |(baseline, text): &(f32, &str)| {
            let right = 50.0 + 5.0 * text.len() as f32;
            let cell = Piece { text: (*text).to_owned(), left: 50.0, right, baseline: *baseline, size: 10.0 };
            Line { cells: vec![cell], baseline: *baseline, bottom: *baseline, size: 10.0 }
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn words_sentences_and_heads_of_pages() {
        let pages = vec![
            page(&[
                (800.0, "Annual report 2031"),
                (700.0, "The board met on Monday and agreed to deepen the chan-"),
                (688.0, "nel. It had been closed since the storms of the autumn."),
                (676.0, "A short line."),
                (664.0, "Dredging begins in March and is to be finished by the"),
                (20.0, "Page 1 of 2"),
            ]),
            page(&[
                (800.0, "Annual report 2031"),
                (700.0, "summer, as the con\u{2010}"),
                (688.0, "tract says."),
                (640.0, "14 ships waited."),
                (20.0, "Page 2 of 2"),
            ]),
        ];
        let expected = "The board met on Monday and agreed to deepen the channel. It had been closed since the storms of \
                        the autumn. A short line.\nDredging begins in March and is to be finished by the summer, as the \
                        contract says.\n\n14 ships waited.\n";
        assert_eq!(joined(pages), expected);
    }
}
