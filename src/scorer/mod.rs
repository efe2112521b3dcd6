//! The path of a pair, step by step: the texts are normalised, claims are extracted from the summary, the document is
//! split into premises, a screen chooses those that the judge reads for each claim, claims and premises are aligned,
//! claims are judged, and results are built in the texts as given.
//!
//! Many pairs are in flight at a time so that batches are full. The computations for a pair, and every bit of its
//! result, are the same as if it were alone.

mod aligned;
mod basis;
mod call;
mod case;
mod citations;
mod counts;
mod events;
mod extracted;
mod ids;
mod joined;
mod judged;
mod normalized;
mod pair;
mod prepared;
mod results;
mod screened;
mod settings;
mod setup;
mod stream;
mod work;

use self::aligned::{Aligned, Aligner, Request, Round};
use self::basis::Purpose;
use self::call::Call;
pub use self::events::{ClaimEvent, FoundPart, OnClaimEvent};
use self::extracted::Extracted;
use self::judged::{Judge, Judged};
pub use self::normalized::Normalized;
use self::prepared::Preparation;
use self::results::Origin;
use self::screened::Screener;
pub use self::settings::Settings;
pub use self::setup::Scorer;
pub use self::stream::{JudgedSentence, ScoreStream};
use self::work::{OfCase, Work};
use crate::claims::{ClaimExtractor, Summary};
use crate::error::{Error, Result};
use crate::findings::contrast::SecondQuestion;
use crate::findings::words::WordMarker;
use crate::input::Pair;
use crate::result::PairResult;
use crate::rules::Level;
use crate::schedule::{Job, OnEvent, Stage, ignore_events, timed};

impl Scorer {
    /// Judges one pair.
    ///
    /// # Errors
    /// When a text cannot be judged, a claim is too long, or the model fails.
    pub fn score(&self, document: &str, summary: &str) -> Result<PairResult> {
        let mut results = self.score_batch(&[Pair::new(document, summary)], &ignore_events);
        results.swap_remove(0)
    }

    /// Judges pairs together. Results are in the order of the pairs and the same as if each pair were alone. When
    /// `on_event` stops the work, pairs that are not decided are [`Error::Stopped`](crate::Error::Stopped).
    pub fn score_batch(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        self.judge(pairs, &Call::new(on_event))
    }

    /// Judges one pair and reports its claims once they are known, then each judgement as soon as it is final.
    ///
    /// # Errors
    /// As [`Scorer::score`], and [`Error::Stopped`](crate::Error::Stopped) when `on_event` stops the work.
    pub fn score_with_events(
        &self,
        pair: Pair<'_>,
        on_event: &OnEvent<'_>,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<PairResult> {
        self.judge(&[pair], &Call { on_claim: Some(on_claim), ..Call::new(on_event) }).swap_remove(0)
    }

    /// As [`Scorer::score_batch`], for the claims that come with the pairs, regardless of the setting `claims`. Results
    /// contain neither unsupported words nor what the document says instead.
    pub fn score_given_claims(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        self.judge(pairs, &Call { purpose: Purpose::GivenClaims, ..Call::new(on_event) })
    }

    /// The path of pairs: each is normalised, its claims are extracted, and they are judged.
    fn judge(&self, pairs: &[Pair<'_>], call: &Call<'_>) -> Vec<Result<PairResult>> {
        let layout = self.settings.rules.layout;
        let normalized = pairs.iter().map(|pair| Normalized::of(pair, layout)).collect();
        let extracted = self.extract(normalized, call);
        let good: Vec<&Extracted<'_>> = extracted.iter().flatten().collect();
        let mut results = self.judge_claims(&good, call).into_iter();
        let result = |extracted: Result<Extracted<'_>>| {
            extracted.and_then(|_| results.next().unwrap_or(Err(Error::Stopped)))
        };
        extracted.into_iter().map(result).collect()
    }

    /// Extracts the claims of the summaries.
    fn extract<'p>(&self, pairs: Vec<Normalized<'p>>, call: &Call<'_>) -> Vec<Result<Extracted<'p>>> {
        let extractor = match call.purpose {
            Purpose::GivenClaims => &ClaimExtractor::Given,
            _ => &self.settings.claims,
        };
        let summaries: Vec<Summary<'_>> = pairs.iter().map(Normalized::stated).collect();
        let claims =
            timed(Stage::Claims, call.on_event, || extractor.extract_each(&summaries, call.on_event));
        if let Some(report) = call.on_claim {
            for (read, claims) in pairs.iter().zip(&claims) {
                let found = claims.as_ref().map(|claims| read.found_parts(claims));
                found.into_iter().for_each(|found| report(ClaimEvent::Extracted(found)));
            }
        }
        pairs.into_iter().zip(claims).map(|(read, claims)| Extracted::new(read, claims)).collect()
    }

