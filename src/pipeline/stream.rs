//! Judges a text while it is written: it comes in pieces, and each sentence is judged as soon as it is complete. The
//! document is read once. A sentence is complete when the next one begins, or at the end of the text.
//!
//! Claims are extracted sentence by sentence. A sentence is judged once, so a later piece cannot change an earlier verdict.

use std::sync::Arc;

use serde::Serialize;

use super::claims::ClaimExtractor;
use super::input::{Pair, check_text};
use super::premises::PremiseSet;
use super::result::{ClaimResult, PairResult};
use super::scorer::Scorer;
use super::verdict::{Verdict, pool};
use crate::error::{Error, Result};
use crate::schedule::{OnEvent, QueueClient};
use veridic_text::{NormalizedText, Span, TextIndex, sentences};

/// A document whose premises were made before.
pub(super) struct ReadDocument {
    /// Its normalised text.
    pub(super) text: String,
    pub(super) premises: PremiseSet,
}

/// A sentence that was judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JudgedSentence {
    /// Its text.
    pub text: String,
    /// Its span in the text that was pushed so far, in Unicode characters.
    pub span: Span,
    /// Its claims; their `summary_spans` are spans of that text too. None where the sentence has no word.
    pub claims: Vec<ClaimResult>,
}

/// A text that is judged against one document while it is written.
///
/// ```
/// # #[cfg(feature = "bundled")] {
/// # use veridic::progress::ignore_events;
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
    /// The scorer, with the document.
    scorer: Scorer,
    document: String,
    /// What was pushed so far.
    text: String,
    /// The characters of it up to which sentences were judged.
    judged_until: usize,
    /// The judgements of sentences.
    parts: Vec<PairResult>,
}

impl Scorer {
    /// Begins to judge a text against a document while the text is written.
    ///
    /// # Errors
    /// A document that cannot be judged, and settings by which claims are given.
    pub fn stream(&self, document: &str) -> Result<ScoreStream> {
        if matches!(self.settings.claims, ClaimExtractor::Given) {
            let expected =
                "claims of a text that is still written cannot be given; use sentence, clause or t5";
            return Err(Error::setting("claims", "given", expected));
        }
        check_text("document", document)?;
        let text = NormalizedText::of(document).text().to_owned();
        let premises = self.premises((&text, None))?.into_set();
        let scorer = Self { document: Some(Arc::new(ReadDocument { text, premises })), ..self.clone() };
        let (document, text) = (document.to_owned(), String::new());
        Ok(ScoreStream { scorer, document, text, judged_until: 0, parts: Vec::new() })
    }
}

impl ScoreStream {
    /// Sends its work from now on through this client of a shared queue.
    #[doc(hidden)]
    pub fn set_queue(&mut self, client: QueueClient) {
        self.scorer.queue = Some(client);
    }

    /// Adds a piece of the text and judges the sentences that are complete by it.
    ///
    /// # Errors
    /// A claim that is too long, a text over the length limit, a model that fails, and [`Error::Stopped`] when `on_event`
    /// ends the work. The piece stays added, and its sentences are judged by the next call.
    pub fn push(&mut self, piece: &str, on_event: &OnEvent<'_>) -> Result<Vec<JudgedSentence>> {
        self.text.push_str(piece);
        let open = self.open_sentences();
        let complete = open.len().saturating_sub(1);
        self.judge_sentences(&open[..complete], on_event)
    }

    /// Adds a piece of the text and says whether a sentence is complete by it, which the next [`ScoreStream::push`] judges.
    pub fn add(&mut self, piece: &str) -> bool {
        self.text.push_str(piece);
        self.open_sentences().len() > 1
    }

    /// Judges the rest of the text. Returns its sentences, and the result of the whole text.
    ///
    /// # Errors
    /// As [`ScoreStream::push`], and a text without words.
    pub fn finish(&mut self, on_event: &OnEvent<'_>) -> Result<(Vec<JudgedSentence>, PairResult)> {
        let open = self.open_sentences();
        let last = self.judge_sentences(&open, on_event)?;
        check_text("summary", &self.text)?;
        let result = self.result()?;
        Ok((last, result))
    }

    /// The spans of the sentences that were not judged.
    fn open_sentences(&self) -> Vec<Span> {
        let all = sentences(&self.text).into_iter();
        all.filter(|sentence| sentence.start >= self.judged_until).collect()
    }

    fn judge_sentences(&mut self, spans: &[Span], on_event: &OnEvent<'_>) -> Result<Vec<JudgedSentence>> {
        let Some(last) = spans.last() else { return Ok(Vec::new()) };
        let index = TextIndex::new(&self.text);
        let texts: Vec<&str> = spans.iter().map(|span| index.slice(*span)).collect();
        let with_words: Vec<&str> =
            texts.iter().copied().filter(|text| text.chars().any(char::is_alphanumeric)).collect();
        let pairs: Vec<Pair<'_>> = with_words.iter().map(|text| Pair::new(&self.document, text)).collect();
        let results = self.scorer.score_batch(&pairs, on_event).into_iter().collect::<Result<Vec<_>>>()?;
        let mut results = results.into_iter();
        let mut judged = Vec::with_capacity(spans.len());
        for (span, text) in spans.iter().zip(&texts) {
            let has_words = text.chars().any(char::is_alphanumeric);
            let result = if has_words { results.next() } else { None };
            let claims = result.map_or_else(Vec::new, |mut result| {
                result.claims.iter_mut().for_each(|claim| shift(claim, span.start));
                let claims = result.claims.clone();
                self.parts.push(result);
                claims
            });
            judged.push(JudgedSentence { text: (*text).to_owned(), span: *span, claims });
        }
        self.judged_until = last.end;
        Ok(judged)
    }

    /// The result of the whole text, from those of its sentences.
    fn result(&self) -> Result<PairResult> {
        let language = self.scorer.pair_language(&self.document, &self.text).languages;
        let mut parts = self.parts.iter().cloned();
        let mut whole = parts.next().ok_or(Error::Stopped)?;
        for part in parts {
            whole.claims.extend(part.claims);
            whole.reason = whole.reason.or(part.reason);
            whole.ledger.add(&part.ledger);
        }
        whole.ledger.language = language;
        whole.ledger.characters_replaced =
            NormalizedText::of(&self.document).replaced() + NormalizedText::of(&self.text).replaced();
        whole.score = pool(self.scorer.over_claims(), whole.claims.iter().map(|claim| claim.score));
        whole.verdict = Verdict::of_summary(whole.claims.iter().map(|claim| claim.verdict));
        whole.reason = whole.reason.filter(|_| whole.verdict == Verdict::Unsupported);
        Ok(whole)
    }
}

/// Moves the spans of a claim of a sentence to the text that the sentence is in.
fn shift(claim: &mut ClaimResult, by: usize) {
    let shift = |span: &mut Span| *span = Span { start: span.start + by, end: span.end + by };
    claim.summary_spans.iter_mut().for_each(shift);
    if let Some(span) = claim.instead.as_mut().and_then(|instead| instead.summary_span.as_mut()) {
        shift(span);
    }
}
