//! How often verdicts and people's labels agree. A row is compared if it has a label and its verdict says whether the document
//! supports it; those that are unsure or give no answer are counted apart.

use serde::Serialize;

use veridic::result::Verdict;
use veridic_program::output::counted;

/// The rows with a label, by label and verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Agreement {
    consistent: LabelCounts,
    inconsistent: LabelCounts,
    /// Rows with a label whose verdict is neither.
    not_compared: usize,
}

/// The rows with one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct LabelCounts {
    supported: usize,
    not_supported: usize,
}

impl LabelCounts {
    fn rows(self) -> usize {
        self.supported + self.not_supported
    }
}

impl Agreement {
    /// Adds a row; `is_consistent` is its label.
    pub(super) fn add(&mut self, is_consistent: bool, verdict: Verdict) {
        let counts = if is_consistent { &mut self.consistent } else { &mut self.inconsistent };
        match verdict {
            Verdict::Supported => counts.supported += 1,
            Verdict::Unsupported | Verdict::Contradicted => counts.not_supported += 1,
            _ => self.not_compared += 1,
        }
    }

    /// Returns the number of rows with a label.
    pub(crate) fn labelled(&self) -> usize {
        self.consistent.rows() + self.inconsistent.rows() + self.not_compared
    }

    /// Returns what the counts say, for a person: rows and shares, and what these mean.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let (consistent, inconsistent) = (self.consistent, self.inconsistent);
        let rows = consistent.rows() + inconsistent.rows();
        let others = match self.not_compared {
            0 => String::new(),
            apart => format!("; {} unsure or without an answer, not compared", counted(apart, "row")),
        };
        if rows == 0 {
            return vec![format!("No row was compared with its label{others}.")];
        }
        let share = |part: usize, of: usize| part as f64 / of as f64;
        let accuracy = share(consistent.supported + inconsistent.not_supported, rows);
        let mut said = vec![format!("{} compared: accuracy {}", counted(rows, "row"), percent(accuracy))];
        let meaning = if consistent.rows() == 0 || inconsistent.rows() == 0 {
            said.push(", balanced accuracy unknown".to_owned());
            "Accuracy is the share of rows whose verdict agrees with the label; balanced accuracy needs rows of both labels."
        } else {
            let found = [
                share(consistent.supported, consistent.rows()),
                share(inconsistent.not_supported, inconsistent.rows()),
            ];
            said.push(format!(", balanced accuracy {}", percent((found[0] + found[1]) / 2.0)));
            "Accuracy is the share of rows whose verdict agrees with the label; balanced accuracy is the mean of that share \
             among the rows of each label, 50% for guessing."
        };
        vec![format!("{}{others}.", said.concat()), meaning.to_owned()]
    }

    /// Returns the four counts in words.
    pub(crate) fn counts(&self) -> String {
        let (consistent, inconsistent) = (self.consistent, self.inconsistent);
        format!(
            "labelled consistent: {} supported, {} not; labelled inconsistent: {} supported, {} not",
            consistent.supported,
            consistent.not_supported,
            inconsistent.supported,
            inconsistent.not_supported
        )
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(rows: &[(bool, Verdict, usize)]) -> Agreement {
        let mut agreement = Agreement::default();
        for (label, verdict, count) in rows {
            (0..*count).for_each(|_| agreement.add(*label, *verdict));
        }
        agreement
    }

    /// 90 of 100 consistent rows are supported, and 4 of 10 inconsistent ones are not.
    #[test]
    fn shares_are_those_of_the_four_counts() {
        let rows = [
            (true, Verdict::Supported, 90),
            (true, Verdict::Unsupported, 10),
            (false, Verdict::Supported, 6),
            (false, Verdict::Contradicted, 3),
            (false, Verdict::Unsupported, 1),
            (false, Verdict::Unsure, 1),
        ];
        let agreement = agreement(&rows);
        let sentences = agreement.sentences();
        assert_eq!(
            sentences[0],
            "110 rows compared: accuracy 85.5%, balanced accuracy 65.0%; 1 row unsure or without an answer, not compared."
        );
        assert!(sentences[1].contains("50% for guessing"));
        assert_eq!(
            agreement.counts(),
            "labelled consistent: 90 supported, 10 not; labelled inconsistent: 6 supported, 4 not"
        );
        assert_eq!(agreement.labelled(), 111);
    }

    #[test]
    fn shares_that_have_no_rows_are_not_told() {
        let one = agreement(&[(true, Verdict::Supported, 1)]).sentences();
        assert_eq!(one[0], "1 row compared: accuracy 100.0%, balanced accuracy unknown.");
        assert!(one[1].contains("needs rows of both labels"));
        let none = agreement(&[(true, Verdict::NoAnswer, 2)]).sentences();
        assert_eq!(
            none,
            ["No row was compared with its label; 2 rows unsure or without an answer, not compared."]
        );
    }
}
