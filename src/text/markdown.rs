//! The Markdown of a text (CommonMark, with GitHub's tables, task lists and footnotes): syntax, which is not read, and
//! blocks that state nothing. Parsed by `pulldown-cmark`; plain text has no syntax. A block of code states what its lines
//! of prose do; titles of links, texts of images, comments and header cells that assert something are found as asides.
//!
//! A table row is read with the words of its header: `| Close the pool | Amira |` as "Decision: Close the pool; Owner:
//! Amira". A list item is a separate block. A mark between two letters or digits is kept: `2*3*4` is not emphasis.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::assertions::asserts;
use super::word_list::WordList;

/// Longer numbers at the start of a line are not list marks: "1986. It was a good year."
const MAX_LIST_DIGITS: usize = 3;

/// HTML tags that occur in texts.
static HTML_TAGS: WordList = WordList::new(
    "a b blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 hr i img ins kbd li \
     mark ol p pre small span strong sub summary sup table tbody td tfoot th thead tr u ul",
);

/// HTML tags between which a new block begins.
static HTML_BLOCKS: WordList = WordList::new(
    "blockquote caption dd div dl dt figcaption figure h1 h2 h3 h4 hr li ol p pre summary table ul",
);

/// A header cell with fewer words is a label, whatever its words.
const LEAST_WORDS_IN_HEADER: usize = 4;

/// Characters that occur in code rather than in prose.
const CODE_MARKS: [char; 9] = ['{', '}', '=', '<', '>', '\\', '|', '$', ';'];

/// Begins a comment of HTML.
const COMMENT: &str = "<!--";

/// Separates two blocks.
const BLOCK_BREAK: &str = "\n\n";

/// The Markdown of a text, in byte ranges.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// Parts that are removed or replaced; in order, without overlap.
    pub edits: Vec<(Range<usize>, String)>,
    /// Headings.
    pub headings: Vec<Range<usize>>,
    /// Footnotes.
    pub notes: Vec<Range<usize>>,
    /// Parts inside others that assert something, and are not read with them.
    pub asides: Vec<Range<usize>>,
    /// Other blocks that state nothing: header rows of tables, code.
    pub others: Vec<Range<usize>>,
}

/// Text that is read.
struct Kept {
    range: Range<usize>,
    /// Its replacement, if it is not read as written: an entity such as `&amp;`.
    text: Option<String>,
    /// The text that replaces the syntax before it.
    before: Option<String>,
}

/// Parses the Markdown of a text.
pub(super) fn markdown(text: &str) -> Markdown {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST;
    let mut reader = Reader { text, ..Reader::default() };
    Parser::new_ext(text, options).into_offset_iter().for_each(|(event, range)| reader.read(&event, range));
    let edits = reader.edits();
    let Reader { headings, notes, mut asides, others, .. } = reader;
    asides.sort_by_key(|aside| aside.start);
    Markdown { edits, headings, notes, asides, others }
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    kept: Vec<Kept>,
    headings: Vec<Range<usize>>,
    notes: Vec<Range<usize>>,
    asides: Vec<Range<usize>>,
    others: Vec<Range<usize>>,
    /// Whether a block of code is open.
    is_code: bool,
    /// The text to insert before the next text.
    before: Option<String>,
    /// The start of the open link in `kept`.
    link: Option<usize>,
    /// The cells of the table's header, and those of the open row.
    header: Vec<String>,
    row: Vec<String>,
    /// Where the cells of the open row are.
    cells: Vec<Range<usize>>,
    /// Whether the open row has no text yet.
    is_row_start: bool,
    /// The cell that is open.
    cell: Option<usize>,
}

