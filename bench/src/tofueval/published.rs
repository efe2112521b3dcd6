//! The figures of TofuEval's paper on test (Tang et al., NAACL 2024), in percent. The captions of its tables 7 and 8 are
//! exchanged; by its equations and its text table 7 has FPR. Three cells do not fit its balanced accuracies: the FNR of both
//! GPT models for sentences on MeetingBank's main topics, which repeat those for summaries, and AlignScore's rates for
//! summaries on MeetingBank's marginal topics. They are here as printed.

use crate::published::{Deviation, PublishedRow, PublishedTable, some};

/// The cells of the paper's tables.
pub(super) const CELLS: &[&str] =
    &["MediaSum main", "MediaSum marginal", "MeetingBank main", "MeetingBank marginal"];

/// The tables of sentences, those of summaries, and the shares of inconsistent sentences and summaries.
pub(super) static TABLES: [PublishedTable; 10] = [
    PublishedTable {
        table: "sentence",
        source: "Tang et al. 2024, table 3: balanced accuracy on sentences of test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("always the same answer", some![50.0, 50.0, 50.0, 50.0]),
            PublishedRow::new("SummaC-ZS", some![66.1, 73.9, 63.9, 80.6]),
            PublishedRow::new("SummaC-CV", some![67.6, 73.0, 62.6, 77.3]),
            PublishedRow::new("QAFactEval", some![53.9, 74.0, 58.0, 75.8]),
            PublishedRow::new("AlignScore", some![69.2, 76.2, 61.2, 78.6]),
            PublishedRow::new("Vicuna-13B", some![54.0, 54.8, 49.6, 61.9]),
            PublishedRow::new("Vicuna-33B", some![51.0, 51.1, 53.6, 48.4]),
            PublishedRow::new("WizardLM-13B", some![59.8, 53.5, 58.8, 56.6]),
            PublishedRow::new("WizardLM-30B", some![54.5, 53.9, 53.5, 53.4]),
            PublishedRow::new("GPT-3.5-Turbo", some![61.6, 68.9, 56.0, 65.0]),
            PublishedRow::new("GPT-4", some![64.9, 80.2, 67.5, 90.3]),
        ],
        set_up: OF_SENTENCES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "sentence_fpr",
        source: "Tang et al. 2024, table 7: FPR on sentences of test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("SummaC-ZS", some![26.1, 26.0, 26.9, 20.2]),
            PublishedRow::new("SummaC-CV", some![47.2, 40.2, 27.9, 30.6]),
            PublishedRow::new("QAFactEval", some![33.2, 22.7, 30.1, 29.2]),
            PublishedRow::new("AlignScore", some![23.9, 26.0, 14.9, 25.4]),
            PublishedRow::new("GPT-3.5-Turbo", some![3.7, 14.6, 13.4, 48.4]),
            PublishedRow::new("GPT-4", some![1.4, 5.7, 3.5, 6.7]),
        ],
        set_up: OF_SENTENCES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "sentence_fnr",
        source: "Tang et al. 2024, table 8: FNR on sentences of test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("SummaC-ZS", some![41.8, 26.4, 45.4, 18.7]),
            PublishedRow::new("SummaC-CV", some![17.8, 14.0, 47.1, 14.9]),
            PublishedRow::new("QAFactEval", some![59.0, 29.5, 54.1, 19.4]),
            PublishedRow::new("AlignScore", some![37.9, 21.6, 62.7, 17.5]),
            PublishedRow::new("GPT-3.5-Turbo", some![73.0, 47.7, 48.4, 21.6]),
            PublishedRow::new("GPT-4", some![68.8, 33.9, 46.1, 12.6]),
        ],
        set_up: OF_SENTENCES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "summary",
        source: "Tang et al. 2024, table 3: balanced accuracy on summaries of test; language models by their answers about \
                 sentences",
        columns: CELLS,
        rows: &[
            PublishedRow::new("always the same answer", some![50.0, 50.0, 50.0, 50.0]),
            PublishedRow::new("SummaC-ZS", some![62.7, 64.1, 58.1, 72.4]),
            PublishedRow::new("SummaC-CV", some![61.2, 66.5, 52.4, 72.9]),
            PublishedRow::new("QAFactEval", some![61.4, 74.2, 55.1, 68.2]),
            PublishedRow::new("AlignScore", some![65.5, 72.1, 63.4, 71.8]),
            PublishedRow::new("Vicuna-13B", some![55.6, 59.1, 51.2, 59.2]),
            PublishedRow::new("Vicuna-33B", some![52.5, 53.4, 53.2, 51.0]),
            PublishedRow::new("WizardLM-13B", some![57.0, 54.5, 54.6, 58.0]),
            PublishedRow::new("WizardLM-30B", some![53.3, 54.4, 53.0, 53.2]),
            PublishedRow::new("GPT-3.5-Turbo", some![59.6, 65.8, 63.2, 65.7]),
            PublishedRow::new("GPT-4", some![63.7, 78.9, 74.7, 83.1]),
        ],
        set_up: OF_SUMMARIES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "summary_fpr",
        source: "Tang et al. 2024, table 7: FPR on summaries of test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("SummaC-ZS", some![51.9, 51.8, 35.6, 38.1]),
            PublishedRow::new("SummaC-CV", some![53.5, 46.9, 24.3, 21.7]),
            PublishedRow::new("QAFactEval", some![35.4, 22.8, 45.9, 45.1]),
            PublishedRow::new("AlignScore", some![41.6, 35.8, 36.6, 47.1]),
            PublishedRow::new("GPT-3.5-Turbo", some![11.2, 26.2, 25.3, 43.7]),
            // Its first figure is not in the text of the paper.
            PublishedRow::new("GPT-4", &[None, Some(12.5), Some(4.5), Some(7.8)]),
        ],
        set_up: OF_SUMMARIES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "summary_fnr",
        source: "Tang et al. 2024, table 8: FNR on summaries of test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("SummaC-ZS", some![22.8, 20.1, 48.1, 17.3]),
            PublishedRow::new("SummaC-CV", some![24.2, 20.1, 71.0, 32.6]),
            PublishedRow::new("QAFactEval", some![41.9, 28.8, 43.9, 18.7]),
            PublishedRow::new("AlignScore", some![27.4, 20.1, 36.6, 17.5]),
            PublishedRow::new("GPT-3.5-Turbo", some![69.6, 42.2, 48.4, 24.9]),
            PublishedRow::new("GPT-4", some![69.0, 29.7, 46.1, 26.1]),
        ],
        set_up: OF_SUMMARIES,
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "summary_direct",
        source: "Tang et al. 2024, table 9: balanced accuracy on summaries of test, each judged as a whole",
        columns: CELLS,
        rows: &[
            PublishedRow::new("always the same answer", some![50.0, 50.0, 50.0, 50.0]),
            PublishedRow::new("SummaC-ZS", some![62.7, 64.1, 58.1, 72.4]),
            PublishedRow::new("SummaC-CV", some![61.2, 66.5, 52.4, 72.9]),
            PublishedRow::new("QAFactEval", some![61.4, 74.2, 55.1, 68.2]),
            PublishedRow::new("AlignScore", some![65.5, 72.1, 63.4, 71.8]),
            PublishedRow::new("Vicuna-13B", some![49.8, 52.3, 48.6, 53.1]),
            PublishedRow::new("Vicuna-33B", some![50.0, 50.5, 50.8, 47.6]),
            PublishedRow::new("WizardLM-13B", some![52.0, 52.3, 47.3, 51.9]),
            PublishedRow::new("WizardLM-30B", some![50.0, 51.8, 50.0, 51.2]),
            PublishedRow::new("GPT-3.5-Turbo", some![55.0, 71.2, 51.5, 59.9]),
            PublishedRow::new("GPT-4", some![58.2, 68.5, 56.6, 80.0]),
        ],
        set_up: "each evaluator judges a whole summary beside the whole transcript",
        differs: &[THRESHOLDS],
    },
    PublishedTable {
        table: "summary_explained",
        source: "Tang et al. 2024, table 10: balanced accuracy on summaries of test, by answers with explanations about \
                 sentences",
        columns: CELLS,
        rows: &[
            PublishedRow::new("always the same answer", some![50.0, 50.0, 50.0, 50.0]),
            PublishedRow::new("Vicuna-13B", some![51.7, 49.2, 49.9, 49.6]),
            PublishedRow::new("Vicuna-33B", some![54.4, 56.0, 54.6, 54.0]),
            PublishedRow::new("WizardLM-13B", some![56.8, 57.1, 56.2, 60.1]),
            PublishedRow::new("WizardLM-30B", some![56.0, 57.7, 54.9, 56.1]),
            PublishedRow::new("GPT-3.5-Turbo", some![60.1, 64.3, 61.9, 61.5]),
            PublishedRow::new("GPT-4", some![64.2, 78.7, 75.9, 83.9]),
        ],
        set_up: "language models answer about each sentence and explain; a summary is consistent if all its sentences are",
        differs: &[
            THRESHOLDS,
            Deviation::of_all("nothing is explained, unless the scores come from such answers").of_scoring(),
        ],
    },
    PublishedTable {
        table: "sentence_errors",
        source: "Tang et al. 2024, table 2: inconsistent sentences of dev and test",
        columns: CELLS,
        rows: &[
            PublishedRow::new("Vicuna-7B", some![19.6, 35.8, 17.6, 36.8]),
            PublishedRow::new("WizardLM-7B", some![29.1, 36.4, 21.3, 42.4]),
            PublishedRow::new("WizardLM-13B", some![17.4, 27.2, 15.8, 25.4]),
            PublishedRow::new("WizardLM-30B", some![14.6, 27.2, 13.7, 26.2]),
            PublishedRow::new("GPT-3.5-Turbo", some![8.8, 13.6, 4.4, 9.4]),
            PublishedRow::new("their average", some![17.5, 27.8, 14.4, 27.8]),
        ],
        set_up: LABELS,
        differs: &[SYSTEMS],
    },
    PublishedTable {
        table: "summary_errors",
        source: "Tang et al. 2024, table 2: summaries of dev and test with an inconsistent sentence",
        columns: CELLS,
        rows: &[
            PublishedRow::new("Vicuna-7B", some![42.7, 55.4, 33.0, 58.0]),
            PublishedRow::new("WizardLM-7B", some![49.6, 54.8, 35.6, 49.0]),
            PublishedRow::new("WizardLM-13B", some![35.9, 44.4, 41.3, 46.8]),
            PublishedRow::new("WizardLM-30B", some![35.9, 48.2, 31.5, 44.8]),
            PublishedRow::new("GPT-3.5-Turbo", some![22.2, 27.2, 10.9, 19.8]),
            PublishedRow::new("their average", some![37.2, 46.0, 30.4, 43.6]),
        ],
        set_up: LABELS,
        differs: &[SYSTEMS],
    },
];

