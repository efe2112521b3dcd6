//! The store's front: from a user's word for a model to a folder, without the network; fetching; verifying.

use std::path::Path;

use crate::cache::RepositoryCache;
use crate::error::{Result, StoreError};
use crate::files;
use crate::found::Found;
use crate::manifest::Manifest;
use crate::progress::Progress;
#[cfg(feature = "hub")]
use crate::pull::{self, Pulled, Target};
use crate::record::Record;
use crate::settings::HubSettings;
use crate::verify::{self, Verification};
use crate::wanted::Wanted;

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
    /// [`StoreError::NotHere`] with the command that fetches it, or that the word means nothing.
    pub fn find(&self, given: &str) -> Result<Found> {
        let folder = Path::new(given);
        if !Manifest::get().knows(given) && folder.is_dir() {
            let (id, folder) = (given.to_owned(), folder.to_owned());
            return Ok(Found { id, folder, repository: None, commit: None, record: None });
        }
        self.cached(&Wanted::one(given)?)
    }

    /// A model of the hub that is in the cache: at the recorded commit, else at the one that was last seen.
    ///
    /// # Errors
    /// [`StoreError::NotHere`], or [`StoreError::BadRecord`].
    pub fn cached(&self, wanted: &Wanted) -> Result<Found> {
        let not_here = |missing: String| StoreError::NotHere {
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
        if let Some(missing) = files::lacking(&folder) {
            return Err(not_here(missing));
        }
        let (id, repository) = (wanted.name.clone(), Some(wanted.source.repository.clone()));
        Ok(Found { id, folder, repository, commit: Some(commit), record })
    }

    /// Fetches what is missing of a model, and records the digests of a first pull. What was cut goes on from there.
    ///
    /// # Errors
    /// What kept it from the hub, from the disk, or from being the recorded model.
    #[cfg(feature = "hub")]
    pub fn pull(
        &self,
        wanted: &Wanted,
        target: Target,
        listener: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Pulled> {
        pull::pull(&self.settings, wanted, target, listener)
    }

    /// Compares every file of a model with its record.
    ///
    /// # Errors
    /// [`StoreError::NoRecord`], or a file that cannot be read; what differs is in the result.
    pub fn verify(&self, found: &Found, listener: &mut dyn FnMut(Progress<'_>)) -> Result<Verification> {
        verify::verify(found, listener)
    }
}
