//! The premises of one document: its sentences, its windows and the whole document, each with its span as evidence and
//! the tokens that the model reads. A premise that does not fit into a pair with the claim is split if the rules say
//! so. The premises depend on the document, the claim's length and the settings alone.

mod coref;
mod index;
mod order;
mod plan;
mod premise;
mod split;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use veridic_models::{PairTokenizer, TextTokens};

use self::coref::{Cluster, Mention, rewritings};
pub use self::coref::{CorefResolver, Substitution};
pub(crate) use self::index::DocumentIndex;
pub(crate) use self::order::in_waves;
use self::order::{TokenCounter, TokenCounts};
pub use self::plan::chunk_texts;
use self::plan::{Planned, Reads, plan};
pub use self::premise::{MIN_PIECE_TOKENS, Premise, PremiseId, Scored, Waves};
use crate::error::Result;
use crate::input::{Document, document_sentences};
use crate::rules::{Level, Rewriting, Rules};
use crate::schedule::{OnEvent, in_slices, poll};
use crate::text::{Span, Wording};

/// All premises of one document. Clones share them, but not the pieces and rewritings that claims need.
#[derive(Clone)]
pub struct Premises {
    shared: Arc<Shared>,
    /// Pieces and rewritings.
    added: Vec<Premise>,
    /// Pieces of a premise (by its index) under a token budget.
    pieces: HashMap<(usize, usize), Vec<PremiseId>>,
    /// Rewritings of a sentence.
    rewritings: HashMap<PremiseId, Vec<PremiseId>>,
    rewritings_left_out: usize,
}

/// What the premises of a document have in common for all its claims.
struct Shared {
    document: Arc<Document>,
    sentences: Vec<Span>,
    list: Vec<Premise>,
    /// Tokens that a model reads at most of a premise.
    max_tokens: usize,
    levels: Vec<(Level, Range<usize>)>,
    counts: TokenCounts,
    document_index: DocumentIndex,
    /// The number of tokens of each sentence, counted when the first premise is split.
    sentence_lengths: OnceLock<Vec<usize>>,
    /// Coreference clusters, resolved when the first claim needs them.
    clusters: OnceLock<Vec<Cluster>>,
}

