//! The rates of a corpus: the shares of its claims that are unsupported and contradicted, over all rows and by group.
//!
//! Each share has a 95% interval. Claims of one row are not independent: a summary with one invention often has more. The
//! interval is therefore Wilson's (1927) for an effective number of claims: their number divided by the design effect, which
//! is the ratio of the variance of the rows' counts to that of independent claims (Kish 1965; Korn and Graubard 1998). With
//! one claim per row it is Wilson's interval itself; where the claims of each row agree, it is Wilson's for the rows.
//! Nothing is drawn at random.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::decide::Verdict;

/// The 97.5% quantile of the normal distribution, for 95% intervals.
const Z: f64 = 1.959_964;
/// The maximum number of groups shown to a person.
const MOST_SHOWN: usize = 40;
/// The maximum length of a group's name in the table, in characters.
const MOST_NAME_CHARACTERS: usize = 40;
/// The name of the group of rows without the field.
const WITHOUT_FIELD: &str = "(none)";

/// The share of claims with a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// The number of claims with the verdict.
    pub claims: u64,
    /// Their share of the claims that have a verdict.
    pub share: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end of the 95% interval.
    pub high: f64,
}

/// What gives no answer, which is outside all rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct NoAnswers {
    /// The number of rows with this verdict.
    pub rows: u64,
    /// The number of claims and refusals with this verdict, in all rows.
    pub claims: u64,
}

/// The words of summaries that have no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct UnjudgedRates {
    /// The mean over rows of their share of the summary's words.
    pub share: f64,
    /// The number of rows with any.
    pub rows: u64,
}

/// What is counted of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CountedRow<'r> {
    /// The verdicts of its parts; those that state nothing have none.
    pub verdicts: &'r [Option<Verdict>],
    /// The verdict of its summary.
    pub verdict: Option<Verdict>,
    /// The share of the summary's words that have no verdict, if it is known.
    pub unjudged: Option<f64>,
}

/// The rates of a set of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowRates {
    /// The number of judged rows.
    pub rows: u64,
    /// The number of claims that have a verdict.
    pub claims: u64,
    /// The rate of unsupported claims; `None` without claims.
    pub unsupported: Option<Rate>,
    /// The rate of contradicted claims; `None` without claims.
    pub contradicted: Option<Rate>,
    /// What gives no answer; `None` if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_answer: Option<NoAnswers>,
    /// The words without a verdict; `None` if it is not known of any row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<UnjudgedRates>,
}

/// The rates of the rows that share a value of the grouping field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupRates {
    /// The value; `None` for rows without the field.
    pub group: Option<String>,
    /// The rates of these rows.
    #[serde(flatten)]
    pub rates: RowRates,
}

/// The rates of all rows and of their groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rates {
    /// The rates of all rows.
    #[serde(flatten)]
    pub all: RowRates,
    /// The grouping field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
    /// The groups, in order of first appearance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupRates>,
}

/// Counts claims row by row, in memory proportional to the number of groups, not of rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatesTally {
    group_by: Option<String>,
    all: Counts,
    groups: Vec<(Option<String>, Counts)>,
    /// The index of each group.
    places: HashMap<Option<String>, usize>,
}

/// Sums over rows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Counts {
    rows: u64,
    claims: u64,
    /// The squared number of claims per row.
    claims_squared: u64,
    unsupported: Found,
    contradicted: Found,
    no_answer: NoAnswers,
    unjudged: UnjudgedSums,
}

/// Sums over rows whose words without a verdict are known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct UnjudgedSums {
    rows: u64,
    with_any: u64,
    shares: f64,
}

/// Sums over rows, for claims with one verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Found {
    claims: u64,
    squared: u64,
    /// Their number times the row's number of claims.
    times_claims: u64,
}

impl RatesTally {
    /// Creates a tally of all rows and of each value of the field `group_by`.
    #[must_use]
    pub fn new(group_by: Option<String>) -> Self {
        Self { group_by, ..Self::default() }
    }

