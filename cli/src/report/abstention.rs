//! The share of wrong verdicts if only the surest rows are answered, for every share of rows: those whose weakest claim is
//! farthest from the limit of support.

use serde::Serialize;

use super::row::Claim;
use veridic_stats::risk_coverage;

/// The least distance between two points of the curve.
const STEP: f64 = 1.0 / 200.0;

/// What decides a row: its claim with the lowest score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weakest {
    is_supported: bool,
    distance: f64,
}

/// The curve of risk and coverage.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Abstention {
    /// The mean share of wrong verdicts over all shares of rows.
    area: f64,
    /// The share of rows that are answered, and of wrong verdicts among them.
    curve: Vec<[f64; 2]>,
}

impl Weakest {
    /// The weakest of a row's claims; `limit` is the score from which a claim is supported.
    pub(super) fn of<'c>(claims: impl Iterator<Item = &'c Claim>, limit: f64) -> Option<Self> {
        let weakest = claims.min_by(|a, b| a.score.total_cmp(&b.score))?;
        let distance = weakest.score - limit;
        Some(Self { is_supported: distance >= 0.0, distance: distance.abs() })
    }
}

impl Abstention {
    /// The curve of rows with labels; none without rows.
    pub(super) fn of(rows: &[(Weakest, bool)]) -> Option<Self> {
        let distances: Vec<f64> = rows.iter().map(|(weakest, _)| weakest.distance).collect();
        let losses: Vec<f64> =
            rows.iter().map(|(weakest, label)| f64::from(u8::from(weakest.is_supported != *label))).collect();
        let found = risk_coverage(&distances, &losses).ok()?;
        let mut curve: Vec<[f64; 2]> = Vec::new();
        for point in found.points.iter().map(|point| [point.coverage, point.risk]) {
            if curve.last().is_none_or(|last| point[0] - last[0] >= STEP) || point[0] == 1.0 {
                curve.push(point);
            }
        }
        Some(Self { area: found.area, curve })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(distance: f64, is_right: bool) -> (Weakest, bool) {
        (Weakest { is_supported: true, distance }, is_right)
    }

    #[test]
    fn surest_rows_are_answered_first() {
        let found = Abstention::of(&[row(0.1, false), row(0.4, true)]).unwrap();
        assert_eq!(found.curve, [[0.5, 0.0], [1.0, 0.5]]);
        assert!((found.area - 0.25).abs() < 1e-12);
        assert_eq!(Abstention::of(&[]), None);
    }

    #[test]
    fn long_curves_are_thinned() {
        let rows: Vec<_> = (0..9000).map(|number| row(f64::from(number), number % 3 == 0)).collect();
        let curve = Abstention::of(&rows).unwrap().curve;
        assert!(curve.len() <= 201 && curve.last().unwrap()[0] == 1.0, "{}", curve.len());
    }
}
