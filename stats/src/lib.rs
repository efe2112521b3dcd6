//! Statistics of scores against labels, ratings and other scores. Pure: numbers in, numbers out; no model,
//! no file, no clock. Randomness comes from a seed that the caller gives.
//!
//! | question | functions |
//! |---|---|
//! | how often are decisions right? | [`Confusion`], [`balanced_accuracy`], [`accuracy`], [`class_recalls`] |
//! | where to cut? | [`best_threshold`], [`aggrefact_threshold`], [`percentile`] |
//! | how well do scores rank? | [`roc_auc`], [`average_precision`], [`roc_curve`], [`risk_coverage`] |
//! | do scores follow ratings? | [`pearson`], [`spearman`], [`kendall`], [`partial_pearson`], [`partial_spearman`] |
//! | do raters agree? | [`cohen_kappa`], [`fleiss_kappa`], [`krippendorff_alpha`] |
//! | is a difference more than chance? | [`paired_bootstrap`], [`williams`], [`mcnemar_exact`], [`mcnemar_chi_square`] |
//! | how sure is a figure? | [`bootstrap`], [`percentile_interval`], [`bca_interval`], [`aggrefact_half_width`] |
//! | do probabilities mean what they say? | [`expected_calibration_error`], [`reliability_curve`], [`brier_score`] |
//! | from scores to probabilities | [`fit_platt`], [`fit_isotonic`], [`fit_logistic`] |
//!
//! What has no value is never a NaN: it is `None` where the documentation leaves one reason, and
//! [`Undefined`] where a caller has to tell which. Numbers beyond some 1e150, whose squares overflow, are not
//! what these functions are for; none of them panics. A score is positive **above** a threshold, not at it.
//! Each function names the Python function that it agrees with; `tests/stats_parity.rs` compares them.

mod aggrefact;
mod calibration;
mod cholesky;
mod classes;
mod confusion;
mod correlation;
mod interval;
mod isotonic;
mod kappa;
mod kendall;
mod krippendorff;
mod logistic;
mod mcnemar;
mod partial;
mod percentile;
mod platt;
#[cfg(feature = "plots")]
pub mod plots;
mod random;
mod ranking;
mod ranks;
mod resample;
mod risk_coverage;
mod special;
mod threshold;
mod undefined;
mod williams;

pub use aggrefact::{AGGREFACT_RESAMPLES, AGGREFACT_SHARE, aggrefact_half_width, aggrefact_threshold};
pub use calibration::{Bins, ReliabilityBin, brier_score, expected_calibration_error, reliability_curve};
pub use classes::{ClassRecalls, accuracy, class_recalls};
pub use confusion::Confusion;
pub use correlation::{Correlation, pearson, spearman};
pub use interval::{Interval, bca_interval, percentile_interval};
pub use isotonic::{Isotonic, fit_isotonic};
pub use kappa::{Disagreement, cohen_kappa, fleiss_kappa, fleiss_kappa_of};
pub use kendall::kendall;
pub use krippendorff::{Scale, krippendorff_alpha};
pub use logistic::{FitError, Logistic, Sign, fit_logistic};
pub use mcnemar::{Discordant, McNemar, mcnemar_chi_square, mcnemar_exact};
pub use partial::{group_deviations, partial_pearson, partial_spearman, residuals};
pub use percentile::{percentile, percentiles};
pub use platt::{Platt, fit_platt};
pub use random::SplitMix64;
pub use ranking::{RocPoint, average_precision, roc_auc, roc_curve};
pub use ranks::average_ranks;
pub use resample::{PairedDifference, Resampled, bootstrap, jackknife, paired_bootstrap, subsample};
pub use risk_coverage::{RiskCoverage, RiskPoint, risk_coverage};
pub use threshold::{balanced_accuracy, best_threshold};
pub use undefined::Undefined;
pub use williams::{Williams, williams};