impl Reader<'_> {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(_) if self.is_code => self.keep_prose(range),
            Event::Text(read) => self.keep_text(read, range),
            Event::Code(code) => {
                let inside = self.text[range.clone()]
                    .find(&**code)
                    .map_or(range.clone(), |at| range.start + at..range.start + at + code.len());
                self.keep_text(code, inside);
            }
            Event::SoftBreak | Event::HardBreak => {
                let end = self.text[range.clone()].find('\n').map_or(range.end, |at| range.start + at + 1);
                self.keep(end - 1..end, None);
            }
            Event::InlineHtml(tag) if tag.starts_with(COMMENT) => self.hear_comment(range),
            Event::InlineHtml(tag) if tag.starts_with("<br") => self.before = Some(" ".to_owned()),
            Event::InlineHtml(tag) if !is_html(tag) => self.keep(range, None),
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag, range),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { .. } => self.begin_block(),
            Tag::Item => {
                self.begin_block();
                let item = &self.text[range.clone()];
                let digits = item.bytes().take_while(u8::is_ascii_digit).count();
                if digits > MAX_LIST_DIGITS {
                    self.keep(range.start..range.start + digits + 2, None);
                }
            }
            Tag::Paragraph | Tag::BlockQuote(_) => self.begin_block(),
            Tag::CodeBlock(kind) => {
                self.begin_block();
                self.is_code = matches!(kind, CodeBlockKind::Fenced(_));
                let lines = self.text[range.clone()].lines();
                if self.is_code && !lines.skip(1).any(is_prose) {
                    self.others.push(range);
                }
            }
            Tag::FootnoteDefinition(_) => {
                self.begin_block();
                self.notes.push(range);
            }
            Tag::DefinitionListTitle | Tag::DefinitionListDefinition => self.begin_block(),
            Tag::HtmlBlock => {
                self.begin_block();
                self.keep_html(range);
            }
            Tag::Table(_) => self.header.clear(),
            Tag::TableHead | Tag::TableRow => {
                self.begin_row();
                if matches!(tag, Tag::TableHead) {
                    self.others.push(range);
                }
            }
            Tag::TableCell => {
                self.cells.push(range);
                self.cell = Some(self.row.len());
                self.row.push(String::new());
            }
            Tag::Link { title, .. } | Tag::Image { title, .. } => {
                let link = &self.text[range.clone()];
                if let Some(at) = link.rfind(&**title).filter(|_| asserts(title)) {
                    self.asides.push(range.start + at..range.start + at + title.len());
                }
                self.link = Some(self.kept.len());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Heading(level) => self.end_heading(level, range),
            TagEnd::TableCell => self.cell = None,
            TagEnd::CodeBlock => self.is_code = false,
            TagEnd::TableHead => {
                self.end_header();
                // The rule below the header is a part of it.
                if let Some(head) = self.others.last_mut() {
                    let below = &self.text[head.end..];
                    head.end += below.find('\n').unwrap_or(below.len());
                }
            }
            TagEnd::Link | TagEnd::Image => {
                let from = self.link.take().unwrap_or(self.kept.len());
                if tag == TagEnd::Image {
                    self.hear_image(from);
                }
                let is_number = |kept: &Kept| {
                    self.text[kept.range.clone()].chars().all(|c| c.is_ascii_digit() || c == '^')
                };
                // A link whose text is a number cites a source.
                if self.kept[from..].iter().all(is_number) {
                    self.kept.truncate(from);
                }
            }
            _ => {}
        }
    }

    /// A line of hyphens below a sentence is a rule and does not make the sentence a heading.
    fn end_heading(&mut self, level: HeadingLevel, range: Range<usize>) {
        let is_sentence =
            || self.text[range.clone()].lines().next().unwrap_or("").trim_end().ends_with(['.', '!']);
        let is_underlined =
            level == HeadingLevel::H2 && !self.text[range.clone()].trim_start().starts_with('#');
        if !(is_underlined && is_sentence()) {
            self.headings.push(range);
        }
    }

    /// The text of an image is no part of the sentence around it, if it asserts something.
    fn hear_image(&mut self, from: usize) {
        let ends = self.kept[from..].first().zip(self.kept.last());
        let Some(part) = ends.map(|(first, last)| first.range.start..last.range.end) else { return };
        if asserts(&self.text[part.clone()]) {
            self.before = self.kept[from].before.take().or(self.before.take());
            self.kept.truncate(from);
            self.asides.push(part);
        }
    }

    /// What a comment asserts.
    fn hear_comment(&mut self, range: Range<usize>) {
        let inside = self.text[range.clone()].trim_start_matches(COMMENT);
        let start = range.end - inside.len();
        let inside = inside.trim_end().trim_end_matches("-->");
        if asserts(inside) {
            self.asides.push(start..start + inside.len());
        }
    }

    fn begin_row(&mut self) {
        self.begin_block();
        self.row.clear();
        self.cells.clear();
        self.is_row_start = true;
    }

    /// The open row was the header.
    fn end_header(&mut self) {
        self.header = std::mem::take(&mut self.row);
        for cell in std::mem::take(&mut self.cells) {
            let text = self.text[cell.clone()].trim_matches(['|', ' ', '\t']);
            if text.split_whitespace().count() >= LEAST_WORDS_IN_HEADER && asserts(text) {
                let start = cell.start + self.text[cell].find(text).unwrap_or(0);
                self.asides.push(start..start + text.len());
            }
        }
    }

    /// Keeps the lines of prose in a block of code.
    fn keep_prose(&mut self, range: Range<usize>) {
        let mut at = range.start;
        for line in self.text[range].split_inclusive('\n') {
            if is_prose(line) {
                self.before = Some(BLOCK_BREAK.to_owned());
                self.keep(at..at + line.trim_end().len(), None);
            }
            at += line.len();
        }
    }

    fn begin_block(&mut self) {
        if !self.kept.is_empty() {
            self.before = Some(BLOCK_BREAK.to_owned());
        }
    }

    /// Keeps the text at `range`, which is read as `read`.
    fn keep_text(&mut self, read: &str, range: Range<usize>) {
        if let Some(cell) = self.cell {
            self.enter_cell(cell);
            self.row[cell].push_str(read);
        }
        let other = (self.text[range.clone()] != *read).then(|| read.to_owned());
        self.keep(range, other);
    }

    /// Reads the header of a cell before its first text.
    fn enter_cell(&mut self, cell: usize) {
        if !self.row[cell].is_empty() {
            return;
        }
        let between =
            if self.is_row_start { self.before.take().unwrap_or_default() } else { "; ".to_owned() };
        let header = self.header.get(cell).filter(|header| !header.is_empty());
        self.before = Some(between + &header.map(|header| format!("{header}: ")).unwrap_or_default());
        self.is_row_start = false;
    }

    /// Keeps the text between the tags of an HTML block; reads its tables row by row.
    fn keep_html(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let mut row = range.start;
        while at < range.end {
            let rest = &self.text[at..range.end];
            let length = if rest.starts_with(COMMENT) {
                let length = rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
                self.hear_comment(at..at + length);
                length
            } else if rest.starts_with('<') && is_html(rest) {
                let length = rest.find('>').map_or(rest.len(), |end| end + 1);
                self.pass_tag(at..at + length, &mut row);
                length
            } else {
                let length =
                    rest.char_indices().skip(1).find(|(_, c)| *c == '<').map_or(rest.len(), |(end, _)| end);
                self.keep_between_tags(at..at + length);
                length
            };
            at += length;
        }
        self.cell = None;
    }

    /// Passes a tag of an HTML block. `row`: where the open row of a table begins.
    fn pass_tag(&mut self, range: Range<usize>, row: &mut usize) {
        let tag = self.text[range.clone()].to_ascii_lowercase();
        match html_name(&tag) {
            "tr" if !tag.starts_with("</") => {
                self.begin_row();
                *row = range.start;
            }
            "td" | "th" if tag.starts_with("</") => self.cell = None,
            "td" | "th" => {
                self.cells.push(range.end..range.end);
                self.cell = Some(self.row.len());
                self.row.push(String::new());
            }
            "tr" if self.text[*row..range.start].to_ascii_lowercase().contains("<th")
                && !self.text[*row..range.start].to_ascii_lowercase().contains("<td") =>
            {
                self.end_header();
                self.others.push(*row..range.end);
            }
            name if HTML_BLOCKS.contains(name) => self.begin_block(),
            _ => {}
        }
    }

    fn keep_between_tags(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        if let Some(cell) = self.cells.last_mut().filter(|_| self.cell.is_some()) {
            cell.end = range.end;
            self.keep_text(text, range);
        } else if !text.trim().is_empty() {
            self.keep(range, None);
        }
    }

    fn keep(&mut self, range: Range<usize>, text: Option<String>) {
        let before = self.before.take();
        self.kept.push(Kept { range, text, before });
    }

    /// The edits that remove the parts between kept texts and replace texts that are not read as written.
    fn edits(&mut self) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        let mut cursor = 0;
        let end = Kept { range: self.text.len()..self.text.len(), text: None, before: None };
        for Kept { range, text, before } in self.kept.drain(..).chain([end]) {
            let gap = cursor..range.start.max(cursor);
            let marks = &self.text[gap.clone()];
            let has_marks = marks.contains(|c: char| !c.is_whitespace());
            let is_inside = before.is_none() && is_inside_word(self.text, &gap);
            // White space between blocks is kept unchanged.
            let is_block = before.as_deref() == Some(BLOCK_BREAK);
            if has_marks && !is_inside || before.is_some() && !is_block {
                edits.push((gap, before.unwrap_or_default()));
            }
            if let Some(text) = text {
                edits.push((range.clone(), text));
            }
            cursor = range.end.max(cursor);
        }
        edits
    }
}

