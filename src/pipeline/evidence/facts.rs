//! The facts of a claim: its scores on each level, and how much of its wording is in the document. Exact, and a function of
//! (document, claim, settings) alone.

use std::ops::Range;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::named;
use crate::pipeline::align::Alignment;
use crate::pipeline::contrast::Contrast;
use crate::pipeline::profile::Level;
use veridic_stats::Sign;
use veridic_text::{
    AmountKind, Names, Quantities, Quantity, Value, Vocabulary, Wording, has_negation, names,
};

/// A fact of a claim. Shares are 1 where there is nothing to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The probability of entailment of the best sentence, rewritings included.
    SentenceEntailment,
    /// Its probability of neutral.
    SentenceNeutral,
    /// Its score, -1..=1.
    SentenceScore,
    /// The best score over windows; where there are none, the document's.
    WindowScore,
    /// The document's score.
    DocumentScore,
    /// The highest probability of contradiction over sentences and windows.
    Contradiction,
    /// The best sentence's score minus the second best's.
    Lead,
    /// The best level's score minus the worst level's.
    Disagreement,
    /// The share of the claim's content words, names and numbers that are in the deciding premise.
    WordsInPremise,
    /// The share of them that are in the best sentence.
    WordsInSentence,
    /// The share of them that are in the document.
    WordsInDocument,
    /// The share of the claim's word bigrams that are bigrams of the document.
    PairsInDocument,
    /// The share of the words of its names that are in the document in some form.
    NamesInDocument,
    /// The share of its quantities that the document has, by value.
    NumbersInDocument,
    /// Whether one of its quantities is nowhere in the document, by value: 0 or 1.
    QuantityNowhere,
    /// Whether exactly one of claim and deciding premise is negated: 0 or 1.
    DenialDiffers,
    /// The natural logarithm of 1 + the words of the deciding premise.
    PremiseLength,
    /// The highest entailment of another filling of the claim less that of the claim itself, 0..=1; 0 where none is higher
    /// or none was read.
    ContrastGain,
    /// Whether the judge entails the claim's denial, or its every filling, as much as the claim: 0 or 1.
    Insensitive,
}

// In the order of files and outputs.
named!(Fact, "fact", {
    SentenceEntailment = "sentence_entailment",
    SentenceNeutral = "sentence_neutral",
    SentenceScore = "sentence_score",
    WindowScore = "window_score",
    DocumentScore = "document_score",
    Contradiction = "contradiction",
    Lead = "lead",
    Disagreement = "disagreement",
    WordsInPremise = "words_in_premise",
    WordsInSentence = "words_in_sentence",
    WordsInDocument = "words_in_document",
    PairsInDocument = "pairs_in_document",
    NamesInDocument = "names_in_document",
    NumbersInDocument = "numbers_in_document",
    QuantityNowhere = "quantity_nowhere",
    DenialDiffers = "denial_differs",
    PremiseLength = "premise_length",
    ContrastGain = "contrast_gain",
    Insensitive = "insensitive",
});

impl Fact {
    /// The sign that its weight may have: more support never lowers a probability, more doubt never raises it.
    #[must_use]
    pub fn sign(self) -> Sign {
        match self {
            Self::SentenceNeutral
            | Self::Contradiction
            | Self::Disagreement
            | Self::QuantityNowhere
            | Self::DenialDiffers
            | Self::ContrastGain
            | Self::Insensitive => Sign::NonPositive,
            Self::PremiseLength => Sign::Free,
            _ => Sign::NonNegative,
        }
    }

    /// Whether weights are fitted for it: [`Fact::QuantityNowhere`] is a limit instead.
    #[must_use]
    pub(super) fn is_weighed(self) -> bool {
        self != Self::QuantityNowhere
    }

    /// Whether a file of scores may lack it: it is 0 where the second question was not asked.
    #[must_use]
    pub fn is_optional(self) -> bool {
        matches!(self, Self::ContrastGain | Self::Insensitive)
    }

    /// Whether it supports a claim by itself (1), contradicts it (-1), or only qualifies the others (0).
    #[must_use]
    pub(super) fn direction(self) -> f64 {
        match self {
            Self::SentenceEntailment
            | Self::SentenceScore
            | Self::WindowScore
            | Self::DocumentScore
            | Self::WordsInPremise
            | Self::WordsInSentence
            | Self::NamesInDocument
            | Self::NumbersInDocument => 1.0,
            Self::SentenceNeutral | Self::Contradiction => -1.0,
            _ => 0.0,
        }
    }
}

