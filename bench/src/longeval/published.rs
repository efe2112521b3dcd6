//! The figures of Wu et al. 2024, times 100, and costs in cents.

use super::Dimension;
use crate::published::{Deviation, PublishedRow, PublishedTable, some};

/// The paper's tables of a dimension: other metrics and the settings that it picks, the costs of those, all settings.
pub(super) fn tables(dimension: Dimension) -> &'static [PublishedTable; 3] {
    match dimension {
        Dimension::Factuality => &FACTUALITY,
        Dimension::Relevance => &RELEVANCE,
    }
}

const SET_UP: &str =
    "GPT-4 rates the summary beside the whole document, cut at 8,000 tokens, or beside an extract of it";

const RATER: Deviation = Deviation::of_all(
    "a metric of this program rates, unless it is a language model's (rating); documents are not cut at 8,000 tokens",
)
.of_scoring();

const EXTRACTS: Deviation = Deviation::of_all(
    "sentences are cut by rules, not by NLTK; tokens are the NLI model's or those of --budget-tokenizer, not GPT-4's",
)
.of_scoring();

const LEFT_OUT: Deviation = Deviation::of_all(
    "a summary whose extract is empty is left out of that setting; the authors' program has an empty document rated",
);

const CHOICE: Deviation = Deviation::of_all(
    "of several extracts that with the highest sum of r and rho is picked, which picks what the paper picks of its own; \
     its text only says the highest correlation",
);

const COST: Deviation = Deviation::of_all(
    "cents are 3 for 1,000 tokens of the text and the summary; the paper counts its prompt too",
);

const IN_TABLE_2: &str = "Wu et al. 2024, table 2: correlations times 100 over 204, 204, 40 and 40 summaries";

const COSTS: &str = "Wu et al. 2024, table 2: cents a summary, at 3 cents for 1,000 tokens of input";

const IN_TABLE_3: &str = "Wu et al. 2024, table 3: correlations times 100; GPT-4 rates the summary beside an extract of so \
                          many tokens";

const DATASETS: [&[&str]; 2] = [&["arXiv", "GovReport", "PubMed", "SQuALITY"], &["arXiv", "GovReport"]];

const FACTUALITY_COLUMNS: &[&str] = &[
    "arXiv r",
    "arXiv rho",
    "GovReport r",
    "GovReport rho",
    "PubMed r",
    "PubMed rho",
    "SQuALITY r",
    "SQuALITY rho",
];

const RELEVANCE_COLUMNS: &[&str] = &["arXiv r", "arXiv rho", "GovReport r", "GovReport rho"];

