//! Texts as requests and messages about replies have them.

/// Most characters of a reply in a message.
const SHOWN: usize = 60;

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Texts, one a line, numbered from 1 in brackets.
pub(crate) fn numbered_lines<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let line = |(place, text): (usize, &str)| format!("[{}] {}", place + 1, one_line(text));
    texts.into_iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// The beginning of a reply, for a message.
pub(crate) fn shown(reply: &str) -> String {
    reply.trim().chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_lines() {
        assert_eq!(numbered_lines(["A\n b.", "C."]), "[1] A b.\n[2] C.");
        assert_eq!(shown(&format!("  {}", "é".repeat(70))), "é".repeat(60));
    }
}
