//! The named models: `manifest.toml`, compiled in.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::contents::Contents;
use crate::hub_id::{HubId, Revision};

static MANIFEST: LazyLock<Manifest> = LazyLock::new(|| {
    toml::from_str(include_str!("manifest.toml"))
        .expect("the compiled-in manifest is valid; a test parses it")
});

/// The named models.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Names that stand for several models.
    #[serde(rename = "bundle")]
    pub bundles: Vec<Bundle>,
    /// The models.
    #[serde(rename = "model")]
    pub models: Vec<Entry>,
}

/// A name that stands for several models.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The name.
    pub name: String,
    /// The names of its models.
    pub models: Vec<String>,
    /// A description for users: what the models are for.
    pub good_for: String,
}

/// The task of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Classifies a premise and a hypothesis as entailment, neutral or contradiction.
    Nli,
    /// Classifies a document and a claim as supported or not, with its own input template.
    Checker,
    /// Generates the claims of a summary.
    Claims,
    /// Resolves coreference in a document.
    Coref,
    /// Encodes each token of a text as a vector.
    Encoder,
    /// Classifies each token of a claim as supported by its evidence or not.
    TokenClassifier,
}

/// A named model, with the facts that are known before it is fetched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The model's name.
    pub name: String,
    /// Its repository.
    pub hub: HubId,
    /// The repository of its tokenizer, if its own has none; for a checkpoint, also of its configuration.
    pub tokenizer: Option<HubId>,
    /// The checkpoint's name, if the repository contains only PyTorch Lightning checkpoints.
    pub checkpoint: Option<String>,
    /// The revision to pull; if none is set, the newest at the first pull.
    pub revision: Option<Revision>,
    /// Its task.
    pub task: Task,
    /// The network's architecture.
    pub architecture: String,
    /// Number of parameters.
    pub parameters: u64,
    /// Approximate download size in megabytes.
    pub size_mb: u32,
    /// The hub's identifier of its licence.
    pub licence: String,
    /// Longest input in tokens, including special tokens.
    pub token_limit: u32,
    /// The labels of its outputs, in order; empty for models that do not classify.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The layer whose vectors are published as the best of an encoder.
    pub layer: Option<u32>,
    /// The text around the premise of a token classifier, with the placeholder `{document}`.
    pub premise: Option<String>,
    /// A description for users: when to use it.
    pub good_for: String,
    /// Fields of this entry without a published source.
    #[serde(default)]
    pub unconfirmed: Vec<String>,
    /// A checker's settings.
    pub checker: Option<Checker>,
}

/// A checker's settings, as published by its authors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checker {
    /// The input text with the placeholders `{document}` and `{claim}`, read as one sequence. Special tokens of the
    /// tokenizer are recognised in it.
    pub template: String,
    /// The tokens that stand for the outputs, in output order, for a checker that judges by the first token that it
    /// generates; empty for a classifier.
    #[serde(default)]
    pub answer_tokens: Vec<u32>,
    /// The index of the output that means "supported".
    pub supported: usize,
    /// A description of the outputs.
    pub label_meaning: String,
    /// The size up to which sentences are packed into a chunk.
    pub chunk_size: u32,
    /// The unit of the chunk size.
    pub chunk_unit: ChunkUnit,
    /// The separator between the sentences of a chunk.
    pub sentence_separator: String,
    /// A claim is supported if the probability of its best chunk is above this.
    pub threshold: f64,
    /// The publication of these settings.
    pub source: String,
}

/// The unit of a chunk's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkUnit {
    /// Tokens of the model's tokenizer, without special tokens.
    Tokens,
    /// Words of NLTK's word tokenizer.
    Words,
    /// Parts between white space, as Python's `str.split` gives them.
    Whitespace,
}

impl ChunkUnit {
    /// Its plural, for users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Words => "words",
            Self::Whitespace => "words between white space",
        }
    }
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

    /// A model by its repository and what is pulled of it.
    #[must_use]
    pub fn model_of(&self, repository: &HubId, contents: Contents) -> Option<&Entry> {
        let is_of = |entry: &&Entry| entry.checkpoint.as_deref() == contents.checkpoint();
        self.models.iter().filter(|entry| &entry.hub == repository).find(is_of)
    }

    /// The name of the bundle's model for a task; a name that is not a bundle's is returned unchanged.
    #[must_use]
    pub fn model_for<'n>(&'static self, name: &'n str, task: Task) -> &'n str {
        let members = self.bundle(name).into_iter().flat_map(|bundle| &bundle.models);
        let mut entries = members.filter_map(|name| self.model(name));
        entries.find(|entry| entry.task == task).map_or(name, |entry| entry.name.as_str())
    }

    /// Whether a name is a model's or a bundle's.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.model(name).is_some() || self.bundle(name).is_some()
    }

    /// The names of all models, then of all bundles.
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
    fn manifest_parses_and_names_are_unique() {
        let manifest = Manifest::get();
        let names = manifest.models.iter().map(|entry| &entry.name);
        let names: BTreeSet<&String> =
            names.chain(manifest.bundles.iter().map(|bundle| &bundle.name)).collect();
        assert_eq!(names.len(), manifest.models.len() + manifest.bundles.len());
        let repositories: BTreeSet<(&str, &Option<String>)> =
            manifest.models.iter().map(|entry| (entry.hub.as_str(), &entry.checkpoint)).collect();
        assert_eq!(repositories.len(), manifest.models.len());
        for bundle in &manifest.bundles {
            assert!(bundle.models.iter().all(|name| manifest.model(name).is_some()), "{}", bundle.name);
        }
    }

    #[test]
    fn entries_are_complete_for_their_task() {
        for entry in &Manifest::get().models {
            let name = &entry.name;
            assert!(!name.contains(['/', ' ']) && !name.starts_with('.'), "{name}");
            assert_eq!(entry.checker.is_some(), entry.task == Task::Checker, "{name}");
            assert!(entry.checkpoint.is_none() || entry.tokenizer.is_some(), "{name}");
            assert_eq!(entry.layer.is_some(), entry.task == Task::Encoder, "{name}");
            let labels = entry.labels.len();
            match entry.task {
                Task::Nli => assert!(labels == 2 || labels == 3, "{name}"),
                Task::TokenClassifier => assert_eq!(labels, 2, "{name}"),
                Task::Checker => assert_eq!(labels, 2, "{name}"),
                Task::Claims | Task::Coref | Task::Encoder => assert_eq!(labels, 0, "{name}"),
            }
            assert!(entry.premise.is_none() || entry.task == Task::TokenClassifier, "{name}");
            if let Some(premise) = &entry.premise {
                assert_eq!(premise.matches("{document}").count(), 1, "{name}");
            }
            if let Some(checker) = &entry.checker {
                assert_eq!(checker.template.matches("{document}").count(), 1, "{name}");
                assert_eq!(checker.template.matches("{claim}").count(), 1, "{name}");
                assert_eq!(entry.labels[checker.supported], "entailment", "{name}");
                assert!([0, entry.labels.len()].contains(&checker.answer_tokens.len()), "{name}");
                assert!(
                    (0.0..1.0).contains(&checker.threshold) && checker.source.starts_with("http"),
                    "{name}"
                );
            }
        }
    }
}
