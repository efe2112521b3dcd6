//! The figures of a run by name, in the order in which `--format json` prints them. Tables are views of them.

use std::ops::Index;

use serde::{Serialize, Serializer};

use super::estimate::{Estimate, Interval};

/// A figure, or figures by name or in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(untagged)]
pub enum Figures {
    #[default]
    None,
    /// No value and, in an object, no field.
    Absent,
    Count(usize),
    /// A share or a threshold.
    Number(f64),
    Estimate(Estimate),
    Flag(bool),
    Text(String),
    List(Vec<Figures>),
    Object(#[serde(serialize_with = "as_map")] Vec<(&'static str, Figures)>),
}

/// Creates figures by name: `figures! { "rows": 7, "mean": estimate }`.
macro_rules! figures {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::protocol::figures::Figures::Object(vec![$(($name, $crate::protocol::figures::Figures::from($value))),*])
    };
}
pub(crate) use figures;

fn as_map<S: Serializer>(fields: &[(&'static str, Figures)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        fields.iter().filter(|(_, value)| *value != Figures::Absent).map(|(name, value)| (name, value)),
    )
}

impl Figures {
    pub(crate) fn or_absent(value: Option<impl Into<Self>>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }

    pub(crate) fn unless_empty(list: Vec<Self>) -> Self {
        if list.is_empty() { Self::Absent } else { Self::List(list) }
    }

    pub(crate) fn and(self, more: Self) -> Self {
        match (self, more) {
            (Self::Object(mut fields), Self::Object(more)) => {
                fields.extend(more);
                Self::Object(fields)
            }
            (first, _) => first,
        }
    }

    /// Returns the items of a list; empty for anything else.
    pub fn list(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// Returns the item of a list whose fields have these texts.
    pub fn find(&self, fields: &[(&str, &str)]) -> &Self {
        let has = |item: &&Self| fields.iter().all(|(name, text)| item[*name].text() == *text);
        self.list().iter().find(has).unwrap_or(&Self::None)
    }

    /// Returns the value of a number, a count or an estimate.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Number(number) => Some(*number),
            Self::Estimate(estimate) => Some(estimate.value),
            _ => None,
        }
    }

    /// Returns the value with an interval that stands elsewhere, as a list of its ends.
    pub(crate) fn within(&self, interval: &Self) -> Self {
        let ends = interval[0].value().zip(interval[1].value()).map(Interval::from);
        self.value().map(|value| Estimate::within(value, ends)).into()
    }

    /// Returns a text; empty for anything else.
    pub fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }

    /// Formats a table cell: shares and estimates in percent, estimates with their intervals, a dash without a value.
    pub fn cell(&self) -> String {
        match self {
            Self::Estimate(estimate) => estimate.percent(),
            Self::Count(count) => count.to_string(),
            Self::Text(text) => text.clone(),
            other => other.brief(),
        }
    }

    /// Formats the value in percent without an interval, or a dash.
    pub(crate) fn brief(&self) -> String {
        self.value().map_or_else(|| "-".into(), |value| format!("{:.1}", 100.0 * value))
    }

    pub(crate) fn threshold(&self) -> String {
        self.value().map_or_else(|| "-".into(), |value| format!("{value:.4}"))
    }

    /// Returns the warnings among the figures, as lines.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self["warnings"].list().iter().map(|warning| format!("warning: {}", warning.text()))
    }
}

impl Index<&str> for Figures {
    type Output = Self;

    fn index(&self, name: &str) -> &Self {
        let fields = if let Self::Object(fields) = self { fields.as_slice() } else { &[] };
        fields.iter().find(|(own, _)| *own == name).map_or(&Self::None, |(_, value)| value)
    }
}

impl Index<usize> for Figures {
    type Output = Self;

    fn index(&self, place: usize) -> &Self {
        self.list().get(place).unwrap_or(&Self::None)
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident),+) => { $(
        impl From<$type> for Figures {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )+ };
}

from!(usize => Count, f64 => Number, Estimate => Estimate, bool => Flag, &str => Text, String => Text);

impl<T: Into<Self>> From<Option<T>> for Figures {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Figures {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<const N: usize> From<[f64; N]> for Figures {
    fn from(values: [f64; N]) -> Self {
        values.to_vec().into()
    }
}
