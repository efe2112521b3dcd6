//! Differences of files, as `diff -u` and `git` write them. A passage is a run of changed lines of one file, read as "removed:
//! ... added: ...", or the lines around them. The message of a commit is prose.
//!
//! Refuses a text without a line that begins a hunk.

use super::lines::lines;
use super::passage::{Form, Passage, Reading};

/// What a line of a hunk is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Removed,
    Added,
    Unchanged,
}

/// Reads a diff; nothing for any other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut reading = Reading::default();
    let (mut file, mut last, mut cursor) = (String::new(), None, None);
    for line in lines(text) {
        let content = &text[line.clone()];
        if let Some(name) = named_file(content) {
            (file, last) = (name.to_owned(), None);
            cursor = cursor.or(Some(line.start));
            continue;
        }
        if is_layout(content) || content.starts_with("@@ -") {
            last = None;
            cursor = cursor.or(Some(line.start));
            continue;
        }
        let Some(from) = cursor else { continue };
        let Some(kind) = kind(content).filter(|_| content.trim().len() > 1) else { continue };
        let words = line.start + 1 + content[1..].len() - content[1..].trim_start().len()..line.end;
        let said = match kind {
            _ if last == Some(kind) => "",
            Kind::Removed => "removed: ",
            Kind::Added => "added: ",
            Kind::Unchanged => "unchanged: ",
        };
        let continues =
            last.is_some_and(|last: Kind| last == kind || last == Kind::Removed && kind == Kind::Added);
        let passage = reading.passages.last_mut().filter(|_| continues);
        match passage {
            Some(passage) => {
                passage.parts[0].place.end = words.end;
                passage.shown = passage.shown.take().map(|before| before.start..words.end);
                reading.replace(text, from..words.start, format!("\n{said}"))?;
            }
            None => {
                let number = reading.passages.len() + 1;
                let label = if file.is_empty() { said.to_owned() } else { format!("{file}, {said}") };
                reading.replace(text, from..words.start, format!("\n{label}"))?;
                reading.passages.push(Passage {
                    name: Some(file.clone()).filter(|file| !file.is_empty()),
                    label,
                    shown: Some(line.clone()),
                    ..Passage::whole(Form::Diff, number, words.clone())
                });
            }
        }
        (last, cursor) = (Some(kind), Some(words.end));
    }
    let is_diff = text.contains("\n@@ -") || text.starts_with("@@ -");
    (is_diff && !reading.passages.is_empty()).then_some(reading)
}

/// The file that a line names: "+++ b/src/main.rs". Of a deleted file, "--- a/src/main.rs".
fn named_file(line: &str) -> Option<&str> {
    let name = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- "))?;
    let name = name.split('\t').next()?.trim();
    let name = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name);
    (name != "/dev/null").then_some(name)
}

/// Whether a line is only for programs.
fn is_layout(line: &str) -> bool {
    const BEGINNINGS: [&str; 10] = [
        "diff --git ",
        "index ",
        "new file mode",
        "deleted file mode",
        "old mode",
        "new mode",
        "similarity index",
        "--- /dev/null",
        "+++ /dev/null",
        "\\ No newline",
    ];
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

fn kind(line: &str) -> Option<Kind> {
    match line.as_bytes().first()? {
        b'-' => Some(Kind::Removed),
        b'+' => Some(Kind::Added),
        b' ' => Some(Kind::Unchanged),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_say_what_was_removed_and_added() {
        let text = "Raise the limit.\n\ndiff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,4 +1,5 @@ fn main\n fn limit() {\n-    10\n+    20\n+    // twice\n }\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
        let read = read(text).unwrap().read(text);
        assert_eq!(
            read,
            [
                "src/a.rs, unchanged: fn limit() {",
                "src/a.rs, removed: 10\nadded: 20\n// twice",
                "old.txt, removed: gone"
            ]
        );
    }

    #[test]
    fn lists_are_no_diffs() {
        assert!(read("- one\n- two\n+ three").is_none());
    }
}
