//! The facts of a claim: what the model said of it on each level, and what of its wording is in the document.
//! Exact, and a function of (document, claim, settings) alone.

use std::ops::Range;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::pipeline::align::Alignment;
use crate::pipeline::profile::Level;
use veridic_stats::Sign;
use veridic_text::{Kind, Names, Quantities, Quantity, Value, Vocabulary, Wording, denies, names};

/// What is looked at. Shares are 1 where there is nothing to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// The probability of entailment of the best sentence, rewritings included.
    SentenceEntailment,
    /// Its probability of being neutral.
    SentenceNeutral,
    /// Its score, -1..=1.
    SentenceScore,
    /// The best score over windows; where there are none, the document's.
    WindowScore,
    /// The document's score.
    DocumentScore,
    /// The highest probability of contradiction over sentences and windows.
    Contradiction,
    /// By how much the best sentence's score is above the second's.
    Lead,
    /// How far the best level's score is from the worst one's.
    Disagreement,
    /// The share of the claim's content words, names and numbers that are in the deciding premise.
    WordsInPremise,
    /// The share of them that are in the best sentence.
    WordsInSentence,
    /// The share of them that are in the document.
    WordsInDocument,
    /// The share of the claim's neighbouring words that are neighbours in the document.
    PairsInDocument,
    /// The share of the words of its names that are in the document in some form.
    NamesInDocument,
    /// The share of its quantities that the document says, by value.
    NumbersInDocument,
    /// Whether one of its quantities is nowhere in the document, by value: 0 or 1.
    QuantityNowhere,
    /// Whether one of claim and deciding premise denies and the other does not: 0 or 1.
    DenialDiffers,
    /// The natural logarithm of 1 + the words of the deciding premise.
    PremiseLength,
}

impl Fact {
    /// All of them, in the order of files and outputs.
    pub const ALL: [Self; 17] = [
        Self::SentenceEntailment,
        Self::SentenceNeutral,
        Self::SentenceScore,
        Self::WindowScore,
        Self::DocumentScore,
        Self::Contradiction,
        Self::Lead,
        Self::Disagreement,
        Self::WordsInPremise,
        Self::WordsInSentence,
        Self::WordsInDocument,
        Self::PairsInDocument,
        Self::NamesInDocument,
        Self::NumbersInDocument,
        Self::QuantityNowhere,
        Self::DenialDiffers,
        Self::PremiseLength,
    ];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SentenceEntailment => "sentence_entailment",
            Self::SentenceNeutral => "sentence_neutral",
            Self::SentenceScore => "sentence_score",
            Self::WindowScore => "window_score",
            Self::DocumentScore => "document_score",
            Self::Contradiction => "contradiction",
            Self::Lead => "lead",
            Self::Disagreement => "disagreement",
            Self::WordsInPremise => "words_in_premise",
            Self::WordsInSentence => "words_in_sentence",
            Self::WordsInDocument => "words_in_document",
            Self::PairsInDocument => "pairs_in_document",
            Self::NamesInDocument => "names_in_document",
            Self::NumbersInDocument => "numbers_in_document",
            Self::QuantityNowhere => "quantity_nowhere",
            Self::DenialDiffers => "denial_differs",
            Self::PremiseLength => "premise_length",
        }
    }

    /// The fact of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.name() == name)
    }

    /// What its weight may be: more support never lowers a probability, more doubt never raises it.
    #[must_use]
    pub fn sign(self) -> Sign {
        match self {
            Self::SentenceNeutral
            | Self::Contradiction
            | Self::Disagreement
            | Self::QuantityNowhere
            | Self::DenialDiffers => Sign::NonPositive,
            Self::PremiseLength => Sign::Free,
            _ => Sign::NonNegative,
        }
    }
}

impl Fact {
    /// Whether weights are fitted for it: a quantity that is nowhere in the document is a limit instead.
    #[must_use]
    pub fn is_weighed(self) -> bool {
        self != Self::QuantityNowhere
    }