static FACTUALITY: [PublishedTable; 3] = [
    PublishedTable {
        table: "factuality",
        source: IN_TABLE_2,
        columns: FACTUALITY_COLUMNS,
        rows: &[
            PublishedRow::new("ROUGE-1", some![-8.0, -13.0, -12.0, -11.0, 32.0, 30.0, -33.0, -13.0]),
            PublishedRow::new("BERTScore", some![-9.0, -10.0, 0.0, -4.0, 49.0, 49.0, -12.0, 2.0]),
            PublishedRow::new("BARTScore", some![32.0, 36.0, 51.0, 48.0, 49.0, 47.0, -6.0, -17.0]),
            PublishedRow::new("FactCC", some![22.0, 19.0, 28.0, 27.0, -9.0, -14.0, 13.0, 14.0]),
            PublishedRow::new("SummaC", some![32.0, 32.0, 39.0, 38.0, 51.0, 55.0, 18.0, 24.0]),
            PublishedRow::new("GPT-4, whole document", some![61.0, 46.0, 33.0, 34.0, 64.0, 70.0, 51.0, 38.0]),
            PublishedRow::new(
                "GPT-4, best extract of each",
                some![71.0, 50.0, 62.0, 60.0, 76.0, 80.0, 85.0, 81.0],
            ),
            PublishedRow::new(
                "GPT-4, best within 1,024 tokens",
                some![71.0, 50.0, 60.0, 61.0, 75.0, 75.0, 85.0, 81.0],
            ),
        ],
        set_up: SET_UP,
        differs: &[RATER, EXTRACTS, LEFT_OUT, CHOICE],
    },
    PublishedTable {
        table: "factuality_cost",
        source: COSTS,
        columns: DATASETS[0],
        rows: &[
            PublishedRow::new("GPT-4, whole document", some![15.0, 10.0, 11.0, 14.0]),
            PublishedRow::new("GPT-4, best extract of each", some![5.0, 9.0, 7.0, 4.0]),
            PublishedRow::new("GPT-4, best within 1,024 tokens", some![5.0, 5.0, 5.0, 4.0]),
        ],
        set_up: SET_UP,
        differs: &[COST, EXTRACTS],
    },
    PublishedTable {
        table: "factuality_by_extract",
        source: IN_TABLE_3,
        columns: FACTUALITY_COLUMNS,
        rows: &[
            PublishedRow::new("lead 128", some![17.59, 11.04, 11.35, 10.75, 8.81, 4.83, 14.96, 12.34]),
            PublishedRow::new("lead 256", some![25.26, 18.34, 13.84, 12.61, 21.57, 17.49, 22.56, 29.95]),
            PublishedRow::new("lead 512", some![35.66, 24.34, 17.01, 13.4, 30.57, 34.88, 12.0, 22.46]),
            PublishedRow::new("lead 768", some![51.61, 41.9, 22.62, 19.17, 51.84, 51.99, 30.01, 36.46]),
            PublishedRow::new("lead 1024", some![56.5, 44.24, 29.38, 28.76, 51.99, 54.79, 35.14, 37.18]),
            PublishedRow::new("lead 1536", some![57.22, 49.4, 32.16, 33.19, 70.09, 73.36, 36.36, 38.81]),
            PublishedRow::new("lead 2048", some![64.93, 53.52, 43.9, 45.86, 73.13, 74.78, 41.62, 48.53]),
            PublishedRow::new("lead 4096", some![59.63, 44.33, 44.45, 44.13, 67.04, 69.05, 71.56, 49.96]),
            PublishedRow::new("rouge-1 128", some![27.27, 20.36, 12.42, 9.46, 31.27, 27.06, 57.93, 40.68]),
            PublishedRow::new("rouge-1 256", some![53.05, 38.03, 29.09, 27.67, 54.84, 59.38, 78.81, 65.92]),
            PublishedRow::new("rouge-1 512", some![63.93, 42.9, 46.9, 45.81, 63.85, 67.15, 83.81, 77.09]),
            PublishedRow::new("rouge-1 768", some![68.18, 43.49, 53.15, 53.02, 69.58, 71.4, 82.59, 72.79]),
            PublishedRow::new("rouge-1 1024", some![71.34, 49.64, 59.4, 57.85, 60.4, 65.59, 81.67, 69.36]),
            PublishedRow::new("rouge-1 1536", some![65.86, 46.03, 62.06, 59.63, 66.13, 68.35, 75.01, 58.4]),
            PublishedRow::new("rouge-1 2048", some![66.16, 46.76, 55.41, 55.62, 66.88, 71.1, 68.47, 55.6]),
            PublishedRow::new("rouge-1 4096", some![62.64, 44.63, 50.94, 49.14, 68.83, 70.8, 61.54, 32.81]),
            PublishedRow::new("rouge-2 128", some![36.4, 24.26, 23.82, 21.1, 33.7, 39.06, 82.19, 72.83]),
            PublishedRow::new("rouge-2 256", some![56.2, 36.08, 48.45, 46.59, 61.11, 58.74, 72.99, 63.78]),
            PublishedRow::new("rouge-2 512", some![62.74, 38.64, 58.55, 57.69, 68.59, 71.19, 84.61, 80.67]),
            PublishedRow::new("rouge-2 768", some![66.73, 38.88, 59.52, 57.81, 72.22, 76.27, 86.58, 75.26]),
            PublishedRow::new("rouge-2 1024", some![69.75, 44.82, 59.59, 61.17, 67.08, 70.3, 76.24, 67.63]),
            PublishedRow::new("rouge-2 1536", some![67.07, 39.24, 57.27, 55.89, 67.7, 71.08, 75.76, 68.44]),
            PublishedRow::new("rouge-2 2048", some![63.22, 41.35, 61.94, 58.83, 68.76, 70.43, 65.24, 52.1]),
            PublishedRow::new("rouge-2 4096", some![57.94, 38.44, 54.84, 52.3, 65.23, 69.83, 66.0, 41.49]),
            PublishedRow::new("rouge-1+2 128", some![37.05, 22.35, 20.13, 15.25, 35.53, 34.85, 64.82, 62.82]),
            PublishedRow::new("rouge-1+2 256", some![53.97, 35.81, 37.44, 36.23, 56.7, 59.8, 75.01, 65.22]),
            PublishedRow::new("rouge-1+2 512", some![67.7, 42.24, 54.73, 52.05, 69.53, 70.95, 81.1, 64.52]),
            PublishedRow::new("rouge-1+2 768", some![68.65, 43.1, 54.5, 53.03, 71.48, 74.41, 78.81, 70.55]),
            PublishedRow::new(
                "rouge-1+2 1024",
                some![65.81, 44.35, 60.91, 59.19, 70.88, 74.79, 82.18, 72.83],
            ),
            PublishedRow::new("rouge-1+2 1536", some![67.58, 43.93, 59.33, 58.91, 64.76, 67.74, 81.35, 73.7]),
            PublishedRow::new("rouge-1+2 2048", some![67.84, 45.69, 62.02, 60.31, 70.24, 72.67, 83.0, 71.17]),
            PublishedRow::new("rouge-1+2 4096", some![56.0, 36.81, 50.05, 46.88, 68.83, 71.43, 63.89, 52.2]),
            PublishedRow::new("bertscore 128", some![45.9, 31.79, 16.62, 13.37, 29.1, 32.28, 33.79, 50.15]),
            PublishedRow::new("bertscore 256", some![60.08, 35.43, 44.64, 40.81, 63.92, 65.39, 29.59, 37.22]),
            PublishedRow::new("bertscore 512", some![63.13, 40.6, 53.3, 52.44, 63.55, 67.31, 36.69, 49.41]),
            PublishedRow::new("bertscore 768", some![65.61, 40.79, 51.93, 53.56, 66.58, 69.71, 35.32, 32.45]),
            PublishedRow::new("bertscore 1024", some![64.45, 41.1, 51.49, 50.99, 69.88, 72.26, 51.21, 53.1]),
            PublishedRow::new(
                "bertscore 1536",
                some![66.73, 40.69, 46.83, 45.13, 68.25, 72.27, 36.53, 41.06],
            ),
            PublishedRow::new(
                "bertscore 2048",
                some![69.51, 44.68, 50.32, 52.65, 70.84, 74.03, 49.21, 50.91],
            ),
            PublishedRow::new("bertscore 4096", some![64.38, 51.8, 46.7, 44.54, 69.04, 73.42, 72.5, 55.43]),
            PublishedRow::new("nli 128", some![20.68, 20.44, 16.18, 13.69, 19.77, 19.66, 61.32, 36.84]),
            PublishedRow::new("nli 256", some![24.73, 18.4, 18.73, 19.64, 14.99, 15.0, 56.51, 34.86]),
            PublishedRow::new("nli 512", some![30.8, 22.41, 21.31, 20.99, 59.83, 57.65, 70.19, 54.27]),
            PublishedRow::new("nli 768", some![42.11, 32.88, 29.59, 30.63, 69.73, 67.56, 64.14, 45.65]),
            PublishedRow::new("nli 1024", some![50.78, 30.1, 28.64, 28.48, 75.0, 74.78, 61.75, 39.85]),
            PublishedRow::new("nli 1536", some![53.16, 28.34, 33.55, 34.86, 71.63, 73.16, 58.98, 47.83]),
            PublishedRow::new("nli 2048", some![55.18, 34.22, 38.31, 40.05, 76.36, 79.96, 72.19, 57.53]),
            PublishedRow::new("nli 4096", some![48.04, 31.11, 30.71, 32.54, 67.66, 67.59, 71.58, 45.7]),
        ],
        set_up: SET_UP,
        differs: &[RATER, EXTRACTS, LEFT_OUT],
    },
];

