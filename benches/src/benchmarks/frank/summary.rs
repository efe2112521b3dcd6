//! A summary of FRANK with its annotation, as texts to judge: its annotated sentences in order, then the whole.

use super::annotations::{AnnotatedSentence, Annotation};
use crate::protocol::{Rating, Split, Text, TextLevel};

/// What people say of a text, and its scores by other metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub(crate) split: Split,
    pub(crate) rating: Rating,
    /// The type of a sentence's error, if annotators agree on one.
    pub(crate) error: Option<String>,
    /// A summary's sentences, in FineSurE's files.
    pub(crate) sentences: Option<Vec<AnnotatedSentence>>,
    /// A summary's scores by other metrics, in the order of their names.
    pub(crate) other_scores: Vec<Option<f64>>,
}

impl Label {
    pub(super) fn of_sentence(split: Split, system: &str, is_faithful: bool, error: Option<String>) -> Self {
        let rating = Rating { system: system.to_owned(), value: f64::from(u8::from(is_faithful)) };
        Self { split, rating, error, sentences: None, other_scores: Vec::new() }
    }
}

pub(super) struct Summary<'a> {
    pub(super) system: String,
    pub(super) split: Split,
    pub(super) text: String,
    pub(super) annotation: &'a Annotation,
    /// Its sentences, if the file has the summary in sentences.
    pub(super) sentences: Option<Vec<String>>,
    pub(super) other_scores: Vec<Option<f64>>,
}

impl Summary<'_> {
    /// Returns its texts of a level, or of both.
    pub(super) fn texts(self, level: Option<TextLevel>) -> Result<Vec<Text<Label>>, String> {
        let mut texts = Vec::new();
        if TextLevel::Sentence.is_judged(level) {
            let sentences = self.annotation.sentences.iter();
            texts.extend(sentences.filter_map(|sentence| self.sentence(sentence)));
        }
        if TextLevel::Summary.is_judged(level) {
            let factuality = self.annotation.factuality.ok_or_else(|| {
                "has annotated sentences but no Factuality: give human_annotations.json as well".to_owned()
            })?;
            texts.push(self.whole(factuality));
        }
        Ok(texts)
    }

    /// Returns a sentence; `None` if it has neither a label nor words.
    fn sentence(&self, sentence: &AnnotatedSentence) -> Option<Text<Label>> {
        let is_faithful = sentence.label.filter(|_| has_words(&sentence.text))?;
        let label = Label::of_sentence(self.split, &self.system, is_faithful, sentence.error.clone());
        let text = Text::new(sentence.text.clone(), is_faithful, self.stratum(), label);
        Some(Text { level: TextLevel::Sentence, ..text })
    }

    pub(super) fn whole(self, factuality: f64) -> Text<Label> {
        let stratum = self.stratum();
        let label = Label {
            split: self.split,
            rating: Rating { system: self.system, value: factuality },
            error: None,
            sentences: self.sentences.is_some().then(|| self.annotation.sentences.clone()),
            other_scores: self.other_scores,
        };
        let text = Text::new(self.text, factuality == 1.0, stratum, label);
        Text { sentences: self.sentences, ..text }
    }

    fn stratum(&self) -> String {
        format!("{} {}", self.split.name(), self.system)
    }
}

pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
