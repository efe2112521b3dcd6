//! Notes on results: which model judged, and which texts are in languages that it does not read. The terminal, the
//! report and the server's page share their wording.

use veridic_models::DEFAULT_MODEL;

use crate::decide::Reason;
use crate::models::MINI_SHA256;
use crate::result::PairResult;
use crate::text::Language;

/// Says which NLI model judged, and warns of the small one. `sha256` is the digest of its weights.
#[must_use]
pub fn judged_by(model: &str, sha256: &str) -> String {
    small_model_warning(model, sha256).unwrap_or_else(|| format!("judged by the model `{model}`"))
}

/// The warning if the model is `mini`, under any name.
pub(crate) fn small_model_warning(model: &str, sha256: &str) -> Option<String> {
    (sha256 == MINI_SHA256).then(|| {
        format!(
            "judged by the model `{model}`, which is small and often wrong; `{DEFAULT_MODEL}`, the default, is better and slower"
        )
    })
}

/// A pair with texts in languages that the model's card does not list.
#[derive(Debug, Default)]
pub struct Unread {
    /// The model.
    pub model: String,
    /// Codes of the languages that its card lists.
    pub listed: Vec<String>,
    /// The code of the document's language, if it is known.
    pub document: Option<String>,
    /// The same for the summary.
    pub summary: Option<String>,
}

impl Unread {
    /// The note of a result, if a claim has no verdict because of its language.
    #[must_use]
    pub fn of(result: &PairResult) -> Option<Self> {
        let code = |language: Option<Language>| language.map(|language| language.code().to_owned());
        let language = result.ledger.language;
        result.claims.iter().any(|claim| claim.reason == Some(Reason::Language)).then(|| Self {
            model: result.models.nli.id.clone(),
            listed: result.profile.rules.languages.clone().unwrap_or_default(),
            document: code(language.document),
            summary: code(language.summary),
        })
    }

    /// Explains why the model gave no verdict.
    #[must_use]
    pub fn message(&self) -> String {
        let of = |role: &str, code: &Option<String>| {
            let code = code.as_deref().filter(|code| !self.listed.iter().any(|listed| listed == code))?;
            Some(format!("the {role} is in {}", Language::name_of(code)))
        };
        let texts = [of("document", &self.document), of("summary", &self.summary)];
        let mut message = texts.into_iter().flatten().collect::<Vec<_>>().join(" and ");
        if message.is_empty() {
            message = "a claim is in another language".to_owned();
        }
        format!("{message}, which {}", not_listed(&self.model, &self.listed))
    }
}

/// [`Unread::message`] for the rows of a run.
#[must_use]
pub fn unread_rows(model: &str, listed: &[String], unread: u64, rows: u64) -> String {
    let (are, languages) = if unread == 1 { ("is", "a language") } else { ("are", "languages") };
    format!("{unread} of {rows} rows {are} in {languages} which {}", not_listed(model, listed))
}

fn not_listed(model: &str, listed: &[String]) -> String {
    let listed = listed.join(", ");
    format!(
        "the card of the model `{model}` does not list ({listed}): the verdict is unsupported, with the reason `language`, \
         unless `languages` names it, or is any"
    )
}

/// The notes on one result, other than [`judged_by`].
#[must_use]
pub fn of_result(result: &PairResult) -> Vec<String> {
    let unread = Unread::of(result).map(|unread| unread.message());
    unread.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_on_the_small_model_says_that_it_is_small() {
        assert!(judged_by("mini", MINI_SHA256).contains("`mini`, which is small"));
        assert!(judged_by("models/mini", MINI_SHA256).contains("`models/mini`, which is small"));
        assert_eq!(judged_by("mini", ""), "judged by the model `mini`", "another model of that name");
    }

    #[test]
    fn unread_texts_are_named_with_their_languages() {
        let message = |document: Option<&str>, summary: Option<&str>| {
            let (document, summary) = (document.map(str::to_owned), summary.map(str::to_owned));
            Unread { model: "mini".into(), listed: vec!["en".into()], document, summary }.message()
        };
        let listed = "which the card of the model `mini` does not list (en): the verdict is unsupported";
        for (document, summary, begins) in [
            (Some("en"), Some("zh"), "the summary is in Chinese"),
            (Some("zh"), None, "the document is in Chinese"),
            (Some("de"), Some("und"), "the document is in German and the summary is in another language"),
            (Some("en"), None, "a claim is in another language"),
        ] {
            let message = message(document, summary);
            assert!(message.starts_with(&format!("{begins}, {listed}")), "{message}");
        }
        let message = unread_rows("mini", &["en".into()], 1, 3);
        assert!(message.starts_with(&format!("1 of 3 rows is in a language {listed}")), "{message}");
    }
}
