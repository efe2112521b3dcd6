//! What the texts of a pair are written in, and whether the NLI model was made for it. A model that was not reads such a
//! text all the same and is often sure, so its numbers are told and its verdict is not. Refuses to judge by a guess: a
//! text whose language cannot be told is read as if it were one that the card lists.

use super::scorer::Scorer;
use veridic_text::{Language, Languages, PairLanguages};

/// What a pair is written in.
#[derive(Debug, Clone, Default)]
pub(super) struct PairLanguage {
    pub(super) languages: PairLanguages,
    /// Whether one of the two is surely in none of the languages of the model's card.
    pub(super) is_unread: bool,
    /// Those, where they count.
    listed: Option<Languages>,
}

impl Scorer {
    /// Looks at the texts of a pair.
    pub(super) fn written(&self, document: &str, summary: &str) -> PairLanguage {
        let Some(listed) = self.listed_languages().and_then(Languages::of) else {
            let languages =
                PairLanguages { document: Language::of(document), summary: Language::of(summary) };
            return PairLanguage { languages, ..PairLanguage::default() };
        };
        let ((document, other_document), (summary, other_summary)) =
            (listed.look(document), listed.look(summary));
        PairLanguage {
            languages: PairLanguages { document, summary },
            is_unread: other_document || other_summary,
            listed: Some(listed),
        }
    }

    /// Whether a claim is, for the model, in a language that it does not know: all of a pair that is, and in any pair one of
    /// another script.
    pub(super) fn unread_claim(&self, written: &PairLanguage, claim: &str) -> bool {
        written.is_unread || written.listed.as_ref().is_some_and(|listed| listed.is_foreign(claim))
    }

    /// The languages of the model's card, unless any language is judged.
    pub(super) fn listed_languages(&self) -> Option<&[String]> {
        let listed = self.model.info().languages.as_deref();
        listed.filter(|_| !self.settings.any_language)
    }
}