    /// Judges the claims of pairs together. If the model fails, judges them pair by pair, so that only the pairs on which
    /// it fails are errors.
    fn judge_claims(&self, pairs: &[&Extracted<'_>], call: &Call<'_>) -> Vec<Result<PairResult>> {
        match self.judge_together(pairs, call) {
            Ok(results) => results,
            Err(error) if pairs.len() == 1 => vec![Err(error)],
            Err(_) => pairs.iter().flat_map(|pair| self.judge_claims(&[*pair], call)).collect(),
        }
    }

    /// Splits the documents into premises, then takes turns until every pair has its result.
    fn judge_together(&self, pairs: &[&Extracted<'_>], call: &Call<'_>) -> Result<Vec<Result<PairResult>>> {
        let preparation = self.preparation();
        let claims = timed(Stage::Premises, call.on_event, || preparation.own_claims(pairs, call));
        let mut work = Work::of(pairs, claims);
        let origin = Origin::new(&self.settings.rules, self.stamp(), self.models());
        while work.is_open() {
            match self.take_turn(&mut work, &origin, call) {
                Err(Error::Stopped) => break,
                turn => turn?,
            }
        }
        Ok(work.into_results())
    }

    /// A turn of the work in flight: new claims are screened, every claim says what it needs next, those that need
    /// nothing are judged, results are built of what is settled by it, and what the other claims need is computed.
    fn take_turn<'w>(&'w self, work: &mut Work<'w>, origin: &Origin<'_>, call: &Call<'_>) -> Result<()> {
        self.screen(work, call)?;
        let (requests, aligned) = self.align(work, call);
        let judged = self.judge_aligned(work, aligned, call)?;
        self.join_statements(work, judged, call);
        self.check_citations(work, call);
        work.build_results(origin, call.on_claim);
        self.compute(work, &requests, call)
    }

    /// Chooses the premises of new claims.
    fn screen<'w>(&'w self, work: &mut Work<'w>, call: &Call<'_>) -> Result<()> {
        let screener = Screener { rules: &self.settings.rules, reader: self.screen_reader.as_deref() };
        let prepared = work.take_prepared();
        let waiting = work
            .step(prepared, |basis, claims| Ok((screener.requests(basis, &claims, call.on_event)?, claims)));
        let reads = waiting.iter().flat_map(|(_, (requests, _))| requests).collect::<Vec<_>>();
        let outcomes = match screener.reader()? {
            Some(reader) => reader.read(&reads, &self.engine, call.on_event)?.ok_or(Error::Stopped)?,
            None => Vec::new(),
        };
        let mut outcomes = outcomes.into_iter();
        let answered = |(id, (requests, claims)): OfCase<(Vec<_>, _)>| {
            (id, (requests.into_iter().zip(outcomes.by_ref()).collect(), claims))
        };
        let waiting = waiting.into_iter().map(answered).collect();
        let screened =
            work.step(waiting, |basis, (read, claims)| screener.screen(basis, claims, read, call.on_event));
        for (id, claims) in screened {
            let parts = claims.into_iter().map(|claim| (claim.hypothesis.part, claim));
            work.change(id, |case| Ok(case.screened.extend(parts)));
        }
        Ok(())
    }