/// People's means of relevance and of completeness.
pub(super) static QUALITY: [PublishedTable; 2] = [
    PublishedTable {
        table: "relevance",
        source: "Tang et al. 2024, table 6: people's mean relevance by system, times 100",
        columns: &["MediaSum", "MeetingBank"],
        rows: &[
            PublishedRow::new("Vicuna-7B", some![89.0, 81.0]),
            PublishedRow::new("WizardLM-7B", some![84.0, 76.0]),
            PublishedRow::new("WizardLM-13B", some![87.0, 88.0]),
            PublishedRow::new("WizardLM-30B", some![91.0, 88.0]),
            PublishedRow::new("GPT-3.5-Turbo", some![91.0, 91.0]),
        ],
        set_up: "people rate summaries of main topics from 1 to 5; from 3 on a rating counts as 1, else as 0",
        differs: &[SYSTEMS, Deviation::of_all("a score is the share of claims about the topic").of_scoring()],
    },
    PublishedTable {
        table: "completeness",
        source: "Tang et al. 2024, table 6: people's mean completeness by system, times 100",
        columns: &["MediaSum", "MeetingBank"],
        rows: &[
            PublishedRow::new("Vicuna-7B", some![64.0, 72.0]),
            PublishedRow::new("WizardLM-7B", some![53.0, 61.0]),
            PublishedRow::new("WizardLM-13B", some![69.0, 75.0]),
            PublishedRow::new("WizardLM-30B", some![72.0, 75.0]),
            PublishedRow::new("GPT-3.5-Turbo", some![70.0, 74.0]),
        ],
        set_up: "people say for each of their key points whether the summary has it",
        differs: &[
            SYSTEMS,
            Deviation::of_all("an NLI model says whether a summary has a key point").of_scoring(),
            Deviation::of_all("summaries of topics without a key point are left out"),
        ],
    },
];

const OF_SENTENCES: &str =
    "each evaluator judges a sentence beside the whole transcript; language models say yes or no";

const OF_SUMMARIES: &str = "SummaC, QAFactEval and AlignScore judge whole summaries; language models their sentences, all of which must be right";

const LABELS: &str = "people's labels of the sentences of five systems";

const THRESHOLDS: Deviation = Deviation::of_all(
    "unless a language model says yes or no or --decide-at is given, a threshold is the midpoint between two dev scores, \
     the same in all cells unless --scope; the paper does not say how its own are chosen or shared",
);

const SYSTEMS: Deviation =
    Deviation::of_all("the files do not name the systems: ours are all of them together");
