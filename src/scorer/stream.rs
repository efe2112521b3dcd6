//! Judges a text while it is written: the text arrives in pieces, and each sentence is judged as soon as it is
//! complete. The document is read once. A sentence is complete when the next one begins, or at the end of the text.
//!
//! Claims are extracted sentence by sentence. A sentence is judged once, so a later piece cannot change an earlier
//! verdict. Layout is interpreted as far as the text is written: a table is recognised by the line below its header.

use std::sync::Arc;

use serde::Serialize;

use super::call::Call;
use super::setup::Scorer;
use crate::claims::ClaimExtractor;
use crate::decide::over_claims;
use crate::error::{Error, Result};
use crate::input::{Document, Pair, PairLanguage, Sources, check_length, check_text};
use crate::premises::Premises;
use crate::result::{ClaimResult, NotClaim, PairResult};
use crate::schedule::{OnEvent, QueueClient, ignore_events, poll};
use crate::text::{NormalizedText, Span, Statements, TextIndex, go_on, read_alone, sentences, statements};
use crate::unjudged::Unjudged;

/// The text is split into sentences again when at least one part in this many of the text that is not judged is new.
const PARTS: usize = 64;

/// A sentence of the text so far, or a part of it that states nothing.
struct Sentence {
    span: Span,
    /// Its text as models read it; `None` if it states nothing.
    read: Option<String>,
}

/// A sentence that was judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JudgedSentence {
    /// Its text.
    pub text: String,
    /// Its span in the text so far, in Unicode characters.
    pub span: Span,
    /// Its claims, with `summary_spans` in the same text. Empty if the sentence states nothing.
    pub claims: Vec<ClaimResult>,
}

/// A text that is judged against one document while it is written.
///
/// ```
/// # #[cfg(feature = "bundled")] {
/// # use veridic::schedule::ignore_events;
/// let scorer = veridic::Scorer::builder("mini").build()?;
/// let mut stream = scorer.stream("The council met on Monday. It rejected the plan.")?;
/// for piece in ["The plan was ", "rejected. The may", "or resigned."] {
///     for sentence in stream.push(piece, &ignore_events)? {
///         println!("{}: {:?}", sentence.text, sentence.claims[0].verdict);
///     }
/// }
/// let (last, result) = stream.finish(&ignore_events)?;
/// assert_eq!((last[0].text.as_str(), result.claims.len()), ("The mayor resigned.", 2));
/// # }
/// # Ok::<(), veridic::Error>(())
/// ```
pub struct ScoreStream {
    scorer: Scorer,
    document: String,
    /// Its premises.
    premises: Premises,
    /// The document's sources, if it was joined from a list.
    sources: Option<Sources>,
    /// The text so far.
    text: String,
    /// Its number of characters.
    characters: usize,
    /// Its number of characters when it was last split into sentences and none was complete.
    split_at: usize,
    /// The character up to which sentences were judged.
    judged_until: usize,
    /// The judgements of sentences.
    parts: Vec<PairResult>,
    /// The parts that state nothing.
    others: Vec<NotClaim>,
}

impl Scorer {
    /// Starts judging a text against a document while the text is written.
    ///
    /// # Errors
    /// When the document cannot be judged, or the setting `claims` is `given`.
    pub fn stream(&self, document: &str) -> Result<ScoreStream> {
        self.stream_until(document, None, &ignore_events)
    }

    /// As [`Scorer::stream`], unless `on_event` stops the work. `sources`: those of a document joined by
    /// [`Sources::join`].
    ///
    /// # Errors
    /// As [`Scorer::stream`], and [`Error::Stopped`].
    pub fn stream_until(
        &self,
        document: &str,
        sources: Option<Sources>,
        on_event: &OnEvent<'_>,
    ) -> Result<ScoreStream> {
        if matches!(self.settings.claims, ClaimExtractor::Given) {
            let expected =
                "claims cannot be given for a text that is still being written; use sentence or t5";
            return Err(Error::setting("claims", "given", expected));
        }
        if !sources.as_ref().is_some_and(|sources| sources.list().is_empty()) {
            check_text("document", document)?;
        }
        let as_given = !self.settings.rules.layout;
        let (_, read) = Document::read(document, sources.as_ref(), as_given, &|| poll(on_event))?;
        let premises = self.premises(Arc::new(read), None, on_event)?;
        Ok(ScoreStream {
            scorer: self.clone(),
            document: document.to_owned(),
            premises,
            sources,
            text: String::new(),
            characters: 0,
            split_at: 0,
            judged_until: 0,
            parts: Vec::new(),
            others: Vec::new(),
        })
    }
}

