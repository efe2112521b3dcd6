//! The figures of Wu et al. 2024 for the settings of a run: correlations by the length of extracts with those of whole
//! documents (figures 3 and 7), and from where in the documents the extracted sentences come (figure 2).

use crate::Estimate;
use crate::extract::Method;
use crate::longeval::{Dataset, DatasetFigures, Grid, SettingFigures, TENTHS};
use veridic_stats::plots::{Curve, LineChart, PlotError, Scale, lines};

/// The budget of figure 2, in tokens; of others the largest below it, or else the smallest.
const USUAL_BUDGET: usize = 1024;

/// Each coefficient's name in a file, on an axis, and where it is.
type Coefficient = (&'static str, &'static str, fn(&DatasetFigures) -> Option<Estimate>);

const COEFFICIENTS: [Coefficient; 2] = [
    ("pearson", "Pearson's r", |figures| figures.pearson),
    ("spearman", "Spearman's rho", |figures| figures.spearman),
];

/// Lines of points by method.
type Lines = Vec<(&'static str, Vec<(f64, f64)>)>;

/// The plots of each corpus, with the names of their files.
///
/// # Errors
/// As [`lines`].
pub(super) fn of(
    grid: &Grid,
    methods: &[Method],
    budgets: &[usize],
) -> Result<Vec<(String, String)>, PlotError> {
    let mut plots = Vec::new();
    for dataset in grid.choices.iter().map(|choice| choice.dataset) {
        for (file, name, of) in COEFFICIENTS {
            let value = |setting: &SettingFigures| {
                let found = setting.figures.datasets.iter().find(|found| found.dataset == dataset)?;
                of(found).map(|estimate| estimate.value)
            };
            let points = by_method(methods, |method| {
                let of = |budget: &usize| Some((*budget as f64, value(setting(grid, method, *budget)?)?));
                budgets.iter().filter_map(of).collect()
            });
            let whole = grid.settings.iter().find(|setting| setting.budget.is_none()).and_then(value);
            let about = LineChart {
                title: "Correlation by the length of extracts",
                subtitle: &format!("{}, {}", dataset.name(), grid.dimension),
                x: ("tokens of an extract", Scale::Number),
                y: (name, Scale::Number),
            };
            plots.extend(drawn(
                file,
                dataset,
                &about,
                &points,
                whole.map(|whole| ("whole documents", whole)),
            )?);
        }
        let below = budgets.iter().copied().filter(|budget| *budget <= USUAL_BUDGET).max();
        let Some(budget) = below.or_else(|| budgets.iter().copied().min()) else { continue };
        let points = by_method(methods, |method| {
            let setting = setting(grid, method, budget);
            let places =
                setting.and_then(|setting| setting.places.iter().find(|found| found.dataset == dataset));
            let point = |(tenth, share): (usize, &f64)| ((tenth as f64 + 0.5) / TENTHS as f64, *share);
            places.map(|places| places.shares.iter().enumerate().map(point).collect()).unwrap_or_default()
        });
        let about = LineChart {
            title: "Places of extracted sentences",
            subtitle: &format!("{}, extracts of at most {budget} tokens", dataset.name()),
            x: ("place in the document (%)", Scale::Share),
            y: ("sentences from that tenth (%)", Scale::Share),
        };
        plots.extend(drawn("places", dataset, &about, &points, None)?);
    }
    Ok(plots)
}

/// The points of each method once, of those that have any.
fn by_method(methods: &[Method], points: impl Fn(Method) -> Vec<(f64, f64)>) -> Lines {
    let mut found: Lines = Vec::new();
    for method in methods {
        let points = points(*method);
        if !points.is_empty() && found.iter().all(|(name, _)| *name != method.name()) {
            found.push((method.name(), points));
        }
    }
    found
}

fn setting(grid: &Grid, method: Method, budget: usize) -> Option<&SettingFigures> {
    let name = format!("{} {budget}", method.name());
    grid.settings.iter().find(|setting| setting.name == name)
}

/// A plot and its file's name; `None` without points.
fn drawn(
    file: &str,
    dataset: Dataset,
    about: &LineChart<'_>,
    points: &Lines,
    level: Option<(&str, f64)>,
) -> Result<Option<(String, String)>, PlotError> {
    if points.is_empty() {
        return Ok(None);
    }
    let curves: Vec<Curve<'_>> = points.iter().map(|(name, points)| Curve { name, points }).collect();
    let file = format!("{file}_{}", dataset.name().to_ascii_lowercase());
    Ok(Some((file, lines(about, &curves, level)?)))
}