    /// Adds a row. `group` is the JSON of the row's grouping field.
    pub fn add(&mut self, row: &CountedRow<'_>, group: Option<&RawValue>) {
        self.all.add(row);
        if self.group_by.is_none() {
            return;
        }
        let group = group.map(RawValue::get).filter(|json| *json != "null");
        let group = group.map(|json| serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()));
        let place = *self.places.entry(group.clone()).or_insert(self.groups.len());
        if place == self.groups.len() {
            self.groups.push((group, Counts::default()));
        }
        self.groups[place].1.add(row);
    }

    /// Returns the current rates.
    #[must_use]
    pub fn rates(&self) -> Rates {
        let of_group = |(group, counts): &(Option<String>, Counts)| GroupRates {
            group: group.clone(),
            rates: counts.rates(),
        };
        Rates {
            all: self.all.rates(),
            group_by: self.group_by.clone(),
            groups: self.groups.iter().map(of_group).collect(),
        }
    }
}

impl Counts {
    fn add(&mut self, row: &CountedRow<'_>) {
        let all = row.verdicts.iter().copied().flatten();
        let (none, verdicts): (Vec<Verdict>, Vec<Verdict>) =
            all.partition(|verdict| *verdict == Verdict::NoAnswer);
        self.no_answer.rows += u64::from(row.verdict == Some(Verdict::NoAnswer));
        self.no_answer.claims += none.len() as u64;
        if let Some(share) = row.unjudged {
            self.unjudged.rows += 1;
            self.unjudged.with_any += u64::from(share > 0.0);
            self.unjudged.shares += share;
        }
        let claims = verdicts.len() as u64;
        self.rows += 1;
        self.claims += claims;
        self.claims_squared += claims * claims;
        self.unsupported.add(&verdicts, Verdict::Unsupported);
        self.contradicted.add(&verdicts, Verdict::Contradicted);
    }

    fn rates(&self) -> RowRates {
        RowRates {
            rows: self.rows,
            claims: self.claims,
            unsupported: self.rate(self.unsupported),
            contradicted: self.rate(self.contradicted),
            no_answer: Some(self.no_answer).filter(|none| *none != NoAnswers::default()),
            unjudged: self.unjudged.rates(),
        }
    }

    fn rate(&self, found: Found) -> Option<Rate> {
        let claims = self.claims as f64;
        let share = found.claims as f64 / claims;
        let [low, high] = wilson(share, claims / self.design_effect(found, share));
        (self.claims > 0).then_some(Rate { claims: found.claims, share, low, high })
    }

    /// Returns the sum over rows of (found - share * claims)^2, relative to independent claims; at least 1.
    fn design_effect(&self, found: Found, share: f64) -> f64 {
        let varies = found.squared as f64 - 2.0 * share * found.times_claims as f64
            + share * share * self.claims_squared as f64;
        let independent = self.claims as f64 * share * (1.0 - share);
        if independent > 0.0 { (varies / independent).max(1.0) } else { 1.0 }
    }
}

impl UnjudgedSums {
    fn rates(&self) -> Option<UnjudgedRates> {
        let share = self.shares / self.rows as f64;
        (self.rows > 0).then_some(UnjudgedRates { share, rows: self.with_any })
    }
}

impl Found {
    fn add(&mut self, verdicts: &[Verdict], wanted: Verdict) {
        let found = verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
        self.claims += found;
        self.squared += found * found;
        self.times_claims += found * verdicts.len() as u64;
    }
}

/// Returns Wilson's 95% interval of a share of `of` claims.
fn wilson(share: f64, of: f64) -> [f64; 2] {
    let width = 1.0 + Z * Z / of;
    let centre = (share + Z * Z / (2.0 * of)) / width;
    let reach = Z / width * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    [(centre - reach).max(0.0), (centre + reach).min(1.0)]
}

impl Rates {
    /// Returns the grouping field if no row has it.
    #[must_use]
    pub fn missing_field(&self) -> Option<&str> {
        let is_missing = self.groups.iter().all(|of| of.group.is_none());
        self.group_by.as_deref().filter(|_| is_missing)
    }