impl ScoreStream {
    /// Sends all further work through this client of a shared queue.
    pub fn set_queue(&mut self, client: QueueClient) {
        self.scorer.engine.queue = Some(client);
    }

    /// Adds a piece of the text and judges the sentences that it completes.
    ///
    /// # Errors
    /// When a claim is too long, the text exceeds the length limit, or the model fails, and [`Error::Stopped`] when
    /// `on_event` stops the work. The piece stays added, and its sentences are judged by the next call.
    pub fn push(&mut self, piece: &str, on_event: &OnEvent<'_>) -> Result<Vec<JudgedSentence>> {
        if !self.add(piece)? {
            return Ok(Vec::new());
        }
        let mut open = self.open_sentences();
        open.truncate(self.complete(&open));
        self.judge_sentences(open, on_event)
    }

    /// Adds a piece of the text and returns whether a sentence is complete, which the next [`ScoreStream::push`]
    /// judges.
    ///
    /// # Errors
    /// When the text exceeds the length limit.
    pub fn add(&mut self, piece: &str) -> Result<bool> {
        self.text.push_str(piece);
        self.characters += piece.chars().count();
        check_length("summary", self.characters)?;
        // Split again only after a certain share of new text, so that a long unfinished sentence costs little. A
        // complete sentence is found again until it is judged.
        if self.characters - self.split_at < (self.characters - self.judged_until) / PARTS {
            return Ok(false);
        }
        let is_complete = self.complete(&self.open_sentences()) > 0;
        self.split_at = if is_complete { self.judged_until } else { self.characters };
        Ok(is_complete)
    }

    /// Judges the rest of the text. Returns its sentences, and the result of the whole text.
    ///
    /// # Errors
    /// As [`ScoreStream::push`], and when the text has no words.
    pub fn finish(&mut self, on_event: &OnEvent<'_>) -> Result<(Vec<JudgedSentence>, PairResult)> {
        let open = self.open_sentences();
        let last = self.judge_sentences(open, on_event)?;
        check_text("summary", &self.text)?;
        if self.parts.is_empty() {
            // A text that states nothing is judged as a whole.
            let whole = self.score(&[&self.text], on_event).swap_remove(0)?;
            return Ok((last, whole));
        }
        let result = self.result()?;
        Ok((last, result))
    }

    /// The sentences that are not judged yet.
    fn open_sentences(&self) -> Vec<Sentence> {
        let found = if self.scorer.settings.rules.layout {
            let speakers = self.premises.document().division().speakers();
            let Ok(found) = statements(&self.text, &speakers, &go_on);
            found
        } else {
            Statements { read: NormalizedText::of(&self.text), asides: Vec::new(), others: Vec::new() }
        };
        let index = TextIndex::new(found.read.text());
        let stated = sentences(found.read.text()).into_iter().map(|span| {
            let read = Some(index.slice(span).to_owned()).filter(|read| read.contains(char::is_alphanumeric));
            Sentence { span: found.read.given_span(span), read }
        });
        let given = found.read.given();
        let aside = |span: &Span| Sentence { span: *span, read: Some(read_alone(given.slice(*span))) };
        let asides = found.asides.iter().map(aside);
        let others = found.others.iter().map(|span| Sentence { span: *span, read: None });
        let mut all: Vec<Sentence> = stated.chain(asides).chain(others).collect();
        all.retain(|sentence| sentence.span.start >= self.judged_until);
        all.sort_by_key(|sentence| sentence.span);
        all
    }

    /// The number of open sentences that are complete: all except the last one, and up to a table row whose next line
    /// is unfinished.
    fn complete(&self, open: &[Sentence]) -> usize {
        let index = TextIndex::new(&self.text);
        let is_row = |sentence: &Sentence| {
            let after = index.slice(Span { start: sentence.span.start, end: index.characters() });
            after.starts_with('|') && after.matches('\n').count() < 2
        };
        let closed = &open[..open.len().saturating_sub(1)];
        closed.iter().position(is_row).unwrap_or(closed.len())
    }

