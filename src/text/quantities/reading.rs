//! Finds the quantities of a text: at each token a label, a date, a time or an amount, whichever can be read.

use super::quantity::Quantity;
use super::{amounts, dates, labels, layout, times, tokens};
use crate::text::sentences::byte_ranges;
use crate::text::token::TokenKind;
use crate::text::{POLLED, Poll};

/// What is read in a text.
pub(super) struct Read {
    /// The quantities, in order of their starts; the readings of one piece follow each other.
    pub(super) list: Vec<Quantity>,
    /// Readings for look-ups: bare numbers with units that they may have from elsewhere, and dates that a layout shortens.
    pub(super) looked_up: Vec<Quantity>,
    /// Numbers that stand alone as values and may have any unit.
    pub(super) values: Vec<Quantity>,
}

/// Finds the quantities of a text.
///
/// # Errors
/// That of `poll`.
pub(super) fn quantities<E>(text: &str, poll: &Poll<'_, E>) -> Result<Read, E> {
    poll()?;
    let tokens = tokens::tokens(text);
    poll()?;
    let sentences = byte_ranges(text);
    let mut found = Vec::new();
    let mut place = 0;
    let mut amounts = amounts::Amounts::new(&tokens);
    let mut starts = sentences.iter().map(|sentence| sentence.start).peekable();
    let mut opens = false;
    let mut polled = 0;
    while place < tokens.len() {
        if place >= polled {
            poll()?;
            polled = place + POLLED;
        }
        opens |= starts.next_if(|start| *start <= tokens[place].start).is_some();
        if let Some(end) = labels::read(&amounts, place, opens, &mut found) {
            place = end;
            continue;
        }
        let opening = opens;
        opens &= tokens[place].kind == TokenKind::Mark;
        let dated = dates::read(&tokens, place, &mut found);
        let timed = times::read(&tokens, place, &mut found);
        if let Some(end) = dated.max(timed) {
            place = end;
            continue;
        }
        place = amounts.read(place, opening).unwrap_or_else(|| {
            amounts.name_unit(place);
            place + 1
        });
    }
    found.extend(amounts.finish());
    found.sort_by_key(|quantity| (quantity.span.start, quantity.span.end));
    poll()?;
    let mut looked_up = amounts.elided(text, &sentences);
    poll()?;
    looked_up.extend(layout::dates(&tokens, &found));
    Ok(Read { looked_up, values: layout::values(&tokens), list: found })
}
