//! Compares several lists of scores of the same summaries: of whole documents, and of extracts by several methods and
//! budgets. A summary whose extract is empty has no score in that setting and is left out of it. The paper (section 3.4)
//! picks two settings for each corpus: the one with the highest correlation, and the one with the highest correlation within
//! 1,024 tokens ("Pareto efficient"). It does not say which of the two coefficients decides; the highest sum of both
//! reproduces its table 2, neither of them alone does.

use super::benchmark::{Label, LongEval, beside, corpora, correlations, tables, title};
use super::corpus::{CORPORA, Corpus};
use crate::protocol::{Beside, Case, Figures, RatedSummary, figures};

/// The budget limit of the second choice, in tokens.
const CHEAP: usize = 1024;

/// The number of parts of a document by which extracted sentences are counted.
pub const TENTHS: usize = 10;

/// The price of 1,000 input tokens in the paper (footnote 4), in cents.
const CENTS: f64 = 3.0;

/// A list of scores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoredSetting {
    pub name: String,
    /// The maximum number of tokens in an extract; `None` for whole documents.
    pub budget: Option<usize>,
    /// The score of each case; `None` if the extract is empty or the text failed.
    pub scores: Vec<Option<f64>>,
    /// The number of tokens in each case's document or extract together with its summary.
    pub tokens: Vec<usize>,
    /// The positions of each case's extracted sentences in the document, from 0 to 1; empty for whole documents.
    pub places: Vec<Vec<f64>>,
}

impl LongEval {
    /// Returns the figures of several lists of scores, and the settings that the paper would pick for each corpus. A corpus
    /// without figures in a setting, such as one whose extracts are all empty, gives a warning instead.
    pub fn grid(self, cases: &[Case<Label>], settings: &[ScoredSetting]) -> Figures {
        let settings: Vec<Figures> = settings.iter().map(|setting| self.setting(cases, setting)).collect();
        let mut choices = Vec::new();
        for corpus in CORPORA.iter().filter(|corpus| cases.iter().any(|case| case.label.corpus == **corpus)) {
            let best = |most| best(&settings, corpus, most).map(|setting| setting["name"].text());
            choices.push(
                figures! { "dataset": corpus.key(), "best": best(usize::MAX), "within_1024": best(CHEAP) },
            );
        }
        figures! { "dimension": self.dimension.name(), "settings": settings, "choices": choices }
    }

    fn setting(self, cases: &[Case<Label>], setting: &ScoredSetting) -> Figures {
        let (mut datasets, mut warnings, mut costs, mut places) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for corpus in &CORPORA {
            let is_scored =
                |row: &usize| cases[*row].label.corpus == *corpus && setting.scores[*row].is_some();
            let rows: Vec<usize> = (0..cases.len()).filter(is_scored).collect();
            if rows.is_empty() {
                continue;
            }
            match self.of_corpus(corpus, setting.summaries(cases, &rows), &mut warnings) {
                Ok(figures) => datasets.push(figures),
                Err(error) => warnings.push(error.to_string()),
            }
            costs.push(setting.cost(corpus, &rows));
            let shares = shares(rows.iter().flat_map(|row| &setting.places[*row]));
            places.extend(shares.map(|shares| figures! { "dataset": corpus.key(), "shares": shares }));
        }
        let left_out = setting.scores.iter().filter(|score| score.is_none()).count();
        if left_out > 0 {
            let of = cases.len();
            warnings.push(format!(
                "left out: {left_out} of {of} summaries: empty extracts, or texts that failed"
            ));
        }
        figures! {
            "name": setting.name.clone(),
            "budget": setting.budget,
            "figures": self.figures_of(datasets, warnings),
            "left_out": left_out,
            "costs": costs,
            "places": Figures::unless_empty(places),
        }
    }
}

impl ScoredSetting {
    fn summaries<'c>(&self, cases: &'c [Case<Label>], rows: &[usize]) -> Vec<RatedSummary<'c>> {
        let scored = rows.iter().filter_map(|row| Some((&cases[*row], self.scores[*row]?)));
        scored.map(|(case, score)| RatedSummary::of(case, &case.label.rating, score)).collect()
    }

    /// The rater's input without its own prompt, and its cost in cents at the paper's price.
    fn cost(&self, corpus: &Corpus, rows: &[usize]) -> Figures {
        let tokens = rows.iter().map(|row| self.tokens[*row] as f64).sum::<f64>() / rows.len() as f64;
        figures! { "dataset": corpus.key(), "tokens": tokens, "cents": CENTS * tokens / 1000.0 }
    }
}

/// Returns the distribution of extracted sentences over the tenths of their documents (the paper's figure 2), as shares;
/// `None` without sentences.
fn shares<'p>(places: impl Iterator<Item = &'p f64>) -> Option<[f64; TENTHS]> {
    let (mut counts, mut all) = ([0.0; TENTHS], 0.0);
    for place in places {
        counts[((place * TENTHS as f64) as usize).min(TENTHS - 1)] += 1.0;
        all += 1.0;
    }
    (all > 0.0).then(|| counts.map(|count| count / all))
}

