//! The premises of one document: its sentences, windows and the whole, each with the text that
//! the model reads, the span that stands as evidence, and its tokens.
//!
//! A premise that does not fit beside a claim is split here, when the profile says so: into
//! overlapping runs of whole sentences, and a sentence that is too long by itself into overlapping
//! runs of tokens. Nothing of the document is lost by that. Which pieces there are depends on the
//! document, the claim's length and the settings alone.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use veridic_models::store::ChunkUnit;
use veridic_models::{PairTokenizer, Result, TextTokens};

use super::align::{Alignment, PremiseId, Scored, Waves};
use super::coref::{Cluster, CorefResolver, Rewriting, Substitution, rewritings};
use super::evidence::{Document, Facts, Looked, QuantityConflict, is_about, quantity_conflict};
use super::input::given_sentences;
use super::premise_order::TokenCounts;
use super::profile::{Chunks, Level, Profile, Screen, Thresholds, WindowRule};
use veridic_text::{Span, TextIndex, Wording, packed, sentences, window_span, windows};

/// Fewest tokens that a piece of a split premise may have; a claim that leaves less room is too
/// long.
pub const MIN_PIECE_TOKENS: usize = 8;

/// What the model reads as a premise.
#[derive(Debug, Clone)]
pub struct Premise {
    /// The document's own text that it stands for.
    pub evidence: Span,
    /// Its tokens.
    pub tokens: TextTokens,
    /// The sentences that it covers.
    sentences: Range<usize>,
    /// What was replaced in it, if it is a rewritten sentence.
    pub substitution: Option<Substitution>,
}

/// Everything that can be a premise of one document. Clones share who is who.
#[derive(Clone)]
pub struct Premises<'d> {
    document: TextIndex<'d>,
    sentences: Vec<Span>,
    list: Vec<Premise>,
    levels: Vec<(Level, Range<usize>)>,
    counts: TokenCounts,
    /// Pieces of a premise under a token budget.
    pieces: HashMap<(usize, usize), Vec<PremiseId>>,
    /// Who is who; found when a claim first asks for it.
    clusters: Arc<OnceLock<Vec<Cluster>>>,
    /// What of the document is looked up; read when a claim first looks for its own.
    looked_up: Arc<OnceLock<Document>>,
    /// Rewritings of a sentence.
    rewritings: HashMap<PremiseId, Vec<PremiseId>>,
    rewritings_left_out: usize,
}

impl<'d> Premises<'d> {
    /// Finds and tokenizes the premises that the profile asks for; `given`: the document's sentences, where they are.
    ///
    /// # Errors
    /// When the tokenizer fails, or the document does not hold the given sentences.
    pub fn read(
        document: &'d str,
        given: Option<&[String]>,
        profile: &Profile,
        tokenizer: &PairTokenizer,
    ) -> crate::Result<Self> {
        let document = TextIndex::new(document);
        let sentences = match given {
            Some(given) => given_sentences(&document, given)?,
            None => sentences(document.text()),
        };
        let windows = windows_of(profile, &document, &sentences, tokenizer)?;
        let plan = plan(profile, &document, &sentences, &windows);
        let mut levels: Vec<(Level, Range<usize>)> = Vec::new();
        for (index, (level, ..)) in plan.iter().enumerate() {
            match levels.last_mut() {
                Some((last, range)) if last == level => range.end = index + 1,
                _ => levels.push((*level, index..index + 1)),
            }
        }
        let list: Vec<Premise> = plan
            .into_par_iter()
            .map(|(_, evidence, sentences, text)| {
                let tokens = match text {
                    Some(joined) => tokenizer.text(&joined)?,
                    None => tokenizer.text(document.slice(evidence))?,
                };
                Ok(Premise { evidence, tokens, sentences, substitution: None })
            })
            .collect::<Result<_>>()?;
        let counts = TokenCounts::of(list.iter().map(|premise| &premise.tokens.ids[..]));
        Ok(Self {
            document,
            sentences,
            list,
            levels,
            counts,
            pieces: HashMap::new(),
            clusters: Arc::default(),
            looked_up: Arc::default(),
            rewritings: HashMap::new(),
            rewritings_left_out: 0,
        })
    }

