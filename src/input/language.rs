//! The languages of a pair, and whether the rules give verdicts on them. A model is often confident about texts in languages
//! that it does not know, so claims of such a pair keep their scores and are unsupported, with the reason `language`. A text
//! whose language cannot be detected is treated as listed on the model's card.

use crate::text::{Language, Languages, PairLanguages};

/// The languages of a pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairLanguage {
    pub(crate) languages: PairLanguages,
    /// Whether one of the texts is certainly in a language that the model's card does not list.
    pub(crate) is_unlisted: bool,
    /// The languages of the card, if they limit verdicts.
    listed: Option<Languages>,
}

impl PairLanguage {
    /// Detects the languages of a pair; `listed` holds those that get a verdict, `None` if all do.
    pub(crate) fn of(listed: Option<&[String]>, document: &str, summary: &str) -> Self {
        let Some(listed) = listed.and_then(Languages::of) else {
            let languages =
                PairLanguages { document: Language::of(document), summary: Language::of(summary) };
            return Self { languages, ..Self::default() };
        };
        let ((document, other_document), (summary, other_summary)) =
            (listed.detect(document), listed.detect(summary));
        Self {
            languages: PairLanguages { document, summary },
            is_unlisted: other_document || other_summary,
            listed: Some(listed),
        }
    }

    /// Whether a claim is in a language that gets no verdict: any claim of such a pair and, in other pairs, a claim in a
    /// script of other languages.
    pub(crate) fn is_unlisted(&self, claim: &str) -> bool {
        self.is_unlisted || self.listed.as_ref().is_some_and(|listed| listed.is_foreign(claim))
    }
}
