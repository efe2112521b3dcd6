//! Formats texts for requests, and strips reasoning from replies.

/// Joins a text to one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Numbers texts from 1 in brackets, one per line.
pub(crate) fn numbered_lines<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let numbered = texts.into_iter().zip(1..);
    numbered.map(|(text, number)| format!("[{number}] {}", one_line(text))).collect::<Vec<_>>().join("\n")
}

/// Returns a reply after the model's reasoning, which is enclosed in `<think>` and `</think>`; empty if the reply ends
/// within the reasoning.
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
