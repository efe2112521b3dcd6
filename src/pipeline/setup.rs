//! Making a scorer: from a model and settings, with caches, with a shared queue.

use std::sync::Arc;

use veridic_models::store::ChunkUnit;
use veridic_models::{AlignHead, NliModel, TokenClassifier};

use super::input::check_text;
use super::premises::chunk_texts;
use crate::rules::{Chunks, WindowRule};
use super::provenance::scope_of;
use super::scorer::Scorer;
use super::screen::ScreenReader;
use super::settings::Settings;
use crate::error::Result;
#[cfg(feature = "cache")]
use crate::schedule::score_cache::ScoreCache;
use crate::schedule::{Executor, OutcomeCache, QueueClient};
use veridic_text::NormalizedText;

/// Chunks of MiniCheck, for profiles without chunks of their own.
const DEFAULT_CHUNKS: Chunks = Chunks { size: 400, unit: ChunkUnit::Tokens, separator: " " };

#[doc(hidden)]
impl Scorer {
    /// A scorer on a loaded model; [`Scorer::builder`] loads one.
    #[must_use]
    pub fn new(model: NliModel, settings: Settings) -> Self {
        let cache = Arc::new(OutcomeCache::new(settings.cache_bytes));
        Self {
            model: Arc::new(model),
            settings,
            cache,
            queue: None,
            screen_reader: None,
            token_classifier: None,
            finds_unsupported_words: true,
            document: None,
        }
    }

    /// The scorer with scores of earlier runs. The cache must have been opened with [`Scorer::scope`].
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn with_score_cache(self, score_cache: ScoreCache) -> Self {
        let cache = OutcomeCache::new(self.settings.cache_bytes).with_score_cache(score_cache);
        Self { cache: Arc::new(cache), ..self }
    }

    /// The scorer with other settings. It keeps its cache of outcomes and that cache's size.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The scorer with the small model that screens premises, where the profile's method has one.
    #[must_use]
    pub fn with_screen_reader(self, reader: ScreenReader) -> Self {
        Self { screen_reader: Some(Arc::new(reader)), ..self }
    }

    /// The scorer with a model that finds unsupported words in the place of the NLI model's own head.
    #[must_use]
    pub fn with_token_classifier(self, classifier: TokenClassifier) -> Self {
        Self { token_classifier: Some(Arc::new(classifier)), ..self }
    }

    /// The scorer with its NLI work sent through a queue that it shares with other scorers.
    #[must_use]
    pub fn with_queue(self, client: QueueClient) -> Self {
        Self { queue: Some(client), ..self }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The NLI model.
    #[must_use]
    pub fn model(&self) -> &NliModel {
        &self.model
    }

    /// The scores of earlier runs.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn score_cache(&self) -> Option<&ScoreCache> {
        self.cache.score_cache()
    }

    /// A digest of everything except its tokens that a pair's probabilities depend on: model, dtype and arithmetic.
    #[must_use]
    pub fn scope(&self) -> [u8; 32] {
        scope_of(&self.model)
    }

    /// The head of the NLI model, if it is an AlignScore checkpoint.
    #[must_use]
    pub fn align_head(&self) -> Option<AlignHead> {
        self.model.align_head()
    }

    /// The document in the profile's chunks; where the profile has none, in chunks of 400 tokens as MiniCheck has them.
    ///
    /// # Errors
    /// A document that cannot be judged, a tokenizer that fails.
    pub fn chunks(&self, document: &str) -> Result<Vec<String>> {
        check_text("document", document)?;
        let document = NormalizedText::of(document);
        let chunks = match self.settings.rules.window_rule {
            WindowRule::Packed(chunks) => chunks,
            _ => DEFAULT_CHUNKS,
        };
        Ok(chunk_texts(document.text(), chunks, self.model.tokenizer())?)
    }

    /// What runs the NLI model, with the cache and the queue.
    pub(super) fn executor(&self) -> Executor<'_> {
        let executor = Executor::new(&self.model, Some(self.max_batch_tokens()));
        executor.with_cache(&self.cache).with_queue(self.queue.as_ref())
    }

    pub(super) fn max_batch_tokens(&self) -> usize {
        self.settings.max_batch_tokens.unwrap_or(self.model.device().batch_tokens())
    }

    /// Longest pair in tokens.
    pub(super) fn max_tokens(&self) -> usize {
        self.settings.rules.max_tokens.min(self.model.token_limit())
    }
}
