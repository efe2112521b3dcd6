//! Texts as requests have them, and what a reply says.

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Texts, one a line, numbered from 1 in brackets.
pub(crate) fn numbered_lines<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let line = |(place, text): (usize, &str)| format!("[{}] {}", place + 1, one_line(text));
    texts.into_iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// What a reply says after the model's reasoning, where that stands between `<think>` and `</think>`; empty where the reply
/// ends before the reasoning does.
pub(crate) fn without_reasoning(reply: &str) -> &str {
    match reply.rsplit_once("</think>") {
        Some((_, after)) => after,
        None if reply.trim_start().starts_with("<think>") => "",
        None => reply,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_lines_and_replies_end_with_what_they_say() {
        assert_eq!(numbered_lines(["A\n b.", "C."]), "[1] A b.\n[2] C.");
        for (reply, said) in
            [("<think>No.</think> Yes", " Yes"), ("No.</think>Yes", "Yes"), ("<think>No", ""), ("Yes", "Yes")]
        {
            assert_eq!(without_reasoning(reply), said);
        }
    }
}
