//! The licence and the languages in the front matter of a model's card, the block between two `---` lines at the top of
//! README.md. The card's prose is not read.

/// The licence, `license:`.
pub(crate) fn licence_of(card: &str) -> Option<String> {
    let (licence, _) = field(card, "license")?;
    Some(unquoted(licence).to_owned())
}

/// The languages, `language:` with one code or a list of them, in lower case. `None` if the card lists none or says
/// `multilingual`.
pub(crate) fn languages_of(card: &str) -> Option<Vec<String>> {
    let (value, below) = field(card, "language")?;
    let value = value.split('#').next().unwrap_or_default().trim();
    let items: Vec<&str> = match value.strip_prefix('[') {
        Some(list) => list.trim_end_matches(']').split(',').collect(),
        None if value.is_empty() => below,
        None => vec![value],
    };
    let codes = items.into_iter().map(|item| unquoted(item).to_lowercase());
    let codes: Vec<String> = codes.filter(|code| !code.is_empty()).collect();
    let are_many = codes.iter().any(|code| matches!(code.as_str(), "multilingual" | "mul" | "multi"));
    (!codes.is_empty() && !are_many).then_some(codes)
}

/// The text after a field's name, and the items of the list on the lines below it.
fn field<'c>(card: &'c str, name: &str) -> Option<(&'c str, Vec<&'c str>)> {
    let mut lines = card.trim_start_matches('\u{feff}').lines();
    if lines.next()?.trim() != "---" {
        return None;
    }
    let mut lines = lines.take_while(|line| line.trim() != "---");
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let item =
        |line: &'c str| Some(line.trim_start().strip_prefix("- ")?.split('#').next().unwrap_or_default());
    Some((value.trim(), lines.map_while(item).collect()))
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_licence_is_read_from_the_front_matter_only() {
        assert_eq!(licence_of("---\nlanguage: en\nlicense: mit\n---\n# X").as_deref(), Some("mit"));
        assert_eq!(licence_of("# X\nlicense: mit"), None);
        assert_eq!(licence_of("---\nlanguage: en\n---\nlicense: mit"), None);
    }

    #[test]
    fn languages_are_one_code_or_a_list() {
        let languages =
            |field: &str| languages_of(&format!("---\nlicense: mit\n{field}\ntags:\n- x\n---\n# X"));
        let some = |codes: &[&str]| Some(codes.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(languages("language: en"), some(&["en"]));
        assert_eq!(languages("language: \"EN\" # English"), some(&["en"]));
        assert_eq!(languages("language: [en, 'de']"), some(&["en", "de"]));
        assert_eq!(languages("language:\n- en\n- \"no\"\n  - zh"), some(&["en", "no", "zh"]));
        assert_eq!(languages("language:\n  - en # mostly\n"), some(&["en"]));
        for none in
            ["language:", "language: multilingual", "language:\n- en\n- multilingual", "languages: en"]
        {
            assert_eq!(languages(none), None, "{none}");
        }
        assert_eq!(languages_of("# X\nlanguage: en"), None);
    }
}
