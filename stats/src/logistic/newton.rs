//! The minimum of a convex loss whose coefficients can be bound to one sign: Newton's method, projected on the
//! bounds (Bertsekas, SIAM Journal on Control and Optimization 20, 1982). It converges to the one minimum or
//! gives up; where it stops early there is none to be found.

use super::super::cholesky::solve;
use super::super::correlation::dot;
use super::Sign;
use super::problem::{Problem, Slope};

/// Steps after which the minimum is held to be infinitely far away. Some ten are usual.
const MOST_STEPS: usize = 200;
/// The size of the last step, relative to the coefficients. Newton's steps square the error, so what is left
/// after it is rounding.
const LAST_STEP: f64 = 1e-9;
/// How near a bound, at most, a coefficient that is pulled towards it is taken to be held by it.
const NEAR: f64 = 1e-3;

/// The coefficients with the least loss. None if there is no single such point.
pub(super) fn minimum(problem: &Problem) -> Option<Vec<f64>> {
    let mut point = vec![0.0; problem.size()];
    for _ in 0..MOST_STEPS {
        let slope = problem.slope(&point);
        let direction = direction(problem, &point, &slope)?;
        let ahead = moved(problem, &point, &direction, 1.0);
        let size = ahead.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
        if largest_step(&point, &ahead) <= LAST_STEP * size {
            return Some(ahead);
        }
        point = descend(problem, &point, &direction, &slope)?;
    }
    None
}

/// Newton's direction among the coefficients that are free to move; those that a bound holds, or is about to,
/// go their own way. None if the second derivatives do not tell one.
fn direction(problem: &Problem, point: &[f64], slope: &Slope) -> Option<Vec<f64>> {
    let diagonal = slope.hessian.iter().enumerate().map(|(i, row)| row[i]);
    let mut direction: Vec<f64> =
        slope.gradient.iter().zip(diagonal).map(|(pull, bend)| -pull / bend).collect();
    let near = largest_step(point, &moved(problem, point, &direction, 1.0)).min(NEAR);
    let held = |i: usize| {
        let inwards = match problem.signs[i] {
            Sign::Free => return false,
            Sign::NonNegative => 1.0,
            Sign::NonPositive => -1.0,
        };
        point[i] * inwards <= near && slope.gradient[i] * inwards > 0.0
    };
    let free: Vec<usize> = (0..point.len()).filter(|i| !held(*i)).collect();
    let row = |(place, i): (usize, &usize)| free[..=place].iter().map(|j| slope.hessian[*i][*j]).collect();
    let newton = solve(
        free.iter().enumerate().map(row).collect(),
        free.iter().map(|i| -slope.gradient[*i]).collect(),
    )?;
    free.iter().zip(newton).for_each(|(i, step)| direction[*i] = step);
    direction.iter().all(|step| step.is_finite()).then_some(direction)
}

/// The point that lies a share of the direction ahead, put back within the bounds.
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

/// As far along the direction as the loss falls by its promised part (Armijo's rule), up to rounding.
fn descend(problem: &Problem, point: &[f64], direction: &[f64], slope: &Slope) -> Option<Vec<f64>> {
    let rounding = 1e-13 * (1.0 + slope.loss.abs());
    (0..60).map(|halvings| moved(problem, point, direction, 0.5_f64.powi(halvings))).find(|next| {
        let step: Vec<f64> = next.iter().zip(point).map(|(to, from)| to - from).collect();
        problem.loss(next) <= slope.loss + 1e-4 * dot(&slope.gradient, &step) + rounding
    })
}

fn largest_step(from: &[f64], to: &[f64]) -> f64 {
    from.iter().zip(to).fold(0.0, |largest, (from, to)| largest.max((to - from).abs()))
}
