//! What a user's word for a model of the hub stands for: a repository at a revision.

use crate::error::{Result, StoreError};
use crate::hub_id::{Revision, Source};
use crate::manifest::{Entry, Manifest};

/// A model of the hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubModel {
    /// As the user names it; what messages call it.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
}

impl HubModel {
    /// What a name, a bundle or a hub id stands for: one model, or those of the bundle.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] or [`StoreError::BadId`] when it is none of them.
    pub fn parse_all(given: &str) -> Result<Vec<Self>> {
        let manifest = Manifest::get();
        if let Some(bundle) = manifest.bundle(given) {
            let entries = bundle.models.iter().filter_map(|name| manifest.model(name));
            return Ok(entries.map(Self::entry).collect());
        }
        Ok(vec![Self::parse(given)?])
    }

    /// What a name or a hub id stands for.
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
    fn names_bundles_and_ids_are_understood() {
        assert_eq!(HubModel::parse("f-coref").unwrap().source.to_string(), "biu-nlp/f-coref");
        assert_eq!(HubModel::parse_all("fenice").unwrap().len(), 3);
        for id in ["me/mine", "me/mine@refs/pr/3"] {
            let own = HubModel::parse(id).unwrap();
            assert_eq!((own.name.as_str(), own.source.to_string().as_str()), (id, id));
        }
    }

    #[test]
    fn other_words_are_refused_with_what_would_do() {
        assert!(matches!(HubModel::parse("fenice"), Err(StoreError::Bundle { .. })));
        for given in ["", "nothing", "./folder", "/folder", "~/folder", "../a/b"] {
            assert!(matches!(HubModel::parse_all(given), Err(StoreError::Unknown { .. })), "{given}");
        }
        for given in ["a/b/c", "a/b@", "a/b@../c", "a@x/b", "a/"] {
            assert!(matches!(HubModel::parse_all(given), Err(StoreError::BadId { .. })), "{given}");
        }
    }
}
