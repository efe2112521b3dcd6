//! Resolves a user's name for a model on the hub to a repository and revision.

use crate::contents::Contents;
use crate::error::{Result, StoreError};
use crate::hub_id::{Revision, Source};
use crate::manifest::{Entry, Manifest};
use crate::nearest::did_you_mean;

/// A model on the hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubModel {
    /// The name the user gave, used in messages.
    pub name: String,
    /// Its repository and revision.
    pub source: Source,
    /// The part that it is pulled for.
    pub contents: Contents,
}

impl HubModel {
    /// The model of a name or hub id, or all models of a bundle; before a model without a tokenizer, its tokenizer.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] or [`StoreError::BadId`] for any other text.
    pub fn parse_all(given: &str) -> Result<Vec<Self>> {
        let manifest = Manifest::get();
        if let Some(bundle) = manifest.bundle(given) {
            let entries = bundle.models.iter().filter_map(|name| manifest.model(name));
            return Ok(entries.map(Self::entry).flat_map(Self::after_its_tokenizer).collect());
        }
        Ok(Self::parse(given)?.after_its_tokenizer())
    }

    fn after_its_tokenizer(self) -> Vec<Self> {
        self.tokenizer().into_iter().chain([self]).collect()
    }

    /// Its tokenizer (for a checkpoint also its configuration), if it is in another repository.
    #[must_use]
    pub fn tokenizer(&self) -> Option<Self> {
        let contents = match self.contents {
            Contents::WithoutTokenizer => Contents::Tokenizer,
            Contents::Checkpoint(_) => Contents::Settings,
            Contents::Whole | Contents::Tokenizer | Contents::Settings => return None,
        };
        let entry = Manifest::get().model_of(&self.source.repository, self.contents)?;
        let source = Source { repository: entry.tokenizer.clone()?, revision: Revision::main() };
        Some(Self { name: source.repository.to_string(), source, contents })
    }

    /// The model of a name or hub id.
    ///
    /// # Errors
    /// As [`HubModel::parse_all`], and [`StoreError::Bundle`] for a bundle.
    pub fn parse(given: &str) -> Result<Self> {
        let manifest = Manifest::get();
        if let Some(entry) = manifest.model(given) {
            return Ok(Self::entry(entry));
        }
        if let Some(bundle) = manifest.bundle(given) {
            let members = bundle.models.join(", ");
            return Err(StoreError::Bundle { given: given.to_owned(), members });
        }
        if !given.contains('/') || given.starts_with(['.', '/', '~']) {
            let suggestion = did_you_mean(given, manifest.names());
            return Err(StoreError::Unknown { given: given.to_owned(), suggestion });
        }
        let mut source = Source::parse(given)?;
        let entry = manifest.model_in(&source.repository);
        if let Some(pinned) = entry.and_then(|entry| entry.revision.clone())
            && !given.contains('@')
        {
            source.revision = pinned;
        }
        Ok(Self { name: given.to_owned(), source, contents: contents_of(entry) })
    }

    fn entry(entry: &'static Entry) -> Self {
        let revision = entry.revision.clone().unwrap_or_else(Revision::main);
        let source = Source { repository: entry.hub.clone(), revision };
        Self { name: entry.name.clone(), source, contents: contents_of(Some(entry)) }
    }
}

fn contents_of(entry: Option<&'static Entry>) -> Contents {
    let Some(entry) = entry else { return Contents::Whole };
    match &entry.checkpoint {
        Some(checkpoint) => Contents::Checkpoint(checkpoint),
        None if entry.tokenizer.is_some() => Contents::WithoutTokenizer,
        None => Contents::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_bundles_and_hub_ids_are_resolved() {
        assert_eq!(HubModel::parse("f-coref").unwrap().source.to_string(), "biu-nlp/f-coref");
        assert_eq!(HubModel::parse_all("fenice").unwrap().len(), 3);
        for id in ["me/mine", "me/mine@refs/pr/3"] {
            let own = HubModel::parse(id).unwrap();
            assert_eq!((own.name.as_str(), own.source.to_string().as_str()), (id, id));
        }
    }

    #[test]
    fn a_tokenizer_of_another_repository_comes_first() {
        for given in ["hhem", "vectara/hallucination_evaluation_model"] {
            let all = HubModel::parse_all(given).unwrap();
            let contents: Vec<(&str, Contents)> =
                all.iter().map(|model| (model.name.as_str(), model.contents)).collect();
            let tokenizer = ("google/flan-t5-base", Contents::Tokenizer);
            assert_eq!(contents, [tokenizer, (given, Contents::WithoutTokenizer)]);
        }
        assert_eq!(HubModel::parse("google/flan-t5-base").unwrap().contents, Contents::Whole);
    }

    #[test]
    fn checkpoints_of_one_repository_have_settings_of_their_own() {
        for (given, encoder) in
            [("alignscore-base", "FacebookAI/roberta-base"), ("alignscore-large", "FacebookAI/roberta-large")]
        {
            let all = HubModel::parse_all(given).unwrap();
            let [settings, model] = &all[..] else { panic!("{all:?}") };
            assert_eq!((settings.name.as_str(), settings.contents), (encoder, Contents::Settings));
            assert_eq!(model.source.to_string(), "yzha/AlignScore");
            let entry = Manifest::get().model_of(&model.source.repository, model.contents).unwrap();
            assert_eq!(entry.name, given);
        }
    }

    #[test]
    fn other_texts_are_errors() {
        assert!(matches!(HubModel::parse("fenice"), Err(StoreError::Bundle { .. })));
        for given in ["", "nothing", "./folder", "/folder", "~/folder", "../a/b"] {
            assert!(matches!(HubModel::parse_all(given), Err(StoreError::Unknown { .. })), "{given}");
        }
        for given in ["a/b/c", "a/b@", "a/b@../c", "a@x/b", "a/"] {
            assert!(matches!(HubModel::parse_all(given), Err(StoreError::BadId { .. })), "{given}");
        }
    }
}
