//! ROC curves: the true positive rate against the false positive rate over all thresholds, with the area under each curve.
//! Several lists share a plot.

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Frame, Mark, chart, draw_line};
use super::scored_list::ScoredList;
use super::style::{GREY, MOST_LISTS, SERIES, shortened};
use crate::{Undefined, roc_auc, roc_curve};

/// The curves of the lists, in order.
///
/// # Errors
/// No list or more than [`MOST_LISTS`], and a list without rows of both labels or with scores that cannot be drawn.
pub fn roc(lists: &[ScoredList<'_>]) -> Result<String, PlotError> {
    if !(1..=MOST_LISTS).contains(&lists.len()) {
        return Err(PlotError::Lists(lists.len()));
    }
    let mut curves = Vec::with_capacity(lists.len());
    let mut legend = Vec::with_capacity(lists.len() + 1);
    for (list, colour) in lists.iter().zip(SERIES) {
        list.check()?;
        let points = roc_curve(list.scores, list.labels).map_err(|cause| list.error(cause))?;
        let auc = roc_auc(list.scores, list.labels).ok_or_else(|| list.error(Undefined::OneClass))?;
        let points: Vec<(f64, f64)> =
            points.iter().map(|point| (point.false_positive_rate, point.true_positive_rate)).collect();
        let mark = Mark::Line(colour);
        let name = if lists.len() == 1 { "all thresholds".into() } else { shortened(list.name) };
        legend.push((mark, format!("{name}: area {auc:.3}")));
        curves.push((mark, points));
    }
    let chance = Mark::Dashed(GREY);
    legend.push((chance, "chance: area 0.500".into()));
    let (title, subtitle) = match lists {
        [list] => ("ROC curve", list.subtitle()),
        lists => ("ROC curves", rows_of(lists)),
    };
    let frame = Frame { title, subtitle, legend, width: 1200, height: 1130 };
    frame.svg(|area| {
        let x = Axis::percent("false positive rate (% of the rows with label 0)");
        let y = Axis::percent("true positive rate (% of the rows with label 1)");
        let mut chart = chart(area, &x, &y)?;
        draw_line(&mut chart, &[(0.0, 0.0), (1.0, 1.0)], chance)?;
        // The first list of the legend is drawn on top.
        curves.iter().rev().try_for_each(|(mark, points)| draw_line(&mut chart, points, *mark))
    })
}

fn rows_of(lists: &[ScoredList<'_>]) -> String {
    let rows = |list: &ScoredList<'_>| (list.labels.len(), list.positives());
    let (count, positives) = rows(&lists[0]);
    if lists.iter().all(|list| rows(list) == (count, positives)) {
        format!("{count} rows each, {positives} with label 1")
    } else {
        "lists of different rows".into()
    }
}
