//! The corpora of LongEval, and what people rated in them.

use clap::ValueEnum;
use veridic::named;

use crate::protocol::Figures;

/// The rated dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Dimension {
    /// Consistency (arXiv, GovReport) or faithfulness (PubMed, SQuALITY)
    Factuality,
    /// Whether the summary has what is important (arXiv, GovReport).
    Relevance,
}

named!(Dimension, "dimension", { Factuality = "factuality", Relevance = "relevance" });

impl Dimension {
    pub(super) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Factuality => &["consistency", "factual_consistency", "faithfulness"],
            Self::Relevance => &["relevance"],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    /// Its name in the paper; figures use lower case.
    pub name: &'static str,
    /// Its name in the authors' files.
    file: &'static str,
    /// The rating from which a summary counts as consistent: our own limits, 4 of 5 and 80 of 100.
    pub(super) consistent_from: f64,
}

/// arXiv papers, reports of the US government, medical papers, short stories: in the paper's order.
pub const CORPORA: [Corpus; 4] = [
    Corpus { name: "arXiv", file: "arxiv", consistent_from: 4.0 },
    Corpus { name: "GovReport", file: "gov", consistent_from: 4.0 },
    Corpus { name: "PubMed", file: "pubmed", consistent_from: 80.0 },
    Corpus { name: "SQuALITY", file: "squality", consistent_from: 80.0 },
];

impl Corpus {
    /// Returns the corpus of that name, as written in papers or the authors' files.
    pub(super) fn named(name: &str) -> Option<Self> {
        let is_it =
            |corpus: &Self| name.eq_ignore_ascii_case(corpus.name) || name.eq_ignore_ascii_case(corpus.file);
        CORPORA.into_iter().find(is_it)
    }

    /// Returns the corpus named by a path: by its last word that names one.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        path.rsplit(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }

    /// Returns its name in figures.
    pub fn key(&self) -> String {
        self.name.to_ascii_lowercase()
    }

    /// Returns its figures in a list of figures by corpus.
    pub fn of<'f>(&self, figures: &'f Figures) -> &'f Figures {
        figures.find(&[("dataset", &self.key())])
    }
}
