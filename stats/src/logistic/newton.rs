//! The minimum of a convex loss with sign bounds: Newton's method, projected on the bounds (Bertsekas, SIAM Journal on
//! Control and Optimization 20, 1982). It converges to the unique minimum or returns None.

use super::super::cholesky::solve;
use super::super::correlation::dot;
use super::Sign;
use super::problem::{Derivatives, Problem};

/// After this many steps the minimum is taken to be at infinity. Some ten are usual.
const MOST_STEPS: usize = 200;
/// The size of the last step relative to the coefficients. Newton's steps square the error, so only rounding error is
/// left after it.
const LAST_STEP: f64 = 1e-9;
/// A coefficient at most this near a bound, with a gradient towards it, is held at the bound.
const NEAR: f64 = 1e-3;

/// The coefficients with the least loss. None if there is no single such point.
pub(super) fn minimum(problem: &Problem) -> Option<Vec<f64>> {
    let mut point = vec![0.0; problem.size()];
    for _ in 0..MOST_STEPS {
        let derivatives = problem.derivatives(&point);
        let direction = direction(problem, &point, &derivatives)?;
        let ahead = moved(problem, &point, &direction, 1.0);
        let size = ahead.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
        if largest_step(&point, &ahead) <= LAST_STEP * size {
            return Some(ahead);
        }
        point = descend(problem, &point, &direction, &derivatives)?;
    }
    None
}

/// Newton's direction for the free coefficients; those held at a bound follow their own gradient. None if the Hessian is
/// singular.
fn direction(problem: &Problem, point: &[f64], derivatives: &Derivatives) -> Option<Vec<f64>> {
    let diagonal = derivatives.hessian.iter().enumerate().map(|(i, row)| row[i]);
    let mut direction: Vec<f64> =
        derivatives.gradient.iter().zip(diagonal).map(|(pull, bend)| -pull / bend).collect();
    let near = largest_step(point, &moved(problem, point, &direction, 1.0)).min(NEAR);
    let held = |i: usize| {
        let inwards = match problem.signs[i] {
            Sign::Free => return false,
            Sign::NonNegative => 1.0,
            Sign::NonPositive => -1.0,
        };
        point[i] * inwards <= near && derivatives.gradient[i] * inwards > 0.0
    };
    let free: Vec<usize> = (0..point.len()).filter(|i| !held(*i)).collect();
    let row =
        |(place, i): (usize, &usize)| free[..=place].iter().map(|j| derivatives.hessian[*i][*j]).collect();
    let newton = solve(
        free.iter().enumerate().map(row).collect(),
        free.iter().map(|i| -derivatives.gradient[*i]).collect(),
    )?;
    free.iter().zip(newton).for_each(|(i, step)| direction[*i] = step);
    direction.iter().all(|step| step.is_finite()).then_some(direction)
}

/// The point at a share of the direction, projected on the bounds.
fn moved(problem: &Problem, point: &[f64], direction: &[f64], share: f64) -> Vec<f64> {
    let steps = point.iter().zip(direction).zip(&problem.signs);
    steps
        .map(|((from, step), sign)| match sign {
            Sign::Free => from + share * step,
            Sign::NonNegative => (from + share * step).max(0.0),
            Sign::NonPositive => (from + share * step).min(0.0),
        })
        .collect()
}

/// The first halved step that lowers the loss enough (Armijo's rule), up to rounding error.
fn descend(
    problem: &Problem,
    point: &[f64],
    direction: &[f64],
    derivatives: &Derivatives,
) -> Option<Vec<f64>> {
    let rounding = 1e-13 * (1.0 + derivatives.loss.abs());
    (0..60).map(|halvings| moved(problem, point, direction, 0.5_f64.powi(halvings))).find(|next| {
        let step: Vec<f64> = next.iter().zip(point).map(|(to, from)| to - from).collect();
        problem.loss(next) <= derivatives.loss + 1e-4 * dot(&derivatives.gradient, &step) + rounding
    })
}

fn largest_step(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).fold(0.0, |largest, (from, to)| largest.max((to - from).abs()))
}