/// A name or a quantity of a claim that is nowhere in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotInDocument {
    /// A name, or those of its words that are not there, as the claim writes them.
    Name(String),
    /// A quantity without an equal in the document.
    Quantity {
        /// The kind of quantity: "number", "amount", "share", "date", "day", "time".
        sort: &'static str,
        /// As the claim writes it.
        text: String,
    },
}

impl NotInDocument {
    fn quantity(text: &str, readings: &[Quantity]) -> Self {
        let sort = match readings[0].value {
            Value::Date(date) if date.month.is_none() && date.weekday.is_some() => "day",
            Value::Date(_) => "date",
            Value::Time(_) => "time",
            Value::Amount(amount) => match amount.kind {
                AmountKind::Number | AmountKind::Ordinal => "number",
                AmountKind::Share => "share",
                _ => "amount",
            },
        };
        Self::Quantity { sort, text: text.to_owned() }
    }
}

/// A number for each fact, in the order of [`Fact::ALL`].
pub type FactValues = [f64; Fact::ALL.len()];

/// The facts of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    values: FactValues,
    /// Names and quantities that are nowhere in the document.
    pub not_in_document: Vec<NotInDocument>,
}

/// The texts in which facts are looked up.
pub(in crate::pipeline) struct FactTexts<'t> {
    /// The claim.
    pub claim: &'t Wording<'t>,
    /// The deciding premise.
    pub premise: &'t Wording<'t>,
    /// The best sentence; the deciding premise where no sentence was compared.
    pub sentence: &'t Wording<'t>,
    /// The document.
    pub document: &'t DocumentIndex,
}

/// The words, quantities and names of a document.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct DocumentIndex {
    vocabulary: Vocabulary,
    names: Names,
}

impl DocumentIndex {
    /// Indexes a text.
    pub fn of(text: &str) -> Self {
        Self { vocabulary: Vocabulary::of(&Wording::of(text)), names: Names::of(text) }
    }

    /// Its quantities.
    pub fn quantities(&self) -> &Quantities {
        self.vocabulary.quantities()
    }
}

impl Facts {
    /// The facts of an aligned claim.
    pub(in crate::pipeline) fn of(alignment: &Alignment, texts: &FactTexts<'_>) -> Self {
        let mut facts = Self { values: [0.0; Fact::ALL.len()], not_in_document: not_in_document(texts) };
        facts.add_scores(alignment);
        facts.add_wording(texts);
        let is_quantity =
            |not_in_document: &NotInDocument| matches!(not_in_document, NotInDocument::Quantity { .. });
        let is_nowhere = facts.not_in_document.iter().any(is_quantity);
        facts.set(Fact::QuantityNowhere, f64::from(u8::from(is_nowhere)));
        facts
    }

    /// Facts with these values, in the order of [`Fact::ALL`].
    #[must_use]
    pub fn from_values(values: FactValues) -> Self {
        Self { values, not_in_document: Vec::new() }
    }

    /// The value of a fact.
    #[must_use]
    pub fn get(&self, fact: Fact) -> f64 {
        self.values[fact as usize]
    }

    /// All values, in the order of [`Fact::ALL`].
    #[must_use]
    pub fn values(&self) -> &FactValues {
        &self.values
    }

    /// The facts with another value of one.
    #[must_use]
    pub fn with(&self, fact: Fact, value: f64) -> Self {
        let mut other = self.clone();
        other.set(fact, value);
        other
    }

    /// The facts with what the second question found.
    #[must_use]
    pub(in crate::pipeline) fn with_contrast(self, contrast: &Contrast) -> Self {
        let Contrast { gain, is_insensitive, .. } = contrast;
        self.with(Fact::ContrastGain, f64::from(*gain))
            .with(Fact::Insensitive, f64::from(u8::from(*is_insensitive)))
    }

    fn set(&mut self, fact: Fact, value: f64) {
        self.values[fact as usize] = value;
    }

    fn add_scores(&mut self, alignment: &Alignment) {
        let document = alignment.best_of(&[Level::Document]).unwrap_or(alignment.best);
        let sentence = alignment.best_of(&[Level::Sentence, Level::Coref]).unwrap_or(alignment.best);
        let window = alignment.best_of(&[Level::Window]).unwrap_or(document);
        let contradiction =
            alignment.most_contradicting.map_or(0.0, |scored| scored.probabilities.contradiction);
        let scores = [alignment.best, sentence, window, document].map(|scored| scored.score);
        let (low, high) = (scores.into_iter().fold(1.0, f32::min), scores.into_iter().fold(-1.0, f32::max));
        for (fact, value) in [
            (Fact::SentenceEntailment, sentence.probabilities.entailment),
            (Fact::SentenceNeutral, sentence.probabilities.neutral),
            (Fact::SentenceScore, sentence.score),
            (Fact::WindowScore, window.score),
            (Fact::DocumentScore, document.score),
            (Fact::Contradiction, contradiction),
            (Fact::Lead, alignment.sentence_lead.unwrap_or(0.0)),
            (Fact::Disagreement, high - low),
        ] {
            self.set(fact, f64::from(value));
        }
    }

