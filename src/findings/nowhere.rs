//! Names and quantities of a claim that are nowhere in the document, compared by value, and names by their word forms.
//! The search covers the whole document.

use std::ops::Range;

use crate::text::{AmountKind, Quantity, Value, Wording, names};

use crate::premises::DocumentIndex;
use crate::rules::Cap;

/// A name or a quantity of a claim that is nowhere in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotInDocument {
    /// A name, or its missing words, as written in the claim.
    Name(String),
    /// A quantity without an equal quantity in the document.
    Quantity {
        /// The kind of quantity: "number", "reference", "amount", "share", "score", "date", "day", "time".
        sort: &'static str,
        /// Its text in the claim.
        text: String,
    },
}

impl NotInDocument {
    fn quantity(text: &str, readings: &[Quantity]) -> Self {
        let sort = match readings[0].value {
            Value::Date(date) if date.month.is_none() && date.weekday.is_some() => "day",
            Value::Date(_) => "date",
            Value::Time(_) => "time",
            Value::Score(_) => "score",
            Value::Amount(amount) => match amount.kind {
                AmountKind::Number | AmountKind::Ordinal => "number",
                AmountKind::Label => "reference",
                AmountKind::Share => "share",
                _ => "amount",
            },
        };
        Self::Quantity { sort, text: text.to_owned() }
    }

    /// The rule that caps the claim's score for it; `None` for a name.
    pub(crate) fn cap(&self) -> Option<Cap> {
        match self {
            Self::Name(_) => None,
            Self::Quantity { sort: "day" | "date" | "time", .. } => Some(Cap::DateNowhere),
            Self::Quantity { .. } => Some(Cap::QuantityNowhere),
        }
    }

    /// The finding as a clause, for explanations.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Name(name) => format!("the name {name} is nowhere in the document"),
            Self::Quantity { sort, text } => format!("the {sort} {text} is nowhere in the document"),
        }
    }
}

/// Names and quantities of the claim that are nowhere in the document, in the claim's order, without repetition. Words
/// of a quantity are not looked up as names.
pub(crate) fn not_in_document(claim: &Wording<'_>, document: &DocumentIndex) -> Vec<NotInDocument> {
    let mut found = Vec::new();
    for (span, readings) in claim.quantities.missing_from(document.quantities()) {
        found.push((span.start, NotInDocument::quantity(&claim.text[span], readings)));
    }
    let headers = row_headers(claim.text);
    for name in names(claim.text) {
        let overlaps = |span: &Range<usize>| span.start < name.span().end && name.span().start < span.end;
        if !headers.iter().any(overlaps) && !claim.quantities.pieces().any(|(span, _)| overlaps(&span)) {
            let missing = document.names().missing(claim.text, &name).into_iter();
            found.extend(missing.map(|span| (span.start, NotInDocument::Name(claim.text[span].to_owned()))));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    let mut not_in_document = Vec::new();
    for (_, found) in found {
        if !not_in_document.contains(&found) {
            not_in_document.push(found);
        }
    }
    not_in_document
}

/// The headers in a claim that is the row of a table: "Owner: Priya; Task: ask Helen". One label alone may be a speaker's.
fn row_headers(claim: &str) -> Vec<Range<usize>> {
    let mut headers = Vec::new();
    let mut start = 0;
    for cell in claim.split("; ") {
        headers.extend(cell.find(": ").map(|length| start..start + length));
        start += cell.len() + "; ".len();
    }
    if headers.len() > 1 { headers } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::go_on;

    fn missing(claim: &str, document: &str) -> Vec<NotInDocument> {
        let Ok(index) = DocumentIndex::of(document, &go_on);
        not_in_document(&Wording::of(claim), &index)
    }

    fn quantity(sort: &'static str, text: &str) -> NotInDocument {
        NotInDocument::Quantity { sort, text: text.into() }
    }

    #[test]
    fn what_the_document_lacks_is_named_with_its_kind_and_its_rule() {
        let document = "The pool of Harwell closed in 1974. Repairs cost 4.2 million.";
        let found = missing("Repairs in Harwell cost 2.4 million.", document);
        assert_eq!(found, [quantity("number", "2.4 million")]);
        assert_eq!(found[0].cap(), Some(Cap::QuantityNowhere));
        assert_eq!(found[0].sentence(), "the number 2.4 million is nowhere in the document");
        assert_eq!(missing("It is so.", "Rain fell."), []);
    }

    #[test]
    fn a_clause_number_of_the_document_is_no_percentage() {
        let document =
            "4. Term. The term is 2 years.\n5. Prices. The supplier may raise prices by up to 3 percent.";
        let found = missing("The supplier may raise prices by up to 5 percent.", document);
        assert_eq!(found, [quantity("share", "5 percent")]);
        assert_eq!(missing("1. Under Clause 5 prices may rise by 3 percent [4].", document), []);
        let found = missing("Under Clause 7 prices may rise.", document);
        assert_eq!(found, [quantity("reference", "Clause 7")]);
        let found = missing("The term is 5 years, they won 3-0 in 1904-05.", document);
        let expected = [quantity("amount", "5 years"), quantity("score", "3-0"), quantity("date", "1904-05")];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_number_whose_unit_stands_elsewhere_is_in_the_document() {
        let document =
            "Costs (EUR million)\n\n| Year | Repairs | Share (%) |\n|---|---|---|\n| 2023 | 4.2 | 5 |";
        for claim in ["Repairs cost 4.2 million euros in 2023.", "Their share was 5 percent."] {
            assert_eq!(missing(claim, document), [], "{claim}");
        }
    }

    #[test]
    fn headers_of_rows_and_weekdays_are_no_names() {
        let document = "Minutes of 3 May: Priya will ask Helen about the bridge.";
        for claim in [
            "Owner: Priya; Task: ask Helen; Day: Monday",
            "Owner: Priya; Task: ask Helen; Weekday: Mondays",
            "Item: Bridge; Responsible: Priya",
            "Task Owner: Priya; Due Day: Monday",
            "Priya will ask Helen on Mondays.",
        ] {
            let names =
                missing(claim, document).into_iter().filter(|found| matches!(found, NotInDocument::Name(_)));
            assert_eq!(names.collect::<Vec<_>>(), [], "{claim}");
        }
        assert_eq!(missing("Owner: Priya; Task: ask Carla", document), [NotInDocument::Name("Carla".into())]);
    }

    #[test]
    fn other_spellings_in_the_document_are_found() {
        let document = "Twenty-one members of the North Atlantic Treaty Organization met on 3 May 2024 in São Paulo. \
                        J. Smith paid $1,850.00 of $2,500,000, nine per cent more.";
        for claim in [
            "They paid $1,850.",
            "It was 2.5 million dollars.",
            "There were 21 members of NATO.",
            "They met on 2024-05-03 in Sao Paulo.",
            "It was 9% more, said John Smith.",
            "About 20 members met.",
        ] {
            assert_eq!(missing(claim, document), [], "{claim}");
        }
        let found = missing("They paid $1,580 and 8%.", document);
        assert_eq!(found, [quantity("amount", "$1,580"), quantity("share", "8%")]);
        let found = missing("They met on 4 May 2024 in Rio.", document);
        assert_eq!(found, [quantity("date", "4 May 2024"), NotInDocument::Name("Rio".into())]);
        assert_eq!([found[0].cap(), found[1].cap()], [Some(Cap::DateNowhere), None]);
    }
}