/// Whether a tag is an HTML tag rather than a word in angle brackets: `<mask>`.
fn is_html(tag: &str) -> bool {
    HTML_TAGS.contains(&html_name(tag).to_ascii_lowercase())
}

/// The name of an HTML tag.
fn html_name(tag: &str) -> &str {
    tag.trim_start_matches(['<', '/']).split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("")
}

/// Whether a line of a block of code is prose that asserts something.
fn is_prose(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['#', '/', '*', '-', ' ']);
    let is_sentence = line.ends_with('.') && line.starts_with(char::is_uppercase);
    let has_words = line.split_whitespace().count() > 2;
    !line.contains(CODE_MARKS) && !line.contains("()") && has_words && (is_sentence || asserts(line))
}

/// Whether marks stand between two letters or digits, and are asterisks or underscores.
fn is_inside_word(text: &str, marks: &Range<usize>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text[marks.clone()].bytes().all(|mark| matches!(mark, b'*' | b'_'))
        && is_word(text[..marks.start].chars().next_back())
        && is_word(text[marks.end..].chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Edit, NormalizedText, Span, TextIndex};

    fn read(text: &str) -> String {
        let index = TextIndex::new(text);
        let span = |range: Range<usize>| Span {
            start: index.character(range.start),
            end: index.character(range.end),
        };
        let edits = markdown(text).edits.into_iter();
        let edits: Vec<Edit> = edits.map(|(range, text)| Edit { span: span(range), text }).collect();
        NormalizedText::edited(text, &edits).text().to_owned()
    }

    #[test]
    fn marks_are_not_read_and_other_text_is() {
        for line in include_str!("tests/markdown.tsv").lines().skip(1) {
            let line = line.replace("\\n", "\n");
            let (text, expected) = line.split_once('\t').unwrap_or((&line, &line));
            assert_eq!(read(text).trim(), expected.trim(), "{text}");
        }
        assert_eq!(read("Er sagte: „Nein.“\r\nTrue."), "Er sagte: „Nein.“\r\nTrue.");
    }

    #[test]
    fn rows_have_the_words_of_their_header() {
        let text = "| Decision | Owner |\n|---|---|\n| Close **it** | Amira |\n| Wait | |\n\nEnd.";
        assert_eq!(
            read(text).trim(),
            "Decision; Owner\n\nDecision: Close it; Owner: Amira\n\nDecision: Wait\n\nEnd."
        );
        let found = markdown(text);
        assert_eq!(&text[found.others[0].clone()], "| Decision | Owner |\n|---|---|");
    }

    #[test]
    fn headings_are_found() {
        let text = "# One\n\nTwo\n===\n\nThe pool closes.\n---\n\nThree.";
        let found: Vec<String> =
            markdown(text).headings.into_iter().map(|range| text[range].trim().to_owned()).collect();
        assert_eq!(found, ["# One", "Two\n==="]);
    }
}