impl Premises {
    /// Builds and tokenizes the premises of the rules' levels. `given`: the document's sentences, if they are given.
    ///
    /// # Errors
    /// When the tokenizer fails, the document does not contain the given sentences, or `on_event` stops the work.
    pub(crate) fn read(
        document: Arc<Document>,
        given: Option<&[String]>,
        rules: &Rules,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<Self> {
        let sentences = document_sentences(&document.index(), given, document.division())?;
        poll(on_event)?;
        let plan = plan(rules, &document, &sentences, tokenizer)?;
        let mut levels: Vec<(Level, Range<usize>)> = Vec::new();
        for (index, planned) in plan.iter().enumerate() {
            match levels.last_mut() {
                Some((last, range)) if *last == planned.level => range.end = index + 1,
                _ => levels.push((planned.level, index..index + 1)),
            }
        }
        let max_tokens = rules.max_tokens;
        let premise = |planned: Planned| -> Result<Premise> {
            poll(on_event)?;
            let tokens = tokenizer.ids_within(&planned.text(&document, &sentences), max_tokens)?;
            let Planned { evidence, sentences, reads, .. } = planned;
            let is_as_given = reads == Reads::AsGiven;
            Ok(Premise { evidence, tokens: tokens.into(), sentences, is_as_given, substitution: None })
        };
        let list: Vec<Premise> = in_slices(plan, premise)?;
        poll(on_event)?;
        let document_index = DocumentIndex::of(document.text(), &|| poll(on_event))?;
        let counts = token_counts(&list, &levels, max_tokens);
        let (sentence_lengths, clusters) = (OnceLock::new(), OnceLock::new());
        let shared = Shared {
            document,
            sentences,
            list,
            max_tokens,
            levels,
            counts,
            document_index,
            sentence_lengths,
            clusters,
        };
        Ok(Self {
            shared: Arc::new(shared),
            added: Vec::new(),
            pieces: HashMap::new(),
            rewritings: HashMap::new(),
            rewritings_left_out: 0,
        })
    }

    /// The document.
    pub(crate) fn document(&self) -> &Arc<Document> {
        &self.shared.document
    }

    /// Whether they are clones, which share the document and its clusters.
    pub(crate) fn share_document(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Its sentences.
    pub fn sentences(&self) -> &[Span] {
        &self.shared.sentences
    }

    /// A premise.
    pub fn get(&self, id: PremiseId) -> &Premise {
        let list = &self.shared.list;
        list.get(id.0).unwrap_or_else(|| &self.added[id.0 - list.len()])
    }

    fn add(&mut self, premise: Premise) -> PremiseId {
        self.added.push(premise);
        PremiseId(self.count() - 1)
    }

    /// The spans of a premise's sentences; for a piece of a sentence, the span of the piece.
    pub fn spans(&self, id: PremiseId) -> Vec<Span> {
        let Premise { evidence, sentences, .. } = self.get(id);
        let inside = |sentence: &Span| Span {
            start: sentence.start.max(evidence.start),
            end: sentence.end.min(evidence.end),
        };
        let parts = self.shared.sentences[sentences.clone()].iter().map(inside);
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The premises of each level, unsplit, for rules that truncate pairs.
    pub fn whole(&self) -> Waves {
        let ids = |range: &Range<usize>| range.clone().map(PremiseId).collect();
        self.shared.levels.iter().map(|(level, range)| (*level, ids(range))).collect()
    }

    /// Splits the premises of each level that are longer than `budget(level)` tokens, which is at least
    /// [`MIN_PIECE_TOKENS`], into pieces for [`Self::within`].
    ///
    /// # Errors
    /// When the tokenizer fails, or `on_event` stops the work.
    pub fn split_to(
        &mut self,
        budget: impl Fn(Level) -> usize,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<()> {
        for (level, range) in self.shared.levels.clone() {
            let budget = budget(level);
            for index in range {
                if self.shared.list[index].tokens.len() > budget {
                    self.split(index, budget, tokenizer, on_event)?;
                }
            }
        }
        Ok(())
    }

    /// The premises of each level; those that are longer than `budget(level)` tokens in their pieces.
    pub fn within(&self, budget: impl Fn(Level) -> usize) -> Waves {
        let mut waves = Waves::new();
        for (level, range) in &self.shared.levels {
            let budget = budget(*level);
            let mut wave = Vec::with_capacity(range.len());
            for index in range.clone() {
                let is_long = self.shared.list[index].tokens.len() > budget;
                match self.pieces.get(&(index, budget)).filter(|_| is_long) {
                    Some(pieces) => wave.extend(pieces),
                    None => wave.push(PremiseId(index)),
                }
            }
            waves.push((*level, wave));
        }
        waves
    }

    /// The number of premises, pieces and rewritings so far.
    pub fn count(&self) -> usize {
        self.shared.list.len() + self.added.len()
    }

    /// Number of premises that were split because they did not fit into a pair with some claim.
    pub fn split_count(&self) -> usize {
        let split: HashSet<usize> = self.pieces.keys().map(|(index, _)| *index).collect();
        split.len()
    }

    /// The premises of each level, sorted by overlap with the claim's rare tokens, highest first.
    pub fn in_order(&self, levels: Waves, claim: &TextTokens) -> Waves {
        self.shared.counts.order(levels, &claim.ids, |id| &self.get(id).tokens)
    }

    /// The weight of the rare tokens that a premise shares with a claim.
    pub fn overlap(&self, id: PremiseId, claim: &TextTokens) -> f64 {
        self.shared.counts.overlap(&claim.ids, &self.get(id).tokens)
    }

    /// A part of the document as the model reads it, beginning with the speaker's label, if it has one.
    pub fn text_of(&self, evidence: Span) -> Cow<'_, str> {
        self.shared.document.text_of(evidence)
    }

    /// The speaker's label of a part of the document; empty without one.
    fn label(&self, evidence: Span) -> &str {
        self.shared.document.division().label(evidence)
    }

    /// The part of the document that a premise represents, as the model reads it.
    pub fn text(&self, id: PremiseId) -> Cow<'_, str> {
        let premise = self.get(id);
        match self.shared.document.as_given().filter(|_| premise.is_as_given) {
            Some(whole) => Cow::Borrowed(whole),
            None => self.text_of(premise.evidence),
        }
    }

    /// The text of a premise as the model reads it, including its substitution.
    pub fn read_text(&self, id: PremiseId) -> Cow<'_, str> {
        let Premise { evidence, substitution, .. } = self.get(id);
        match substitution {
            Some(substitution) => self.document().labelled(*evidence, &substitution.rewritten),
            None => self.text(id),
        }
    }

    /// Number of rewritings dropped because a sentence had too many.
    pub fn rewritings_left_out(&self) -> usize {
        self.rewritings_left_out
    }

    /// The rewritings of a sentence, each with one mention replaced by another name. A piece of a sentence has none.
    ///
    /// # Errors
    /// When the resolver or the tokenizer fails, or `on_event` stops the work.
    pub fn rewrite(
        &mut self,
        sentence: PremiseId,
        how: Rewriting,
        resolver: &CorefResolver,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<PremiseId>> {
        if let Some(known) = self.rewritings.get(&sentence) {
            return Ok(known.clone());
        }
        let Premise { evidence, sentences, .. } = self.get(sentence).clone();
        let mut ids = Vec::new();
        if self.shared.sentences.get(sentences.start) == Some(&evidence) {
            let clusters = self.clusters(resolver, on_event)?;
            let rewritings = rewritings(&self.shared.document.index(), evidence, clusters, how);
            self.rewritings_left_out += rewritings.left_out;
            for substitution in rewritings.list {
                let text = self.document().labelled(evidence, &substitution.rewritten);
                let tokens = tokenizer.ids_within(&text, self.shared.max_tokens)?;
                let (sentences, substitution) = (sentences.clone(), Some(Box::new(substitution)));
                ids.push(self.add(Premise {
                    evidence,
                    tokens: tokens.into(),
                    sentences,
                    is_as_given: false,
                    substitution,
                }));
            }
        }
        self.rewritings.insert(sentence, ids.clone());
        Ok(ids)
    }

    /// The quantities and names of the document.
    pub(crate) fn document_index(&self) -> &DocumentIndex {
        &self.shared.document_index
    }

    /// The wording of a premise as the model read it.
    pub(crate) fn wording_of(&self, id: PremiseId) -> Wording<'_> {
        let premise = self.get(id);
        let rewritten = premise.substitution.as_ref().map(|substitution| substitution.rewritten.as_str());
        Wording::of(rewritten.unwrap_or_else(|| self.shared.document.index().slice(premise.evidence)))
    }

    /// The document's coreference clusters. Two threads that need them at the same time both compute them, with the
    /// same result.
    fn clusters(&self, resolver: &CorefResolver, on_event: &OnEvent<'_>) -> Result<&[Cluster]> {
        if let Some(known) = self.shared.clusters.get() {
            return Ok(known);
        }
        let mut found = resolver.clusters(&self.shared.document.index(), &self.shared.sentences, on_event)?;
        // A mention is never replaced by a name of another source.
        let division = self.shared.document.division();
        if !division.sources.is_empty() {
            let source = |mention: &Mention| division.source_of(mention.span.start);
            let parts = |cluster: Cluster| -> Vec<Cluster> {
                let mut parts: BTreeMap<usize, Cluster> = BTreeMap::new();
                cluster
                    .into_iter()
                    .for_each(|mention| parts.entry(source(&mention)).or_default().push(mention));
                parts.into_values().filter(|part| part.len() > 1).collect()
            };
            found = found.into_iter().flat_map(parts).collect();
        }
        Ok(self.shared.clusters.get_or_init(|| found))
    }
}

/// How many premises have each token. A premise of which only the beginning is tokenized has the tokens of its sentences.
fn token_counts(list: &[Premise], levels: &[(Level, Range<usize>)], max_tokens: usize) -> TokenCounts {
    let sentences = match levels.first() {
        Some((Level::Sentence, range)) => &list[range.clone()],
        _ => &[],
    };
    let mut counts = TokenCounter::default();
    for premise in list {
        let range = &premise.sentences;
        let first = sentences.partition_point(|sentence| sentence.sentences.start < range.start);
        let end = sentences.partition_point(|sentence| sentence.sentences.start < range.end);
        if premise.tokens.len() > max_tokens && end - first > 1 {
            counts.add(sentences[first..end].iter().flat_map(|sentence| &sentence.tokens));
        } else {
            counts.add(&premise.tokens);
        }
    }
    counts.counts()
}
