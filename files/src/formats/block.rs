//! A piece of a document's text that stands alone, and what it is.

/// What a block of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mark {
    #[default]
    Paragraph,
    /// A heading of a level from 1.
    Heading(usize),
    /// An item of a list; lists in lists have greater depths.
    Item { depth: usize, number: Option<usize> },
}

/// A piece of text that stands alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Block {
    pub(crate) mark: Mark,
    pub(crate) text: String,
}
