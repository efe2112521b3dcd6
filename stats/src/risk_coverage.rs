//! What is won by answering only where one is sure: the risk among the surest rows, for every share of rows
//! (El-Yaniv and Wiener 2010), and the area below (Geifman and El-Yaniv, NeurIPS 2017).

use super::ranks::for_each_tie;
use super::undefined::{Undefined, all_finite, all_ordered, at_least, same_length};

/// The risk when rows of some confidence and more are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskPoint {
    /// The lowest confidence among them.
    pub from_confidence: f64,
    /// The share of rows that are answered.
    pub coverage: f64,
    /// Their mean loss.
    pub risk: f64,
}

/// The curve and its area.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskCoverage {
    /// A point for each distinct confidence, the surest first; the last covers all rows.
    pub points: Vec<RiskPoint>,
    /// The mean of the risks of the surest 1, 2, ..., n rows. Lower is better; the mean loss is what guessing
    /// gives. Equal confidences count as their mean over all orders, so the order of rows does not matter.
    pub area: f64,
}

/// The curve of losses, 0 and 1 for right and wrong or any others, by confidence.
///
/// # Errors
/// When the lists differ in length or are empty, a confidence is NaN, or a loss is not finite.
pub fn risk_coverage(confidences: &[f64], losses: &[f64]) -> Result<RiskCoverage, Undefined> {
    same_length(confidences.len(), losses.len())?;
    at_least(1, losses.len())?;
    all_ordered(confidences)?;
    all_finite(losses)?;
    let doubts: Vec<f64> = confidences.iter().map(|confidence| -confidence).collect();
    let all = losses.len() as f64;
    let (mut covered, mut lost, mut area) = (0.0, 0.0, 0.0);
    let mut points = Vec::new();
    for_each_tie(&doubts, |rows| {
        let mean = rows.iter().map(|row| losses[*row]).sum::<f64>() / rows.len() as f64;
        for _ in rows {
            covered += 1.0;
            lost += mean;
            area += lost / covered / all;
        }
        points.push(RiskPoint {
            from_confidence: confidences[rows[0]],
            coverage: covered / all,
            risk: lost / covered,
        });
    });
    Ok(RiskCoverage { points, area })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_that_knows_better_lowers_the_risk() {
        let curve = risk_coverage(&[0.2, 0.9, 0.6, 0.4], &[1.0, 0.0, 0.0, 1.0]).unwrap();
        let points: Vec<_> = curve.points.iter().map(|point| (point.coverage, point.risk)).collect();
        assert_eq!(points, [(0.25, 0.0), (0.5, 0.0), (0.75, 1.0 / 3.0), (1.0, 0.5)]);
        assert!((curve.area - (1.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12);
        assert_eq!(curve.points[3].from_confidence, 0.2);
    }

    #[test]
    fn equal_confidences_are_a_guess() {
        let curve = risk_coverage(&[0.5; 4], &[1.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!((curve.points.len(), curve.area), (1, 0.25));
    }

    #[test]
    fn what_has_no_curve() {
        assert!(risk_coverage(&[], &[]).is_err());
        assert!(risk_coverage(&[0.5], &[]).is_err());
        assert!(risk_coverage(&[f64::NAN], &[0.0]).is_err());
        assert!(risk_coverage(&[0.5], &[f64::INFINITY]).is_err());
    }
}
