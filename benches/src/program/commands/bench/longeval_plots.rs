//! The figures of Wu et al. 2024 for the settings of a run: correlations by the length of extracts, with those of whole
//! documents (figures 3 and 7), and the distribution of extracted sentences over the documents (figure 2).

use crate::Figures;
use crate::extract::Method;
use crate::longeval::{CORPORA, Corpus, TENTHS};
use veridic_stats::plots::{Curve, LineChart, PlotError, Scale, lines};

/// The budget of figure 2, in tokens; if it was not run, the largest below it, or else the smallest.
const USUAL_BUDGET: usize = 1024;

/// Each coefficient's name in figures and files, and on an axis.
const COEFFICIENTS: [(&str, &str); 2] = [("pearson", "Pearson's r"), ("spearman", "Spearman's rho")];

/// Lines of points by method.
type Lines = Vec<(&'static str, Vec<(f64, f64)>)>;

/// Returns the plots of each corpus, with the names of their files.
///
/// # Errors
/// As [`lines`].
pub(super) fn of(
    grid: &Figures,
    methods: &[Method],
    budgets: &[usize],
) -> Result<Vec<(String, String)>, PlotError> {
    let mut plots = Vec::new();
    let settings = grid["settings"].list();
    for corpus in CORPORA.iter().filter(|corpus| *corpus.of(&grid["choices"]) != Figures::None) {
        for (field, name) in COEFFICIENTS {
            let value = |setting: &Figures| corpus.of(&setting["figures"]["datasets"])[field].value();
            let points = by_method(methods, |method| {
                let of = |budget: &usize| Some((*budget as f64, value(setting(grid, method, *budget))?));
                budgets.iter().filter_map(of).collect()
            });
            let whole = settings.iter().find(|setting| setting["budget"] == Figures::None).and_then(value);
            let about = LineChart {
                title: "Correlation by the length of extracts",
                subtitle: &format!("{}, {}", corpus.name, grid["dimension"].text()),
                x: ("tokens of an extract", Scale::Number),
                y: (name, Scale::Number),
            };
            plots.extend(drawn(
                field,
                corpus,
                &about,
                &points,
                whole.map(|whole| ("whole documents", whole)),
            )?);
        }
        let below = budgets.iter().copied().filter(|budget| *budget <= USUAL_BUDGET).max();
        let Some(budget) = below.or_else(|| budgets.iter().copied().min()) else { continue };
        let points = by_method(methods, |method| {
            let shares = &corpus.of(&setting(grid, method, budget)["places"])["shares"];
            let point = |(tenth, share): (usize, f64)| ((tenth as f64 + 0.5) / TENTHS as f64, share);
            shares.list().iter().filter_map(Figures::value).enumerate().map(point).collect()
        });
        let about = LineChart {
            title: "Places of extracted sentences",
            subtitle: &format!("{}, extracts of at most {budget} tokens", corpus.name),
            x: ("place in the document (%)", Scale::Share),
            y: ("sentences from that tenth (%)", Scale::Share),
        };
        plots.extend(drawn("places", corpus, &about, &points, None)?);
    }
    Ok(plots)
}

/// Returns the points of each method that has any.
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

fn setting(grid: &Figures, method: Method, budget: usize) -> &Figures {
    grid["settings"].find(&[("name", &format!("{} {budget}", method.name()))])
}

/// A plot and its file's name; `None` without points.
fn drawn(
    file: &str,
    corpus: &Corpus,
    about: &LineChart<'_>,
    points: &Lines,
    level: Option<(&str, f64)>,
) -> Result<Option<(String, String)>, PlotError> {
    if points.is_empty() {
        return Ok(None);
    }
    let curves: Vec<Curve<'_>> = points.iter().map(|(name, points)| Curve { name, points }).collect();
    let file = format!("{file}_{}", corpus.key());
    Ok(Some((file, lines(about, &curves, level)?)))
}
