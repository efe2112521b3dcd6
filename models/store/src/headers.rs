//! Reads the headers of the hub's answers. Refuses an ETag that is no file name, since the cache names files by it.

use ureq::http::HeaderMap;

const MAX_ETAG_LENGTH: usize = 200;

/// A header's text.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// An ETag without quotes and the `W/` prefix, if it can be used as a file name.
pub(crate) fn plain_etag(etag: &str) -> Option<String> {
    let plain = etag.trim_start_matches("W/").trim_matches('"');
    let usable = !plain.is_empty()
        && plain.len() <= MAX_ETAG_LENGTH
        && plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    usable.then(|| plain.to_owned())
}

/// The first byte of a `Content-Range`: 5 for `bytes 5-9/10`.
pub(crate) fn range_start(range: &str) -> Option<u64> {
    range.strip_prefix("bytes ")?.split_once('-')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn etag_unusable_as_file_name_is_rejected() {
        assert_eq!(plain_etag("\"abc\"").as_deref(), Some("abc"));
        assert_eq!(plain_etag("W/\"abc-1\"").as_deref(), Some("abc-1"));
        for etag in ["", "\"\"", "../x", "a/b", "a.lock", "a\\b", &"a".repeat(300)] {
            assert_eq!(plain_etag(etag), None, "{etag}");
        }
    }

    #[test]
    fn range_starts_are_parsed() {
        assert_eq!(range_start("bytes 5-9/10"), Some(5));
        assert_eq!(range_start("bytes */10"), None);
        assert_eq!(range_start("5-9/10"), None);
    }
}
