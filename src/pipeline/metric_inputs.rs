//! Texts beside a document and its summary, which some metrics ask for. Nothing here is judged.

/// What a pair may bring beside its two texts; empty where it does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricInputs {
    /// What a summary of the document should say.
    pub key_facts: Vec<String>,
    /// A summary by people.
    pub reference: Option<String>,
    /// Several of them, for metrics that ask for what they have in common.
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
    /// In words.
    pub definition: String,
}

impl MetricInputs {
    /// Nothing beside the two texts.
    pub const NONE: &'static Self = &Self {
        key_facts: Vec::new(),
        reference: None,
        references: Vec::new(),
        topic: None,
        sections: Vec::new(),
    };
}
