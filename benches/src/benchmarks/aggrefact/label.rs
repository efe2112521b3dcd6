//! Where AggreFact's summaries are from: the corpora of their articles and the generations of their summarizers.

use crate::protocol::Split;

/// The corpora of the articles: names in the file and in the papers.
pub(super) const ORIGINS: [(&str, &str); 2] = [("cnndm", "CNN"), ("xsum", "XSum")];

pub(super) const SOTA: &str = "SOTA";

/// Generations of summarizers, from fine-tuned pre-trained models and early Transformers to older models, each with its
/// models.
pub(super) const CATEGORIES: [(&str, &str); 3] = [
    (SOTA, "BART PegasusDynamic T5 Pegasus"),
    ("XFORMER", "BertSum BertExtAbs BertExt GPT2 BERTS2S TranS2S"),
    (
        "OLD",
        "FastAbsRl TConvS2S PtGen PtGenCoverage Summa BottomUp Seq2Seq TextRank missing ImproveAbs NEUSUM \
         ClosedBookDecoder RNES BanditSum ROUGESal MultiTask UnifiedExtAbs",
    ),
];

/// Where a summary is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) dataset: String,
    pub(crate) origin: String,
    /// The generation of its summarizer.
    pub(crate) category: &'static str,
    pub(crate) cut: Split,
}

pub(super) fn category(model: &str) -> Option<&'static str> {
    let has = |models: &str| models.split(' ').any(|known| known == model);
    CATEGORIES.into_iter().find(|(_, models)| has(models)).map(|(category, _)| category)
}
