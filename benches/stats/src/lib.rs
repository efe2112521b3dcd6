//! Statistics of scores against labels, ratings and other scores: rankings, thresholds, correlations, agreement, tests,
//! resampling and calibration. All functions are pure: numbers in, numbers out; no model, no file, no clock. Randomness
//! comes from a seed that the caller gives.
//!
//! ```
//! use veridic_stats::{best_threshold, bootstrap, percentile_interval, roc_auc};
//!
//! let scores = [0.9, 0.8, 0.4, 0.7, 0.2, 0.1];
//! let labels = [true, true, true, false, false, false];
//! assert_eq!(roc_auc(&scores, &labels), Some(8.0 / 9.0));
//! assert_eq!(best_threshold(&scores, &labels), Some(f64::midpoint(0.2, 0.4)));
//!
//! let areas = bootstrap(scores.len(), 1000, 0, |rows| {
//!     let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().map(|&row| (scores[row], labels[row])).unzip();
//!     roc_auc(&scores, &labels)
//! });
//! let interval = percentile_interval(&areas.values, 0.95)?;
//! assert!(interval.low < 8.0 / 9.0 && interval.high == 1.0);
//! # Ok::<(), veridic_stats::Undefined>(())
//! ```
//!
//! | question | functions |
//! |---|---|
//! | how many decisions are right? | [`Confusion`], [`balanced_accuracy`] |
//! | which threshold? | [`best_threshold`], [`aggrefact_threshold`], [`percentiles`] |
//! | how well do scores rank? | [`roc_auc`], [`average_precision`], [`roc_curve`] |
//! | do scores follow ratings? | [`pearson`], [`spearman`], [`kendall`]; [`group_deviations`] |
//! | do raters agree? | [`cohen_kappa`], [`fleiss_kappa`], [`krippendorff_alpha`] |
//! | is a difference more than chance? | [`paired_bootstrap`], [`williams`], [`mcnemar_exact`], [`mcnemar_chi_square`] |
//! | how sure is a figure? | [`bootstrap`], [`percentile_interval`], [`aggrefact_half_width`] |
//! | are probabilities calibrated? | [`reliability_curve`] |
//!
//! A statistic without a value is never NaN: it is `None` if there is only one possible reason, and [`Undefined`] if there
//! are several. No function panics, but results for numbers beyond about 1e150, whose squares overflow, are meaningless. A
//! score is positive **above** a threshold, not at it.
//!
//! Each function names the paper of its formula and the Python function that it agrees with; `tests/it/parity.rs`
//! compares them with the fixture of `scripts/fixtures/make_stats.py`.
//!
//! The feature `plots` adds [`plots`](https://docs.rs/veridic-stats/latest/veridic_stats/plots): ROC curves, histograms,
//! errors by threshold and reliability diagrams as SVG.

mod aggrefact;
mod calibration;
mod confusion;
mod correlation;
mod deviations;
mod interval;
mod kappa;
mod kendall;
mod krippendorff;
mod mcnemar;
mod percentile;
#[cfg(feature = "plots")]
pub mod plots;
mod random;
mod ranking;
mod ranks;
mod resample;
mod special;
mod threshold;
mod undefined;
mod williams;

pub use aggrefact::{AGGREFACT_RESAMPLES, AGGREFACT_SHARE, aggrefact_half_width, aggrefact_threshold};
pub use calibration::{ReliabilityBin, reliability_curve};
pub use confusion::Confusion;
pub use correlation::{pearson, spearman};
pub use deviations::group_deviations;
pub use interval::{Interval, percentile_interval};
pub use kappa::{cohen_kappa, fleiss_kappa};
pub use kendall::kendall;
pub use krippendorff::krippendorff_alpha;
pub use mcnemar::{Discordant, mcnemar_chi_square, mcnemar_exact};
pub use percentile::percentiles;
pub use random::SplitMix64;
pub use ranking::{RocPoint, average_precision, roc_auc, roc_curve};
pub use ranks::average_ranks;
pub use resample::{PairedDifference, Resampled, bootstrap, paired_bootstrap, subsample};
pub use threshold::{balanced_accuracy, best_threshold};
pub use undefined::Undefined;
pub use williams::williams;
