//! Folds lines at the width of a terminal, between words. Other outputs get unfolded lines, the same on every machine, for
//! programs that search them. Colour codes have no width.

use std::io::stdout;
use std::sync::LazyLock;

use textwrap::{Options, WordSplitter, WrapAlgorithm};

/// Narrower widths are ignored.
const NARROWEST: usize = 40;

/// The columns of the terminal; `None` if standard output is not a terminal.
static WIDTH: LazyLock<Option<usize>> = LazyLock::new(|| {
    let (width, _) = terminal_size::terminal_size_of(stdout())?;
    Some(usize::from(width.0).max(NARROWEST))
});

/// Folds text for the terminal, indenting all lines but the first by `indent` columns.
pub(crate) fn folded(text: &str, indent: usize) -> String {
    WIDTH.map_or_else(|| text.to_owned(), |width| folded_at(text, indent, width))
}

fn folded_at(text: &str, indent: usize, width: usize) -> String {
    // textwrap would count leading spaces as a word.
    let (start, text) = text.split_at(text.len() - text.trim_start_matches(' ').len());
    let later = " ".repeat(indent);
    let options = Options::new(width)
        .initial_indent(start)
        .subsequent_indent(&later)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_folded_between_words() {
        let text = "    one two three four";
        assert_eq!(folded_at(text, 6, 14), "    one two\n      three\n      four");
        assert_eq!(folded_at(text, 6, 80), text);
        let coloured = "\u{1b}[1mone\u{1b}[0m two three";
        assert_eq!(
            folded_at(coloured, 2, 7),
            "\u{1b}[1mone\u{1b}[0m two\n  three",
            "colour codes have no width"
        );
        assert_eq!(folded_at("", 2, 40), "");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_and_no_word_is_lost(text in "[a-zé ]{0,120}", indent in 0usize..8) {
            let folded = folded_at(&text, indent, 20);
            prop_assert!(folded.lines().all(|line| line.chars().count() <= 20), "{folded:?}");
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(letters(&folded), letters(&text));
        }
    }
}
