//! The path of a pair, top-down: read and check the texts, make the document's premises and the summary's
//! claims, align claims and premises in waves, judge.
//!
//! Many pairs travel together so that batches are full; what is computed for a pair, and every bit
//! of its result, is the same as if it travelled alone.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use veridic_models::store::ChunkUnit;
use veridic_models::{ModelSource, NliModel, PairTokenizer, TextTokens, Truncation};

use super::align::{ClaimAlignment, PremiseId, Waves};
use super::claim_events::{ClaimEvent, OnClaimEvent};
use super::claims::{ClaimExtractor, Claims, Summary};
use super::coref::CorefResolver;
use super::evidence::{Calibration, CalibrationError, FittedFor};
use super::in_flight::{InFlightClaim, InFlightPair, Request};
use super::input::{Pair, check_text};
use super::pair_language::PairLanguage;
use super::premises::{MIN_PIECE_TOKENS, Premises, chunk_texts};
use super::profile::{Chunks, Level, Overflow, Profile, WindowRule};
use super::reading::ReadPair;
use super::result::PairResult;
use crate::error::{Error, Result};
#[cfg(feature = "cache")]
use crate::schedule::score_cache::ScoreCache;
use crate::schedule::{
    Executor, Job, OnEvent, Outcome, OutcomeCache, QueueClient, Stage, ignore_events, timed,
};
use veridic_text::Reading;

/// What a scorer does with every pair.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Premises, pooling, verdicts.
    pub profile: Profile,
    /// How claims are taken out of a summary.
    pub claims: ClaimExtractor,
    /// What weighs a claim's facts, where the profile looks at them; see [`Scorer::with_calibration`].
    pub calibration: Option<Arc<Calibration>>,
    /// What decides which mentions belong together; asked only when the profile has the level `coref`.
    pub coref: CorefResolver,
    /// Whether texts in languages that the model's card does not list get a verdict.
    pub any_language: bool,
    /// Longest pair in tokens, below the model's own limit.
    pub max_tokens: Option<usize>,
    /// Tokens of a batch; changes speed and memory, never a result.
    pub max_batch_tokens: Option<usize>,
    /// Pairs whose token ids are in memory together; changes memory, never a result.
    pub pairs_in_flight: NonZeroUsize,
    /// Memory for what the model said before; changes speed and memory, never a result.
    pub cache_bytes: usize,
}

/// Pairs whose token ids are in memory together, unless told otherwise.
pub const DEFAULT_PAIRS_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(8192).expect("not zero");

/// Memory for what the model said before, unless told otherwise.
const DEFAULT_CACHE_BYTES: usize = 64 << 20;

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::veridic(),
            claims: ClaimExtractor::default(),
            calibration: None,
            coref: CorefResolver::Rules,
            any_language: false,
            max_tokens: None,
            max_batch_tokens: None,
            pairs_in_flight: DEFAULT_PAIRS_IN_FLIGHT,
            cache_bytes: DEFAULT_CACHE_BYTES,
        }
    }
}

/// Judges summaries against their documents. A clone shares the model and what it said before.
#[derive(Clone)]
pub struct Scorer {
    pub(super) model: Arc<NliModel>,
    pub(super) settings: Settings,
    pub(super) known: Arc<OutcomeCache>,
    pub(super) turn: Option<QueueClient>,
    /// Whether claims that are not supported are read again for the words to blame.
    pub(super) finds_unsupported_words: bool,
}

impl Scorer {
    /// A scorer on a loaded model.
    #[must_use]
    pub fn new(model: NliModel, settings: Settings) -> Self {
        let known = Arc::new(OutcomeCache::new(settings.cache_bytes));
        Self { model: Arc::new(model), settings, known, turn: None, finds_unsupported_words: true }
    }

    /// The same with what the model said in earlier runs; the store's scope is [`Scorer::scope`].
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn with_score_cache(self, store: ScoreCache) -> Self {
        Self { known: Arc::new(OutcomeCache::new(self.settings.cache_bytes).with_score_cache(store)), ..self }
    }

    /// The same under other settings, with what the model said before; how much memory that takes stays as it is.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The same, but what the model must compute goes through a queue that others use at the same time.
    #[must_use]
    pub fn with_queue(self, turn: QueueClient) -> Self {
        Self { turn: Some(turn), ..self }
    }

