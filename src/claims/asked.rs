//! Claims written by a language model, as the claims that FENICE's authors had from GPT-3.5 (section 4.1 and figure 2).

use super::overlap::Sentences;
use super::{Claim, Summary, has_words};
use crate::error::Result;
use crate::llm::literal;
use crate::llm::{LanguageModel, Request, Step, Unparsable};
use crate::schedule::OnEvent;

/// Claims of each summary.
pub(super) fn claims(
    model: &LanguageModel,
    summaries: &[Summary<'_>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Claim>>> {
    // A summary without words has no claims.
    let request = |summary: &Summary<'_>| {
        let asked = has_words(summary.text).then_some(("summary", summary.text));
        asked.map(|field| model.request(Step::FeniceClaims, &[field])).into_iter().collect()
    };
    let requests: Vec<Vec<Request>> = summaries.iter().map(request).collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| texts(text));
    let located = |(texts, summary): (Result<Vec<Vec<String>>>, &Summary<'_>)| {
        let sentences = Sentences::of(summary)?;
        Ok(texts?.into_iter().flatten().map(|text| sentences.claim(text)).collect())
    };
    answers.into_iter().zip(summaries).map(located).collect()
}

/// The claims in a reply.
fn texts(text: &str) -> std::result::Result<Vec<String>, Unparsable> {
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