    fn judge_sentences(
        &mut self,
        open: Vec<Sentence>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<JudgedSentence>> {
        let Some(last) = open.last().map(|sentence| sentence.span.end) else { return Ok(Vec::new()) };
        let index = TextIndex::new(&self.text);
        let text = |span: Span| index.slice(span).to_owned();
        let stated: Vec<(Span, &String)> =
            open.iter().filter_map(|sentence| Some((sentence.span, sentence.read.as_ref()?))).collect();
        let texts: Vec<&str> = stated.iter().map(|(_, read)| read.as_str()).collect();
        let mut results = self.score(&texts, on_event).into_iter().collect::<Result<Vec<_>>>()?;
        for ((span, read), result) in stated.iter().zip(&mut results) {
            let is_as_given = index.slice(*span) == read.as_str();
            result.claims.iter_mut().for_each(|claim| relocate(claim, *span, is_as_given));
        }
        let mut of_sentences = results.iter();
        let judged = |sentence: &Sentence| {
            let claims = sentence.read.as_ref().and_then(|_| of_sentences.next());
            let claims = claims.map_or_else(Vec::new, |result| result.claims.clone());
            JudgedSentence { text: text(sentence.span), span: sentence.span, claims }
        };
        let judged: Vec<JudgedSentence> = open.iter().map(judged).collect();
        let others = open.iter().filter(|sentence| sentence.read.is_none());
        let others = others.filter(|sentence| index.slice(sentence.span).contains(char::is_alphanumeric));
        self.others
            .extend(others.map(|sentence| NotClaim { text: text(sentence.span), span: sentence.span }));
        self.parts.extend(results);
        self.judged_until = last;
        Ok(judged)
    }

    /// Judges texts against the document.
    fn score(&self, texts: &[&str], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        let sources = self.sources.as_ref();
        let pairs = texts.iter().map(|text| Pair { sources, ..Pair::new(&self.document, text) });
        let pairs: Vec<Pair<'_>> = pairs.collect();
        self.scorer.judge(&pairs, &Call { known: Some(&self.premises), ..Call::new(on_event) })
    }

    /// The result of the whole text, combined from those of its sentences.
    fn result(&self) -> Result<PairResult> {
        let language =
            PairLanguage::of(self.scorer.settings.rules.languages.as_deref(), &self.document, &self.text)
                .languages;
        let mut parts = self.parts.iter().cloned();
        let mut whole = parts.next().ok_or(Error::Stopped)?;
        for part in parts {
            whole.claims.extend(part.claims);
            whole.ledger.add(&part.ledger);
        }
        whole.not_claims.clone_from(&self.others);
        whole.unjudged = whole.unjudged.map(|_| {
            let refusals =
                self.others.iter().filter(|other| other.verdict().is_some()).map(|other| other.span);
            let claims = whole.claims.iter().flat_map(|claim| claim.summary_spans.iter().copied());
            Unjudged::of(&self.text, &claims.chain(refusals).collect::<Vec<_>>())
        });
        whole.ledger.language = language;
        whole.ledger.characters_replaced =
            NormalizedText::of(&self.document).replaced() + NormalizedText::of(&self.text).replaced();
        let given = whole.claims.iter().map(ClaimResult::claim_verdict).collect();
        let verdicts = over_claims(given, self.scorer.settings.rules.over_claims);
        (whole.score, whole.verdict, whole.reason) = (verdicts.score, verdicts.verdict, verdicts.reason);
        Ok(whole)
    }
}

/// Maps the spans of a sentence's claim to the whole text. If the sentence is not read as written, the claim covers all
/// of it.
fn relocate(claim: &mut ClaimResult, sentence: Span, is_as_given: bool) {
    let shift = |span: &mut Span| {
        *span = Span { start: span.start + sentence.start, end: span.end + sentence.start };
    };
    if is_as_given {
        claim.summary_spans.iter_mut().for_each(shift);
    } else {
        claim.summary_spans = vec![sentence];
    }
    if let Some(instead) = &mut claim.instead {
        match &mut instead.summary_span {
            Some(span) if is_as_given => shift(span),
            span => *span = None,
        }
    }
}
