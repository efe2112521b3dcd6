//! Prepares cases: the document's premises, and the claims as the model reads them. Refuses a claim that leaves no room
//! for a premise.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use veridic_models::TextTokens;

use super::basis::{Basis, Purpose};
use super::call::Call;
use super::citations::Question;
use super::extracted::Extracted;
use super::place::{ClaimId, Part};
use super::setup::Scorer;
use crate::claims::Claim;
use crate::error::{Error, Result};
use crate::input::{Document, PairLanguage, Sources, check_text};
use crate::premises::{MIN_PIECE_TOKENS, Premises, Waves};
use crate::rules::{Level, Overflow};
use crate::schedule::{OnEvent, poll};
use crate::text::{NoAnswer, ReadClaim, TextIndex, read_alone};

/// A claim with its text as the model reads it.
pub(super) struct Hypothesis {
    pub(super) part: Part,
    pub(super) claim: Claim,
    /// How it gives no answer, if it gives none.
    pub(super) no_answer: Option<NoAnswer>,
    /// The text that the model reads, and its tokens.
    pub(super) read: ReadClaim,
    pub(super) tokens: TextTokens,
}

impl Hypothesis {
    /// What is looked up in the document: what it is said not to say, else the claim.
    pub(super) fn stated(&self) -> &str {
        stated(&self.claim, self.no_answer.as_ref())
    }
}

fn stated<'c>(claim: &'c Claim, no_answer: Option<&'c NoAnswer>) -> &'c str {
    match no_answer {
        Some(NoAnswer::Absence(absence)) => &absence.statement,
        _ => &claim.text,
    }
}

/// Claims that are prepared on the same basis.
pub(super) struct PreparedCase<'w> {
    pub(super) basis: Basis<'w>,
    pub(super) claims: Vec<Hypothesis>,
}

/// A document, and its sentences if they are given.
type DocumentKey<'w> = (&'w Document, Option<&'w [String]>);

