//! Resolves a user's name for a model on the hub to a repository and revision.

use crate::error::{Result, StoreError};
use crate::hub_id::{Revision, Source};
use crate::manifest::{Entry, Manifest};

/// A model on the hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubModel {
    /// The name the user gave, used in messages.
    pub name: String,
    /// Its repository and revision.
    pub source: Source,
}

impl HubModel {
    /// The model of a name or hub id, or all models of a bundle.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] or [`StoreError::BadId`] for any other text.
    pub fn parse_all(given: &str) -> Result<Vec<Self>> {
        let manifest = Manifest::get();
        if let Some(bundle) = manifest.bundle(given) {
            let entries = bundle.models.iter().filter_map(|name| manifest.model(name));
            return Ok(entries.map(Self::entry).collect());
        }
        Ok(vec![Self::parse(given)?])
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
            return Err(StoreError::Unknown { given: given.to_owned() });
        }
        let mut source = Source::parse(given)?;
        if let Some(pinned) = manifest.model_in(&source.repository).and_then(|entry| entry.revision.clone())
            && !given.contains('@')
        {
            source.revision = pinned;
        }
        Ok(Self { name: given.to_owned(), source })
    }

    fn entry(entry: &Entry) -> Self {
        let revision = entry.revision.clone().unwrap_or_else(Revision::main);
        Self { name: entry.name.clone(), source: Source { repository: entry.hub.clone(), revision } }
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
