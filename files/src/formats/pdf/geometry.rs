//! Where text stands on a page: matrices as PDF has them, and pieces of text in points.

use hayro_syntax::object::{Array, Number};

/// A matrix `[a b c d e f]` of PDF: a point is a row, to which it is applied from the right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f32; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn translation(right: f32, up: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, right, up])
    }

    /// Reads a matrix of a file; without one nothing is moved.
    pub(super) fn of(numbers: Option<&Array<'_>>) -> Self {
        let mut values = numbers.into_iter().flat_map(Array::iter::<Number>);
        let mut next = || values.next();
        match [next(), next(), next(), next(), next(), next()] {
            [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] => Self::from([a, b, c, d, e, f]),
            _ => Self::IDENTITY,
        }
    }

    /// Returns the matrix that applies this one first.
    pub(super) fn then(self, other: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [p, q, r, s, t, u] = other.0;
        Self([
            a * p + b * r,
            a * q + b * s,
            c * p + d * r,
            c * q + d * s,
            e * p + f * r + t,
            e * q + f * s + u,
        ])
    }

    fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

impl From<[Number; 6]> for Matrix {
    fn from(numbers: [Number; 6]) -> Self {
        Self(numbers.map(|number| number.as_f32()))
    }
}

/// A piece of text on one baseline, seen as it is read: of rotated text, too, right is where its next letter is.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    /// The height of its baseline.
    pub(super) baseline: f32,
    /// The size of its letters.
    pub(super) size: f32,
}

impl Piece {
    /// Places a glyph: its width, its rise over the baseline and its size in the units of the matrix.
    pub(super) fn new(text: String, matrix: &Matrix, [width, rise, size]: [f32; 3]) -> Self {
        let (x, y) = matrix.apply(0.0, rise);
        let (end_x, end_y) = matrix.apply(width, rise);
        let [a, b, c, d, ..] = matrix.0;
        let length = a.hypot(b).max(f32::MIN_POSITIVE);
        let (cosine, sine) = (a / length, b / length);
        Self {
            text,
            left: x * cosine + y * sine,
            right: end_x * cosine + end_y * sine,
            baseline: y * cosine - x * sine,
            size: (c.hypot(d) * size).abs(),
        }
    }

    /// Whether something is in both, seen from above.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && self.right > other.left
    }
}
