//! The crate's entry point: finds models without the network, pulls and verifies them.

use std::path::Path;

use crate::cache::RepositoryCache;
use crate::contents::Contents;
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

/// The models on this machine, and access to those on the hub.
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

    /// Finds a model by name, folder or hub id, in this order of precedence. Reads only the disk.
    ///
    /// # Errors
    /// [`StoreError::NotCached`] with the command that fetches the model, or [`StoreError::Unknown`],
    /// [`StoreError::BadId`] or [`StoreError::Bundle`] for a text that does not name one.
    pub fn find(&self, given: &str) -> Result<LocalModel> {
        let folder = Path::new(given);
        if !Manifest::get().contains(given) && folder.is_dir() {
            let (id, folder) = (given.to_owned(), folder.to_owned());
            return Ok(LocalModel {
                id,
                folder,
                repository: None,
                commit: None,
                record: None,
                contents: Contents::Whole,
                tokenizer: None,
            });
        }
        self.cached(&HubModel::parse(given)?)
    }

    /// Finds a model of the hub in the cache: at the recorded commit, else at the commit last seen.
    ///
    /// # Errors
    /// [`StoreError::NotCached`], or [`StoreError::BadRecord`].
    pub fn cached(&self, model: &HubModel) -> Result<LocalModel> {
        let not_cached = |missing: String| StoreError::NotCached {
            model: model.name.clone(),
            cache: self.settings.cache.clone(),
            missing,
            offline: self.settings.offline,
        };
        let cache = RepositoryCache::new(&self.settings.cache, &model.source);
        let record = Record::read(&self.settings.records, &model.source, model.contents)?;
        let commit = match &record {
            Some(record) => record.commit.clone(),
            None => cache.commit().ok_or_else(|| not_cached("snapshot of it".to_owned()))?,
        };
        let folder = cache.snapshot(&commit);
        if let Some(missing) = files::first_missing(&folder, model.contents) {
            return Err(not_cached(missing));
        }
        let (id, repository) = (model.name.clone(), Some(model.source.repository.clone()));
        let tokenizer = model.tokenizer().map(|tokenizer| self.cached(&tokenizer).map(Box::new)).transpose();
        // If the tokenizer is missing, the model is pulled again.
        let tokenizer = tokenizer.map_err(|error| match error {
            StoreError::NotCached { .. } => not_cached("tokenizer".to_owned()),
            other => other,
        })?;
        let contents = model.contents;
        Ok(LocalModel { id, folder, repository, commit: Some(commit), record, contents, tokenizer })
    }

    /// Fetches a model's missing files, and records their digests at the first pull. Interrupted downloads resume.
    ///
    /// # Errors
    /// When the hub or the disk fails, or the files are not the recorded ones.
    #[cfg(feature = "hub")]
    pub fn pull(
        &self,
        model: &HubModel,
        target: PullTarget,
        listener: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PullSummary> {
        pull::pull(&self.settings, model, target, listener)
    }

    /// Compares each file of a model with its record; the result lists the differences.
    ///
    /// # Errors
    /// [`StoreError::NoRecord`], or when a file cannot be read.
    pub fn verify(&self, found: &LocalModel, listener: &mut dyn FnMut(Progress<'_>)) -> Result<Verification> {
        verify::verify(found, listener)
    }
}
