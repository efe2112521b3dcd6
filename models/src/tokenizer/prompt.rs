//! The prompt of a checker, into which a document and a claim are inserted.

/// The prompt of a checker: the text before, between and after document and claim, which it reads as one sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTemplate {
    pub(super) before: String,
    between: String,
    after: String,
}

impl PromptTemplate {
    /// Parses a prompt, which must contain `{document}` before `{claim}`, each once; `None` otherwise.
    #[must_use]
    pub fn parse(template: &str) -> Option<Self> {
        let (before, rest) = template.split_once("{document}")?;
        let (between, after) = rest.split_once("{claim}")?;
        let is_once = |text: &str| !text.contains("{document}") && !text.contains("{claim}");
        [before, between, after].into_iter().all(is_once).then(|| Self {
            before: before.to_owned(),
            between: between.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The template's text.
    #[must_use]
    pub fn template(&self) -> String {
        format!("{}{{document}}{}{{claim}}{}", self.before, self.between, self.after)
    }

    /// The text after the document.
    pub(super) fn after_document(&self, claim: &str) -> String {
        format!("{}{claim}{}", self.between, self.after)
    }
}
