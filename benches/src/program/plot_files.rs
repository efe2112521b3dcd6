//! Plots of scores against labels, written as SVG files into a folder.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use veridic_stats::plots::{self, PlotError, ScoredList};
use veridic_stats::{ReliabilityBin, Undefined, reliability_curve};

use veridic_program::output;

/// The number of bins in a reliability curve, each with about the same number of rows.
const BINS: usize = 10;

/// All plots of a list: ROC, histograms by label, errors by threshold, reliability.
pub(crate) fn all_of(list: &ScoredList<'_>) -> Result<Vec<(&'static str, String)>, PlotError> {
    let (low, high) = range(list.scores);
    let bins = score_bins(list, low, high)?;
    Ok(vec![
        ("roc", plots::roc(&[*list])?),
        ("histograms", plots::histograms(list)?),
        ("thresholds", plots::threshold_sweep(list)?),
        ("reliability", plots::reliability(list.name, &bins)?),
    ])
}

fn range(scores: &[f64]) -> (f64, f64) {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    (least, scores.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// Reliability bins of scores of any range; `mean_probability` of a bin is its mean score.
fn score_bins(list: &ScoredList<'_>, low: f64, high: f64) -> Result<Vec<ReliabilityBin>, Undefined> {
    let width = if high > low { high - low } else { 1.0 };
    let shares: Vec<f64> = list.scores.iter().map(|score| ((score - low) / width).clamp(0.0, 1.0)).collect();
    let mut bins = reliability_curve(&shares, list.labels, BINS)?;
    bins.iter_mut().for_each(|bin| bin.mean_probability = low + width * bin.mean_probability);
    Ok(bins)
}

/// Writes plots as NAME.svg, with a note for each unless `quiet`.
pub(crate) fn write<N: Display>(folder: &Path, plots: &[(N, String)], quiet: bool) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, plot) in plots {
        let path = folder.join(format!("{name}.svg"));
        fs::write(&path, plot).with_context(|| format!("cannot write {}", path.display()))?;
        if !quiet {
            output::note(&format!("wrote {}", path.display()));
        }
    }
    Ok(())
}