    /// The document.
    pub fn document(&self) -> &TextIndex<'d> {
        &self.document
    }

    /// Number of its sentences.
    pub fn sentence_count(&self) -> usize {
        self.sentences.len()
    }

    /// A premise.
    pub fn get(&self, id: PremiseId) -> &Premise {
        &self.list[id.0]
    }

    /// Where the sentences of a premise stand; of a sentence in pieces, this piece.
    pub fn spans(&self, id: PremiseId) -> Vec<Span> {
        let Premise { evidence, sentences, .. } = self.get(id);
        let inside = |sentence: &Span| Span {
            start: sentence.start.max(evidence.start),
            end: sentence.end.min(evidence.end),
        };
        let parts = self.sentences[sentences.clone()].iter().map(inside);
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The premises of each level as they are, for a profile that cuts.
    pub fn whole(&self) -> Waves {
        self.levels.iter().map(|(level, range)| (*level, range.clone().map(PremiseId).collect())).collect()
    }

    /// The premises of each level in pieces of at most `budget(level)` tokens, which is at least
    /// [`MIN_PIECE_TOKENS`].
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn within(&mut self, budget: impl Fn(Level) -> usize, tokenizer: &PairTokenizer) -> Result<Waves> {
        let mut waves = Vec::new();
        for (level, range) in self.levels.clone() {
            let budget = budget(level);
            let mut wave = Vec::new();
            for index in range {
                if self.list[index].tokens.len() <= budget {
                    wave.push(PremiseId(index));
                    continue;
                }
                wave.extend(self.split(index, budget, tokenizer)?);
            }
            waves.push((level, wave));
        }
        Ok(waves)
    }

    /// How many premises did not fit beside some claim and were split.
    pub fn split_count(&self) -> usize {
        let split: HashSet<usize> = self.pieces.keys().map(|(index, _)| *index).collect();
        split.len()
    }

    /// The waves of one claim with the most promising premises first, of each level no more than the screen lets through.
    pub fn in_order(&self, waves: Waves, claim: &TextTokens, screen: Option<Screen>) -> Waves {
        let most = |level| screen.map_or(usize::MAX, |screen| screen.most(level));
        self.counts.order(waves, &claim.ids, most, |id| &self.get(id).tokens.ids)
    }

    /// How many rewritings of sentences were too many.
    pub fn rewritings_left_out(&self) -> usize {
        self.rewritings_left_out
    }

    /// The rewritings of a sentence under other names. A piece of a sentence has none.
    ///
    /// # Errors
    /// When the resolver or the tokenizer fails.
    pub fn rewrite(
        &mut self,
        sentence: PremiseId,
        how: Rewriting,
        resolver: &CorefResolver,
        tokenizer: &PairTokenizer,
    ) -> crate::Result<Vec<PremiseId>> {
        if let Some(known) = self.rewritings.get(&sentence) {
            return Ok(known.clone());
        }
        let Premise { evidence, sentences, .. } = self.get(sentence).clone();
        let mut ids = Vec::new();
        if self.sentences.get(sentences.start) == Some(&evidence) {
            let clusters = self.clusters(resolver)?;
            let rewritings = rewritings(&self.document, evidence, clusters, how);
            self.rewritings_left_out += rewritings.left_out;
            for substitution in rewritings.list {
                let tokens = tokenizer.text(&substitution.rewritten)?;
                let (sentences, substitution) = (sentences.clone(), Some(substitution));
                ids.push(PremiseId(self.list.len()));
                self.list.push(Premise { evidence, tokens, sentences, substitution });
            }
        }
        self.rewritings.insert(sentence, ids.clone());
        Ok(ids)
    }

    /// What was found for a claim that came to `alignment`.
    pub fn facts(&self, claim: &str, alignment: &Alignment) -> Facts {
        let document = self.looked_up();
        let is_sentence = |scored: &&Scored| matches!(scored.level, Level::Sentence | Level::Coref);
        let sentences = alignment.levels.iter().filter(is_sentence);
        let sentence = sentences.reduce(|best, other| if other.score > best.score { other } else { best });
        let premise = self.wording_of(alignment.best.premise);
        let sentence = sentence.map_or_else(|| premise.clone(), |scored| self.wording_of(scored.premise));
        let claim = Wording::of(claim);
        Facts::of(alignment, &Looked { claim: &claim, premise: &premise, sentence: &sentence, document })
    }

    /// The sentence that contradicts the claim: one that gives a quantity of it otherwise, where `by_quantity` says to look;
    /// else, of those that are about it, the one that does so most by the model, if above the limit.
    pub fn counter(
        &self,
        claim: &str,
        alignment: &Alignment,
        thresholds: &Thresholds,
        by_quantity: bool,
    ) -> Option<(Scored, Option<QuantityConflict>)> {
        let claim = Wording::of(claim);
        let otherwise = |scored: &Scored| {
            let document = self.looked_up().quantities();
            let sentence = self.wording_of(scored.premise);
            Some((*scored, Some(quantity_conflict(&claim, &sentence, document, thresholds.shared_words)?)))
        };
        let by_quantity = by_quantity.then(|| alignment.contradicting.iter().find_map(otherwise)).flatten();
        let contradicts = |scored: &&Scored| scored.probabilities.contradiction > thresholds.contradicted;
        let is_about = |scored: &&Scored| {
            is_about(&claim.words, &self.wording_of(scored.premise).words, thresholds.shared_words)
        };
        let by_model = || alignment.contradicting.iter().take_while(contradicts).find(is_about);
        by_quantity.or_else(|| by_model().map(|scored| (*scored, None)))
    }

    /// Where the claim has quantities that are nowhere in the document, as byte offsets.
    pub fn quantities_nowhere(&self, claim: &str) -> Vec<Range<usize>> {
        let claim = Wording::of(claim);
        claim.quantities.nowhere_in(self.looked_up().quantities()).map(|(place, _)| place).collect()
    }

    /// What of the document is looked up.
    fn looked_up(&self) -> &Document {
        self.looked_up.get_or_init(|| Document::of(self.document.text()))
    }

    /// The wording of a premise as the model read it.
    fn wording_of(&self, id: PremiseId) -> Wording<'_> {
        let premise = self.get(id);
        let rewritten = premise.substitution.as_ref().map(|substitution| substitution.rewritten.as_str());
        Wording::of(rewritten.unwrap_or_else(|| self.document.slice(premise.evidence)))
    }

    /// Who is who in the document. Two threads that ask at once find the same, each for itself.
    fn clusters(&self, resolver: &CorefResolver) -> crate::Result<&[Cluster]> {
        if let Some(known) = self.clusters.get() {
            return Ok(known);
        }
        let found = resolver.clusters(&self.document, &self.sentences)?;
        Ok(self.clusters.get_or_init(|| found))
    }

    fn split(&mut self, index: usize, budget: usize, tokenizer: &PairTokenizer) -> Result<Vec<PremiseId>> {
        if let Some(known) = self.pieces.get(&(index, budget)) {
            return Ok(known.clone());
        }
        let sentences = self.list[index].sentences.clone();
        let mut ids = Vec::new();
        for (evidence, sentences) in self.runs(sentences, budget, tokenizer)? {
            let tokens = tokenizer.text(self.document.slice(evidence))?;
            ids.push(PremiseId(self.list.len()));
            self.list.push(Premise { evidence, tokens, sentences, substitution: None });
        }
        self.pieces.insert((index, budget), ids.clone());
        Ok(ids)
    }

    /// Runs of whole sentences within the budget, each beginning with the last sentence of the one
    /// before; a sentence over the budget stands alone, in runs of tokens.
    fn runs(
        &self,
        range: Range<usize>,
        budget: usize,
        tokenizer: &PairTokenizer,
    ) -> Result<Vec<(Span, Range<usize>)>> {
        let mut runs = Vec::new();
        let (mut start, mut covered) = (range.start, range.start);
        while start < range.end {
            let end = self.longest_run(start..range.end, budget, tokenizer)?;
            if end == start {
                let pieces = self.token_runs(self.sentences[start], budget, tokenizer)?;
                runs.extend(pieces.into_iter().map(|span| (span, start..start + 1)));
                start += 1;
                continue;
            }
            if end > covered {
                let run = start..end;
                runs.extend(window_span(&self.sentences, &run).map(|span| (span, run)));
                covered = end;
            }
            start = if end < range.end && end - start > 1 { end - 1 } else { end };
        }
        Ok(runs)
    }

    /// The end of the longest run from `range.start` on that fits; `range.start` if not even one
    /// sentence does.
    fn longest_run(&self, range: Range<usize>, budget: usize, tokenizer: &PairTokenizer) -> Result<usize> {
        let mut end = range.start;
        let mut estimate = 0;
        while end < range.end {
            estimate += tokenizer.text(self.document.slice(self.sentences[end]))?.len();
            if estimate > budget {
                break;
            }
            end += 1;
        }
        // Joined text may have more tokens than its sentences one by one; shrink until it fits.
        while let Some(span) = window_span(&self.sentences, &(range.start..end)) {
            if tokenizer.text(self.document.slice(span))?.len() <= budget {
                break;
            }
            end -= 1;
        }
        Ok(end)
    }

    /// Spans of at most `budget` tokens over one sentence, overlapping by a quarter.
    fn token_runs(&self, sentence: Span, budget: usize, tokenizer: &PairTokenizer) -> Result<Vec<Span>> {
        let tokens = tokenizer.text(self.document.slice(sentence))?;
        let at = |offset: usize| sentence.start + offset;
        let mut spans = Vec::new();
        let mut first = 0;
        while first < tokens.len() {
            let mut last = (first + budget).min(tokens.len()) - 1;
            let mut span = Span { start: at(tokens.spans[first].0), end: at(tokens.spans[last].1) };
            // A cut inside a word can change its tokens; shrink until it fits.
            while last > first && tokenizer.text(self.document.slice(span))?.len() > budget {
                last -= 1;
                span.end = at(tokens.spans[last].1);
            }
            spans.push(span);
            if last + 1 == tokens.len() {
                break;
            }
            first = (last + 1 - (budget / 4).min(last - first)).max(first + 1);
        }
        Ok(spans)
    }
}

