//! Texts that only some metrics need, besides a document and its summary. Nothing is judged here.

/// The inputs of metrics besides the two texts; empty if the pair has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricInputs {
    /// The facts that a summary of the document should state.
    pub key_facts: Vec<String>,
    /// A reference summary written by a person.
    pub reference: Option<String>,
    /// Several reference summaries, for metrics that look for their common content.
    pub references: Vec<String>,
    /// The topic that the summary should be about.
    pub topic: Option<String>,
    /// The expected content of the summary's sections.
    pub sections: Vec<SectionDefinition>,
}

/// The expected content of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionDefinition {
    /// Its header.
    pub name: String,
    /// The content, in words.
    pub definition: String,
}

impl MetricInputs {
    /// No inputs.
    pub const NONE: &'static Self = &Self {
        key_facts: Vec::new(),
        reference: None,
        references: Vec::new(),
        topic: None,
        sections: Vec::new(),
    };
}
