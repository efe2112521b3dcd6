//! The page at `/`: paste two texts and see claims as they are decided, in the view of the reports. Its content security
//! policy allows only the page's own scripts, and lets them connect only to this server.

use hyper::header::{self, HeaderValue};

use super::response::{Response, typed};
use crate::report::{VIEW_SCRIPT, VIEW_STYLE, escaped, policy};

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");
const TEMPLATE: &str = include_str!("assets/page.html");

/// Returns the page with its headers; `judged_by` is the note on the model.
pub(super) fn response(judged_by: &str) -> Response {
    let mut response = typed("text/html; charset=utf-8", html(judged_by).into());
    let policy = policy(&[VIEW_SCRIPT, SCRIPT], &[VIEW_STYLE, STYLE], Some("'self'"));
    let policy = format!("{policy}; frame-ancestors 'none'");
    let policy = HeaderValue::try_from(policy).expect("a policy is ASCII");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn html(judged_by: &str) -> String {
    let judged_by = escaped(judged_by);
    let parts = [
        ("view style", VIEW_STYLE),
        ("page style", STYLE),
        ("view script", VIEW_SCRIPT),
        ("page script", SCRIPT),
        // Last, because the name of a folder may contain `{{`.
        ("judged by", judged_by.as_str()),
    ];
    parts
        .iter()
        .fold(TEMPLATE.to_owned(), |page, (name, text)| page.replace(&format!("{{{{{name}}}}}"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_holds_each_script_and_style_once() {
        let page = html("judged by the model `a<b`");
        assert!(page.contains("judged by the model `a&lt;b`"), "the name of a folder is escaped");
        for text in [VIEW_STYLE, STYLE, VIEW_SCRIPT, SCRIPT] {
            assert_eq!(page.matches(text).count(), 1);
            assert!(text.is_ascii() && !text.contains("</script") && !text.contains("</style"));
        }
        assert!(
            !page.contains("{{view ")
                && !page.contains("{{page ")
                && !page.contains(" style=")
                && !page.contains(" onclick=")
        );
    }
}
