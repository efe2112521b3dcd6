//! The store's front: from a user's word for a model to a folder, without the network; fetching; verifying.

use std::path::Path;

use crate::cache::RepositoryCache;
use crate::error::{Result, StoreError};
use crate::files;
use crate::hub_model::HubModel;
use crate::local_model::LocalModel;
use crate::manifest::Manifest;
use crate::progress::Progress;
#[cfg(feature = "hub")]
use crate::pull::{self, PullSummary, PullTarget};
use crate::record::Record;
use crate::settings::HubSettings;
use crate::verify::{self, Verification};

/// The models on this machine, and the way to more.
#[derive(Debug, Clone)]
pub struct Store {
    settings: HubSettings,
}

impl Store {
    /// A store with these settings.
    #[must_use]
    pub fn new(settings: HubSettings) -> Self {
        Self { settings }
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &HubSettings {
        &self.settings
    }

    /// A model by a name of the manifest, a folder, or a hub id; names come before folders, folders before hub ids.
    /// Reads the disk only.
    ///
    /// # Errors
    /// [`StoreError::NotCached`] with the command that fetches it, or that the word means nothing.
    pub fn find(&self, given: &str) -> Result<LocalModel> {
        let folder = Path::new(given);
        if !Manifest::get().contains(given) && folder.is_dir() {
            let (id, folder) = (given.to_owned(), folder.to_owned());
            return Ok(LocalModel { id, folder, repository: None, commit: None, record: None });
        }
        self.cached(&HubModel::parse(given)?)
    }

    /// A model of the hub that is in the cache: at the recorded commit, else at the one that was last seen.
    ///
    /// # Errors
    /// [`StoreError::NotCached`], or [`StoreError::BadRecord`].
    pub fn cached(&self, wanted: &HubModel) -> Result<LocalModel> {
        let not_here = |missing: String| StoreError::NotCached {
            model: wanted.name.clone(),
            cache: self.settings.cache.clone(),
            missing,
            offline: self.settings.offline,
        };
        let cache = RepositoryCache::new(&self.settings.cache, &wanted.source);
        let record = Record::read(&self.settings.records, &wanted.source)?;
        let commit = match &record {
            Some(record) => record.commit.clone(),
            None => cache.commit().ok_or_else(|| not_here("copy".to_owned()))?,
        };
        let folder = cache.snapshot(&commit);
        if let Some(missing) = files::first_missing(&folder) {
            return Err(not_here(missing));
        }
        let (id, repository) = (wanted.name.clone(), Some(wanted.source.repository.clone()));
        Ok(LocalModel { id, folder, repository, commit: Some(commit), record })
    }

    /// Fetches what is missing of a model, and records the digests of a first pull. What was cut goes on from there.
    ///
    /// # Errors
    /// What kept it from the hub, from the disk, or from being the recorded model.
    #[cfg(feature = "hub")]
    pub fn pull(
        &self,
        wanted: &HubModel,
        target: PullTarget,
        listener: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PullSummary> {
        pull::pull(&self.settings, wanted, target, listener)
    }

    /// Compares every file of a model with its record.
    ///
    /// # Errors
    /// [`StoreError::NoRecord`], or a file that cannot be read; what differs is in the result.
    pub fn verify(&self, found: &LocalModel, listener: &mut dyn FnMut(Progress<'_>)) -> Result<Verification> {
        verify::verify(found, listener)
    }
}