    /// Formats a table for people.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let by = self.group_by.as_deref().map(shown).unwrap_or_default();
        let mut rows =
            vec![[by, "rows".into(), "claims".into(), "unsupported".into(), "contradicted".into()]];
        for GroupRates { group, rates } in self.groups.iter().take(MOST_SHOWN) {
            rows.push(rates.cells(group.as_deref().map_or(WITHOUT_FIELD.into(), shown)));
        }
        rows.push(self.all.cells("all".into()));
        let mut lines = aligned(&rows);
        if let Some(more @ 1..) = self.groups.len().checked_sub(MOST_SHOWN) {
            lines.push(format!("{more} more groups are not shown"));
        }
        lines.push(
            "percent of claims, with 95% intervals that count claims of one row as dependent".to_owned(),
        );
        lines.extend(self.all.no_answer.map(|NoAnswers { rows, claims }| {
            format!("no answer, outside these rates: {claims} claims; {rows} rows of nothing else")
        }));
        let unjudged = self.all.unjudged.filter(|unjudged| unjudged.rows > 0);
        lines.extend(unjudged.map(|UnjudgedRates { share, rows }| {
            format!(
                "without a verdict: {:.1}% of a summary's words on average; {rows} rows have any",
                100.0 * share
            )
        }));
        lines
    }
}

impl RowRates {
    fn cells(&self, name: String) -> [String; 5] {
        let percent = |rate: Option<Rate>| {
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            rate.map_or("-".to_owned(), |rate| {
                format!("{} [{}, {}]", percent(rate.share), percent(rate.low), percent(rate.high))
            })
        };
        [
            name,
            self.rows.to_string(),
            self.claims.to_string(),
            percent(self.unsupported),
            percent(self.contradicted),
        ]
    }
}