    /// Whether it speaks for a claim (1) or against it (-1) in itself, as far as any of them does; the others (0)
    /// only qualify these.
    #[must_use]
    pub fn direction(self) -> f64 {
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
    /// A name, or the words of one that are not there, as the claim has them.
    Name(String),
    /// A quantity that no quantity of the document says.
    Quantity {
        /// What sort of quantity it is: "number", "amount", "date".
        sort: &'static str,
        /// As the claim has it.
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
                Kind::Number | Kind::Ordinal => "number",
                Kind::Share => "share",
                _ => "amount",
            },
        };
        Self::Quantity { sort, text: text.to_owned() }
    }
}

/// The facts of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    values: [f64; Fact::ALL.len()],
    /// Names and quantities that are nowhere in the document.
    pub not_in_document: Vec<NotInDocument>,
}

/// What facts are looked up in.
pub(in crate::pipeline) struct Looked<'t> {
    /// The claim.
    pub claim: &'t Wording<'t>,
    /// The premise that decided.
    pub premise: &'t Wording<'t>,
    /// The best sentence; the premise where no sentence was compared.
    pub sentence: &'t Wording<'t>,
    /// The document.
    pub document: &'t Document,
}

/// A document to look claims up in.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Document {
    vocabulary: Vocabulary,
    names: Names,
}

impl Document {
    /// Of its text.
    pub fn of(text: &str) -> Self {
        Self { vocabulary: Vocabulary::of(&Wording::of(text)), names: Names::of(text) }
    }

    /// Its quantities.
    pub fn quantities(&self) -> &Quantities {
        self.vocabulary.quantities()
    }
}

impl Facts {
    /// The facts of a claim that came to `alignment`.
    pub(in crate::pipeline) fn of(alignment: &Alignment, looked: &Looked<'_>) -> Self {
        let mut facts = Self { values: [0.0; Fact::ALL.len()], not_in_document: not_in_document(looked) };
        facts.add_scores(alignment);
        facts.add_wording(looked);
        let is_quantity =
            |not_in_document: &NotInDocument| matches!(not_in_document, NotInDocument::Quantity { .. });
        let is_nowhere = facts.not_in_document.iter().any(is_quantity);
        facts.set(Fact::QuantityNowhere, f64::from(u8::from(is_nowhere)));
        facts
    }

    /// Facts with these values, in the order of [`Fact::ALL`].
    #[must_use]
    pub fn from_values(values: [f64; Fact::ALL.len()]) -> Self {
        Self { values, not_in_document: Vec::new() }
    }

    /// The value of a fact.
    #[must_use]
    pub fn get(&self, fact: Fact) -> f64 {
        self.values[fact as usize]
    }

    /// All values, in the order of [`Fact::ALL`].
    #[must_use]
    pub fn values(&self) -> &[f64; Fact::ALL.len()] {
        &self.values
    }

    /// The same with another value of a fact.
    #[must_use]
    pub fn with(&self, fact: Fact, value: f64) -> Self {
        let mut other = self.clone();
        other.set(fact, value);
        other
    }

    fn set(&mut self, fact: Fact, value: f64) {
        self.values[fact as usize] = value;
    }

