//! AggreFact's names: the two corpora, and which summarizer belongs to which category, as its authors list them
//! (Tang et al. 2023, section 3). Names are compared letter by letter; one that is not listed is unknown.

use serde::Serialize;

use crate::fields::short;

/// The corpus of the articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// CNN and Daily Mail.
    CnnDm,
    /// BBC, one-sentence summaries.
    XSum,
}

/// A generation of summarizers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// Fine-tuned pre-trained models.
    Sota,
    /// Early Transformers.
    Xformer,
    /// What came before.
    Old,
}

/// What the protocol makes of a model's name.
pub(super) enum Model {
    Of(Category),
    /// The article's first sentences, or the reference.
    LeftOut,
    Unknown,
}

const SOTA: [&str; 4] = ["BART", "PegasusDynamic", "T5", "Pegasus"];
const XFORMER: [&str; 6] = ["BertSum", "BertExtAbs", "BertExt", "GPT2", "BERTS2S", "TranS2S"];
const OLD: [&str; 17] = [
    "FastAbsRl",
    "TConvS2S",
    "PtGen",
    "PtGenCoverage",
    "Summa",
    "BottomUp",
    "Seq2Seq",
    "TextRank",
    "missing",
    "ImproveAbs",
    "NEUSUM",
    "ClosedBookDecoder",
    "RNES",
    "BanditSum",
    "ROUGESal",
    "MultiTask",
    "UnifiedExtAbs",
];
const LEFT_OUT: [&str; 2] = ["LEAD3", "GOLD"];

pub(super) fn model(name: &str) -> Model {
    match name {
        name if SOTA.contains(&name) => Model::Of(Category::Sota),
        name if XFORMER.contains(&name) => Model::Of(Category::Xformer),
        name if OLD.contains(&name) => Model::Of(Category::Old),
        name if LEFT_OUT.contains(&name) => Model::LeftOut,
        _ => Model::Unknown,
    }
}

impl Origin {
    /// Both, in the order of tables.
    pub const ALL: [Self; 2] = [Self::CnnDm, Self::XSum];

    /// Its name in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CnnDm => "cnndm",
            Self::XSum => "xsum",
        }
    }

    /// Its name in the papers.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::CnnDm => "CNN",
            Self::XSum => "XSum",
        }
    }

    pub(super) fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|origin| origin.name() == name);
        found.ok_or_else(|| format!("field `origin` is {}: it must be cnndm or xsum", short(name)))
    }
}

impl Category {
    /// All three, in the order of tables.
    pub const ALL: [Self; 3] = [Self::Sota, Self::Xformer, Self::Old];

    /// Its name in the paper.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sota => "SOTA",
            Self::Xformer => "XFORMER",
            Self::Old => "OLD",
        }
    }
}
