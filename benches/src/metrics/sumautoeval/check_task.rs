//! What is checked: entities of a row against texts, whatever answers.

use std::borrow::Cow;

use super::entity::Entity;

/// A check of the entities of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Whether the summary has the ground truth's entities.
    Completeness,
    /// Whether the summary has the rubric's entities.
    Rubric,
    /// Whether the document or the ground truth has the summary's entities.
    Correctness,
    /// Whether the references have the summary's entities.
    Relevance,
    /// Whether the same section of the ground truth has the summary's entities.
    Section,
}

impl Check {
    pub(super) const ALL: [Self; 5] =
        [Self::Completeness, Self::Rubric, Self::Correctness, Self::Relevance, Self::Section];
}

/// A text that entities are checked against.
pub(super) struct SourceText<'t> {
    /// The text as given, which a language model reads.
    pub(super) text: Cow<'t, str>,
    pub(super) sentences: Vec<&'t str>,
}

/// One or several texts, in order.
pub(super) struct SourceTexts<'t> {
    pub(super) texts: Vec<SourceText<'t>>,
}

impl<'t> SourceTexts<'t> {
    pub(super) fn of(texts: impl IntoIterator<Item = SourceText<'t>>) -> Self {
        Self { texts: texts.into_iter().collect() }
    }

    /// Joins the given texts; empty without sentences.
    pub(super) fn as_text(&self) -> String {
        let texts = self.texts.iter().filter(|text| !text.sentences.is_empty());
        texts.map(|text| text.text.trim()).collect::<Vec<_>>().join("\n\n")
    }
}

/// Entities of a row, and what they are checked against.
pub(super) struct CheckTask<'e> {
    pub(super) entities: &'e [Entity],
    /// One for all entities, or one for each section.
    pub(super) sources: Vec<SourceTexts<'e>>,
    /// The sections, if entities are checked by section; `None` without a header.
    pub(super) sections: Vec<Option<DefinedSection<'e>>>,
}

/// The header of a section, and its definition or the header again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DefinedSection<'e> {
    pub(super) header: &'e str,
    pub(super) definition: &'e str,
}

impl<'e> CheckTask<'e> {
    /// All entities against one source.
    pub(super) fn of(entities: &'e [Entity], source: SourceTexts<'e>) -> Self {
        Self { entities, sources: vec![source], sections: Vec::new() }
    }

    /// The place of the source that an entity is checked against.
    pub(super) fn source_of(&self, entity: &Entity) -> usize {
        if self.sources.len() == 1 { 0 } else { entity.section }
    }
}
