//! Several lists of scores of the same summaries: of whole documents, and of extracts by several methods and budgets. A
//! summary whose extract is empty has no score in that setting and is left out of it. The paper (section 3.4) picks two
//! settings for each corpus: the one with the highest correlation, and the one with the highest correlation within 1,024
//! tokens ("Pareto efficient"). It does not say by which of the two coefficients; the highest sum of both picks what its
//! table 2 has, neither of them alone does.

use serde::Serialize;

use super::{Dataset, Dimension, Figures, LongEval};
use crate::benchmark::Case;

/// The budget of the second choice, in tokens.
pub(super) const CHEAP: usize = 1024;

/// The parts of a document that extracted sentences are counted in.
pub const TENTHS: usize = 10;

/// Cents for 1,000 tokens of input in the paper (footnote 4).
const CENTS: f64 = 3.0;

/// A list of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredSetting {
    /// Its name.
    pub name: String,
    /// Most tokens of an extract; `None` for whole documents.
    pub budget: Option<usize>,
    /// A score for each case; `None` where the extract is empty or the text failed.
    pub scores: Vec<Option<f64>>,
    /// Tokens of each case's document or extract and its summary together.
    pub tokens: Vec<usize>,
    /// The places of each case's extracted sentences in the document, from 0 to 1; empty for whole documents.
    pub places: Vec<Vec<f64>>,
}

/// The figures of all settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grid {
    /// The ratings that scores are compared with.
    pub dimension: Dimension,
    /// The settings, in the order in which they were scored.
    pub settings: Vec<SettingFigures>,
    /// The settings that the paper would pick, for each corpus.
    pub choices: Vec<Choice>,
}

/// The figures of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingFigures {
    /// Its name.
    pub name: String,
    /// Most tokens of an extract; `None` for whole documents.
    pub budget: Option<usize>,
    /// The correlations.
    pub figures: Figures,
    /// Summaries that are left out, since their extracts are empty or they failed.
    pub left_out: usize,
    /// What a rater reads.
    pub costs: Vec<Cost>,
    /// Where extracted sentences come from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Places>,
}

/// From which tenths of their documents the extracted sentences of a corpus come (the paper's figure 2).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Places {
    /// The corpus.
    pub dataset: Dataset,
    /// The share of the sentences from each tenth, in the documents' order.
    pub shares: [f64; TENTHS],
}

/// What a rater reads of a corpus, the rater's own prompt apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// The corpus.
    pub dataset: Dataset,
    /// Mean tokens of a document or extract and its summary.
    pub tokens: f64,
    /// The same in cents at the paper's price.
    pub cents: f64,
}

/// The settings that the paper would pick of a corpus; `None` where no setting has both coefficients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The corpus.
    pub dataset: Dataset,
    /// The extracts with the highest correlation.
    pub best: Option<String>,
    /// Those within 1,024 tokens.
    pub within_1024: Option<String>,
}

impl LongEval {
    /// The figures of several lists of scores. A corpus that a setting has no figures for, such as one whose extracts are
    /// all empty, has a warning instead.
    #[must_use]
    pub fn grid(self, cases: &[Case], settings: &[ScoredSetting]) -> Grid {
        let settings: Vec<SettingFigures> =
            settings.iter().map(|setting| self.setting(cases, setting)).collect();
        let has_rows = |dataset: &Dataset| cases.iter().any(|case| case.keys.corpus == dataset.name());
        let choose = |dataset| {
            let best = |most| best(&settings, dataset, most).map(|setting| setting.name.clone());
            Choice { dataset, best: best(usize::MAX), within_1024: best(CHEAP) }
        };
        let choices = Dataset::ALL.into_iter().filter(has_rows).map(choose).collect();
        Grid { dimension: self.dimension, settings, choices }
    }

