//! Texts that only some metrics need, beside a document and its summary. Nothing is judged here.

/// Inputs of metrics beside the two texts; empty where the pair has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricInputs {
    /// What a summary of the document should say.
    pub key_facts: Vec<String>,
    /// A summary written by a person.
    pub reference: Option<String>,
    /// Several of them, for metrics that look for what they have in common.
    pub references: Vec<String>,
    /// What the summary should be about.
    pub topic: Option<String>,
    /// What sections of the summary should hold.
    pub sections: Vec<SectionDefinition>,
}

/// What a section of a text should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionDefinition {
    /// Its header.
    pub name: String,
    /// Its content, in words.
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
