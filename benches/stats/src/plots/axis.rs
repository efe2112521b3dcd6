//! Axes: their range and ticks. The drawing crate's own search for ticks may not terminate on ranges too narrow for
//! floating-point numbers; here a range is never so narrow.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The narrowest range, relative to its largest value and absolute.
const NARROWEST_SHARE: f64 = 1e-6;
const NARROWEST: f64 = 1e-9;

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    ticks: Vec<f64>,
    pub(super) name: String,
    unit: Unit,
}

/// The format of ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    /// As numbers, with enough digits to distinguish them.
    Number { step: f64 },
    /// As shares in percent.
    Percent { step: f64 },
}

impl Axis {
    /// From 0 to 100%.
    pub(super) fn percent(name: impl Into<String>) -> Self {
        Self::shares(1.0, name)
    }

    /// From 0% to a share of at least 1%.
    pub(super) fn shares(high: f64, name: impl Into<String>) -> Self {
        let high = high.max(0.01);
        let step = step(high, 5);
        let name = name.into();
        Self { low: 0.0, high, ticks: ticks(0.0, high, step), name, unit: Unit::Percent { step } }
    }

    /// From 0 to a little above a count.
    pub(super) fn counts(high: usize, name: impl Into<String>) -> Self {
        let high = 1.08 * (high as f64).max(1.0);
        let step = step(high, 2).max(1.0);
        let name = name.into();
        Self { low: 0.0, high, ticks: ticks(0.0, high, step), name, unit: Unit::Number { step } }
    }

    /// A range that contains all values, which are finite: 0 to 1 or -1 to 1 if they fill much of it or are all equal,
    /// else their own range with a margin.
    pub(super) fn of_values(values: impl Iterator<Item = f64>, name: impl Into<String>) -> Self {
        let (lowest, highest) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let span = highest - lowest;
        let fills = |share: f64| span == 0.0 || span >= share;
        let (low, high) = if lowest >= 0.0 && highest <= 1.0 && fills(0.3) {
            (0.0, 1.0)
        } else if lowest >= -1.0 && highest <= 1.0 && lowest < 0.0 && fills(0.6) {
            (-1.0, 1.0)
        } else if lowest <= highest {
            let greatest = lowest.abs().max(highest.abs());
            let least = if span == 0.0 {
                1.0_f64.max(0.1 * greatest)
            } else {
                NARROWEST.max(NARROWEST_SHARE * greatest)
            };
            let margin = (0.04 * span).max((least - span) / 2.0);
            (lowest - margin, highest + margin)
        } else {
            (0.0, 1.0)
        };
        let step = step(high - low, 5);
        Self { low, high, ticks: ticks(low, high, step), name: name.into(), unit: Unit::Number { step } }
    }

    /// The same axis without a name, for a chart above another that shows it.
    pub(super) fn unnamed(&self) -> Self {
        Self { name: String::new(), ..self.clone() }
    }

    /// The label of a tick.
    fn written(&self, value: f64) -> String {
        let text = match self.unit {
            Unit::Percent { step } => format!("{:.*}", decimals(100.0 * step), 100.0 * value),
            Unit::Number { step } if (1e-4..1e7).contains(&step) && value.abs() < 1e9 => {
                format!("{value:.*}", decimals(step))
            }
            Unit::Number { step } => {
                let digits = (value.abs() / step).max(1.0).log10().ceil().clamp(0.0, 15.0);
                format!("{value:.*e}", digits as usize)
            }
        };
        // A tick at zero may be a little below it.
        match text.strip_prefix('-') {
            Some(rest) if !rest.contains(|c: char| ('1'..='9').contains(&c)) => rest.to_owned(),
            _ => text,
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (from, to) = limit;
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // No grid lines between the ticks.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.written(*value)
    }
}

/// 1, 2 or 5 times a power of ten, such that a range has at least about `count` steps.
fn step(span: f64, count: u32) -> f64 {
    let rough = span / f64::from(count);
    let power = 10_f64.powi(rough.log10().floor() as i32);
    [5.0, 2.0].into_iter().map(|times| times * power).find(|step| *step <= rough).unwrap_or(power)
}

/// The multiples of a step within a range.
fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    // Tolerance, so that the last bit does not decide whether an end has a tick.
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let count = (last - first).clamp(0.0, 20.0) as u32;
    (0..=count).map(|tick| ((first + f64::from(tick)) * step).clamp(low, high)).collect()
}

/// Digits after the point that show every multiple of a step.
fn decimals(step: f64) -> usize {
    (-step.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|tick| axis.written(*tick)).collect()
    }

    fn of(values: &[f64]) -> Axis {
        Axis::of_values(values.iter().copied(), "score")
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(written(&Axis::percent("")), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(written(&of(&[0.1, 0.9])), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(
            written(&of(&[-0.8, 0.4])),
            ["-1.0", "-0.8", "-0.6", "-0.4", "-0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(written(&of(&[0.5, 0.5])).len(), 6);
        assert_eq!(written(&of(&[3.0, 17.0])), ["4", "6", "8", "10", "12", "14", "16"]);
        assert_eq!(written(&Axis::counts(7, "")), ["0", "2", "4", "6"]);
        assert_eq!(
            written(&Axis::shares(0.042, "")),
            ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"]
        );
    }

    #[test]
    fn any_range_has_few_distinct_ticks() {
        for values in [
            [7.0, 7.0],
            [1e16, 1e16],
            [1e16, 1e16 + 2.0],
            [1e-300, 2e-300],
            [-1e100, 1e100],
            [123_456_789.0, 123_456_789.5],
            [0.3, 0.300_000_1],
        ] {
            let axis = of(&values);
            let written = written(&axis);
            assert!(axis.low < values[0] && values[1] < axis.high, "{axis:?}");
            assert!((2..=12).contains(&written.len()), "{written:?}");
            assert!(written.windows(2).all(|pair| pair[0] != pair[1]), "{written:?}");
            assert!(written.iter().all(|tick| tick.len() <= 16), "{written:?}");
        }
    }
}