impl Scorer {
    /// The claims of each pair. The document of several pairs is read once. When the work is stopped, pairs that are not
    /// prepared are [`Error::Stopped`].
    pub(super) fn own_cases<'w>(
        &self,
        pairs: &[&'w Extracted<'_>],
        call: &Call<'_>,
    ) -> Vec<Result<PreparedCase<'w>>> {
        let shared = self.shared_premises(pairs, call);
        let prepare = |extracted: &&'w Extracted<'_>| {
            let Extracted { read, claims } = *extracted;
            poll(call.on_event)?;
            let premises = match call.known.or_else(|| shared.get(&key(extracted))) {
                Some(premises) => premises.clone(),
                None => self.premises(read.document().clone(), read.pair().sentences, call.on_event)?,
            };
            let claims = claims.claims.iter().enumerate();
            let claims = claims.map(|(place, claim)| (ClaimId(place), claim.clone()));
            self.case(call.purpose.clone(), premises, extracted, claims, call.on_event)
        };
        pairs.par_iter().map(prepare).collect()
    }

    /// The premises of each document that several pairs share. A document that cannot be read is left out; each of its
    /// pairs then reads it again and returns the error.
    fn shared_premises<'w>(
        &self,
        pairs: &[&'w Extracted<'_>],
        call: &Call<'_>,
    ) -> HashMap<DocumentKey<'w>, Premises> {
        let mut documents: HashMap<DocumentKey<'w>, Vec<&Arc<Document>>> = HashMap::new();
        for extracted in pairs.iter().filter(|_| call.known.is_none()) {
            documents.entry(key(extracted)).or_default().push(extracted.read.document());
        }
        let several = documents.into_par_iter().filter(|(_, documents)| documents.len() > 1);
        let read = |(key, documents): (DocumentKey<'w>, Vec<&Arc<Document>>)| {
            Some((key, self.premises(documents[0].clone(), key.1, call.on_event).ok()?))
        };
        several.filter_map(read).collect()
    }

    /// The premises of a document.
    pub(super) fn premises(
        &self,
        document: Arc<Document>,
        sentences: Option<&[String]>,
        on_event: &OnEvent<'_>,
    ) -> Result<Premises> {
        Premises::read(document, sentences, &self.settings.rules, self.engine.tokenizer(), on_event)
    }

    /// The claims of a pair that are to be judged against some of its sources, joined into this document.
    ///
    /// # Errors
    /// When the document cannot be judged.
    pub(super) fn citation_case<'w>(
        &self,
        extracted: &'w Extracted<'_>,
        question: Question,
        text: &str,
        sources: &Sources,
        on_event: &OnEvent<'_>,
    ) -> Result<PreparedCase<'w>> {
        let layout = self.settings.rules.layout;
        let (_, document) = Document::read(text, Some(sources), !layout, &|| poll(on_event))?;
        check_text("document", document.text())?;
        let premises = self.premises(Arc::new(document), None, on_event)?;
        let claims = question.claims.into_iter().map(|id| {
            let claim = extracted.claims.claims[id.0].clone();
            let text = if layout { read_alone(&claim.text) } else { claim.text };
            (id, Claim { text, ..claim })
        });
        self.case(Purpose::Citation(question.sources), premises, extracted, claims, on_event)
    }

    fn case<'w>(
        &self,
        purpose: Purpose,
        premises: Premises,
        extracted: &'w Extracted<'_>,
        claims: impl Iterator<Item = (ClaimId, Claim)>,
        on_event: &OnEvent<'_>,
    ) -> Result<PreparedCase<'w>> {
        let summary = extracted.read.summary().text();
        let languages = self.settings.rules.languages.as_deref();
        let language = PairLanguage::of(languages, &premises.document().prose(), summary);
        let mut basis = Basis { purpose, premises, language, summary: TextIndex::new(summary) };
        let parts = claims.map(|(id, claim)| (Part::Claim(id), claim));
        let claims = self.prepare(&mut basis, parts, on_event)?;
        Ok(PreparedCase { basis, claims })
    }

    /// These claims as the model reads them. Premises that do not fit beside them are split.
    pub(super) fn prepare(
        &self,
        basis: &mut Basis<'_>,
        parts: impl IntoIterator<Item = (Part, Claim)>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Hypothesis>> {
        let reads_absences = self.settings.rules.layout && basis.purpose.reads_absences();
        let prepare = |(part, claim): (Part, Claim)| {
            poll(on_event)?;
            let no_answer = Some(&claim.text).filter(|_| reads_absences).and_then(|text| NoAnswer::of(text));
            let stated = stated(&claim, no_answer.as_ref());
            // A claim that is too long is refused before its quantities are looked up.
            let as_given = self.claim_tokens(part, stated)?;
            let read = self.read_claim(&basis.premises, stated);
            let tokens = if read.text == stated { as_given } else { self.claim_tokens(part, &read.text)? };
            if self.settings.rules.overflow == Overflow::Split {
                let most = |level| self.premise_tokens(level, &tokens);
                basis.premises.split_to(most, self.engine.tokenizer(), on_event)?;
            }
            Ok(Hypothesis { part, claim, no_answer, read, tokens })
        };
        parts.into_iter().map(prepare).collect()
    }

    /// A claim as the model reads it: in the document's notation, where layout is interpreted.
    fn read_claim(&self, premises: &Premises, claim: &str) -> ReadClaim {
        if self.settings.rules.layout {
            let quantities = premises.document_index().quantities();
            ReadClaim::in_notation_of(premises.document().text(), quantities, claim)
        } else {
            ReadClaim::as_given(claim)
        }
    }

    /// The premises that a claim may be compared with.
    pub(super) fn waves(&self, premises: &Premises, claim: &Hypothesis) -> Waves {
        match self.settings.rules.overflow {
            Overflow::Cut(_) => premises.whole(),
            Overflow::Split => premises.within(|level| self.premise_tokens(level, &claim.tokens)),
        }
    }

    /// The tokens of a claim. Refuses one that leaves no room for a premise on some level, unless pairs are cut.
    fn claim_tokens(&self, part: Part, text: &str) -> Result<TextTokens> {
        let tokens = self.engine.tokenizer().hypothesis(text)?;
        let rules = &self.settings.rules;
        let has_no_room = |level: &&Level| self.premise_room(**level, &tokens) < MIN_PIECE_TOKENS;
        let splits = rules.overflow == Overflow::Split;
        match rules.levels.iter().filter(|_| splits).find(has_no_room) {
            None => Ok(tokens),
            Some(level) => Err(Error::ClaimTooLong {
                claim: part.claim().0 + 1,
                tokens: tokens.len(),
                limit: rules.token_limit(*level),
            }),
        }
    }

    /// Maximum tokens of a premise in a pair with the claim.
    fn premise_tokens(&self, level: Level, claim: &TextTokens) -> usize {
        let most = self.settings.rules.run_tokens.filter(|_| level == Level::Document);
        self.premise_room(level, claim).min(most.unwrap_or(usize::MAX))
    }

    /// Number of tokens that a claim leaves for a premise.
    pub(super) fn premise_room(&self, level: Level, claim: &TextTokens) -> usize {
        let taken = claim.len() + self.engine.tokenizer().special_tokens();
        self.settings.rules.token_limit(level).saturating_sub(taken)
    }
}

fn key<'w>(extracted: &'w Extracted<'_>) -> DocumentKey<'w> {
    (extracted.read.document(), extracted.read.pair().sentences)
}