    /// What it does with every pair.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same with the weights of a calibration, which must have been fitted for its NLI model and levels.
    ///
    /// # Errors
    /// When it was not.
    pub fn with_calibration(
        mut self,
        calibration: Calibration,
    ) -> std::result::Result<Self, CalibrationError> {
        calibration.check(&self.fitted_for())?;
        self.settings.profile.rule = calibration.rule.unwrap_or(self.settings.profile.rule);
        self.settings.calibration = Some(Arc::new(calibration));
        Ok(self)
    }

    /// The same with the calibration beside the model of `source`, if there is one and it is for these settings; if
    /// it is for others, what differs.
    ///
    /// # Errors
    /// When the file beside the model is no calibration.
    pub fn with_calibration_of(self, source: &ModelSource) -> Result<(Self, Option<CalibrationError>)> {
        let Some((text, file)) = source.calibration()? else { return Ok((self, None)) };
        let calibration =
            Calibration::parse(&text).map_err(|error| Error::Calibration { file: file.clone(), error })?;
        match calibration.check(&self.fitted_for()) {
            Ok(()) => {
                let scorer = self.with_calibration(calibration);
                Ok((scorer.map_err(|error| Error::Calibration { file, error })?, None))
            }
            Err(differs) => Ok((self, Some(differs))),
        }
    }

    /// What a calibration must have been fitted for.
    #[must_use]
    pub fn fitted_for(&self) -> FittedFor {
        let (nli, profile) = (self.models().nli, &self.settings.profile);
        FittedFor {
            nli_sha256: nli.sha256,
            nli_settings_sha256: nli.settings_sha256,
            profile: profile.name.to_owned(),
            claims: self.settings.claims.name().to_owned(),
            levels: profile.levels.iter().map(|level| level.name().to_owned()).collect(),
        }
    }

