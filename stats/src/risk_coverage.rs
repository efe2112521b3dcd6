//! Selective prediction: the risk among the most confident rows, for every share of rows (El-Yaniv and Wiener 2010), and
//! the area under this curve (Geifman and El-Yaniv, NeurIPS 2017).

use super::ranks::for_each_tie;
use super::undefined::{Undefined, all_finite, all_ordered, at_least, same_length};

/// The risk if rows of at least some confidence are answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskPoint {
    /// The lowest confidence that is answered.
    pub from_confidence: f64,
    /// The share of rows that are answered.
    pub coverage: f64,
    /// Their mean loss.
    pub risk: f64,
}

/// The curve and its area.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskCoverage {
    /// A point for each distinct confidence, the highest first; the last covers all rows.
    pub points: Vec<RiskPoint>,
    /// The mean of the risks of the 1, 2, ..., n most confident rows. Lower is better; random confidences give the mean
    /// loss. Equal confidences count as the mean over all orders, so the order of rows does not matter.
    pub area: f64,
}

/// The curve of losses by confidence; losses are 0 for right and 1 for wrong, or any others.
///
/// # Errors
/// When the lists differ in length or are empty, a confidence is NaN, or a loss is not finite.
pub fn risk_coverage(confidences: &[f64], losses: &[f64]) -> Result<RiskCoverage, Undefined> {
    same_length(confidences.len(), losses.len())?;
    at_least(1, losses.len())?;
    all_ordered(confidences)?;
    all_finite(losses)?;
    let negated: Vec<f64> = confidences.iter().map(|confidence| -confidence).collect();
    let all = losses.len() as f64;
    let (mut covered, mut lost, mut area) = (0.0, 0.0, 0.0);
    let mut points = Vec::new();
    for_each_tie(&negated, |rows| {
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
    fn good_confidences_lower_the_risk() {
        let curve = risk_coverage(&[0.2, 0.9, 0.6, 0.4], &[1.0, 0.0, 0.0, 1.0]).unwrap();
        let points: Vec<_> = curve.points.iter().map(|point| (point.coverage, point.risk)).collect();
        assert_eq!(points, [(0.25, 0.0), (0.5, 0.0), (0.75, 1.0 / 3.0), (1.0, 0.5)]);
        assert!((curve.area - (1.0 / 3.0 + 0.5) / 4.0).abs() < 1e-12);
        assert_eq!(curve.points[3].from_confidence, 0.2);
    }

    #[test]
    fn equal_confidences_have_the_mean_loss() {
        let curve = risk_coverage(&[0.5; 4], &[1.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!((curve.points.len(), curve.area), (1, 0.25));
    }

    #[test]
    fn bad_lists_are_errors() {
        assert!(risk_coverage(&[], &[]).is_err());
        assert!(risk_coverage(&[0.5], &[]).is_err());
        assert!(risk_coverage(&[f64::NAN], &[0.0]).is_err());
        assert!(risk_coverage(&[0.5], &[f64::INFINITY]).is_err());
    }
}
