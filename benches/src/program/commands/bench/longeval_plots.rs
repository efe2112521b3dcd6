//! The figures of Wu et al. 2024 for the settings of a run: correlations by the length of extracts, with those of whole
//! documents (figures 3 and 7), and the distribution of extracted sentences over the documents (figure 2).

use veridic_stats::plots::{Curve, LineChart, PlotError, Scale, lines};

use crate::benchmarks::longeval::{CORPORA, Corpus, TENTHS};
use crate::extract::Method;
use crate::protocol::Figures;

/// The budget of figure 2, in tokens; if it was not run, the largest below it, or else the smallest.
const USUAL_BUDGET: usize = 1024;

/// Each coefficient's name in figures and files, and on an axis.
const COEFFICIENTS: [(&str, &str); 2] = [("pearson", "Pearson's r"), ("spearman", "Spearman's rho")];

/// The name of a plot's file, and the plot.
type Plot = (String, String);

/// The settings of a comparison and what is drawn of them.
struct Plots<'g> {
    grid: &'g Figures,
    methods: &'g [Method],
    budgets: &'g [usize],
    drawn: Vec<Plot>,
}

struct Line {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

/// Returns the plots of each corpus, with the names of their files.
///
/// # Errors
/// As [`lines`].
pub(super) fn of(grid: &Figures, methods: &[Method], budgets: &[usize]) -> Result<Vec<Plot>, PlotError> {
    let mut plots = Plots { grid, methods, budgets, drawn: Vec::new() };
    for corpus in CORPORA.iter().filter(|corpus| *corpus.of(&grid["choices"]) != Figures::None) {
        for (field, name) in COEFFICIENTS {
            plots.draw_correlations(corpus, field, name)?;
        }
        plots.draw_places(corpus)?;
    }
    Ok(plots.drawn)
}

impl Plots<'_> {
    fn draw_correlations(&mut self, corpus: &Corpus, field: &str, name: &str) -> Result<(), PlotError> {
        let value = |setting: &Figures| corpus.of(&setting["figures"]["datasets"])[field].value();
        let points = self.by_method(|method| {
            let of = |budget: &usize| Some((*budget as f64, value(self.setting(method, *budget))?));
            self.budgets.iter().filter_map(of).collect()
        });
        let settings = self.grid["settings"].list();
        let whole = settings.iter().find(|setting| setting["budget"] == Figures::None).and_then(value);
        let about = LineChart {
            title: "Correlation by the length of extracts",
            subtitle: &format!("{}, {}", corpus.name, self.grid["dimension"].text()),
            x: ("tokens of an extract", Scale::Number),
            y: (name, Scale::Number),
        };
        let whole = whole.map(|whole| ("whole documents", whole));
        self.draw(&format!("{field}_{}", corpus.key()), &about, &points, whole)
    }

    fn draw_places(&mut self, corpus: &Corpus) -> Result<(), PlotError> {
        let below = self.budgets.iter().copied().filter(|budget| *budget <= USUAL_BUDGET).max();
        let Some(budget) = below.or_else(|| self.budgets.iter().copied().min()) else { return Ok(()) };
        let points = self.by_method(|method| {
            let shares = &corpus.of(&self.setting(method, budget)["places"])["shares"];
            let point = |(tenth, share): (usize, f64)| ((tenth as f64 + 0.5) / TENTHS as f64, share);
            shares.list().iter().filter_map(Figures::value).enumerate().map(point).collect()
        });
        let about = LineChart {
            title: "Places of extracted sentences",
            subtitle: &format!("{}, extracts of at most {budget} tokens", corpus.name),
            x: ("place in the document (%)", Scale::Share),
            y: ("sentences from that tenth (%)", Scale::Share),
        };
        self.draw(&format!("places_{}", corpus.key()), &about, &points, None)
    }

    /// Returns the points of each method that has any.
    fn by_method(&self, points: impl Fn(Method) -> Vec<(f64, f64)>) -> Vec<Line> {
        let mut found: Vec<Line> = Vec::new();
        for method in self.methods {
            let line = Line { name: method.name(), points: points(*method) };
            if !line.points.is_empty() && found.iter().all(|other| other.name != line.name) {
                found.push(line);
            }
        }
        found
    }

    fn setting(&self, method: Method, budget: usize) -> &Figures {
        self.grid["settings"].find(&[("name", &format!("{} {budget}", method.name()))])
    }

    /// Draws lines, if there are any.
    fn draw(
        &mut self,
        file: &str,
        about: &LineChart<'_>,
        points: &[Line],
        level: Option<(&str, f64)>,
    ) -> Result<(), PlotError> {
        if !points.is_empty() {
            let curves: Vec<Curve<'_>> =
                points.iter().map(|Line { name, points }| Curve { name, points }).collect();
            self.drawn.push((file.to_owned(), lines(about, &curves, level)?));
        }
        Ok(())
    }
}
