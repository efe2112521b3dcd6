//! Judges a text while it is written: it comes in pieces, and each sentence is judged as soon as it is complete. The
//! document is read once. A sentence is complete when the next one begins, or at the end of the text.
//!
//! Claims are extracted sentence by sentence. A sentence is judged once, so a later piece cannot change an earlier verdict.

use std::sync::Arc;

use serde::Serialize;

use super::Scorer;
use crate::claims::ClaimExtractor;
use crate::decide::over_claims;
use crate::error::{Error, Result};
use crate::input::{Pair, PairLanguage, Sources, check_length, check_text};
use crate::premises::PremiseSet;
use crate::result::{ClaimResult, PairResult};
use crate::schedule::{OnEvent, QueueClient, ignore_events};
use veridic_text::{NormalizedText, Span, TextIndex, sentences};

/// The text is split into sentences again when the sentence that is open has grown by one part in so many.
const PARTS: usize = 64;

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
    /// The document's sources, where it was joined from a list.
    sources: Option<Sources>,
    /// What was pushed so far.
    text: String,
    /// Its characters.
    characters: usize,
    /// Its characters when it was last split into sentences without a complete one.
    split_at: usize,
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
        self.stream_until(document, &ignore_events)
    }

    /// [`Scorer::stream`], unless `on_event` ends the work.
    ///
    /// # Errors
    /// As [`Scorer::stream`], and [`Error::Stopped`].
    #[doc(hidden)]
    pub fn stream_until(&self, document: &str, on_event: &OnEvent<'_>) -> Result<ScoreStream> {
        if matches!(self.settings.claims, ClaimExtractor::Given) {
            let expected =
                "claims of a text that is still written cannot be given; use sentence, clause or t5";
            return Err(Error::setting("claims", "given", expected));
        }
        check_text("document", document)?;
        let text = NormalizedText::of(document).text().to_owned();
        let premises = self.preparing().premises((&text, None), on_event)?.into_set();
        let scorer = Self { document: Some(Arc::new(ReadDocument { text, premises })), ..self.clone() };
        Ok(ScoreStream {
            scorer,
            document: document.to_owned(),
            sources: None,
            text: String::new(),
            characters: 0,
            split_at: 0,
            judged_until: 0,
            parts: Vec::new(),
        })
    }
}

impl ScoreStream {
    /// Says which of its sources evidence is in, for a document that [`Sources::join`] made.
    #[must_use]
    pub fn with_sources(self, sources: Sources) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// Sends its work from now on through this client of a shared queue.
    #[doc(hidden)]
    pub fn set_queue(&mut self, client: QueueClient) {
        self.scorer.engine.queue = Some(client);
    }

    /// Adds a piece of the text and judges the sentences that are complete by it.
    ///
    /// # Errors
    /// A claim that is too long, a text over the length limit, a model that fails, and [`Error::Stopped`] when `on_event`
    /// ends the work. The piece stays added, and its sentences are judged by the next call.
    pub fn push(&mut self, piece: &str, on_event: &OnEvent<'_>) -> Result<Vec<JudgedSentence>> {
        if !self.add(piece)? {
            return Ok(Vec::new());
        }
        let open = self.open_sentences();
        self.judge_sentences(&open[..open.len() - 1], on_event)
    }

    /// Adds a piece of the text and says whether a sentence is complete, which the next [`ScoreStream::push`] judges.
    ///
    /// # Errors
    /// A text over the length limit.
    pub fn add(&mut self, piece: &str) -> Result<bool> {
        self.text.push_str(piece);
        self.characters += piece.chars().count();
        check_length("summary", self.characters)?;
        // Split again when a part of what is open has come, so that a long text without an end costs little. Until a
        // complete sentence is judged it is found again.
        if self.characters - self.split_at < (self.characters - self.judged_until) / PARTS {
            return Ok(false);
        }
        let is_complete = self.open_sentences().len() > 1;
        self.split_at = if is_complete { self.judged_until } else { self.characters };
        Ok(is_complete)
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
        let sentence = |span: &Span| JudgedSentence {
            text: index.slice(*span).to_owned(),
            span: *span,
            claims: Vec::new(),
        };
        let mut judged: Vec<JudgedSentence> = spans.iter().map(sentence).collect();
        let has_words = |sentence: &JudgedSentence| sentence.text.chars().any(char::is_alphanumeric);
        let mut with_words: Vec<&mut JudgedSentence> =
            judged.iter_mut().filter(|sentence| has_words(sentence)).collect();
        let (document, sources) = (&self.document, self.sources.as_ref());
        let pair = |sentence| Pair { sources, ..Pair::new(document, sentence) };
        let pairs: Vec<Pair<'_>> = with_words.iter().map(|sentence| pair(&sentence.text)).collect();
        let mut results =
            self.scorer.score_batch(&pairs, on_event).into_iter().collect::<Result<Vec<_>>>()?;
        for (sentence, result) in with_words.iter_mut().zip(&mut results) {
            result.claims.iter_mut().for_each(|claim| shift(claim, sentence.span.start));
            sentence.claims.clone_from(&result.claims);
        }
        self.parts.extend(results);
        self.judged_until = last.end;
        Ok(judged)
    }

    /// The result of the whole text, from those of its sentences.
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
        whole.ledger.language = language;
        whole.ledger.characters_replaced =
            NormalizedText::of(&self.document).replaced() + NormalizedText::of(&self.text).replaced();
        let given = whole.claims.iter().map(ClaimResult::given).collect();
        let verdicts = over_claims(given, self.scorer.settings.rules.over_claims);
        (whole.score, whole.verdict, whole.reason) = (verdicts.score, verdicts.verdict, verdicts.reason);
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
