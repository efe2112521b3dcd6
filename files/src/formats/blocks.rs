//! Text as it is collected from a document with markup: blocks, which become paragraphs, headings, items and tables of Markdown.
//! Nothing in a text is escaped except `|` in the cells of tables, since a judge reads it, and no browser.

use std::mem;

use crate::formats::block::{Block, Mark};
use crate::formats::table::{Cell, Table};

/// The blocks of a document, collected in order.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    done: Vec<Block>,
    open: Block,
    /// The tables that are open; `None` is one that holds another table, so that it is layout and no table.
    tables: Vec<Option<Table>>,
}

impl Blocks {
    /// Adds text to the open block; white space becomes one space.
    pub(crate) fn push(&mut self, text: &str) {
        if text.starts_with(is_space) {
            self.space();
        }
        let mut words = text.split(is_space).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            self.open.text.push_str(word);
            if words.peek().is_some() || text.ends_with(is_space) {
                self.open.text.push(' ');
            }
        }
    }

    /// Adds text to the open block with its white space.
    pub(crate) fn push_as_is(&mut self, text: &str) {
        self.open.text.push_str(text);
    }

    /// Adds a space unless there is one, or the line begins here.
    fn space(&mut self) {
        if !self.open.text.is_empty() && !self.open.text.ends_with([' ', '\n']) {
            self.open.text.push(' ');
        }
    }

    /// Begins a new line in the open block.
    pub(crate) fn break_line(&mut self) {
        let length = self.open.text.trim_end_matches(' ').len();
        self.open.text.truncate(length);
        self.open.text.push('\n');
    }

    /// Ends the open block and begins one of this kind.
    pub(crate) fn begin(&mut self, mark: Mark) {
        self.end();
        self.open.mark = mark;
    }

    /// Changes what the open block is.
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.open.mark = mark;
    }

    /// Makes the open block an item, unless it is a heading, which may have a number too.
    pub(crate) fn make_item(&mut self) {
        if self.open.mark == Mark::Paragraph {
            self.open.mark = Mark::Item { depth: 0, number: None };
        }
    }

    /// Sets how deep the open item is.
    pub(crate) fn set_depth(&mut self, new: usize) {
        if let Mark::Item { depth, .. } = &mut self.open.mark {
            *depth = new;
        }
    }

    /// Ends the open block; the next one is a paragraph.
    pub(crate) fn end(&mut self) {
        let Block { mark, text } = mem::take(&mut self.open);
        let text = text.trim_matches(['\n', ' ']);
        if text.is_empty() {
            // An item whose text is a paragraph in it.
            self.open.mark = if matches!(mark, Mark::Item { .. }) { mark } else { Mark::Paragraph };
            return;
        }
        let block = Block { mark, text: text.to_owned() };
        match self.tables.last_mut().and_then(Option::as_mut).and_then(Table::open_cell) {
            Some(cell) => cell.blocks.push(block),
            None => self.done.push(block),
        }
    }

    /// Begins a table. The table around it is layout: what it holds becomes blocks.
    pub(crate) fn begin_table(&mut self) {
        self.end();
        if let Some(table) = self.tables.last_mut().and_then(Option::take) {
            self.done.extend(table.into_blocks());
        }
        self.tables.push(Some(Table::default()));
    }

    /// Begins a row of the innermost table.
    pub(crate) fn begin_row(&mut self) {
        self.end();
        if let Some(Some(table)) = self.tables.last_mut() {
            table.begin_row();
        }
    }

    /// Begins a cell.
    pub(crate) fn begin_cell(&mut self, cell: Cell) {
        self.end();
        if let Some(Some(table)) = self.tables.last_mut() {
            table.begin_cell(cell);
        }
    }

    /// The cell that is open in the innermost table.
    pub(crate) fn open_cell(&mut self) -> Option<&mut Cell> {
        self.tables.last_mut()?.as_mut()?.open_cell()
    }

    /// Whether a table is open.
    pub(crate) fn in_table(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Ends the innermost table.
    pub(crate) fn end_table(&mut self) {
        self.end();
        let Some(Some(table)) = self.tables.pop() else { return };
        if table.is_layout() {
            self.done.extend(table.into_blocks());
        } else {
            self.done.push(Block { mark: Mark::Paragraph, text: table.markdown() });
        }
    }

    /// Returns the text of all blocks, with a blank line between two, but none between two items.
    pub(crate) fn finish(mut self) -> String {
        self.end();
        while self.in_table() {
            self.end_table();
        }
        let mut text = String::new();
        let mut before = None;
        for Block { mark, text: block } in &self.done {
            let both_items = |before| matches!((before, mark), (Mark::Item { .. }, Mark::Item { .. }));
            text.push_str(match before {
                None => "",
                Some(before) if both_items(before) => "\n",
                Some(_) => "\n\n",
            });
            before = Some(*mark);
            match *mark {
                Mark::Paragraph => {}
                Mark::Heading(level) => text.extend([&"######"[..level.clamp(1, 6)], " "]),
                Mark::Item { depth, number } => {
                    text.push_str(&"  ".repeat(depth.min(8)));
                    text.push_str(&number.map_or_else(|| "- ".to_owned(), |number| format!("{number}. ")));
                }
            }
            text.push_str(block);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

/// White space at which lines may break; a space that does not break stays what it is.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}
