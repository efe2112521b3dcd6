//! The rules as a rules file, with the origin of each value.

use std::fmt::Write;

use serde_json::Value;

use super::file::VERSION;
use super::resolve::Resolved;
use super::table::RULES;

/// All rules as a file, each with a line of explanation and its origin.
#[must_use]
pub fn rules_text(resolved: &Resolved, model: &str) -> String {
    let mut text = format!("# Rules {} of veridic for the model {model}\n", resolved.rules.digest());
    let _ = writeln!(text, "version = {VERSION}");
    for row in RULES {
        let key = row.setting.key;
        let value = value_text(&(row.show)(&resolved.rules));
        let _ = write!(text, "\n# {}\n{key} = {value}  # {}\n", row.setting.about, resolved.origin(key));
    }
    text
}

/// Formats a value as TOML.
fn value_text(text: &str) -> String {
    match serde_json::from_str::<serde_json::Number>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => Value::from(text).to_string().replace('\u{7f}', "\\u007f"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ModelFacts, RulesFile, settings};
    use crate::settings::{Given, known};

    #[test]
    fn printed_rules_are_read_back_to_the_same_rules() {
        let mut given = Given::default();
        for (key, value) in
            [("window", "3"), ("claims", "t5=a \"b\""), ("abstain", "0.25"), ("languages", "any")]
        {
            given.add(known(settings(), key).unwrap(), value, "--set").unwrap();
        }
        let resolved = Resolved::of(&ModelFacts::of_base(), &given).unwrap();
        let text = rules_text(&resolved, "base");
        assert!(
            text.contains("window = 3  # --set\n") && text.contains("stride = 1  # profile veridic\n"),
            "{text}"
        );
        let file = RulesFile::parse(&text, "rules.toml", settings()).unwrap();
        assert_eq!(Resolved::of(&ModelFacts::of_base(), &file.given).unwrap().rules, resolved.rules);
    }
}