    /// Asks every claim which premises it needs next. Returns these requests, and the claims that need none.
    fn align<'w>(
        &'w self,
        work: &mut Work<'w>,
        call: &Call<'_>,
    ) -> (Vec<OfCase<Request>>, Vec<OfCase<Aligned>>) {
        let aligner = self.aligner();
        let stage = if self.settings.rules.has(Level::Coref) { Stage::Coreference } else { Stage::Other };
        let rounds = timed(stage, call.on_event, || {
            work.each(|case| {
                let claims = std::mem::take(&mut case.screened);
                let Round { open, requests, aligned } =
                    aligner.next(&mut case.basis, claims, call.on_event)?;
                case.screened = open;
                Ok((requests, aligned))
            })
        });
        let (mut requests, mut aligned) = (Vec::new(), Vec::new());
        for (id, (of_requests, of_aligned)) in rounds {
            requests.extend(of_requests.into_iter().map(|request| (id, request)));
            aligned.extend(of_aligned.into_iter().map(|claim| (id, claim)));
        }
        (requests, aligned)
    }

    /// Judges aligned claims: asks the second question, decides, and marks unsupported words.
    fn judge_aligned<'w>(
        &'w self,
        work: &mut Work<'w>,
        aligned: Vec<OfCase<Aligned>>,
        call: &Call<'_>,
    ) -> Result<Vec<OfCase<Judged>>> {
        let judge = self.claim_judge();
        let asked = work.step(aligned, |basis, claim| judge.ask(basis, claim));
        let questions: Vec<_> = asked.iter().map(|(_, asked)| &asked.question).collect();
        let answers = judge.second.read(&questions, call.on_event)?.ok_or(Error::Stopped)?;
        let answered = asked.into_iter().zip(answers).map(|((id, asked), answers)| (id, (asked, answers)));
        let decided =
            work.step(answered.collect(), |basis, (asked, answers)| judge.decide(basis, asked, &answers));
        let requests: Vec<_> = decided.iter().filter_map(|(_, decided)| decided.words.as_ref()).collect();
        let words =
            timed(Stage::Model, call.on_event, || judge.marker.unsupported_words(&requests, call.on_event))?;
        let mut words = words.ok_or(Error::Stopped)?.into_iter();
        let marked = decided.into_iter().map(|(id, decided)| {
            let words = decided.words.as_ref().and_then(|_| words.next());
            (id, (decided, words))
        });
        Ok(work.step(marked.collect(), |basis, (decided, words)| Ok(judge.judge(basis, decided, words))))
    }

    /// Settles judged claims; those that may join facts of several sources are judged by their statements next.
    fn join_statements<'w>(&'w self, work: &mut Work<'w>, judged: Vec<OfCase<Judged>>, call: &Call<'_>) {
        let preparation = self.preparation();
        for (id, claim) in judged {
            work.change(id, |case| {
                let statements = case.take(claim);
                case.prepared.extend(preparation.claims(&mut case.basis, statements, call.on_event)?);
                Ok(())
            });
        }
        work.settle();
    }

    /// Opens cases for the claims of settled pairs against the sources that they cite.
    fn check_citations<'w>(&'w self, work: &mut Work<'w>, call: &Call<'_>) {
        let preparation = self.preparation();
        work.follow_up(|id, pair| pair.citation_cases(id, &preparation, call.on_event));
    }

    /// Computes requests together, and gives each claim its outcomes.
    fn compute<'w>(
        &'w self,
        work: &mut Work<'w>,
        requests: &[OfCase<Request>],
        call: &Call<'_>,
    ) -> Result<()> {
        let aligner = self.aligner();
        for together in requests.chunks(self.settings.pairs_in_flight.get()) {
            let mut jobs = Vec::with_capacity(together.len());
            for (id, request) in together {
                let Some(case) = work.case(*id) else { continue };
                jobs.push((
                    id,
                    request,
                    aligner.job(&case.basis.premises, &case.screened[&request.part], request)?,
                ));
            }
            let inputs: Vec<&Job> = jobs.iter().map(|(_, _, job)| job).collect();
            let outcomes = self.engine.run(&inputs, call.on_event)?.ok_or(Error::Stopped)?;
            for ((id, request, job), outcome) in jobs.iter().zip(outcomes) {
                work.change(**id, |case| {
                    let claim = case.screened.get_mut(&request.part);
                    claim.map_or(Ok(()), |claim| aligner.record(claim, request, job.cut, outcome))
                });
            }
        }
        Ok(())
    }

    fn preparation(&self) -> Preparation<'_> {
        Preparation { engine: &self.engine, rules: &self.settings.rules }
    }

    fn aligner(&self) -> Aligner<'_> {
        let Settings { rules, coref, .. } = &self.settings;
        Aligner { engine: &self.engine, rules, coref }
    }

    fn claim_judge(&self) -> Judge<'_> {
        let (engine, rules) = (&self.engine, &self.settings.rules);
        let marker = WordMarker { engine, rules, classifier: self.token_classifier.as_deref() };
        Judge { rules, second: SecondQuestion { engine, rules }, marker }
    }
}