#[expect(clippy::approx_constant, reason = "a correlation of 0.0628")]
static RELEVANCE: [PublishedTable; 3] = [
    PublishedTable {
        table: "relevance",
        source: IN_TABLE_2,
        columns: RELEVANCE_COLUMNS,
        rows: &[
            PublishedRow::new("ROUGE-1", some![29.0, 25.0, 53.0, 52.0]),
            PublishedRow::new("BERTScore", some![22.0, 18.0, 38.0, 38.0]),
            PublishedRow::new("BARTScore", some![0.0, 3.0, 18.0, 24.0]),
            PublishedRow::new("FactCC", some![13.0, 13.0, 5.0, 4.0]),
            PublishedRow::new("SummaC", some![9.0, 8.0, 5.0, 4.0]),
            PublishedRow::new("GPT-4, whole document", some![58.0, 52.0, 12.0, 11.0]),
            PublishedRow::new("GPT-4, best extract of each", some![63.0, 58.0, 36.0, 40.0]),
            PublishedRow::new("GPT-4, best within 1,024 tokens", some![55.0, 48.0, 37.0, 37.0]),
        ],
        set_up: SET_UP,
        differs: &[RATER, EXTRACTS, LEFT_OUT, CHOICE],
    },
    PublishedTable {
        table: "relevance_cost",
        source: COSTS,
        columns: DATASETS[1],
        rows: &[
            PublishedRow::new("GPT-4, whole document", some![15.0, 10.0]),
            PublishedRow::new("GPT-4, best extract of each", some![7.0, 7.0]),
            PublishedRow::new("GPT-4, best within 1,024 tokens", some![4.0, 5.0]),
        ],
        set_up: SET_UP,
        differs: &[COST, EXTRACTS],
    },
    PublishedTable {
        table: "relevance_by_extract",
        source: IN_TABLE_3,
        columns: RELEVANCE_COLUMNS,
        rows: &[
            PublishedRow::new("lead 128", some![14.12, 15.42, 3.58, 2.49]),
            PublishedRow::new("lead 256", some![24.2, 20.97, 2.53, 2.21]),
            PublishedRow::new("lead 512", some![37.85, 31.73, 1.27, 0.64]),
            PublishedRow::new("lead 768", some![39.51, 33.99, 1.67, 2.48]),
            PublishedRow::new("lead 1024", some![46.57, 38.53, 8.85, 9.37]),
            PublishedRow::new("lead 1536", some![50.94, 42.42, 7.41, 8.44]),
            PublishedRow::new("lead 2048", some![53.32, 44.43, 13.0, 12.63]),
            PublishedRow::new("lead 4096", some![54.71, 48.64, 26.7, 28.83]),
            PublishedRow::new("rouge-1 128", some![5.96, -0.24, 7.41, 6.87]),
            PublishedRow::new("rouge-1 256", some![33.89, 19.39, 25.84, 24.06]),
            PublishedRow::new("rouge-1 512", some![48.1, 37.59, 28.64, 31.09]),
            PublishedRow::new("rouge-1 768", some![50.18, 41.7, 29.52, 29.32]),
            PublishedRow::new("rouge-1 1024", some![46.38, 35.43, 26.52, 29.61]),
            PublishedRow::new("rouge-1 1536", some![53.32, 45.55, 35.36, 33.74]),
            PublishedRow::new("rouge-1 2048", some![49.96, 42.5, 38.3, 35.63]),
            PublishedRow::new("rouge-1 4096", some![55.26, 47.59, 32.93, 31.74]),
            PublishedRow::new("rouge-2 128", some![25.48, 6.28, 13.17, 13.49]),
            PublishedRow::new("rouge-2 256", some![42.21, 29.72, 21.74, 17.2]),
            PublishedRow::new("rouge-2 512", some![44.6, 33.34, 24.95, 22.76]),
            PublishedRow::new("rouge-2 768", some![48.81, 39.5, 24.46, 27.99]),
            PublishedRow::new("rouge-2 1024", some![47.12, 36.51, 26.73, 30.98]),
            PublishedRow::new("rouge-2 1536", some![51.2, 41.98, 25.56, 27.38]),
            PublishedRow::new("rouge-2 2048", some![50.43, 41.97, 31.71, 28.72]),
            PublishedRow::new("rouge-2 4096", some![55.09, 47.34, 27.71, 25.45]),
            PublishedRow::new("rouge-1+2 128", some![16.18, -1.89, 15.35, 14.8]),
            PublishedRow::new("rouge-1+2 256", some![40.19, 27.92, 34.7, 30.54]),
            PublishedRow::new("rouge-1+2 512", some![49.98, 39.54, 35.08, 33.32]),
            PublishedRow::new("rouge-1+2 768", some![51.47, 42.19, 28.58, 29.74]),
            PublishedRow::new("rouge-1+2 1024", some![47.0, 36.56, 36.69, 37.12]),
            PublishedRow::new("rouge-1+2 1536", some![47.91, 37.5, 35.6, 40.3]),
            PublishedRow::new("rouge-1+2 2048", some![51.5, 43.59, 34.42, 30.66]),
            PublishedRow::new("rouge-1+2 4096", some![56.11, 48.66, 29.04, 27.57]),
            PublishedRow::new("bertscore 128", some![25.29, 4.59, 20.78, 21.58]),
            PublishedRow::new("bertscore 256", some![43.51, 30.01, 25.47, 20.19]),
            PublishedRow::new("bertscore 512", some![51.02, 39.71, 28.85, 24.2]),
            PublishedRow::new("bertscore 768", some![47.94, 37.1, 27.42, 19.53]),
            PublishedRow::new("bertscore 1024", some![50.53, 41.32, 29.15, 23.34]),
            PublishedRow::new("bertscore 1536", some![53.72, 46.66, 21.76, 20.35]),
            PublishedRow::new("bertscore 2048", some![59.35, 52.68, 27.09, 21.17]),
            PublishedRow::new("bertscore 4096", some![55.85, 47.96, 29.76, 26.5]),
            PublishedRow::new("nli 128", some![25.49, 28.15, 14.14, 13.07]),
            PublishedRow::new("nli 256", some![35.2, 30.6, 11.35, 9.79]),
            PublishedRow::new("nli 512", some![46.1, 41.22, 24.95, 24.54]),
            PublishedRow::new("nli 768", some![49.9, 42.76, 28.93, 30.08]),
            PublishedRow::new("nli 1024", some![54.79, 48.22, 25.33, 29.36]),
            PublishedRow::new("nli 1536", some![57.47, 50.09, 22.62, 25.2]),
            PublishedRow::new("nli 2048", some![62.98, 57.98, 31.95, 36.0]),
            PublishedRow::new("nli 4096", some![61.59, 56.76, 16.13, 24.52]),
        ],
        set_up: SET_UP,
        differs: &[RATER, EXTRACTS, LEFT_OUT],
    },
];
