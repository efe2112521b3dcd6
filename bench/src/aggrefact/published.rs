//! What FENICE's paper (Scirè, Ghonim, Navigli, ACL Findings 2024) reports on AggreFact, as it is printed there:
//! some averages, such as QAFactEval's and SummaC's in table 3, are not the means of the figures before them.

use crate::published::PublishedRow;
pub(super) use crate::published::PublishedTable;

/// All of it.
pub(super) static TABLES: [PublishedTable; 3] = [MULTI_THRESHOLD, SINGLE_THRESHOLD, ABLATION];

/// A threshold a dataset.
pub(super) const MULTI_THRESHOLD: PublishedTable = PublishedTable {
    table: "multi_threshold",
    source: "Scirè et al. 2024 (FENICE), table 3",
    columns: &["CNN SOTA", "CNN XFORMER", "CNN OLD", "XSum SOTA", "XSum XFORMER", "XSum OLD", "AVG"],
    rows: &[
        PublishedRow::new(
            "FENICE, GPT claims",
            &[Some(68.2), Some(68.8), Some(82.1), Some(73.9), Some(73.5), Some(69.9), Some(72.7)],
        ),
        PublishedRow::new(
            "FENICE, T5 claims",
            &[Some(61.6), Some(67.8), Some(80.6), Some(71.4), Some(70.7), Some(67.7), Some(70.0)],
        ),
        PublishedRow::new(
            "AlignScore",
            &[Some(53.5), Some(73.9), Some(78.0), Some(80.2), Some(79.9), Some(63.7), Some(71.5)],
        ),
        PublishedRow::new(
            "QAFactEval",
            &[Some(61.6), Some(69.1), Some(80.3), Some(65.9), Some(59.6), Some(60.5), Some(67.0)],
        ),
        PublishedRow::new(
            "TrueTeacher-11B",
            &[Some(65.7), Some(57.7), Some(81.9), Some(75.2), Some(68.4), Some(52.8), Some(67.0)],
        ),
        PublishedRow::new(
            "SummaC-ZS",
            &[Some(63.3), Some(76.5), Some(76.3), Some(56.1), Some(51.4), Some(53.3), Some(65.3)],
        ),
        PublishedRow::new(
            "SummaC-Conv",
            &[Some(70.3), Some(69.8), Some(78.9), Some(67.0), Some(64.6), Some(67.5), Some(70.5)],
        ),
        PublishedRow::new(
            "MENLI",
            &[Some(51.7), Some(52.8), Some(68.4), Some(58.3), Some(59.7), Some(73.9), Some(60.8)],
        ),
    ],
};

/// A threshold an origin.
pub(super) const SINGLE_THRESHOLD: PublishedTable = PublishedTable {
    table: "single_threshold",
    source: "Scirè et al. 2024 (FENICE), table 4",
    columns: &["CNN", "XSum", "AVG"],
    rows: &[
        PublishedRow::new("FENICE, GPT claims", &[Some(70.5), Some(72.8), Some(71.6)]).within(&[1.8, 0.3]),
        PublishedRow::new("FENICE, T5 claims", &[Some(67.7), Some(70.1), Some(68.9)]).within(&[3.0, 1.8]),
        PublishedRow::new("AlignScore", &[Some(62.7), Some(69.4), Some(66.1)]).within(&[3.1, 1.9]),
        PublishedRow::new("QAFactEval", &[Some(67.8), Some(63.9), Some(65.9)]).within(&[4.1, 2.4]),
        PublishedRow::new("TrueTeacher-11B", &[Some(62.0), Some(74.9), Some(68.4)]).within(&[1.3, 1.2]),
        PublishedRow::new("SummaC-ZS", &[Some(64.0), Some(56.4), Some(60.2)]).within(&[3.8, 1.2]),
        PublishedRow::new("SummaC-Conv", &[Some(61.0), Some(65.0), Some(63.0)]).within(&[3.9, 2.2]),
        PublishedRow::new("MENLI", &[Some(63.4), Some(59.0), Some(61.2)]).within(&[2.8, 1.8]),
    ],
};

/// What each part of FENICE brings, under one threshold an origin.
pub(super) const ABLATION: PublishedTable = PublishedTable {
    table: "ablation",
    source: "Scirè et al. 2024 (FENICE), table 5; with RoBERTa table 9, less than with DeBERTa",
    columns: &["CNN", "XSum", "AVG", "gain"],
    rows: &[
        PublishedRow::new("NLI_sent", &[Some(52.2), Some(59.6), Some(55.9), None]).within(&[1.4, 0.6]),
        PublishedRow::new("NLI_claim", &[Some(54.3), Some(63.2), Some(58.8), Some(2.9)]).within(&[2.1, 0.8]),
        PublishedRow::new("NLI_coref", &[Some(59.7), Some(63.7), Some(61.5), Some(2.7)]).within(&[2.3, 0.9]),
        PublishedRow::new("FENICE", &[Some(70.5), Some(72.8), Some(71.6), Some(10.1)]).within(&[3.0, 0.3]),
        PublishedRow::new("FENICE with RoBERTa", &[None, None, None, Some(-4.3)]),
    ],
};
