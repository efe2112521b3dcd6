//! Whether texts have an entity, by looking up its words, names and numbers in runs of sentences.

use super::answers::Found;
use super::entity::content_words;
use veridic::text::{Lookup, PartOfSpeech as Part, TaggedWord, has_negation, words};

/// The share of an entity's words from which it is covered, and that from which it is covered in part.
const COVERED_FROM: f64 = 0.75;
const PARTLY_FROM: f64 = 0.4;

/// The share of words from which a sentence is about an entity and may contradict it.
pub(super) const SHARED_FROM: f64 = 0.5;

/// The number of sentences in a run whose words count together.
const RUN_SENTENCES: usize = 3;

/// The sentences of a text, for looking words up.
pub(super) struct LookedUp<'t> {
    sentences: Vec<&'t str>,
    lookups: Vec<Lookup>,
}

impl<'t> LookedUp<'t> {
    pub(super) fn of(sentences: &[&'t str]) -> Self {
        let lookups = sentences.iter().map(|sentence| Lookup::new(sentence)).collect();
        Self { sentences: sentences.to_vec(), lookups }
    }

    /// Whether it has an entity, by words alone.
    pub(super) fn covers(&self, entity: &str) -> bool {
        Coverage::of(entity, std::slice::from_ref(self)).found() == Found::Whole
    }
}

/// The content words of an entity, and which of them each sentence of each text has.
pub(super) struct Coverage<'e> {
    entity: &'e str,
    words: Vec<TaggedWord<'e>>,
    texts: &'e [LookedUp<'e>],
    /// (texts, sentences, words)
    has: Vec<Vec<Vec<bool>>>,
}

/// A run of sentences.
struct Run<'e> {
    /// Whether it has each word.
    has: Vec<bool>,
    sentences: &'e [&'e str],
}

impl<'e> Coverage<'e> {
    pub(super) fn of(entity: &'e str, texts: &'e [LookedUp<'e>]) -> Self {
        let words = content_words(entity);
        let has_words = |lookup: &Lookup| words.iter().map(|word| lookup.has(word)).collect();
        let has = texts.iter().map(|text| text.lookups.iter().map(has_words).collect()).collect();
        Self { entity, words, texts, has }
    }

    /// Whether each sentence of all texts has each word.
    pub(super) fn by_sentence(&self) -> Vec<&[bool]> {
        self.has.iter().flatten().map(Vec::as_slice).collect()
    }

    /// How much of the entity the texts have.
    pub(super) fn found(&self) -> Found {
        let Some(Run { has, sentences }) = self.best_run() else { return Found::Nothing };
        let shared = share(&has);
        if shared < PARTLY_FROM || self.words.is_empty() {
            return Found::Nothing;
        }
        if shared >= SHARED_FROM && self.differs(&has, sentences) {
            return Found::Against;
        }
        let lacks_exact =
            [Part::Number, Part::Name, Part::Date].into_iter().any(|part| self.lacks(part, &has));
        if shared >= COVERED_FROM && !lacks_exact { Found::Whole } else { Found::Part }
    }

    /// The run with most words; the first one on ties.
    fn best_run(&self) -> Option<Run<'e>> {
        let mut best: Option<Run<'e>> = None;
        for (text, has) in self.texts.iter().zip(&self.has) {
            let most = RUN_SENTENCES.min(has.len());
            for start in (0..=has.len() - most).take(has.len()) {
                let run = start..start + most;
                let found =
                    Run { has: any(&has[run.clone()], self.words.len()), sentences: &text.sentences[run] };
                if best.as_ref().is_none_or(|best| share(&found.has) > share(&best.has)) {
                    best = Some(found);
                }
            }
        }
        best
    }

    fn lacks(&self, part: Part, has: &[bool]) -> bool {
        self.words.iter().zip(has).any(|(word, has)| word.part == part && !has)
    }

    /// Whether the sentence with most words of the entity contradicts it: it has another number; or exactly one of the two is
    /// negated and the sentence has few other words, so that the negation is about the entity.
    fn differs(&self, has: &[bool], sentences: &[&str]) -> bool {
        let about = |sentence: &&&str| {
            let lookup = Lookup::new(sentence);
            self.words.iter().filter(|word| lookup.has(word)).count()
        };
        // The last sentence on ties; a run is never empty.
        let Some(nearest) = sentences.iter().max_by_key(about) else { return false };
        let own = Lookup::new(self.entity);
        let others = content_words(nearest);
        let shared: Vec<bool> = others.iter().map(|word| own.has(word)).collect();
        if share(&shared) >= SHARED_FROM && has_negation(&words(nearest)) != has_negation(&words(self.entity))
        {
            return true;
        }
        let has_other_number =
            others.iter().zip(&shared).any(|(word, is_shared)| word.part == Part::Number && !is_shared);
        has_other_number && self.lacks(Part::Number, has)
    }
}

/// Whether any of some sentences has each of `count` words.
pub(super) fn any<S: AsRef<[bool]>>(sentences: &[S], count: usize) -> Vec<bool> {
    (0..count).map(|word| sentences.iter().any(|has| has.as_ref()[word])).collect()
}

/// The share of words that are there; 0 without words.
pub(super) fn share(has: &[bool]) -> f64 {
    if has.is_empty() { 0.0 } else { has.iter().filter(|has| **has).count() as f64 / has.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_counts_words_names_and_numbers() {
        let text = ["The pool of Harwell will close.", "Repairs cost 4.2 million.", "A dog barked."];
        let far = ["A dog barked.", "Rain fell.", "It was cold.", "The pool will close."];
        let about_other = ["You should rest, and come back in two weeks if the pain does not stop."];
        for (entity, text, found) in [
            ("The pool closes.", &text[..], Found::Whole),
            // Pool and close of pool, close, Berlin, May: half.
            ("The pool closes in Berlin in May.", &text, Found::Part),
            // Three of repair, cost, 2.4 and million are found, and the sentence has another number.
            ("Repairs cost 2.4 million.", &text, Found::Against),
            ("The pool of Harwell will not close.", &text, Found::Against),
            // The negation is about something else.
            ("You should rest.", &about_other, Found::Whole),
            ("An otter flew to Peru.", &text, Found::Nothing),
            ("An otter flew.", &[], Found::Nothing),
            // Dog is in the third sentence, the rest in the first: one run.
            ("A dog closes the pool of Harwell.", &text, Found::Whole),
            ("A dog closes a pool.", &far, Found::Part),
        ] {
            assert_eq!(Coverage::of(entity, &[LookedUp::of(text)]).found(), found, "{entity}");
        }
    }
}
