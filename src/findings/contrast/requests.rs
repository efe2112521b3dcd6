//! Selects the fillings of a claim that the judge reads, and the premises to pair them with. A filling is read only if
//! its outcome can change the result.
//!
//! A premise that contradicts a claim may entail another filling of it: fillings are read if the sentence that shares
//! most words with the claim lacks the replaced part, and exchanged names are read. For a claim that would be
//! supported, its denial and a variant with two names exchanged are read, which exposes a judge that entails
//! everything. The words of the fillings depend on the claim and the premise alone.

use crate::text::{Change, Filling, Name, Presence, ReadClaim, Span, TextIndex, fillings, speaker_fillings};
use veridic_models::Truncation;

use super::decide::{Answer, Decision, decide, may_be_replaced};
use super::instead::{Contrast, Found, Instead};
use super::places::summary_span;

use crate::align::Alignment;
use crate::claims::Claim;
use crate::engine::Engine;
use crate::error::Result;
use crate::findings::lookup::contrast_premises;
use crate::premises::{Premises, Scored};
use crate::rules::{Level, Overflow, Rules};
use crate::schedule::{Job, OnEvent, Outcome};

/// Maximum number of fillings that are read with one premise, and the same for a supported claim; the denial comes on
/// top.
const MAX_FILLINGS: usize = 4;
const MAX_FILLINGS_OF_SUPPORTED: usize = 3;

/// The fillings of a claim that the judge reads.
pub(crate) struct ContrastRequest {
    is_supported: bool,
    questions: Vec<Question>,
}

/// A claim whose fillings were read.
#[derive(Clone, Copy)]
pub(crate) struct AnsweredClaim<'c> {
    pub(crate) claim: &'c Claim,
    pub(crate) read: &'c ReadClaim,
    pub(crate) summary: &'c TextIndex<'c>,
}

/// A filling paired with a premise.
struct Question {
    /// The premise, with its probabilities for the claim itself.
    asked: Scored,
    filling: Filling,
    job: Job,
}

/// Puts the second question, if the rules say so.
pub(crate) struct SecondQuestion<'s> {
    pub(crate) engine: &'s Engine,
    pub(crate) rules: &'s Rules,
}

impl SecondQuestion<'_> {
    /// The fillings of a claim that are worth reading, if there are any. `is_supported`: whether the claim would be
    /// supported.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub(crate) fn request(
        &self,
        premises: &Premises,
        alignment: &Alignment,
        claim: &str,
        is_supported: bool,
    ) -> Result<Option<ContrastRequest>> {
        if !self.rules.contrast {
            return Ok(None);
        }
        let mut questions = Vec::new();
        let document = premises.document();
        let all_speakers = document.division().speakers();
        let all_speakers: Vec<&str> = all_speakers.iter().map(String::as_str).collect();
        for asked in contrast_premises(premises, claim, alignment, is_supported, self.rules) {
            let index = document.index();
            let evidence = index.slice(premises.get(asked.premise).evidence);
            let speakers = document.division().speakers_of(&premises.spans(asked.premise));
            let of_speakers = speaker_fillings(claim, evidence, &all_speakers, &speakers);
            let all = [of_speakers, fillings(claim, evidence)].concat();
            for filling in chosen(all, &asked, is_supported) {
                let job = self.job(premises, asked, &filling)?;
                questions.extend(job.map(|job| Question { asked, filling, job }));
            }
        }
        let request = ContrastRequest { is_supported, questions };
        Ok(Some(request).filter(|request| !request.questions.is_empty()))
    }

    /// The pair of the premise and a changed claim; `None` if it exceeds the token limit and must not be truncated.
    fn job(&self, premises: &Premises, asked: Scored, filling: &Filling) -> Result<Option<Job>> {
        let (tokenizer, limit) = (self.engine.tokenizer(), self.rules.token_limit(asked.level));
        let premise = &premises.get(asked.premise).tokens;
        let hypothesis = tokenizer.hypothesis(&filling.claim)?;
        let fits = premise.len() + hypothesis.len() + tokenizer.special_tokens() <= limit;
        let truncation = match self.rules.overflow {
            Overflow::Split if !fits => return Ok(None),
            Overflow::Split => Truncation::Refuse,
            Overflow::Cut(truncation) => truncation,
        };
        Ok(Some(tokenizer.pair(premise, &hypothesis.ids, limit, truncation)?))
    }

    /// The outcomes of all fillings, by request; `None` when `on_event` stops the work.
    ///
    /// # Errors
    /// When the model fails.
    pub(crate) fn read(
        &self,
        requests: &[&ContrastRequest],
        on_event: &OnEvent<'_>,
    ) -> Result<Option<Vec<Vec<Outcome>>>> {
        let questions = requests.iter().flat_map(|request| &request.questions);
        let jobs: Vec<&Job> = questions.map(|question| &question.job).collect();
        let Some(outcomes) = self.engine.run(&jobs, on_event)? else { return Ok(None) };
        let mut outcomes = outcomes.into_iter();
        let of_request = |request: &&ContrastRequest| outcomes.by_ref().take(request.pairs()).collect();
        Ok(Some(requests.iter().map(of_request).collect()))
    }
}

