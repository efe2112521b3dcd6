//! Small symmetric linear systems by Cholesky decomposition. Refuses matrices that are not clearly positive definite.

/// The smallest pivot relative to its diagonal element; below it the matrix counts as singular.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Solves `matrix` x = `right`, of which only the lower triangle is read. None if the matrix is not positive
/// definite, or too close to singular for the solution to mean anything.
pub(super) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let left = matrix[row][column] - known;
            if row > column {
                matrix[row][column] = left / matrix[column][column];
            } else if left.is_finite() && left > SMALLEST_PIVOT * matrix[row][row] {
                matrix[row][row] = left.sqrt();
            } else {
                return None;
            }
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_satisfies_the_system() {
        let matrix = vec![vec![4.0, 2.0, 0.6], vec![2.0, 5.0, 1.0], vec![0.6, 1.0, 3.0]];
        let solution = solve(matrix.clone(), vec![1.0, -2.0, 3.0]).unwrap();
        for (row, right) in matrix.iter().zip([1.0, -2.0, 3.0]) {
            let left: f64 = row.iter().zip(&solution).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-12);
        }
        assert_eq!(solve(Vec::new(), Vec::new()), Some(Vec::new()));
    }

    #[test]
    fn singular_matrices_are_refused() {
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 1.0]), None);
        assert_eq!(solve(vec![vec![0.0]], vec![1.0]), None);
        assert_eq!(solve(vec![vec![-1.0]], vec![1.0]), None);
        assert_eq!(solve(vec![vec![f64::NAN]], vec![1.0]), None);
    }
}
