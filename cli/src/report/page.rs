//! The page around the rows: styles, scripts and the policy under which a browser runs these scripts and
//! no other, loads nothing, and takes no string for markup.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::base64;

/// The styles of a pair's view, which the server's page shares.
pub const VIEW_STYLE: &str = concat!(
    include_str!("assets/theme.css"),
    include_str!("assets/claims.css"),
    include_str!("assets/view.css")
);

/// The scripts of a pair's view, which the server's page shares: `createView` and `renderResult`.
pub const VIEW_SCRIPT: &str = concat!(
    include_str!("assets/text.js"),
    include_str!("assets/marks.js"),
    include_str!("assets/scroll.js"),
    include_str!("assets/claims.js"),
    include_str!("assets/view.js")
);

const REPORT_STYLE: &str = concat!(
    include_str!("assets/figures.css"),
    include_str!("assets/list.css"),
    include_str!("assets/report.css")
);

const REPORT_SCRIPT: &str = concat!(
    include_str!("assets/data.js"),
    include_str!("assets/figures.js"),
    include_str!("assets/list.js"),
    include_str!("assets/report.js")
);

const TEMPLATE: &str = include_str!("assets/report.html");

/// A policy for a page that holds these scripts and styles: nothing else runs, nothing is loaded, and
/// `connect`, if given, is all that scripts may talk to.
#[must_use]
pub fn policy(scripts: &[&str], styles: &[&str], connect: Option<&str>) -> String {
    let hashes = |texts: &[&str]| -> String {
        let hash = |text: &&str| format!(" 'sha256-{}'", base64::encode(&Sha256::digest(text.as_bytes())));
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

/// Writes a page; `data` writes the elements with its rows, and its result is given back.
pub(super) fn write<T, E: From<io::Error>>(
    title: &str,
    out: &mut dyn Write,
    data: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let (before, behind) = TEMPLATE.split_once("{{data}}").expect("the template has a place for data");
    fill(before, title, out)?;
    let told = data(out)?;
    fill(behind, title, out)?;
    Ok(told)
}

/// Writes a part of the template with everything in its places.
fn fill(template: &str, title: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut pieces = template.split("{{");
    out.write_all(pieces.next().unwrap_or_default().as_bytes())?;
    for piece in pieces {
        let (name, text) = piece.split_once("}}").expect("the template closes its places");
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
            other => unreachable!("the template has a place for {other}"),
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Text inside an element: no markup, and nothing that acts without being seen.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if acts_unseen(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

fn acts_unseen(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
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
    fn titles_are_text() {
        let page = page("a</title><script>alert(1)</script>{{data}}\u{202e}\u{2028}\n.jsonl");
        assert!(page.contains(
            "a&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{data}}\u{fffd}\u{fffd}\u{fffd}.jsonl"
        ));
        assert_eq!(page.matches("DATA").count(), 1);
        assert_eq!(page.matches("<script>").count(), 2);
    }

    #[test]
    fn the_policy_knows_what_the_page_holds_and_no_more() {
        let page = page("t");
        let hash = |text: &str| base64::encode(&Sha256::digest(text.as_bytes()));
        for (open, close) in [("<script>", "</script>"), ("<style>", "</style>")] {
            for inline in page.split(open).skip(1) {
                let inline = inline.split(close).next().unwrap();
                assert!(page.contains(&format!("'sha256-{}'", hash(inline))));
            }
        }
        assert!(page.contains("default-src 'none'") && !page.contains("unsafe"));
    }

    #[test]
    fn assets_end_where_their_element_ends_and_load_nothing() {
        for asset in [VIEW_SCRIPT, REPORT_SCRIPT, VIEW_STYLE, REPORT_STYLE] {
            let lower = asset.to_ascii_lowercase();
            for trap in
                ["</script", "</style", "<!--", "\r", "http:", "url(", "@import", "innerhtml", "eval("]
            {
                // The name of SVG's elements is no address that is asked.
                let lower = lower.replace("http://www.w3.org/2000/svg", "");
                assert!(!lower.contains(trap), "{trap}");
            }
            assert!(asset.is_ascii(), "assets are ASCII, so that they are the same in every encoding");
        }
    }
}