    fn add_wording(&mut self, texts: &FactTexts<'_>) {
        let (premise, sentence) = (Vocabulary::of(texts.premise), Vocabulary::of(texts.sentence));
        let FactTexts { claim, document: DocumentIndex { vocabulary, names: known }, .. } = texts;
        let share_in = |text: &Vocabulary| {
            share(claim.non_function_words(), |(word, quantity)| text.has_word_or_quantity(word, quantity))
        };
        self.set(Fact::WordsInPremise, share_in(&premise));
        self.set(Fact::WordsInSentence, share_in(&sentence));
        self.set(Fact::WordsInDocument, share_in(vocabulary));
        let names = names(claim.text);
        let words = names.iter().flat_map(|name| (0..name.words.len()).map(move |index| (name, index)));
        self.set(Fact::NamesInDocument, share(words, |(name, index)| known.has(claim.text, name, index)));
        let quantities = claim.quantities.found_in(vocabulary.quantities()).into_iter();
        let certain = quantities.filter(|(_, readings, _)| readings[0].certain);
        self.set(Fact::NumbersInDocument, share(certain, |(.., is_found)| is_found));
        let pairs = claim.words.windows(2);
        self.set(Fact::PairsInDocument, share(pairs, |pair| vocabulary.has_pair(&pair[0], &pair[1])));
        let differs = has_negation(&claim.words) != has_negation(&texts.premise.words);
        self.set(Fact::DenialDiffers, f64::from(u8::from(differs)));
        self.set(Fact::PremiseLength, (texts.premise.words.len() as f64).ln_1p());
    }
}

