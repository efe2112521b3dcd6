//! The path of a pair, top-down: check the texts, read the document's premises and the summary's
//! claims, align claims and premises in waves, judge.
//!
//! Many pairs travel together so that batches are full; what is computed for a pair, and every bit
//! of its result, is the same as if it travelled alone.

use rayon::prelude::*;
use veridic_models::{LoadOptions, ModelSource, NliModel, PairTokenizer, Precision, TextTokens, Truncation};

use super::align::{Alignment, ClaimAlignment, PremiseId, Waves};
use super::claims::{Claim, ClaimExtractor, Claims, ClaimsFrom, Summary};
use super::input::Pair;
use super::premises::{MIN_PIECE_TOKENS, Premises};
use super::profile::{Level, Overflow, Profile};
use super::result::{
    ClaimResult, CounterEvidence, Evidence, Ledger, ModelId, Models, PairResult, ProfileStamp, SCHEMA,
};
use super::verdict::{Verdict, mean};
use crate::error::{Error, Result};
use crate::schedule::{Executor, Job, OnBatch, Outcome};

/// Requests whose token ids are in memory together. Changes memory, never a result.
const REQUESTS_TOGETHER: usize = 8192;

/// What a scorer does with every pair.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Premises, pooling, verdicts.
    pub profile: Profile,
    /// How claims are taken out of a summary.
    pub claims: ClaimExtractor,
    /// Longest pair in tokens, below the model's own limit.
    pub max_tokens: Option<usize>,
    /// Tokens of a batch; changes speed and memory, never a result.
    pub max_batch_tokens: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::veridic(),
            claims: ClaimExtractor::default(),
            max_tokens: None,
            max_batch_tokens: None,
        }
    }
}

/// Judges summaries against their documents.
pub struct Scorer {
    model: NliModel,
    settings: Settings,
}

impl Scorer {
    /// Loads the NLI model `model` (a known name or a folder).
    ///
    /// # Errors
    /// When the model cannot be loaded.
    pub fn load(model: &str, options: &LoadOptions, settings: Settings) -> Result<Self> {
        Ok(Self::new(NliModel::load(&ModelSource::find(model)?, options)?, settings))
    }

    /// A scorer on a loaded model.
    #[must_use]
    pub fn new(model: NliModel, settings: Settings) -> Self {
        Self { model, settings }
    }

    /// The NLI model.
    #[must_use]
    pub fn model(&self) -> &NliModel {
        &self.model
    }

    /// Judges one pair.
    ///
    /// # Errors
    /// Texts that cannot be judged, a claim that is too long, a model that fails.
    pub fn score(&self, document: &str, summary: &str) -> Result<PairResult> {
        let mut results = self.score_batch(&[Pair::new(document, summary)], &|_| {});
        results.swap_remove(0)
    }