/// Level, evidence, sentences, and the text where it is not the evidence itself.
type Planned = (Level, Span, Range<usize>, Option<String>);

/// The windows that the profile asks for, as ranges of sentences.
fn windows_of(
    profile: &Profile,
    document: &TextIndex<'_>,
    sentences: &[Span],
    tokenizer: &PairTokenizer,
) -> Result<Vec<Range<usize>>> {
    if !profile.has(Level::Window) && profile.window_rule != WindowRule::Joined {
        return Ok(Vec::new());
    }
    let mut windows = match profile.window_rule {
        WindowRule::Packed(Chunks { size, unit, .. }) => {
            let units = |span: &Span| match unit {
                ChunkUnit::Tokens => Ok(tokenizer.text(document.slice(*span))?.len()),
                ChunkUnit::Words => Ok(text_words(document.slice(*span))),
            };
            packed(&sentences.iter().map(units).collect::<Result<Vec<_>>>()?, size)
        }
        _ => windows(sentences.len(), profile.window, profile.stride),
    };
    if profile.window_rule == WindowRule::Joined {
        windows.retain(|window| window.start.is_multiple_of(profile.stride.get()));
    }
    Ok(windows)
}

/// The texts in which a checker that reads `chunks` would read the document.
///
/// # Errors
/// When the tokenizer fails.
pub fn chunk_texts(document: &str, chunks: Chunks, tokenizer: &PairTokenizer) -> Result<Vec<String>> {
    let window_rule = WindowRule::Packed(chunks);
    let profile = Profile { levels: vec![Level::Window], window_rule, ..Profile::veridic() };
    let document = TextIndex::new(document);
    let sentences = sentences(document.text());
    let windows = windows_of(&profile, &document, &sentences, tokenizer)?;
    let plan = plan(&profile, &document, &sentences, &windows).into_iter();
    let text = |(_, evidence, _, text): Planned| text.unwrap_or_else(|| document.slice(evidence).to_owned());
    Ok(plan.map(text).collect())
}

