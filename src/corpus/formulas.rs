//! Cells of CSV and TSV that a spreadsheet would compute. A text that begins like a formula is written after an apostrophe,
//! which spreadsheets take for "this is text" (OWASP, CSV Injection), and read back without it.

use std::borrow::Cow;

/// The mark of a text.
const MARK: char = '\'';

/// Whether a spreadsheet takes a text for a formula, however many marks stand before it. Numbers stay numbers.
fn is_formula(text: &str) -> bool {
    let begins = text.trim_start_matches(MARK).starts_with(['=', '+', '-', '@', '\t', '\r']);
    begins && !(text.parse::<f64>().is_ok() && text.ends_with(|c: char| c.is_ascii_digit()))
}

/// A text as it is written to a cell.
pub(super) fn as_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("{MARK}{text}").into() } else { text.into() }
}

/// The text of a cell.
pub(super) fn of_cell(cell: &str) -> &str {
    cell.strip_prefix(MARK).filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_that_begin_like_formulas_are_marked() {
        for text in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r", "'=1", "-", "+", "-inf", "- a list"] {
            assert_eq!(as_cell(text), format!("'{text}"));
        }
        for text in ["", "a", "1=2", "-5", "+1.5e3", "-0.25", "'tis", "' =1", "=".repeat(0).as_str()] {
            assert_eq!(as_cell(text), text);
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[-='+@a1.\\t ]{0,6}") {
            let cell = as_cell(&text);
            prop_assert_eq!(of_cell(&cell), &text);
        }
    }
}