    fn setting(self, cases: &[Case], setting: &ScoredSetting) -> SettingFigures {
        let (mut datasets, mut warnings, mut costs, mut places) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let scores: Vec<f64> = setting.scores.iter().map(|score| score.unwrap_or_default()).collect();
        for dataset in Dataset::ALL {
            let is_scored =
                |row: &usize| cases[*row].keys.corpus == dataset.name() && setting.scores[*row].is_some();
            let rows: Vec<usize> = (0..cases.len()).filter(is_scored).collect();
            if rows.is_empty() {
                continue;
            }
            match self.of_dataset(dataset, cases, &scores, &rows) {
                Ok((figures, warning)) => {
                    datasets.push(figures);
                    warnings.extend(warning);
                }
                Err(error) => warnings.push(error.to_string()),
            }
            let tokens = rows.iter().map(|row| setting.tokens[*row] as f64).sum::<f64>() / rows.len() as f64;
            costs.push(Cost { dataset, tokens, cents: CENTS * tokens / 1000.0 });
            places.extend(Places::of(dataset, rows.iter().flat_map(|row| &setting.places[*row])));
        }
        let left_out = setting.scores.iter().filter(|score| score.is_none()).count();
        if left_out > 0 {
            let of = cases.len();
            warnings.push(format!(
                "left out: {left_out} of {of} summaries: empty extracts, or texts that failed"
            ));
        }
        let figures = Figures { dimension: self.dimension, datasets, warnings };
        SettingFigures {
            name: setting.name.clone(),
            budget: setting.budget,
            figures,
            left_out,
            costs,
            places,
        }
    }
}

impl Places {
    /// `None` without sentences.
    fn of<'p>(dataset: Dataset, places: impl Iterator<Item = &'p f64>) -> Option<Self> {
        let (mut counts, mut all) = ([0.0; TENTHS], 0.0);
        for place in places {
            counts[((place * TENTHS as f64) as usize).min(TENTHS - 1)] += 1.0;
            all += 1.0;
        }
        (all > 0.0).then(|| Self { dataset, shares: counts.map(|count| count / all) })
    }
}

impl Grid {
    /// The setting of that name.
    pub(super) fn setting(&self, name: &str) -> Option<&SettingFigures> {
        self.settings.iter().find(|setting| setting.name == name)
    }
}

/// The extracts of at most so many tokens with the highest sum of both coefficients; of equal ones the first.
fn best(settings: &[SettingFigures], dataset: Dataset, most: usize) -> Option<&SettingFigures> {
    let within = settings.iter().filter(|setting| setting.budget.is_some_and(|budget| budget <= most));
    let sum = |setting: &SettingFigures| {
        let found = setting.figures.datasets.iter().find(|found| found.dataset == dataset)?;
        Some(found.pearson?.value + found.spearman?.value)
    };
    let summed = within.filter_map(|setting| Some((sum(setting)?, setting)));
    summed.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, setting)| setting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Estimate;
    use crate::longeval::{DatasetFigures, tables};

    /// The paper's own settings as if they were ours.
    fn published_settings(dimension: Dimension) -> Vec<SettingFigures> {
        let table = &tables(dimension)[2];
        let datasets = &Dataset::ALL[..table.columns.len() / 2];
        let setting = |row: &crate::PublishedRow| {
            let of = |(number, dataset): (usize, &Dataset)| {
                let value = |column: usize| {
                    row.values[2 * number + column].map(|value| Estimate::within(value / 100.0, None))
                };
                let (pearson, spearman) = (value(0), value(1));
                DatasetFigures {
                    dataset: *dataset,
                    summaries: 2,
                    documents: 1,
                    systems: 2,
                    pearson,
                    spearman,
                }
            };
            let budget = row.name.rsplit(' ').next().and_then(|budget| budget.parse().ok());
            let datasets = datasets.iter().enumerate().map(of).collect();
            let figures = Figures { dimension, datasets, warnings: Vec::new() };
            SettingFigures {
                name: row.name.clone(),
                budget,
                figures,
                left_out: 0,
                costs: Vec::new(),
                places: Vec::new(),
            }
        };
        table.rows.iter().map(setting).collect()
    }

    #[test]
    fn choices_are_those_of_the_paper() {
        for dimension in Dimension::ALL {
            let settings = published_settings(dimension);
            assert_eq!(settings.len(), 48);
            let table_2 = &tables(dimension)[0];
            for (name, most) in [("best extract of each", usize::MAX), ("best within 1,024", CHEAP)] {
                let row = table_2.rows.iter().find(|row| row.name.contains(name)).unwrap();
                for (number, dataset) in Dataset::ALL[..table_2.columns.len() / 2].iter().enumerate() {
                    let chosen = best(&settings, *dataset, most).unwrap();
                    let found = &chosen.figures.datasets[number];
                    for (column, estimate) in [found.pearson, found.spearman].into_iter().enumerate() {
                        let [ours, theirs] =
                            [100.0 * estimate.unwrap().value, row.values[2 * number + column].unwrap()];
                        assert!((ours - theirs).abs() <= 0.5 + 1e-9, "{dataset:?} {name}: {}", chosen.name);
                    }
                }
            }
        }
    }
}
