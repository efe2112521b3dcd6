//! A scorer, made from a model, settings and a shared queue; it passes plain pairs on to its engine. Also the settings
//! and models that every result records.

use std::sync::Arc;

use veridic_models::store::ChunkUnit;
use veridic_models::{AlignHead, NliModel, TokenClassifier, Truncation};

use super::settings::Settings;
use crate::engine::{ClassifierInput, Engine, LabelScores, NliPair, NliResult, model_id, nli_id};
use crate::error::Result;
use crate::input::check_text;
use crate::premises::CorefResolver;
use crate::premises::chunk_texts;
use crate::result::{Models, ProfileStamp};
use crate::rules::Level;
use crate::rules::{Chunks, WindowRule};
use crate::schedule::{OnEvent, QueueClient, outcome_cache};
use crate::screen::ScreenReader;
use crate::text::NormalizedText;

/// MiniCheck's chunks, for profiles without chunks.
const DEFAULT_CHUNKS: Chunks = Chunks { size: 400, unit: ChunkUnit::Tokens, separator: " " };

/// Judges summaries against their documents. A clone shares the model and the cache of its outcomes.
#[derive(Clone)]
pub struct Scorer {
    pub(super) engine: Engine,
    pub(super) settings: Settings,
    /// The small model of the screen, if its method uses one.
    pub(super) screen_reader: Option<Arc<ScreenReader>>,
    /// Finds the unsupported words of claims instead of the NLI model's own head.
    pub(super) token_classifier: Option<Arc<TokenClassifier>>,
}

impl Scorer {
    /// A scorer on a loaded model; [`Scorer::builder`] loads one.
    #[must_use]
    pub fn new(model: NliModel, settings: Settings) -> Self {
        let engine = Engine {
            cache: Arc::new(outcome_cache(settings.cache_bytes)),
            queue: None,
            max_batch_tokens: settings.max_batch_tokens,
            pairs_in_flight: settings.pairs_in_flight,
            max_tokens: 0,
            model: Arc::new(model),
        };
        let (screen_reader, token_classifier) = (None, None);
        let scorer = Self { engine, settings: Settings::default(), screen_reader, token_classifier };
        scorer.with_settings(settings)
    }

    /// The scorer with other settings. Keeps the cache of outcomes and its size.
    #[must_use]
    pub fn with_settings(self, mut settings: Settings) -> Self {
        let rules = &mut settings.rules;
        rules.max_tokens = rules.max_tokens.min(self.engine.model.token_limit());
        let engine = Engine {
            max_batch_tokens: settings.max_batch_tokens,
            pairs_in_flight: settings.pairs_in_flight,
            max_tokens: rules.max_tokens,
            ..self.engine
        };
        Self { engine, settings, ..self }
    }

    /// The scorer with the small model that screens premises, if the profile's method uses one.
    #[must_use]
    pub(crate) fn with_screen_reader(self, reader: ScreenReader) -> Self {
        Self { screen_reader: Some(Arc::new(reader)), ..self }
    }

    /// The scorer with a model that finds unsupported words instead of the NLI model's own head.
    #[must_use]
    pub(crate) fn with_token_classifier(self, classifier: TokenClassifier) -> Self {
        Self { token_classifier: Some(Arc::new(classifier)), ..self }
    }

    /// The scorer with a queue through which it shares the processors with other scorers.
    #[must_use]
    pub fn with_queue(self, client: QueueClient) -> Self {
        let engine = Engine { queue: Some(client), ..self.engine };
        Self { engine, ..self }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The NLI model.
    #[must_use]
    pub fn model(&self) -> &NliModel {
        &self.engine.model
    }

    /// The head of the NLI model, if it is an AlignScore checkpoint.
    #[must_use]
    pub fn align_head(&self) -> Option<AlignHead> {
        self.engine.model.align_head()
    }

    /// The document in the profile's chunks, or for profiles without chunks, in MiniCheck's chunks of 400 tokens.
    ///
    /// # Errors
    /// When the document cannot be judged, or the tokenizer fails.
    pub fn chunks(&self, document: &str) -> Result<Vec<String>> {
        check_text("document", document)?;
        let document = NormalizedText::of(document);
        let chunks = match self.settings.rules.window_rule {
            WindowRule::Packed(chunks) => chunks,
            _ => DEFAULT_CHUNKS,
        };
        Ok(chunk_texts(document.text(), chunks, self.engine.tokenizer())?)
    }

    /// The coreference resolver; off if the rules have no level `coref`.
    fn resolver(&self) -> &CorefResolver {
        let Settings { rules, coref, .. } = &self.settings;
        if rules.has(Level::Coref) { coref } else { &CorefResolver::Off }
    }

    /// The rules that every result records.
    #[must_use]
    pub fn stamp(&self) -> ProfileStamp {
        ProfileStamp {
            rules: self.settings.rules.clone(),
            digest: self.settings.rules.digest(),
            answers: self.settings.claims.stamp(),
        }
    }

    /// The models that every result records.
    #[must_use]
    pub fn models(&self) -> Models {
        let reader = self.screen_reader.as_ref().filter(|_| self.settings.rules.screen.is_some());
        Models {
            nli: nli_id(&self.engine.model),
            screen: reader.map(|reader| nli_id(&reader.model)),
            claims: self.settings.claims.model().map(|model| model_id(model.identity())),
            coref: self.resolver().model().map(|model| model_id(model.identity())),
            token_classifier: self.token_classifier.as_ref().map(|model| model_id(model.identity())),
        }
    }

    /// The model's outputs for plain pairs, in their order. In a pair over the token limit the premise is truncated at
    /// its end.
    ///
    /// # Errors
    /// When a hypothesis exceeds the token limit or the model fails, and [`Error::Stopped`](crate::Error::Stopped) when
    /// `on_event` stops the work.
    pub fn classify(&self, pairs: &[NliPair<'_>], on_event: &OnEvent<'_>) -> Result<Vec<NliResult>> {
        self.classify_each(pairs, Truncation::Premise, on_event)?.into_iter().collect()
    }

    /// As [`Scorer::classify`], with one result per pair: a pair over the token limit is truncated according to
    /// `truncation`, or its result is an error.
    ///
    /// # Errors
    /// When the model fails, and [`Error::Stopped`](crate::Error::Stopped) when `on_event` stops the work.
    pub fn classify_each(
        &self,
        pairs: &[NliPair<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<NliResult>>> {
        self.engine.classify_each(pairs, truncation, on_event)
    }

    /// The model as a plain sequence classifier: the scores of its labels for each input, which `truncation`
    /// shortens if it is over the token limit.
    ///
    /// # Errors
    /// When the model fails, and [`Error::Stopped`](crate::Error::Stopped) when `on_event` stops the work.
    pub fn label_scores(
        &self,
        inputs: &[ClassifierInput<'_>],
        kind: LabelScores,
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<Vec<f32>>>> {
        self.engine.label_scores(inputs, kind, truncation, on_event)
    }
}