/// Aligns the first column left, the others right.
fn aligned(rows: &[[String; 5]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let line = |row: &[String; 5]| {
        let mut line = format!("{:<1$}", row[0], width(0));
        row.iter().enumerate().skip(1).for_each(|(column, cell)| {
            line.push_str(&format!("  {cell:>0$}", width(column)));
        });
        line
    };
    rows.iter().map(line).collect()
}

/// Shortens a name to one line.
fn shown(name: &str) -> String {
    let name = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    name.take(MOST_NAME_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(rows: impl IntoIterator<Item = (u64, u64)>) -> RowRates {
        let mut tally = RatesTally::default();
        for (unsupported, supported) in rows {
            let verdicts = (0..unsupported).map(|_| Verdict::Unsupported);
            let verdicts = verdicts.chain((0..supported).map(|_| Verdict::Supported));
            let verdicts: Vec<Option<Verdict>> = verdicts.map(Some).collect();
            tally.add(&CountedRow { verdicts: &verdicts, ..CountedRow::default() }, None);
        }
        tally.rates().all
    }

    /// The values of `scipy.stats.binomtest(6, 50).proportion_ci(method="wilson")`, and those for 0 of 50.
    #[test]
    fn with_one_claim_a_row_the_interval_is_wilsons() {
        let found = rates((0..50).map(|row| if row < 6 { (1, 0) } else { (0, 1) })).unsupported.unwrap();
        assert_eq!((found.claims, found.share), (6, 0.12));
        assert!((found.low - 0.056_176).abs() < 1e-6 && (found.high - 0.238_048).abs() < 1e-6, "{found:?}");
        // A rate of zero still has a positive upper end.
        let none = rates((0..50).map(|_| (0, 1))).contradicted.unwrap();
        assert!(none.share == 0.0 && none.low == 0.0 && (none.high - 0.071_347_6).abs() < 1e-6, "{none:?}");
    }

    #[test]
    fn wilson_interval_matches_statsmodels() {
        // 8 of 10: statsmodels' proportion_confint(8, 10, method="wilson").
        let [low, high] = wilson(0.8, 10.0);
        assert!((low - 0.490_162).abs() < 1e-5 && (high - 0.943_318).abs() < 1e-5, "{low} {high}");
        let [low, high] = wilson(0.0, 4.0);
        assert!(low == 0.0 && high > 0.4);
    }

    /// Treating five claims that stand or fall together as independent would make the interval less than half as wide.
    #[test]
    fn claims_that_agree_within_their_rows_count_as_rows() {
        let rows = |claims: u64| {
            let row = move |row: u64| if row.is_multiple_of(4) { (claims, 0) } else { (0, claims) };
            rates((0..40).map(row)).unsupported.unwrap()
        };
        let (single, five) = (rows(1), rows(5));
        assert_eq!((single.share, five.share, five.claims), (0.25, 0.25, 50));
        assert!((single.low - five.low).abs() < 1e-9 && (single.high - five.high).abs() < 1e-9);
    }

    /// The coverage of the intervals over corpora whose summaries differ in how much they invent.
    #[test]
    fn intervals_hold_the_true_rate_about_as_often_as_they_say() {
        let mut state = 7u64;
        let mut part = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut held = 0;
        for _ in 0..1000 {
            let row = |_| {
                // Half of the summaries invent 2% of their claims, the other half 38%.
                let rate = if part() < 0.5 { 0.02 } else { 0.38 };
                let claims = 1 + (part() * 7.0) as u64;
                let found = (0..claims).filter(|_| part() < rate).count() as u64;
                (found, claims - found)
            };
            let found = rates((0..60).map(row)).unsupported.unwrap();
            held += u32::from(found.low <= 0.2 && 0.2 <= found.high);
        }
        assert!((930..=975).contains(&held), "{held} of 1000");
    }

    #[test]
    fn groups_are_told_apart_and_what_is_no_claim_does_not_count() {
        let mut tally = RatesTally::new(Some("model".into()));
        let group = |json: &str| RawValue::from_string(json.to_owned()).unwrap();
        let verdicts =
            [Some(Verdict::Unsupported), None, Some(Verdict::Contradicted), Some(Verdict::Supported)];
        for json in [Some("\"b\\u001b\""), Some("\"a\""), Some("\"b\\u001b\""), None, Some("null")] {
            tally.add(
                &CountedRow { verdicts: &verdicts, ..CountedRow::default() },
                json.map(group).as_deref(),
            );
        }
        let rates = tally.rates();
        let counted = rates.groups.iter().map(|of| (of.group.as_deref(), of.rates.rows, of.rates.claims));
        assert_eq!(counted.collect::<Vec<_>>(), [(Some("b\u{1b}"), 2, 6), (Some("a"), 1, 3), (None, 2, 6)]);
        assert_eq!((rates.all.rows, rates.all.claims), (5, 15));
        let lines = rates.lines();
        assert!(
            lines[0].starts_with("model   rows  claims") && lines[1].starts_with("b          2       6"),
            "{lines:#?}"
        );
        assert!(lines[3].starts_with("(none)") && lines[4].starts_with("all"), "{lines:#?}");
        assert!(lines.iter().all(|line| !line.contains('\u{1b}')));
    }

    #[test]
    fn what_gives_no_answer_and_what_is_not_judged_are_counted_by_themselves() {
        let mut tally = RatesTally::default();
        let none = Some(Verdict::NoAnswer);
        let rows = [
            (&[none][..], none, 0.0),
            (&[Some(Verdict::Unsupported), none, None][..], Some(Verdict::Unsupported), 0.5),
            (&[Some(Verdict::Supported)][..], Some(Verdict::Supported), 0.1),
        ];
        for (verdicts, verdict, unjudged) in rows {
            tally.add(&CountedRow { verdicts, verdict, unjudged: Some(unjudged) }, None);
        }
        let rates = tally.rates();
        assert_eq!((rates.all.rows, rates.all.claims), (3, 2));
        assert_eq!(rates.all.unsupported.unwrap().share, 0.5);
        assert_eq!(rates.all.no_answer, Some(NoAnswers { rows: 1, claims: 2 }));
        let unjudged = rates.all.unjudged.unwrap();
        assert!(unjudged.rows == 2 && (unjudged.share - 0.2).abs() < 1e-12, "{unjudged:?}");
        let lines = rates.lines().join("\n");
        assert!(lines.contains("2 claims; 1 rows") && lines.contains("20.0% of"), "{lines}");
    }

    #[test]
    fn rows_without_claims_have_no_rate() {
        let mut tally = RatesTally::default();
        tally.add(&CountedRow { verdicts: &[None, None], ..CountedRow::default() }, None);
        let rates = tally.rates();
        assert_eq!((rates.all.rows, rates.all.claims, rates.all.unsupported), (1, 0, None));
        assert!(rates.lines()[1].ends_with("-"));
    }
}