/// Names and quantities of the claim that are nowhere in the document, in the claim's order. Words of a quantity are not
/// looked up as names.
fn not_in_document(texts: &FactTexts<'_>) -> Vec<NotInDocument> {
    let FactTexts { claim, document, .. } = texts;
    let mut found = Vec::new();
    for (span, readings) in claim.quantities.missing_from(document.quantities()) {
        found.push((span.start, NotInDocument::quantity(&claim.text[span], readings)));
    }
    for name in names(claim.text) {
        let overlaps = |span: &Range<usize>| span.start < name.span().end && name.span().start < span.end;
        if !claim.quantities.pieces().any(|(span, _)| overlaps(&span)) {
            let missing = document.names.missing(claim.text, &name).into_iter();
            found.extend(missing.map(|span| (span.start, NotInDocument::Name(claim.text[span].to_owned()))));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    let mut not_in_document = Vec::new();
    for (_, found) in found {
        if !not_in_document.contains(&found) {
            not_in_document.push(found);
        }
    }
    not_in_document
}

/// The share of things that are found; 1 where there are none.
fn share<T>(things: impl Iterator<Item = T>, is_found: impl Fn(T) -> bool) -> f64 {
    let (mut all, mut found) = (0, 0);
    for thing in things {
        all += 1;
        found += usize::from(is_found(thing));
    }
    if all == 0 { 1.0 } else { f64::from(found as u32) / f64::from(all) }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for fact in Fact::ALL {
            map.serialize_entry(fact.name(), &self.get(fact))?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use veridic_models::Probabilities;

    use super::*;
    use crate::pipeline::align::{PremiseId, Scored};

    fn scored(level: Level, score: f32) -> Scored {
        let probabilities = Probabilities { entailment: score, neutral: 1.0 - score, contradiction: 0.0 };
        Scored { premise: PremiseId(0), level, probabilities, score }
    }

    fn alignment(levels: &[(Level, f32)]) -> Alignment {
        let levels: Vec<Scored> = levels.iter().map(|(level, score)| scored(*level, *score)).collect();
        let best = levels.iter().copied().reduce(|a, b| if b.score > a.score { b } else { a }).unwrap();
        Alignment {
            best,
            levels,
            sentence_lead: Some(0.25),
            most_contradicting: None,
            contradicting: Vec::new(),
            computed: 9,
            skipped: 0,
            left_out: 0,
        }
    }

    fn facts(claim: &str, premise: &str, document: &str) -> Facts {
        let (claim, premise) = (Wording::of(claim), Wording::of(premise));
        let document = DocumentIndex::of(document);
        let texts = FactTexts { claim: &claim, premise: &premise, sentence: &premise, document: &document };
        Facts::of(&alignment(&[(Level::Sentence, 0.5)]), &texts)
    }

    #[test]
    fn names_are_unique_and_parse_back() {
        for (index, fact) in Fact::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_value(fact).unwrap(), fact.name());
            assert_eq!((fact.name().parse(), fact as usize), (Ok(fact), index));
        }
        assert!("luck".parse::<Fact>().is_err());
    }

    #[test]
    fn shares_count_what_is_there() {
        let document = "The pool of Harwell closed in 1974. Repairs cost 4.2 million.";
        let facts = facts("Repairs in Harwell cost 2.4 million.", "Repairs cost 4.2 million.", document);
        // Repairs, Harwell, cost, 2.4, million; of the premise all but Harwell and 2.4.
        assert!((facts.get(Fact::WordsInPremise) - 0.6).abs() < 1e-12);
        assert!((facts.get(Fact::WordsInDocument) - 0.8).abs() < 1e-12);
        assert_eq!((facts.get(Fact::NamesInDocument), facts.get(Fact::NumbersInDocument)), (1.0, 0.0));
        assert_eq!(
            facts.not_in_document,
            [NotInDocument::Quantity { sort: "number", text: "2.4 million".into() }]
        );
        assert_eq!(facts.get(Fact::QuantityNowhere), 1.0);
        // Of the five pairs none follows another in the document.
        assert_eq!(facts.get(Fact::PairsInDocument), 0.0);
        assert!((facts.get(Fact::PremiseLength) - 5.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn shares_are_one_where_there_is_nothing_to_find() {
        let facts = facts("It is so.", "Rain fell.", "Rain fell.");
        for fact in [Fact::WordsInDocument, Fact::NamesInDocument, Fact::NumbersInDocument] {
            assert_eq!(facts.get(fact), 1.0, "{}", fact.name());
        }
        assert!(facts.not_in_document.is_empty());
    }

    #[test]
    fn other_spellings_in_the_document_are_found() {
        let document = "Twenty-one members of the North Atlantic Treaty Organization met on 3 May 2024 in São Paulo. \
                        J. Smith paid $1,850.00 of $2,500,000, nine per cent more.";
        for claim in [
            "They paid $1,850.",
            "It was 2.5 million dollars.",
            "There were 21 members of NATO.",
            "They met on 2024-05-03 in Sao Paulo.",
            "It was 9% more, said John Smith.",
            "About 20 members met.",
        ] {
            let facts = facts(claim, document, document);
            assert_eq!(facts.not_in_document, [], "{claim}");
            assert_eq!(
                (facts.get(Fact::NumbersInDocument), facts.get(Fact::NamesInDocument)),
                (1.0, 1.0),
                "{claim}"
            );
        }
        let missing = |claim: &str| facts(claim, document, document).not_in_document;
        let quantity = |sort, text: &str| NotInDocument::Quantity { sort, text: text.into() };
        assert_eq!(
            missing("They paid $1,580 and 8%."),
            [quantity("amount", "$1,580"), quantity("share", "8%")]
        );
        let not_in_document = [quantity("date", "4 May 2024"), NotInDocument::Name("Rio".into())];
        assert_eq!(missing("They met on 4 May 2024 in Rio."), not_in_document);
    }

    #[test]
    fn one_negation_differs_and_two_do_not() {
        let differs = |claim: &str, premise: &str| facts(claim, premise, premise).get(Fact::DenialDiffers);
        assert_eq!(differs("The pool did not close.", "The pool closed."), 1.0);
        assert_eq!(differs("The pool did not close.", "The pool never closed."), 0.0);
    }

    #[test]
    fn levels_that_were_not_compared_take_the_next_best_score() {
        let (nothing, document) = (Wording::of(""), DocumentIndex::default());
        let texts = FactTexts { claim: &nothing, premise: &nothing, sentence: &nothing, document: &document };
        let of = |levels: &[(Level, f32)]| Facts::of(&alignment(levels), &texts);
        let all =
            of(&[(Level::Sentence, 0.2), (Level::Coref, 0.4), (Level::Window, 0.9), (Level::Document, -0.1)]);
        let score = |facts: &Facts| {
            [Fact::SentenceScore, Fact::WindowScore, Fact::DocumentScore].map(|fact| facts.get(fact) as f32)
        };
        assert_eq!(score(&all), [0.4, 0.9, -0.1]);
        assert!((all.get(Fact::Disagreement) - 1.0).abs() < 1e-6 && all.get(Fact::Lead) == 0.25);
        assert_eq!(score(&of(&[(Level::Sentence, 0.2), (Level::Document, 0.1)])), [0.2, 0.1, 0.1]);
        assert_eq!(score(&of(&[(Level::Sentence, 0.995)])), [0.995; 3]);
    }
}