    fn add_scores(&mut self, alignment: &Alignment) {
        let of = |wanted: &[Level]| {
            let scored = alignment.levels.iter().filter(|scored| wanted.contains(&scored.level));
            scored.copied().reduce(|best, other| if other.score > best.score { other } else { best })
        };
        let document = of(&[Level::Document]).unwrap_or(alignment.best);
        let sentence = of(&[Level::Sentence, Level::Coref]).unwrap_or(alignment.best);
        let window = of(&[Level::Window]).unwrap_or(document);
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

    fn add_wording(&mut self, looked: &Looked<'_>) {
        let (premise, sentence) = (Vocabulary::of(looked.premise), Vocabulary::of(looked.sentence));
        let Document { vocabulary, names: known } = looked.document;
        let claim = looked.claim;
        let told_by =
            |text: &Vocabulary| share(claim.telling(), |(word, quantity)| text.tells(word, quantity));
        self.set(Fact::WordsInPremise, told_by(&premise));
        self.set(Fact::WordsInSentence, told_by(&sentence));
        self.set(Fact::WordsInDocument, told_by(vocabulary));
        let names = names(claim.text);
        let words = names.iter().flat_map(|name| (0..name.words.len()).map(move |index| (name, index)));
        self.set(Fact::NamesInDocument, share(words, |(name, index)| known.has(claim.text, name, index)));
        let quantities = claim.quantities.found_in(vocabulary.quantities()).into_iter();
        let certain = quantities.filter(|(_, readings, _)| readings[0].certain);
        self.set(Fact::NumbersInDocument, share(certain, |(.., said)| said));
        let pairs = claim.words.windows(2);
        self.set(Fact::PairsInDocument, share(pairs, |pair| vocabulary.has_pair(&pair[0], &pair[1])));
        let differs = denies(&claim.words) != denies(&looked.premise.words);
        self.set(Fact::DenialDiffers, f64::from(u8::from(differs)));
        self.set(Fact::PremiseLength, (looked.premise.words.len() as f64).ln_1p());
    }
}

/// What of the claim is nowhere in the document, in the order of the claim. A word of a date is no name.
fn not_in_document(looked: &Looked<'_>) -> Vec<NotInDocument> {
    let Looked { claim, document, .. } = looked;
    let mut found = Vec::new();
    for (span, readings) in claim.quantities.nowhere_in(document.quantities()) {
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

/// The share of things that are found; 1 of none.
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
        }
    }

    fn facts(claim: &str, premise: &str, document: &str) -> Facts {
        let (claim, premise) = (Wording::of(claim), Wording::of(premise));
        let document = Document::of(document);
        let looked = Looked { claim: &claim, premise: &premise, sentence: &premise, document: &document };
        Facts::of(&alignment(&[(Level::Sentence, 0.5)]), &looked)
    }

    #[test]
    fn names_are_known_and_different() {
        for (index, fact) in Fact::ALL.into_iter().enumerate() {
            assert_eq!((Fact::named(fact.name()), fact as usize), (Some(fact), index));
        }
        assert_eq!(Fact::named("luck"), None);
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
    fn what_is_not_there_to_be_found_is_no_lack() {
        let facts = facts("It is so.", "Rain fell.", "Rain fell.");
        for fact in [Fact::WordsInDocument, Fact::NamesInDocument, Fact::NumbersInDocument] {
            assert_eq!(facts.get(fact), 1.0, "{}", fact.name());
        }
        assert!(facts.not_in_document.is_empty());
    }

    #[test]
    fn what_the_document_says_in_other_words_is_not_called_unseen() {
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
        let told = |claim: &str| facts(claim, document, document).not_in_document;
        let quantity = |sort, text: &str| NotInDocument::Quantity { sort, text: text.into() };
        assert_eq!(told("They paid $1,580 and 8%."), [quantity("amount", "$1,580"), quantity("share", "8%")]);
        let not_in_document = [quantity("date", "4 May 2024"), NotInDocument::Name("Rio".into())];
        assert_eq!(told("They met on 4 May 2024 in Rio."), not_in_document);
    }

    #[test]
    fn one_denial_differs_and_two_do_not() {
        let differs = |claim: &str, premise: &str| facts(claim, premise, premise).get(Fact::DenialDiffers);
        assert_eq!(differs("The pool did not close.", "The pool closed."), 1.0);
        assert_eq!(differs("The pool did not close.", "The pool never closed."), 0.0);
    }

    #[test]
    fn levels_that_were_not_compared_stand_for_nothing_new() {
        let (nothing, document) = (Wording::of(""), Document::default());
        let looked = Looked { claim: &nothing, premise: &nothing, sentence: &nothing, document: &document };
        let of = |levels: &[(Level, f32)]| Facts::of(&alignment(levels), &looked);
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
