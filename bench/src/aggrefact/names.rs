//! AggreFact's names: the two corpora, and which summarizer belongs to which category, as its authors list them
//! (Tang et al. 2023, section 3). Case matters; a name that is not listed is unknown.

use serde::Serialize;

use veridic::named;

/// The corpus of the articles, by its name in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// CNN and Daily Mail.
    CnnDm,
    /// BBC, one-sentence summaries.
    XSum,
}

named!(Origin, "origin", { CnnDm = "cnndm", XSum = "xsum" });

/// A generation of summarizers, by its name in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// Fine-tuned pre-trained models.
    Sota,
    /// Early Transformers.
    Xformer,
    /// Models before Transformers.
    Old,
}

named!(Category, "category", { Sota = "SOTA", Xformer = "XFORMER", Old = "OLD" });

/// How the protocol treats a model.
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
    /// Its name in the papers.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::CnnDm => "CNN",
            Self::XSum => "XSum",
        }
    }

    pub(super) fn named(name: &str) -> Result<Self, String> {
        name.parse().map_err(|_| "field `origin` must be cnndm or xsum".into())
    }
}
