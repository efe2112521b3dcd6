//! The page around the rows: styles, scripts and the content security policy, under which a browser runs only these scripts,
//! loads nothing and never interprets strings as markup.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The styles of the pair view, also used by the server's page.
pub(crate) const VIEW_STYLE: &str = concat!(
    include_str!("assets/theme.css"),
    include_str!("assets/claims.css"),
    include_str!("assets/view.css")
);

/// The scripts of the pair view, `createView` and `renderResult`, also used by the server's page.
pub(crate) const VIEW_SCRIPT: &str = concat!(
    include_str!("assets/text.js"),
    include_str!("assets/marks.js"),
    include_str!("assets/scroll.js"),
    include_str!("assets/corrections.js"),
    include_str!("assets/claims.js"),
    include_str!("assets/view.js")
);

const REPORT_STYLE: &str = concat!(include_str!("assets/list.css"), include_str!("assets/report.css"));

const REPORT_SCRIPT: &str = concat!(
    include_str!("assets/data.js"),
    include_str!("assets/rates.js"),
    include_str!("assets/agreement.js"),
    include_str!("assets/list.js"),
    include_str!("assets/report.js")
);

const TEMPLATE: &str = include_str!("assets/report.html");

/// Returns the content security policy of a page with these scripts and styles: nothing else runs, nothing is loaded, and
/// scripts may connect only to `connect`, if given.
#[must_use]
pub(crate) fn policy(scripts: &[&str], styles: &[&str], connect: Option<&str>) -> String {
    let hashes = |texts: &[&str]| -> String {
        let hash = |text: &&str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
        texts.iter().map(hash).collect()
    };
    format!(
        "default-src 'none'; script-src{}; style-src{}; img-src data:; connect-src {}; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        hashes(scripts),
        hashes(styles),
        connect.unwrap_or("'none'")
    )
}

/// Writes a page; `data` writes the elements that hold the rows, and its result is returned.
pub(super) fn write<T, E: From<io::Error>>(
    title: &str,
    out: &mut dyn Write,
    data: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let (before, behind) = TEMPLATE.split_once("{{data}}").expect("the template has a placeholder for data");
    fill(before, title, out)?;
    let written = data(out)?;
    fill(behind, title, out)?;
    Ok(written)
}

/// Writes a part of the template with its placeholders filled in.
fn fill(template: &str, title: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut pieces = template.split("{{");
    out.write_all(pieces.next().unwrap_or_default().as_bytes())?;
    for piece in pieces {
        let (name, text) = piece.split_once("}}").expect("the template closes its placeholders");
        match name {
            "policy" => {
                let policy = policy(&[VIEW_SCRIPT, REPORT_SCRIPT], &[VIEW_STYLE, REPORT_STYLE], None);
                out.write_all(policy.as_bytes())?;
            }
            "title" => out.write_all(escaped(title).as_bytes())?,
            "view style" => out.write_all(VIEW_STYLE.as_bytes())?,
            "report style" => out.write_all(REPORT_STYLE.as_bytes())?,
            "view script" => out.write_all(VIEW_SCRIPT.as_bytes())?,
            "report script" => out.write_all(REPORT_SCRIPT.as_bytes())?,
            other => unreachable!("the template has the placeholder {other}"),
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Escapes a text for an element; invisible control and direction characters become U+FFFD.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if is_invisible_control(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

fn is_invisible_control(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_direction || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str) -> String {
        let mut page = Vec::new();
        write(title, &mut page, |out| out.write_all(b"DATA")).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn titles_are_escaped() {
        let page = page("a</title><script>alert(1)</script>{{data}}\u{202e}\u{2028}\n.jsonl");
        assert!(page.contains(
            "a&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{data}}\u{fffd}\u{fffd}\u{fffd}.jsonl"
        ));
        assert_eq!(page.matches("DATA").count(), 1);
        assert_eq!(page.matches("<script>").count(), 2);
    }

    #[test]
    fn policy_has_the_hashes_of_the_page() {
        let page = page("t");
        let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
        for (open, close) in [("<script>", "</script>"), ("<style>", "</style>")] {
            for inline in page.split(open).skip(1) {
                let inline = inline.split(close).next().unwrap();
                assert!(page.contains(&format!("'sha256-{}'", hash(inline))));
            }
        }
        assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
    }

    #[test]
    fn assets_cannot_end_their_element_and_load_nothing() {
        for asset in [VIEW_SCRIPT, REPORT_SCRIPT, VIEW_STYLE, REPORT_STYLE] {
            let lower = asset.to_ascii_lowercase();
            for trap in
                ["</script", "</style", "<!--", "\r", "http:", "url(", "@import", "innerhtml", "eval("]
            {
                assert!(!lower.contains(trap), "{trap}");
            }
            assert!(asset.is_ascii(), "assets are ASCII, so that they are the same in every encoding");
        }
    }
}