    /// Judges pairs together; results are in their order and as if each had been alone.
    pub fn score_batch(&self, pairs: &[Pair<'_>], on_batch: &OnBatch<'_>) -> Vec<Result<PairResult>> {
        let summaries: Vec<Summary<'_>> =
            pairs.iter().map(|pair| Summary { text: pair.summary, claims: pair.claims }).collect();
        let claims = match self.settings.claims.extract(&summaries) {
            Ok(claims) => claims,
            Err(error) => return self.one_by_one(pairs, error),
        };
        let mut travelling: Vec<Result<Traveller<'_, '_>>> =
            pairs.par_iter().zip(claims).map(|(pair, claims)| self.set_out(pair, claims)).collect();
        if let Err(error) = self.align(&mut travelling, on_batch) {
            return self.one_by_one(pairs, error);
        }
        travelling.into_par_iter().map(|traveller| self.judge(traveller?)).collect()
    }

    /// After a failure of the model as a whole: which pairs does it fail on?
    fn one_by_one(&self, pairs: &[Pair<'_>], error: Error) -> Vec<Result<PairResult>> {
        match pairs {
            [_] => vec![Err(error)],
            _ => pairs.iter().map(|pair| self.score_batch(&[*pair], &|_| {}).swap_remove(0)).collect(),
        }
    }

    /// The document becomes premises, in each claim's own order.
    fn set_out<'s, 'p>(&'s self, pair: &Pair<'p>, claims: Claims) -> Result<Traveller<'s, 'p>> {
        pair.check()?;
        let tokenizer = self.model.tokenizer();
        let mut premises = Premises::read(pair.document, &self.settings.profile, tokenizer)?;
        let Claims { claims, from: claims_from } = claims;
        let mut underway = Vec::new();
        for (index, claim) in claims.into_iter().enumerate() {
            let tokens = tokenizer.text(&claim.text)?;
            let waves = self.waves(&mut premises, index, &tokens)?;
            let alignment = ClaimAlignment::new(&self.settings.profile, waves);
            underway.push(ClaimUnderway { claim, tokens, alignment });
        }
        Ok(Traveller { premises, claims: underway, claims_from, cut: 0 })
    }

    /// The premises that a claim may be compared with, in the order in which it asks for them.
    fn waves(&self, premises: &mut Premises<'_>, claim: usize, tokens: &TextTokens) -> Result<Waves> {
        let profile = &self.settings.profile;
        let waves = match profile.overflow {
            Overflow::Cut(_) => premises.whole(),
            Overflow::Split => {
                self.check_claim(claim, tokens)?;
                premises.within(|level| self.premise_room(level, tokens), self.model.tokenizer())?
            }
        };
        Ok(if profile.is_lazy() { premises.by_promise(waves, tokens) } else { waves })
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

    /// Tokens that a claim leaves for a premise.
    fn premise_room(&self, level: Level, claim: &TextTokens) -> usize {
        let taken = claim.len() + self.model.tokenizer().special_tokens();
        self.token_limit(level).saturating_sub(taken)
    }

    /// Rounds of: every claim that is not decided asks for its next premises; all of them are
    /// computed together; every claim is told.
    fn align(&self, travelling: &mut [Result<Traveller<'_, '_>>], on_batch: &OnBatch<'_>) -> Result<()> {
        let executor = Executor::new(&self.model, self.settings.max_batch_tokens);
        loop {
            let requests = next_requests(travelling);
            if requests.is_empty() {
                return Ok(());
            }
            for requests in requests.chunks(REQUESTS_TOGETHER) {
                let jobs = self.jobs(travelling, requests)?;
                let outcomes = executor.run(&jobs, on_batch)?;
                for ((request, job), outcome) in requests.iter().zip(&jobs).zip(outcomes) {
                    self.tell(&mut travelling[request.pair], request, job.cut, outcome);
                }
            }
        }
    }

    /// Takes an outcome to the claim that asked. A pair for which the model gave no number ends here,
    /// the others go on.
    fn tell(
        &self,
        traveller: &mut Result<Traveller<'_, '_>>,
        request: &Request,
        cut: bool,
        outcome: Outcome,
    ) {
        let Ok(underway) = traveller else { return };
        underway.cut += usize::from(cut);
        let claim = &mut underway.claims[request.claim];
        match outcome {
            Some(probabilities) => claim.alignment.record(request.level, request.premise, probabilities),
            None => {
                let (file, text) = (self.model.weights_file().to_owned(), claim.claim.text.clone());
                *traveller = Err(Error::NotFinite { file, claim: request.claim + 1, text });
            }
        }
    }

    fn jobs(&self, travelling: &[Result<Traveller<'_, '_>>], requests: &[Request]) -> Result<Vec<Job>> {
        let truncation = match self.settings.profile.overflow {
            Overflow::Split => Truncation::Refuse,
            Overflow::Cut(truncation) => truncation,
        };
        let tokenizer: &PairTokenizer = self.model.tokenizer();
        let mut jobs = Vec::with_capacity(requests.len());
        for request in requests {
            let Ok(traveller) = &travelling[request.pair] else { continue };
            let premise = &traveller.premises.get(request.premise).tokens;
            let hypothesis = &traveller.claims[request.claim].tokens;
            jobs.push(tokenizer.pair(premise, hypothesis, self.token_limit(request.level), truncation)?);
        }
        Ok(jobs)
    }

    fn token_limit(&self, level: Level) -> usize {
        self.settings.profile.token_limit(level, self.max_tokens())
    }

    fn max_tokens(&self) -> usize {
        let model = self.model.token_limit();
        self.settings.max_tokens.map_or(model, |given| given.min(model))
    }

    /// Alignments become verdicts.
    fn judge(&self, traveller: Traveller<'_, '_>) -> Result<PairResult> {
        let Traveller { premises, claims, claims_from, cut } = traveller;
        let mut ledger = Ledger {
            sentences: premises.sentence_count(),
            premises: 0,
            premises_skipped: 0,
            premises_split: premises.split_count(),
            premises_cut: cut,
            claims_from,
        };
        let mut judged = Vec::with_capacity(claims.len());
        for ClaimUnderway { claim, alignment, .. } in claims {
            let alignment = alignment.finish().ok_or_else(|| {
                Error::Setting(
                    "the chosen levels give this document no premise: add the level `sentence` or `document`"
                        .into(),
                )
            })?;
            ledger.premises += alignment.computed;
            ledger.premises_skipped += alignment.skipped;
            judged.push(self.judge_claim(&premises, claim, &alignment));
        }
        Ok(PairResult {
            schema: SCHEMA,
            score: mean(judged.iter().map(|claim| claim.score)),
            verdict: Verdict::of_summary(judged.iter().map(|claim| claim.verdict)),
            claims: judged,
            ledger,
            profile: self.stamp(),
            models: self.models(),
        })
    }

    fn judge_claim(&self, premises: &Premises<'_>, claim: Claim, alignment: &Alignment) -> ClaimResult {
        let verdict = Verdict::of_claim(alignment, &self.settings.profile.thresholds);
        let evidence = |id: PremiseId| {
            let span = premises.get(id).evidence;
            (premises.document().slice(span).to_owned(), span)
        };
        let (text, span) = evidence(alignment.best.premise);
        let counter =
            alignment.most_contradicting.filter(|_| verdict == Verdict::Contradicted).map(|scored| {
                let (text, span) = evidence(scored.premise);
                CounterEvidence { text, span, contradiction: scored.probabilities.contradiction }
            });
        ClaimResult {
            text: claim.text,
            summary_spans: claim.spans,
            score: alignment.best.score,
            verdict,
            probabilities: alignment.best.probabilities,
            level: alignment.best.level,
            evidence: Evidence { text, span },
            substitution: None,
            counter_evidence: counter,
        }
    }

    fn stamp(&self) -> ProfileStamp {
        ProfileStamp {
            profile: self.settings.profile.clone(),
            max_tokens: self.max_tokens(),
            claims: self.settings.claims.name(),
            coref: "off",
        }
    }

    fn models(&self) -> Models {
        let info = self.model.info();
        Models {
            nli: ModelId {
                id: info.id.clone(),
                sha256: info.sha256.clone(),
                dtype: self.model.precision().name(),
            },
            claims: self.settings.claims.model().map(|model| ModelId {
                id: model.id().to_owned(),
                sha256: model.sha256().to_owned(),
                dtype: Precision::F32.name(),
            }),
            coref: None,
        }
    }
}

/// A pair on its way.
struct Traveller<'s, 'p> {
    premises: Premises<'p>,
    claims: Vec<ClaimUnderway<'s>>,
    claims_from: ClaimsFrom,
    cut: usize,
}

struct ClaimUnderway<'s> {
    claim: Claim,
    tokens: TextTokens,
    alignment: ClaimAlignment<'s>,
}

/// A premise that a claim asks for.
struct Request {
    pair: usize,
    claim: usize,
    level: Level,
    premise: PremiseId,
}

fn next_requests(travelling: &mut [Result<Traveller<'_, '_>>]) -> Vec<Request> {
    let mut requests = Vec::new();
    for (pair, traveller) in travelling.iter_mut().enumerate() {
        let Ok(traveller) = traveller else { continue };
        for (claim, underway) in traveller.claims.iter_mut().enumerate() {
            let Some((level, wave)) = underway.alignment.next_wave() else { continue };
            requests.extend(wave.into_iter().map(|premise| Request { pair, claim, level, premise }));
        }
    }
    requests
}