/// Words and punctuation marks, as a tokenizer for people's words counts them.
fn text_words(text: &str) -> usize {
    veridic_models::words(text).into_iter().filter(|word| !text[word.clone()].trim().is_empty()).count()
}

fn plan(
    profile: &Profile,
    document: &TextIndex<'_>,
    sentences: &[Span],
    windows: &[Range<usize>],
) -> Vec<Planned> {
    let all = 0..sentences.len();
    let separator = match profile.window_rule {
        WindowRule::Slices => None,
        WindowRule::Joined => Some(" "),
        WindowRule::Packed(Chunks { separator, .. }) => Some(separator),
    };
    let joined = profile.window_rule == WindowRule::Joined;
    let only_one_window = windows.len() <= 1;
    let mut plan = Vec::new();
    for level in &profile.levels {
        match level {
            Level::Sentence => {
                plan.extend(sentences.iter().enumerate().map(|(i, span)| (*level, *span, i..i + 1, None)));
            }
            // Made when it is known which sentence is best.
            Level::Coref => {}
            Level::Window | Level::Document if joined && only_one_window => {}
            Level::Window => {
                plan.extend(windows.iter().cloned().filter_map(|window| {
                    let text =
                        separator.map(|separator| join(document, &sentences[window.clone()], separator));
                    Some((*level, window_span(sentences, &window)?, window, text))
                }));
            }
            Level::Document => {
                let text = joined.then(|| document.text().to_owned());
                plan.extend(window_span(sentences, &all).map(|span| (*level, span, all.clone(), text)));
            }
        }
    }
    plan
}

fn join(document: &TextIndex<'_>, sentences: &[Span], separator: &str) -> String {
    sentences.iter().map(|span| document.slice(*span)).collect::<Vec<_>>().join(separator)
}