    /// What is known from earlier runs.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn score_cache(&self) -> Option<&ScoreCache> {
        self.known.score_cache()
    }

    /// A digest of all that a pair's probabilities depend on beside its tokens.
    #[must_use]
    pub fn scope(&self) -> [u8; 32] {
        let nli = self.models().nli;
        let arithmetic = self.model.device().arithmetic();
        let unit = nli.unit.unwrap_or_default();
        let of = format!("{arithmetic} {} {} {} {unit}", nli.sha256, nli.settings_sha256, nli.dtype);
        Sha256::digest(of).into()
    }

    /// The NLI model.
    #[must_use]
    pub fn model(&self) -> &NliModel {
        &self.model
    }

    /// The document in chunks, as a checker reads it: the profile's, else of 400 tokens, MiniCheck's.
    ///
    /// # Errors
    /// A document that cannot be judged, a tokenizer that fails.
    pub fn chunks(&self, document: &str) -> Result<Vec<String>> {
        check_text("document", document)?;
        let document = Reading::of(document);
        let chunks = match self.settings.profile.window_rule {
            WindowRule::Packed(chunks) => chunks,
            _ => Chunks { size: 400, unit: ChunkUnit::Tokens, separator: " " },
        };
        Ok(chunk_texts(document.text(), chunks, self.model.tokenizer())?)
    }

    /// Judges one pair.
    ///
    /// # Errors
    /// Texts that cannot be judged, a claim that is too long, a model that fails.
    pub fn score(&self, document: &str, summary: &str) -> Result<PairResult> {
        let mut results = self.score_batch(&[Pair::new(document, summary)], &ignore_events);
        results.swap_remove(0)
    }

    /// Judges pairs together; results are in their order and as if each had been alone. When `on_event` ends
    /// the work, what is not decided is [`Error::Stopped`].
    pub fn score_batch(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        self.score_by(&self.settings.claims, pairs, on_event, None)
    }

    /// Judges one pair and tells its claims, and each one's judgement as soon as it is decided.
    ///
    /// # Errors
    /// As [`Scorer::score`], and [`Error::Stopped`] when `on_event` ends the work.
    pub fn score_with_events(
        &self,
        pair: Pair<'_>,
        on_event: &OnEvent<'_>,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<PairResult> {
        self.score_by(&self.settings.claims, &[pair], on_event, Some(on_claim)).swap_remove(0)
    }

    /// The same for the claims that come with the pairs, whatever the settings take claims from. Nobody reads which of
    /// their words are unsupported, so that is not asked.
    pub fn score_given_claims(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        let scorer = Self { finds_unsupported_words: false, ..self.clone() };
        scorer.score_by(&ClaimExtractor::Given, pairs, on_event, None)
    }

    /// Judges what is read of the pairs; results are those of the texts as given.
    fn score_by(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Vec<Result<PairResult>> {
        let read: Vec<ReadPair<'_>> = pairs.iter().map(ReadPair::of).collect();
        let pairs: Vec<Pair<'_>> = read.iter().map(ReadPair::pair).collect();
        let is_given = matches!(extractor, ClaimExtractor::Given);
        let relocated = on_claim
            .zip(read.first())
            .map(|(tell, read)| move |news: ClaimEvent<'_>| tell(read.relocated(news, is_given)));
        let on_claim = relocated.as_ref().map(|tell| tell as &OnClaimEvent<'_>);
        let mut results = self.score_read(extractor, &pairs, on_event, on_claim);
        for (result, read) in results.iter_mut().zip(&read) {
            if let Ok(result) = result {
                read.relocate(result);
            }
        }
        results
    }

    fn score_read(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Vec<Result<PairResult>> {
        let summaries: Vec<Summary<'_>> =
            pairs.iter().map(|pair| Summary { text: pair.summary, claims: pair.claims }).collect();
        let claims = match timed(Stage::Claims, on_event, || extractor.extract(&summaries)) {
            Ok(claims) => claims,
            Err(error) => return self.one_by_one(extractor, pairs, error, on_event),
        };
        if let Some(tell) = on_claim {
            claims.iter().for_each(|claims| tell(ClaimEvent::Extracted(Cow::Borrowed(&claims.claims))));
        }
        let mut in_flight = timed(Stage::Premises, on_event, || self.prepare(pairs, claims));
        if let Err(error) = self.align(&mut in_flight, on_event, on_claim) {
            return self.one_by_one(extractor, pairs, error, on_event);
        }
        in_flight.into_par_iter().map(|pair_in_flight| self.judge(pair_in_flight?)).collect()
    }

    /// After a failure of the model as a whole: which pairs does it fail on?
    fn one_by_one(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        error: Error,
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<PairResult>> {
        match pairs {
            [_] => vec![Err(error)],
            _ => pairs
                .iter()
                .map(|pair| self.score_read(extractor, &[*pair], on_event, None).swap_remove(0))
                .collect(),
        }
    }

    /// Documents become premises, in each claim's own order; a document of several pairs is read once.
    fn prepare<'s, 'p>(
        &'s self,
        pairs: &[Pair<'p>],
        claims: Vec<Claims>,
    ) -> Vec<Result<InFlightPair<'s, 'p>>> {
        let mut times: HashMap<(&str, Option<&[String]>), usize> = HashMap::new();
        for pair in pairs.iter().filter(|pair| pair.check().is_ok()) {
            *times.entry((pair.document, pair.sentences)).or_default() += 1;
        }
        let several = times.into_par_iter().filter(|(_, times)| *times > 1);
        // One that cannot be read is read again by each of its pairs, which tell why.
        let shared: HashMap<(&str, Option<&[String]>), Premises<'p>> = several
            .filter_map(|((text, given), _)| Some(((text, given), self.premises(text, given).ok()?)))
            .collect();
        let prepare = |(index, (pair, claims)): (usize, (&Pair<'p>, Claims))| {
            pair.check()?;
            let premises = match shared.get(&(pair.document, pair.sentences)) {
                Some(premises) => premises.clone(),
                None => self.premises(pair.document, pair.sentences)?,
            };
            let written = self.written(pair.document, pair.summary);
            self.prepare_pair(index, premises, claims, written)
        };
        pairs.par_iter().zip(claims).enumerate().map(prepare).collect()
    }

    fn premises<'p>(&self, document: &'p str, sentences: Option<&[String]>) -> Result<Premises<'p>> {
        Premises::read(document, sentences, &self.settings.profile, self.model.tokenizer())
    }

    fn prepare_pair<'s, 'p>(
        &'s self,
        pair: usize,
        mut premises: Premises<'p>,
        claims: Claims,
        written: PairLanguage,
    ) -> Result<InFlightPair<'s, 'p>> {
        let Claims { claims, from: claims_from } = claims;
        let mut underway = Vec::new();
        for (index, claim) in claims.into_iter().enumerate() {
            let tokens = self.model.tokenizer().hypothesis(&claim.text)?;
            let waves = self.waves(&mut premises, index, &tokens)?;
            let alignment = ClaimAlignment::new(&self.settings.profile, waves);
            underway.push(InFlightClaim {
                claim,
                tokens,
                alignment,
                is_decided: false,
                result: None,
                is_reported: false,
            });
        }
        Ok(InFlightPair { pair, premises, claims: underway, claims_from, written, cut: 0, too_long: 0 })
    }

    /// The premises that a claim may be compared with, in the order in which it asks for them.
    fn waves(&self, premises: &mut Premises<'_>, claim: usize, tokens: &TextTokens) -> Result<Waves> {
        let profile = &self.settings.profile;
        let waves = match profile.overflow {
            Overflow::Cut(_) => premises.whole(),
            Overflow::Split => {
                self.check_claim(claim, tokens)?;
                premises.within(|level| self.premise_tokens(level, tokens), self.model.tokenizer())?
            }
        };
        let is_ordered = profile.is_lazy() || profile.screen.is_some();
        Ok(if is_ordered { premises.in_order(waves, tokens, profile.screen) } else { waves })
    }

    /// Refuses a claim that leaves no room for a premise on some level.
    fn check_claim(&self, claim: usize, tokens: &TextTokens) -> Result<()> {
        for level in &self.settings.profile.levels {
            if self.premise_room(*level, tokens) < MIN_PIECE_TOKENS {
                let limit = self.token_limit(*level);
                return Err(Error::ClaimTooLong { claim: claim + 1, tokens: tokens.len(), limit });
            }
        }
        Ok(())
    }

    /// Most tokens of a premise beside a claim.
    fn premise_tokens(&self, level: Level, claim: &TextTokens) -> usize {
        let most = self.settings.profile.run_tokens.filter(|_| level == Level::Document);
        self.premise_room(level, claim).min(most.unwrap_or(usize::MAX))
    }

    /// Tokens that a claim leaves for a premise.
    fn premise_room(&self, level: Level, claim: &TextTokens) -> usize {
        let taken = claim.len() + self.model.tokenizer().special_tokens();
        self.token_limit(level).saturating_sub(taken)
    }

    /// Rounds of: every claim that is not decided asks for its next premises; all of them are
    /// computed together; every claim is told.
    fn align(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Result<()> {
        let executor = self.executor();
        let rewrites = self.settings.profile.levels.contains(&Level::Coref);
        let asking = if rewrites { Stage::Coreference } else { Stage::Other };
        loop {
            let requests = timed(asking, on_event, || self.next_requests(in_flight));
            if self.judge_decided(in_flight, on_event)?.is_break() {
                give_up(in_flight, &requests);
                return Ok(());
            }
            if let Some(tell) = on_claim {
                in_flight
                    .iter_mut()
                    .flatten()
                    .for_each(|pair_in_flight| self.report_judged(pair_in_flight, tell));
            }
            if requests.is_empty() {
                return Ok(());
            }
            for requests_together in requests.chunks(self.settings.pairs_in_flight.get()) {
                let asked = self.asked(in_flight, requests_together)?;
                let jobs: Vec<&Job> = asked.iter().map(|asked| &asked.job).collect();
                let Some(outcomes) = executor.run(&jobs, on_event)? else {
                    give_up(in_flight, &requests);
                    return Ok(());
                };
                for (Asked { request, job }, outcome) in asked.iter().zip(outcomes) {
                    self.tell(&mut in_flight[request.pair], request, job.cut, outcome);
                }
            }
        }
    }

    /// What all claims ask for; a pair whose resolver fails ends here. Pairs of one document ask one after
    /// the other, since they share who is who.
    fn next_requests(&self, in_flight: &mut [Result<InFlightPair<'_, '_>>]) -> Vec<Request> {
        let ask = |pair_in_flight: &mut Result<InFlightPair<'_, '_>>| {
            let Ok(underway) = pair_in_flight else { return Vec::new() };
            let rewrite = |premises: &mut Premises<'_>, sentence, claim: &TextTokens| {
                self.rewritings(premises, sentence, claim)
            };
            underway.requests(rewrite).unwrap_or_else(|error| {
                *pair_in_flight = Err(error);
                Vec::new()
            })
        };
        let same_document = |a: &Result<InFlightPair<'_, '_>>, b: &Result<InFlightPair<'_, '_>>| match (a, b)
        {
            (Ok(a), Ok(b)) => a.premises.document().text() == b.premises.document().text(),
            _ => false,
        };
        let documents = in_flight.par_chunk_by_mut(same_document);
        documents.flat_map_iter(|pairs| pairs.iter_mut().flat_map(ask).collect::<Vec<_>>()).collect()
    }

    /// The rewritings of a sentence that fit beside a claim, and how many do not.
    fn rewritings(
        &self,
        premises: &mut Premises<'_>,
        sentence: PremiseId,
        claim: &TextTokens,
    ) -> Result<(Vec<PremiseId>, usize)> {
        let Settings { profile, coref, .. } = &self.settings;
        let mut ids = premises.rewrite(sentence, profile.rewriting, coref, self.model.tokenizer())?;
        let all = ids.len();
        if profile.overflow == Overflow::Split {
            let room = self.premise_room(Level::Coref, claim);
            ids.retain(|id| premises.get(*id).tokens.len() <= room);
        }
        let too_long = all - ids.len();
        Ok((ids, too_long))
    }

    /// Takes an outcome to the claim that asked. A pair for which the model gave no number ends here,
    /// the others go on.
    fn tell(
        &self,
        pair_in_flight: &mut Result<InFlightPair<'_, '_>>,
        request: &Request,
        cut: bool,
        outcome: Outcome,
    ) {
        let Ok(underway) = pair_in_flight else { return };
        underway.cut += usize::from(cut);
        let claim = &mut underway.claims[request.claim];
        match outcome {
            Some(probabilities) => claim.alignment.record(request.level, request.premise, probabilities),
            None => {
                let (file, text) = (self.model.weights_file().to_owned(), claim.claim.text.clone());
                *pair_in_flight = Err(Error::NotFinite { file, claim: request.claim + 1, text });
            }
        }
    }

    /// Requests as the model takes them; those of pairs that failed meanwhile are left out.
    fn asked<'r>(
        &self,
        in_flight: &[Result<InFlightPair<'_, '_>>],
        requests: &'r [Request],
    ) -> Result<Vec<Asked<'r>>> {
        let truncation = match self.settings.profile.overflow {
            Overflow::Split => Truncation::Refuse,
            Overflow::Cut(truncation) => truncation,
        };
        let tokenizer: &PairTokenizer = self.model.tokenizer();
        let mut asked = Vec::with_capacity(requests.len());
        for request in requests {
            let Ok(pair_in_flight) = &in_flight[request.pair] else { continue };
            let premise = &pair_in_flight.premises.get(request.premise).tokens;
            let hypothesis = &pair_in_flight.claims[request.claim].tokens;
            let job = tokenizer.pair(premise, hypothesis, self.token_limit(request.level), truncation)?;
            asked.push(Asked { request, job });
        }
        Ok(asked)
    }

    /// Runs what is not known yet.
    pub(super) fn executor(&self) -> Executor<'_> {
        let executor = Executor::new(&self.model, Some(self.max_batch_tokens()));
        executor.with_cache(&self.known).with_queue(self.turn.as_ref())
    }

    pub(super) fn max_batch_tokens(&self) -> usize {
        self.settings.max_batch_tokens.unwrap_or(self.model.device().batch_tokens())
    }

    pub(super) fn token_limit(&self, level: Level) -> usize {
        self.settings.profile.token_limit(level, self.max_tokens())
    }

    pub(super) fn max_tokens(&self) -> usize {
        let model = self.model.token_limit();
        self.settings.max_tokens.map_or(model, |given| given.min(model))
    }
}

/// A request and what the model is given for it.
struct Asked<'r> {
    request: &'r Request,
    job: Job,
}

/// The work ends: who still asks stays undecided.
fn give_up(in_flight: &mut [Result<InFlightPair<'_, '_>>], requests: &[Request]) {
    for request in requests {
        in_flight[request.pair] = Err(Error::Stopped);
    }
}
