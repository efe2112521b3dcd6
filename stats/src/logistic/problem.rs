//! The objective of a fit: log losses and penalty, with gradient and Hessian. Features are standardized first, so that
//! their units and offsets do not affect the arithmetic.

use super::super::correlation::{centred, dot};
use super::super::undefined::{Undefined, at_least, same_length};
use super::{FitError, Logistic, Sign, sigmoid};

/// Rows as columns of standardized features; the intercept is the coefficient of a first column of ones.
pub(super) struct Problem<'a> {
    /// (coefficients, rows)
    columns: Vec<Vec<f64>>,
    labels: &'a [bool],
    /// The loss adds half of it times the squared coefficient. (coefficients)
    penalties: Vec<f64>,
    /// The bound of each coefficient. (coefficients)
    pub signs: Vec<Sign>,
    /// The original mean and standard deviation of each feature. (coefficients - 1)
    units: Vec<(f64, f64)>,
}

/// The loss and its derivatives at a point.
pub(super) struct Derivatives {
    pub loss: f64,
    /// (coefficients)
    pub gradient: Vec<f64>,
    /// The lower triangle, row by row. (coefficients, up to the diagonal)
    pub hessian: Vec<Vec<f64>>,
}

impl<'a> Problem<'a> {
    pub fn new(
        features: &[impl AsRef<[f64]>],
        labels: &'a [bool],
        l2: f64,
        signs: &[Sign],
    ) -> Result<Self, FitError> {
        let width = check(features, labels, l2, signs)?;
        let mut signs: Vec<Sign> = std::iter::once(Sign::Free).chain(signs.iter().copied()).collect();
        signs.resize(width + 1, Sign::Free);
        let columns = vec![vec![1.0; labels.len()]];
        let mut problem = Self { columns, labels, penalties: vec![0.0], signs, units: Vec::new() };
        for column in 0..width {
            let values: Vec<f64> = features.iter().map(|row| row.as_ref()[column]).collect();
            problem.add(&values, l2)?;
        }
        Ok(problem)
    }

    /// Adds a standardized feature; a constant one becomes zero.
    fn add(&mut self, values: &[f64], l2: f64) -> Result<(), Undefined> {
        let (column, mean, deviation) = match centred(values) {
            Ok(centred) => {
                let spread = (dot(&centred.values, &centred.values) / values.len() as f64).sqrt();
                let column = centred.values.iter().map(|value| value / spread).collect();
                (column, centred.mean * centred.unit, spread * centred.unit)
            }
            Err(Undefined::Constant) => (vec![0.0; values.len()], values[0], 1.0),
            Err(error) => return Err(error),
        };
        self.columns.push(column);
        self.units.push((mean, deviation));
        self.penalties.push(l2 / deviation / deviation);
        Ok(())
    }

    /// The number of coefficients, the intercept included.
    pub fn size(&self) -> usize {
        self.columns.len()
    }

    pub fn loss(&self, point: &[f64]) -> f64 {
        self.loss_at(point, &self.margins(point))
    }

    pub fn derivatives(&self, point: &[f64]) -> Derivatives {
        let margins = self.margins(point);
        let sides = self.labels.iter().map(|label| if *label { -1.0 } else { 1.0 });
        let pulls: Vec<f64> =
            margins.iter().zip(sides).map(|(margin, side)| side * sigmoid(-margin)).collect();
        let weights: Vec<f64> = margins.iter().map(|margin| sigmoid(*margin) * sigmoid(-margin)).collect();
        let (mut gradient, mut hessian) = (Vec::new(), Vec::new());
        for (index, column) in self.columns.iter().enumerate() {
            let weighted: Vec<f64> =
                column.iter().zip(&weights).map(|(value, weight)| value * weight).collect();
            let mut row: Vec<f64> =
                self.columns[..=index].iter().map(|other| dot(&weighted, other)).collect();
            row[index] += self.penalties[index];
            hessian.push(row);
            gradient.push(dot(column, &pulls) + self.penalties[index] * point[index]);
        }
        Derivatives { loss: self.loss_at(point, &margins), gradient, hessian }
    }

    /// The model with these coefficients.
    pub fn in_original_units(&self, point: &[f64]) -> Logistic {
        let weights = point[1..].iter().zip(&self.units);
        let coefficients: Vec<f64> = weights.map(|(weight, (_, deviation))| weight / deviation).collect();
        let at_means: f64 =
            coefficients.iter().zip(&self.units).map(|(weight, (mean, _))| weight * mean).sum();
        Logistic { intercept: point[0] - at_means, coefficients }
    }

    /// The log odds of the true label of each row. (rows)
    fn margins(&self, point: &[f64]) -> Vec<f64> {
        let mut odds = vec![0.0; self.labels.len()];
        for (column, weight) in self.columns.iter().zip(point) {
            odds.iter_mut().zip(column).for_each(|(odds, value)| *odds += weight * value);
        }
        let negatives = odds.iter_mut().zip(self.labels).filter(|(_, label)| !**label);
        negatives.for_each(|(odds, _)| *odds = -*odds);
        odds
    }

    fn loss_at(&self, point: &[f64], margins: &[f64]) -> f64 {
        let penalties = self.penalties.iter().zip(point).map(|(l2, weight)| l2 * weight * weight / 2.0);
        // log(1 + exp(-margin)), which neither overflows nor rounds to zero
        let losses = margins.iter().map(|margin| (-margin).max(0.0) + (-margin.abs()).exp().ln_1p());
        penalties.sum::<f64>() + losses.sum::<f64>()
    }
}

/// Refuses bad rows and settings; returns the number of features.
fn check(
    features: &[impl AsRef<[f64]>],
    labels: &[bool],
    l2: f64,
    signs: &[Sign],
) -> Result<usize, FitError> {
    same_length(features.len(), labels.len())?;
    at_least(2, labels.len())?;
    if labels.iter().all(|label| *label == labels[0]) {
        return Err(Undefined::OneClass.into());
    }
    let expected = features[0].as_ref().len();
    let widths = features.iter().map(|row| row.as_ref().len());
    if let Some((index, found)) = widths.enumerate().find(|(_, width)| *width != expected) {
        return Err(FitError::Width { row: index + 1, found, expected });
    }
    if !(l2.is_finite() && l2 >= 0.0) {
        return Err(Undefined::Setting("l2 must be zero or a positive number").into());
    }
    if !signs.is_empty() && signs.len() != expected {
        return Err(Undefined::Setting("as many signs as features are needed, or none").into());
    }
    Ok(expected)
}