/// Returns the setting with the highest sum of both coefficients among extracts of at most `most` tokens; on ties the first.
fn best<'s>(settings: &'s [Figures], corpus: &Corpus, most: usize) -> Option<&'s Figures> {
    let is_within =
        |setting: &&Figures| setting["budget"].value().is_some_and(|budget| budget <= most as f64);
    let sum = |setting: &Figures| {
        let found = corpus.of(&setting["figures"]["datasets"]);
        Some(found["pearson"].value()? + found["spearman"].value()?)
    };
    let summed = settings.iter().filter(is_within).filter_map(|setting| Some((sum(setting)?, setting)));
    summed.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, setting)| setting)
}

/// Formats the settings of a grid beside the paper's, the paper's picks among them, and their costs.
pub fn grid_lines(benchmark: LongEval, grid: &Figures) -> Vec<String> {
    let mut lines = vec![title(benchmark.dimension)];
    for table in beside_grid(benchmark, grid) {
        lines.extend(table.lines());
        lines.push(String::new());
    }
    for corpus in CORPORA {
        let choice = corpus.of(&grid["choices"]);
        if *choice != Figures::None {
            let name =
                |field: &str| if choice[field] == Figures::None { "none" } else { choice[field].text() };
            let (best, within) = (name("best"), name("within_1024"));
            lines.push(format!("{}: best extract {best}, within 1,024 tokens {within}", corpus.name));
        }
    }
    for setting in grid["settings"].list() {
        let (name, warnings) = (setting["name"].text(), setting["figures"]["warnings"].list());
        lines.extend(warnings.iter().map(|warning| format!("warning: {name}: {}", warning.text())));
    }
    lines
}

/// Returns the settings of a grid in the columns of table 3, the paper's picks in the columns of table 2, and their costs.
pub fn beside_grid(benchmark: LongEval, grid: &Figures) -> Vec<Beside> {
    let [table_2, costs, table_3] = tables(benchmark.dimension) else { return Vec::new() };
    let coefficients = PICKS.iter().map(|(pick, name)| {
        let of = |corpus: &Corpus| correlations(corpus.of(&pick.of(grid, corpus)["figures"]["datasets"]));
        ((*name).to_owned(), corpora(table_2, 2).iter().flat_map(of).collect::<Vec<_>>())
    });
    let cents = PICKS.iter().map(|(pick, name)| {
        let of = |corpus: &Corpus| {
            let cents = corpus.of(&pick.of(grid, corpus)["costs"])["cents"].value();
            cents.map_or_else(|| "-".into(), |cents| format!("{cents:.1}"))
        };
        ((*name).to_owned(), corpora(costs, 1).iter().map(of).collect::<Vec<_>>())
    });
    let all = grid["settings"].list().iter().map(|setting| (setting["name"].text(), &setting["figures"]));
    vec![beside(table_3, all), table_2.beside(coefficients), costs.beside(cents)]
}

enum Pick {
    Whole,
    Best,
    BestWithin1024,
}

const PICKS: [(Pick, &str); 3] = [
    (Pick::Whole, "whole documents"),
    (Pick::Best, "best extract of each"),
    (Pick::BestWithin1024, "best within 1,024 tokens"),
];

impl Pick {
    fn of<'f>(&self, grid: &'f Figures, corpus: &Corpus) -> &'f Figures {
        let (settings, choice) = (&grid["settings"], corpus.of(&grid["choices"]));
        let whole = || settings.list().iter().find(|setting| setting["budget"] == Figures::None);
        let named = |field: &str| settings.find(&[("name", choice[field].text())]);
        match self {
            Self::Whole => whole().unwrap_or(&Figures::None),
            Self::Best => named("best"),
            Self::BestWithin1024 => named("within_1024"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::longeval::Dimension;
    use crate::protocol::published::PublishedRow;

    /// Returns the paper's own settings as if they were ours.
    fn published_settings(dimension: Dimension) -> Vec<Figures> {
        let table = &tables(dimension)[2];
        let setting = |row: &PublishedRow| {
            let of = |(number, corpus): (usize, &Corpus)| {
                let value = |column: usize| row.values[2 * number + column].map(|value| value / 100.0);
                figures! { "dataset": corpus.key(), "pearson": value(0), "spearman": value(1) }
            };
            let budget: Option<usize> = row.name.rsplit(' ').next().and_then(|budget| budget.parse().ok());
            let datasets: Vec<Figures> = corpora(table, 2).iter().enumerate().map(of).collect();
            let figures = figures! { "datasets": datasets };
            figures! { "name": row.name.clone(), "budget": budget, "figures": figures }
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
                for (number, corpus) in corpora(table_2, 2).iter().enumerate() {
                    let chosen = best(&settings, corpus, most).unwrap();
                    let found = corpus.of(&chosen["figures"]["datasets"]);
                    for (column, field) in ["pearson", "spearman"].into_iter().enumerate() {
                        let ours = 100.0 * found[field].value().unwrap();
                        let theirs = row.values[2 * number + column].unwrap();
                        assert!((ours - theirs).abs() <= 0.5 + 1e-9, "{corpus:?} {name}: {chosen:?}");
                    }
                }
            }
        }
    }
}
