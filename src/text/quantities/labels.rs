//! Numbers that label a part of a text instead of measuring something: list marks ("5.", "(5)", "5.2.1"), references
//! ("Clause 5", "Sections 5.2 and 6") and marks in square brackets ("[5]").
//!
//! Decides by the place at the start of a sentence, the word before and the brackets around. A number with a unit is no label.

use super::amounts::Amounts;
use super::lists::is_part_of_text;
use super::quantity::{Amount, AmountKind, Quantity, Value, Written};
use super::tokens::Token;

/// Longest number of a list mark.
const LONGEST_MARK: usize = 3;

/// A label, by the places of its tokens.
struct Label {
    start: usize,
    number: usize,
    /// The token after it.
    end: usize,
}

/// Labels in a row.
struct Labels {
    labels: Vec<Label>,
    /// The token after all of them.
    end: usize,
    /// Whether they are looked up, which list marks are not.
    certain: bool,
}

/// Reads the labels that begin at a token; `opens`: only marks precede it in its sentence. Returns the token after them.
pub(super) fn read(
    amounts: &Amounts<'_, '_>,
    place: usize,
    opens: bool,
    found: &mut Vec<Quantity>,
) -> Option<usize> {
    let reader = Reader { tokens: amounts.tokens };
    let labels = reader.in_brackets(place).or_else(|| reader.reference(place));
    let labels = labels.or_else(|| opens.then(|| reader.list_mark(place)).flatten());
    let Labels { labels, end, certain } = labels.filter(|labels| amounts.unit(labels.end).is_none())?;
    found.extend(labels.iter().map(|label| reader.quantity(label, certain)));
    Some(end)
}

struct Reader<'s, 't> {
    tokens: &'s [Token<'t>],
}

impl Reader<'_, '_> {
    fn is(&self, place: usize, texts: &[&str]) -> bool {
        self.tokens.get(place).is_some_and(|token| texts.contains(&&*token.lower))
    }

    /// The token after "5", "5.2" or "5.2.1".
    fn levels(&self, place: usize) -> Option<usize> {
        let is_level = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued && token.is_digits());
        self.tokens.get(place).filter(|token| token.is_digits())?;
        let mut end = place + 1;
        while self.is(end, &["."]) && self.tokens[end].glued && is_level(end + 1) {
            end += 2;
        }
        Some(end)
    }

    /// "5.", "5)", "(5)", "5.2.1": the mark stands apart from the words after it.
    fn list_mark(&self, place: usize) -> Option<Labels> {
        let end = self.levels(place)?;
        let is_glued = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued);
        let closes = usize::from(is_glued(end) && self.is(end, &[".", ")"]));
        let is_short = self.tokens[place].text.len() <= LONGEST_MARK || self.tokens[place].text.contains('.');
        let apart = !is_glued(end + closes) || self.is(end + closes, &["*", "_"]);
        // "3.5.24" is a date.
        let has_levels = end > place + 1 && self.tokens[end - 1].text.len() == 1;
        let fits = is_short && apart && (closes > 0 || has_levels);
        let label = Label { start: place, number: place, end };
        fits.then(|| Labels { labels: vec![label], end: end + closes, certain: false })
    }

    /// "[5]", "[5, 7]", "[3-5]".
    fn in_brackets(&self, place: usize) -> Option<Labels> {
        if !self.is(place, &["["]) {
            return None;
        }
        let inside = |token: &&Token<'_>| {
            token.is_digits() && token.text.len() <= LONGEST_MARK
                || matches!(token.text, "," | ";")
                || token.is_dash()
        };
        let end = place + 1 + self.tokens[place + 1..].iter().take_while(inside).count();
        let closes = end > place + 1 && self.is(end, &["]"]);
        closes.then(|| Labels { labels: Vec::new(), end: end + 1, certain: false })
    }

    /// "Clause 5", "Art. 5.2", "Sections 5, 6 and 7"; the word belongs to the first label.
    fn reference(&self, place: usize) -> Option<Labels> {
        let first = place + 1 + usize::from(self.is(place + 1, &[".", "§"]));
        self.tokens.get(first).filter(|token| token.is_digits())?;
        let word = &*self.tokens[place].lower;
        let of_many = word.strip_suffix('s').is_some_and(is_part_of_text);
        if !(of_many || is_part_of_text(word)) {
            return None;
        }
        let many = of_many || word == "pp" || self.is(place + 1, &["§"]);
        let mut end = self.levels(first)?;
        let mut labels = vec![Label { start: place, number: first, end }];
        while many && self.tokens.get(end).is_some_and(joins) {
            let at = end + 1;
            let Some(after) = self.levels(at) else { break };
            labels.push(Label { start: at, number: at, end: after });
            end = after;
        }
        Some(Labels { labels, end, certain: true })
    }

    /// The quantity of a label, by its first level or two.
    fn quantity(&self, label: &Label, certain: bool) -> Quantity {
        let number = self.tokens[label.number].text.parse().unwrap_or(0.0);
        let amount = Amount { kind: AmountKind::Label, unit: "", number, step: 0.0, factor: 1.0 };
        let span = self.tokens[label.start].start..self.tokens[label.end - 1].end();
        Quantity::plain(span, Value::Amount(amount), Written::Digits, certain)
    }
}

/// Whether another label may follow the token.
fn joins(token: &Token<'_>) -> bool {
    token.is_dash() || matches!(&*token.lower, "," | "and" | "or" | "to" | "&")
}
