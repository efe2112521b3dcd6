//! The openings of a clause, which say nothing by themselves.

use super::words::GIVEN_TEXTS;

/// Openings that say nothing by themselves.
const OPENINGS: [&str; 29] = [
    "additionally",
    "also",
    "and",
    "as a language model",
    "as an ai",
    "as an ai assistant",
    "as an ai language model",
    "as an assistant",
    "but",
    "currently",
    "however",
    "i am afraid",
    "i am afraid that",
    "i am sorry",
    "i apologise",
    "i apologize",
    "it appears that",
    "it seems that",
    "my apologies",
    "note that",
    "please note that",
    "hence",
    "regrettably",
    "so",
    "sorry",
    "therefore",
    "thus",
    "unfortunately",
    "which means that",
];

/// A clause without its opening.
pub(super) fn opened(clause: &str) -> &str {
    let mut rest = clause.trim_start_matches([',', ';', ' ']);
    loop {
        let lower = rest.to_ascii_lowercase();
        let length =
            OPENINGS.iter().filter(|opening| begins(&lower, opening)).map(|opening| opening.len()).max();
        let next = length.or_else(|| basis(&lower));
        let Some(next) = next else { return rest };
        rest = rest[next..].trim_start_matches([',', ';', ':', '.', ' ']);
    }
}

fn begins(lower: &str, opening: &str) -> bool {
    lower
        .strip_prefix(opening)
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) && !rest.is_empty())
}

/// The length of "Based on the provided documents" before a comma.
fn basis(lower: &str) -> Option<usize> {
    let is_basis =
        ["based on ", "according to ", "from ", "in ", "given "].iter().any(|word| lower.starts_with(word));
    let comma = lower.find(',').filter(|_| is_basis)?;
    lower[..comma].split_whitespace().any(|word| GIVEN_TEXTS.contains(word)).then_some(comma)
}
