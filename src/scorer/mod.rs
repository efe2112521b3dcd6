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
mod joined;
mod judged;
mod normalized;
mod pair;
mod place;
mod prepared;
mod results;
mod screened;
mod settings;
mod setup;
mod stream;
mod work;

use self::aligned::{Aligned, Request, Round};
use self::basis::Purpose;
use self::call::Call;
use self::citations::Citations;
pub use self::events::{ClaimEvent, FoundPart, OnClaimEvent};
use self::extracted::Extracted;
use self::judged::Judged;
pub use self::normalized::Normalized;
use self::place::ClaimId;
use self::results::{Origin, claim_without_document, ledger_without_document};
pub use self::settings::Settings;
pub use self::setup::Scorer;
pub use self::stream::{JudgedSentence, ScoreStream};
use self::work::{At, Work};
use crate::claims::{ClaimExtractor, Summary, place_among};
use crate::error::{Error, Result};
use crate::findings::contrast::ContrastRequest;
use crate::findings::words::WordsRequest;
use crate::input::Pair;
use crate::result::PairResult;
use crate::rules::Level;
use crate::schedule::{Job, OnEvent, Stage, ignore_events, timed};
use crate::screen::ScreenRequest;
use crate::text::Span;

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

    /// Judges the pairs whose texts can be judged. The others are refused before anything is read of them.
    fn judge(&self, pairs: &[Pair<'_>], call: &Call<'_>) -> Vec<Result<PairResult>> {
        let checked: Vec<Result<&Pair<'_>>> = pairs.iter().map(|pair| pair.check().map(|()| pair)).collect();
        let good: Vec<Pair<'_>> = checked.iter().flatten().map(|pair| **pair).collect();
        let mut results = self.judge_checked(&good, call).into_iter();
        let result =
            |pair: Result<&Pair<'_>>| pair.and_then(|_| results.next().unwrap_or(Err(Error::Stopped)));
        checked.into_iter().map(result).collect()
    }

    /// The path of pairs: each is normalised, its claims are extracted, and they are judged.
    fn judge_checked(&self, pairs: &[Pair<'_>], call: &Call<'_>) -> Vec<Result<PairResult>> {
        let layout = self.settings.rules.layout;
        let normalized = pairs.iter().map(|pair| Normalized::of(pair, layout, call.on_event));
        let Ok(normalized) = normalized.collect::<Result<Vec<Normalized<'_>>>>() else {
            return pairs.iter().map(|_| Err(Error::Stopped)).collect();
        };
        let extracted = self.extract(normalized, call);
        let with_document = |pair: &&Extracted<'_>| !pair.read.given().has_no_document();
        let good: Vec<&Extracted<'_>> = extracted.iter().flatten().filter(with_document).collect();
        let mut results = self.judge_claims(&good, call).into_iter();
        let result = |extracted: Result<Extracted<'_>>| {
            let extracted = extracted?;
            if !with_document(&&extracted) {
                return Ok(self.without_document(&extracted, call));
            }
            results.next().unwrap_or(Err(Error::Stopped))
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

    /// The result of a pair whose list of sources is empty: nothing supports its claims.
    fn without_document(&self, extracted: &Extracted<'_>, call: &Call<'_>) -> PairResult {
        let rules = &self.settings.rules;
        let citations = Citations::of(extracted);
        let others: Vec<Span> =
            extracted.read.not_claims(&extracted.claims).iter().map(|other| other.span).collect();
        let mut results = Vec::with_capacity(extracted.claims.claims.len());
        for (number, claim) in extracted.claims.claims.iter().enumerate() {
            let citations = citations.as_ref().map(|all| all.of_claim(ClaimId(number)));
            let result = claim_without_document(extracted, claim, rules, citations);
            if let Some(report) = call.on_claim {
                let index = place_among(others.iter().copied(), number, &result.summary_spans);
                report(ClaimEvent::Judged { index, result: Box::new(result.clone()) });
            }
            results.push(result);
        }
        let origin = Origin::new(rules, self.stamp(), self.models());
        origin.pair_result(extracted, ledger_without_document(extracted), results)
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
        let cases = timed(Stage::Premises, call.on_event, || self.own_cases(pairs, call));
        let mut work = Work::of(pairs, cases);
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
        let on_event = call.on_event;
        self.screen(work, on_event)?;
        let (requests, aligned) = self.align(work, on_event);
        for (place, judged) in self.judge_aligned(work, aligned, on_event)? {
            work.change(place.pair, |pair| pair.take(place.case, judged, self, on_event));
        }
        work.change_all(|pair| pair.cite(self, on_event));
        work.build_results(origin, call.on_claim);
        self.compute(work, &requests, on_event)
    }

    /// Chooses the premises of new claims, which a small model may read before.
    fn screen<'w>(&'w self, work: &mut Work<'w>, on_event: &OnEvent<'_>) -> Result<()> {
        let waiting = work.take_waiting();
        let asking = work.step(waiting, on_event, |basis, claims| self.asking(basis, claims, on_event));
        let read = |requests: &[&ScreenRequest]| match self.reader()? {
            Some(reader) => reader.read(requests, &self.engine, on_event),
            None => Ok(Some(Vec::new())),
        };
        let screened = work.exchange(asking, on_event, read, |basis, claims, read| {
            self.screened(basis, claims, read, on_event)
        })?;
        for (place, claims) in screened {
            let parts = claims.into_iter().map(|claim| (claim.hypothesis.part, claim));
            work.change(place.pair, |pair| {
                pair.case_mut(place.case).screened.extend(parts);
                Ok(())
            });
        }
        Ok(())
    }

    /// Asks every claim which premises it needs next. Returns these requests, and the claims that need none.
    fn align<'w>(
        &'w self,
        work: &mut Work<'w>,
        on_event: &OnEvent<'_>,
    ) -> (Vec<At<Request>>, Vec<At<Aligned>>) {
        let stage = if self.settings.rules.has(Level::Coref) { Stage::Coreference } else { Stage::Other };
        let rounds = timed(stage, on_event, || {
            work.each(|case| {
                let claims = std::mem::take(&mut case.screened);
                let Round { open, requests, aligned } = self.next_round(&mut case.basis, claims, on_event)?;
                case.screened = open;
                Ok((requests, aligned))
            })
        });
        let (mut requests, mut aligned) = (Vec::new(), Vec::new());
        for (place, (of_requests, of_aligned)) in rounds {
            requests.extend(of_requests.into_iter().map(|request| (place, request)));
            aligned.extend(of_aligned.into_iter().map(|claim| (place, claim)));
        }
        (requests, aligned)
    }

    /// Judges aligned claims: asks the second question, decides, and marks unsupported words.
    fn judge_aligned<'w>(
        &'w self,
        work: &mut Work<'w>,
        aligned: Vec<At<Aligned>>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<At<Judged>>> {
        let (second, marker) = (self.second_question(), self.word_marker());
        let asking = work.step(aligned, on_event, |basis, claim| self.ask(basis, claim));
        let read = |questions: &[&ContrastRequest]| second.read(questions, on_event);
        let decided = work
            .exchange(asking, on_event, read, |basis, claim, answers| self.decide(basis, claim, answers))?;
        let mark = |claims: &[&WordsRequest]| {
            timed(Stage::Model, on_event, || marker.unsupported_words(claims, on_event))
        };
        work.exchange(decided, on_event, mark, |_, decided, words| {
            let unsupported_words = words.into_iter().next().map(|(_, words)| words);
            Ok(Judged { decided, unsupported_words })
        })
    }

    /// Computes requests together, and gives each claim its outcomes.
    fn compute(&self, work: &mut Work<'_>, requests: &[At<Request>], on_event: &OnEvent<'_>) -> Result<()> {
        for together in requests.chunks(self.settings.pairs_in_flight.get()) {
            let mut jobs = Vec::with_capacity(together.len());
            for (place, request) in together {
                let Some(case) = work.case(*place) else { continue };
                let claim = &case.screened[&request.part];
                jobs.push((place, request, self.job(&case.basis.premises, claim, request)?));
            }
            let inputs: Vec<&Job> = jobs.iter().map(|(_, _, job)| job).collect();
            let outcomes = self.engine.run(&inputs, on_event)?.ok_or(Error::Stopped)?;
            for ((place, request, job), outcome) in jobs.iter().zip(outcomes) {
                work.change(place.pair, |pair| {
                    let claim = pair.case_mut(place.case).screened.get_mut(&request.part);
                    claim.map_or(Ok(()), |claim| self.record(claim, request, job.cut, outcome))
                });
            }
        }
        Ok(())
    }
}
