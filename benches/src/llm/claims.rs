//! Claims written by a language model, as FENICE's authors obtained theirs from GPT-3.5 (section 4.1 and figure 2).

use veridic::schedule::OnEvent;
use veridic::{Result, WriteClaims};

use super::language_model::LanguageModel;
use super::literal;
use super::parsed::Parsed;
use super::request::Request;
use super::step::Step;

impl WriteClaims for LanguageModel {
    fn write(&self, summaries: &[&str], on_event: &OnEvent<'_>) -> Vec<Result<Vec<String>>> {
        let request = |summary: &&str| {
            let asked = summary.chars().any(char::is_alphanumeric).then_some(("summary", *summary));
            asked.map(|field| self.request(Step::FeniceClaims, &[field])).into_iter().collect()
        };
        let requests: Vec<Vec<Request>> = summaries.iter().map(request).collect();
        let answers = self.ask_rows(&requests, on_event, |_, _, text| texts(text));
        answers.into_iter().map(|texts| Ok(texts?.into_iter().flatten().collect())).collect()
    }

    fn stamp(&self) -> String {
        LanguageModel::stamp(self, &[Step::FeniceClaims])
    }
}

/// Parses the claims in a reply.
fn texts(text: &str) -> Parsed<Vec<String>> {
    literal::texts(text, "claims", "claim")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_the_texts_of_the_list() {
        assert_eq!(texts("{'claims': [' Anna ran. ', 'Bob slept.']}").unwrap(), ["Anna ran.", "Bob slept."]);
        assert!(texts("[1, 2]").is_err() && texts("Anna ran.").is_err());
        assert!(texts("[]").unwrap().is_empty());
    }
}
