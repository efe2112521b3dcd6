//! The models that have a name: `manifest.toml`, compiled in.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::hub_id::{HubId, Revision};

static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| {
    toml::from_str(include_str!("manifest.toml"))
        .expect("the manifest is part of the source; a test reads it")
});

/// The models that have a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Names for several models at once.
    #[serde(rename = "bundle")]
    pub bundles: Vec<Bundle>,
    /// The models.
    #[serde(rename = "model")]
    pub models: Vec<Entry>,
}

/// A name for several models.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The name.
    pub name: String,
    /// Their names.
    pub models: Vec<String>,
    /// What they are good for together.
    pub good_for: String,
}

/// What a model does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Says entailment, neutral or contradiction of a premise and a hypothesis.
    Nli,
    /// Says supported or not of a document and a claim, in a layout of its own.
    Checker,
    /// Writes the claims of a summary.
    Claims,
    /// Finds who is who in a document.
    Coref,
    /// Gives a vector for every token of a text.
    Encoder,
}

/// A model and what is known of it before it is fetched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What `--model` takes.
    pub name: String,
    /// Its repository.
    pub hub: HubId,
    /// The revision to pull, if one is set; the newest at the first pull otherwise.
    pub revision: Option<Revision>,
    /// What it does.
    pub task: Task,
    /// The network, in words.
    pub architecture: String,
    /// Number of weights.
    pub parameters: u64,
    /// Size of what is fetched, roughly, in units of a million bytes.
    pub size_mb: u32,
    /// Its licence, as the hub names licences.
    pub licence: String,
    /// Longest input in tokens, special ones included.
    pub token_limit: u32,
    /// What its outputs mean, in order; none for models without classes.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The layer whose vectors are published as an encoder's best.
    pub layer: Option<u32>,
    /// When to take it.
    pub good_for: String,
    /// Fields of this entry for which no published source was at hand.
    #[serde(default)]
    pub unconfirmed: Vec<String>,
    /// How a checker is asked.
    pub checker: Option<Checker>,
}

/// How a checker is asked, as its authors publish it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checker {
    /// The text that the model reads, as one sequence, with `{document}` and `{claim}` in it. A special token of
    /// the tokenizer that stands in it is that token.
    pub template: String,
    /// The index of the output that means "supported".
    pub supported: usize,
    /// What the outputs mean, in words.
    pub label_meaning: String,
    /// Most units of a chunk; sentences are packed into chunks up to it.
    pub chunk_size: u32,
    /// What is counted.
    pub chunk_unit: ChunkUnit,
    /// What stands between the sentences of a chunk.
    pub sentence_separator: String,
    /// A claim is supported if its best chunk's probability is above this.
    pub threshold: f64,
    /// Where this is published.
    pub source: String,
}

/// What a chunk's size counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkUnit {
    /// Tokens of the model's own tokenizer, without special ones.
    Tokens,
    /// Words as NLTK's word tokenizer cuts them.
    Words,
}

impl Manifest {
    /// The manifest of this build.
    #[must_use]
    pub fn get() -> &'static Self {
        &MANIFEST
    }

    /// A model by its name.
    #[must_use]
    pub fn model(&self, name: &str) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.name == name)
    }

    /// A model by its repository.
    #[must_use]
    pub fn model_in(&self, repository: &HubId) -> Option<&Entry> {
        self.models.iter().find(|entry| &entry.hub == repository)
    }

    /// The name of the bundle's model for a job; any other word stays.
    #[must_use]
    pub fn model_for<'n>(&'static self, name: &'n str, task: Task) -> &'n str {
        let members = self.bundle(name).into_iter().flat_map(|bundle| &bundle.models);
        let mut entries = members.filter_map(|name| self.model(name));
        entries.find(|entry| entry.task == task).map_or(name, |entry| entry.name.as_str())
    }

    /// Whether a word is the name of a model or a bundle.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.model(name).is_some() || self.bundle(name).is_some()
    }

    /// All names: of models, then of bundles.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let bundles = self.bundles.iter().map(|bundle| bundle.name.as_str());
        self.models.iter().map(|entry| entry.name.as_str()).chain(bundles)
    }

    /// A bundle by its name.
    #[must_use]
    pub fn bundle(&self, name: &str) -> Option<&Bundle> {
        self.bundles.iter().find(|bundle| bundle.name == name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_manifest_is_read_and_its_names_are_unique() {
        let manifest = Manifest::get();
        let names = manifest.models.iter().map(|entry| &entry.name);
        let names: BTreeSet<&String> =
            names.chain(manifest.bundles.iter().map(|bundle| &bundle.name)).collect();
        assert_eq!(names.len(), manifest.models.len() + manifest.bundles.len());
        let repositories: BTreeSet<&str> = manifest.models.iter().map(|entry| entry.hub.as_str()).collect();
        assert_eq!(repositories.len(), manifest.models.len());
        for bundle in &manifest.bundles {
            assert!(bundle.models.iter().all(|name| manifest.model(name).is_some()), "{}", bundle.name);
        }
    }

    #[test]
    fn every_entry_is_whole_for_its_job() {
        for entry in &Manifest::get().models {
            let name = &entry.name;
            assert!(!name.contains(['/', ' ']) && !name.starts_with('.'), "{name}");
            assert_eq!(entry.checker.is_some(), entry.task == Task::Checker, "{name}");
            assert_eq!(entry.layer.is_some(), entry.task == Task::Encoder, "{name}");
            let labels = entry.labels.len();
            match entry.task {
                Task::Nli => assert!(labels == 2 || labels == 3, "{name}"),
                Task::Checker => assert_eq!(labels, 2, "{name}"),
                Task::Claims | Task::Coref | Task::Encoder => assert_eq!(labels, 0, "{name}"),
            }
            if let Some(checker) = &entry.checker {
                assert_eq!(checker.template.matches("{document}").count(), 1, "{name}");
                assert_eq!(checker.template.matches("{claim}").count(), 1, "{name}");
                assert_eq!(entry.labels[checker.supported], "entailment", "{name}");
                assert!(
                    (0.0..1.0).contains(&checker.threshold) && checker.source.starts_with("http"),
                    "{name}"
                );
            }
        }
    }
}
