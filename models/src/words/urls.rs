//! Decides whether a chunk is a URL and therefore one word: optional scheme and user, a public IPv4 address or a host
//! name with a lower-case top-level domain, optional port and path. E-mail addresses count. spaCy's pattern is Diego
//! Perini's (MIT); there is no backtracking here, since a host can start at few positions only and ends at one.

use super::classes::{is_decimal, is_lower, is_word};

/// Whether all of `text` is a URL.
pub(super) fn is_url(text: &str) -> bool {
    text.contains('.') && host_starts(text).any(|start| is_host_and_path(&text[start..]))
}

/// Where the host may start: at the start, after a scheme, after any "@" that is not the first character.
fn host_starts(text: &str) -> impl Iterator<Item = usize> {
    let users = text.match_indices('@').filter(|&(at, _)| at > 0).map(|(at, _)| at + 1);
    [0].into_iter().chain(after_scheme(text)).chain(users)
}

fn after_scheme(text: &str) -> Option<usize> {
    let is_scheme = |c: char| is_word(c) || matches!(c, '+' | '-' | '.');
    let scheme = &text[..text.find(|c| !is_scheme(c))?];
    let two_or_more = scheme.chars().nth(1).is_some();
    (two_or_more && text[scheme.len()..].starts_with("://")).then_some(scheme.len() + "://".len())
}

/// Reads only the host unless a port follows, so that many "@" stay cheap.
fn is_host_and_path(text: &str) -> bool {
    let end = text.find(|c| !in_host(c)).unwrap_or(text.len());
    let (host, rest) = text.split_at(end);
    (is_public_address(host) || is_host_name(host)) && is_port_and_path(rest)
}

fn is_port_and_path(text: &str) -> bool {
    let is_path = |text: &str| text.is_empty() || text.starts_with(['/', '?', '#']);
    let Some(port) = text.strip_prefix(':') else { return is_path(text) };
    let digits = port.chars().take(6).take_while(|&c| is_decimal(c));
    let (count, length) = digits.fold((0, 0), |(count, length), c| (count + 1, length + c.len_utf8()));
    (2..=5).contains(&count) && is_path(&port[length..])
}

/// A character of a host; those that can follow a host are excluded.
fn in_host(c: char) -> bool {
    in_label(c) || c == '.' || is_lower(c) || is_decimal(c)
}

/// Labels of 1 to 64 characters, then a top-level domain of 2 to 63 lower-case letters.
fn is_host_name(host: &str) -> bool {
    let Some((labels, top)) = host.rsplit_once('.') else { return false };
    (2..=63).contains(&top.chars().count()) && top.chars().all(is_lower) && labels.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    label.starts_with(at_label_edge)
        && label.ends_with(at_label_edge)
        && label.chars().count() <= 64
        && label.chars().all(in_label)
}

fn in_label(c: char) -> bool {
    at_label_edge(c) || matches!(c, '_' | '-')
}

fn at_label_edge(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '\u{a1}'..='\u{ffff}')
}

/// An IPv4 address from 1.0.0.1 to 223.255.255.254, outside the private and local networks.
fn is_public_address(host: &str) -> bool {
    let mut octets = [['\0'; 3]; 4];
    let mut parts = host.split('.');
    for octet in &mut octets {
        let Some(digits) = parts.next().and_then(three_digits) else { return false };
        *octet = digits;
    }
    let [first, second, third, fourth] = octets;
    parts.next().is_none()
        && is_first_octet(first)
        && is_middle_octet(second)
        && is_middle_octet(third)
        && is_last_octet(fourth)
        && !is_private(first, second)
}

/// One to three digits of any script, padded with NUL.
fn three_digits(text: &str) -> Option<[char; 3]> {
    let mut digits = ['\0'; 3];
    let mut count = 0;
    for digit in text.chars() {
        *digits.get_mut(count)? = is_decimal(digit).then_some(digit)?;
        count += 1;
    }
    (count > 0).then_some(digits)
}

fn is_private(first: [char; 3], second: [char; 3]) -> bool {
    match (first, second) {
        (['1', '0', '\0'] | ['1', '2', '7'], _) => true,
        (['1', '6', '9'], ['2', '5', '4']) | (['1', '9', '2'], ['1', '6', '8']) => true,
        (['1', '7', '2'], ['1', '6'..='9', '\0'] | ['3', '0' | '1', '\0']) => true,
        (['1', '7', '2'], ['2', digit, '\0']) => digit != '\0',
        _ => false,
    }
}

fn is_first_octet(octet: [char; 3]) -> bool {
    match octet {
        [a, _, '\0'] => matches!(a, '1'..='9'),
        ['1', ..] | ['2', '0' | '1', _] => true,
        ['2', '2', c] => matches!(c, '0'..='3'),
        _ => false,
    }
}

fn is_middle_octet(octet: [char; 3]) -> bool {
    match octet {
        [_, _, '\0'] | ['1', ..] | ['2', '0'..='4', _] => true,
        ['2', '5', c] => matches!(c, '0'..='5'),
        _ => false,
    }
}

fn is_last_octet(octet: [char; 3]) -> bool {
    match octet {
        [a, _, '\0'] => matches!(a, '1'..='9'),
        ['1', ..] | ['2', '0'..='4', _] => true,
        ['2', '5', c] => matches!(c, '0'..='4'),
        _ => false,
    }
}
