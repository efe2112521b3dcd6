//! The languages of a pair, and whether the rules give verdicts on them. A model is often sure of texts in languages
//! that it does not know, so claims of such a pair keep their scores and are unsupported, with the reason `language`. A
//! text whose language cannot be detected counts as one that the model's card lists.

use super::scorer::Scorer;
use veridic_text::{Language, Languages, PairLanguages};

/// The languages of a pair.
#[derive(Debug, Clone, Default)]
pub(super) struct PairLanguage {
    pub(super) languages: PairLanguages,
    /// Whether one of the texts is certainly in a language that the model's card does not list.
    pub(super) is_unlisted: bool,
    /// The languages of the card, where they limit verdicts.
    listed: Option<Languages>,
}

impl Scorer {
    /// Detects the languages of a pair.
    pub(super) fn pair_language(&self, document: &str, summary: &str) -> PairLanguage {
        let Some(listed) = self.settings.rules.languages.as_deref().and_then(Languages::of) else {
            let languages =
                PairLanguages { document: Language::of(document), summary: Language::of(summary) };
            return PairLanguage { languages, ..PairLanguage::default() };
        };
        let ((document, other_document), (summary, other_summary)) =
            (listed.detect(document), listed.detect(summary));
        PairLanguage {
            languages: PairLanguages { document, summary },
            is_unlisted: other_document || other_summary,
            listed: Some(listed),
        }
    }

    /// Whether a claim is in a language that the model does not know: every claim of a pair that is, and in any pair a
    /// claim in a script of unlisted languages.
    pub(super) fn is_unlisted(&self, language: &PairLanguage, claim: &str) -> bool {
        language.is_unlisted || language.listed.as_ref().is_some_and(|listed| listed.is_foreign(claim))
    }
}