/// The fillings that are worth reading with a premise, given its probabilities for the claim itself. Other names are
/// read with single sentences only: among the many names of a longer premise, another one is often nearly entailed.
fn chosen(all: Vec<Filling>, asked: &Scored, is_supported: bool) -> Vec<Filling> {
    let may_differ = may_be_replaced(&asked.probabilities);
    let is_sentence = asked.level == Level::Sentence;
    let is_wanted = |filling: &Filling| match filling.change {
        Change::Denial => is_supported,
        Change::Roles => may_differ && is_sentence || is_supported,
        Change::Name => may_differ && is_sentence && filling.presence != Presence::Sentence,
        Change::Speaker => true,
        // For a supported claim, values that its own sentence has near the claim's value.
        Change::Quantity | Change::Date => match filling.presence {
            Presence::Sentence => is_supported && filling.is_near,
            _ => may_differ,
        },
    };
    let (denial, others): (Vec<Filling>, Vec<Filling>) =
        all.into_iter().filter(is_wanted).partition(|filling| filling.change == Change::Denial);
    let most = if may_differ { MAX_FILLINGS } else { MAX_FILLINGS_OF_SUPPORTED };
    others.into_iter().take(most).chain(denial).collect()
}

impl ContrastRequest {
    /// The number of changed claims that are read.
    pub(crate) fn pairs(&self) -> usize {
        self.questions.len()
    }

    /// Evaluates the outcomes; `None` if the model's outputs are not finite.
    pub(crate) fn answer(
        &self,
        outcomes: &[Outcome],
        claim: AnsweredClaim<'_>,
        premises: &Premises,
    ) -> Option<Contrast> {
        let answer = |(Question { asked, filling, .. }, outcome): (&Question, &Outcome)| {
            let Scored { probabilities: own, level, .. } = *asked;
            Some(Answer { change: filling.change, own, level, entailment: outcome.as_ref()?.entailment })
        };
        let answers: Vec<Answer> = self.questions.iter().zip(outcomes).map(answer).collect::<Option<_>>()?;
        let Decision { instead, is_insensitive } = decide(self.is_supported, &answers);
        let found = |index: usize| self.questions[index].found(answers[index].gain(), &claim, premises);
        Some(Contrast { is_insensitive, instead: instead.map(found) })
    }
}

impl Question {
    /// The document's statement if this filling is stated instead of the claim.
    fn found(&self, gain: f32, of: &AnsweredClaim<'_>, premises: &Premises) -> Found {
        let Self { asked: Scored { premise, probabilities, .. }, filling, .. } = self;
        let AnsweredClaim { claim, read, summary } = *of;
        let read_text = TextIndex::new(&read.text);
        let [start, end] = [filling.span.start, filling.span.end].map(|byte| read_text.character(byte));
        let span = read.given(Span { start, end });
        let document = premises.document().index();
        let start = document.byte(premises.get(*premise).evidence.start);
        let [from, to] =
            [filling.source.start, filling.source.end].map(|byte| document.character(start + byte));
        let document_span = Span { start: from, end: to };
        let said = match filling.change {
            Change::Roles | Change::Denial | Change::Speaker => filling.text.clone(),
            _ => document.slice(document_span).to_owned(),
        };
        let holds =
            |sentence: &Span| sentence.start <= document_span.start && document_span.end <= sentence.end;
        let sentence = premises.spans(*premise).into_iter().find(holds).unwrap_or(document_span);
        let is_named = filling.change == Change::Name && is_named(&claim.text, span, premises);
        let instead = Instead {
            kind: filling.change.into(),
            span,
            text: span.slice(&claim.text).to_owned(),
            document: said,
            document_span,
            summary_span: summary_span(summary, claim, span).filter(|_| !is_named),
            gain,
            sources: Vec::new(),
        };
        Found { instead, contradiction: probabilities.contradiction, sentence }
    }
}

/// Whether the document has the name that is a part of a claim. The claim may say something else of one of them, so no
/// correction replaces it.
fn is_named(claim: &str, part: Span, premises: &Premises) -> bool {
    let text = part.slice(claim);
    premises.document_index().names().missing(text, &Name::whole(text)).is_empty()
}
