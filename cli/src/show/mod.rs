//! Judgements for a person at a terminal. Outside text is printed without its control characters.

mod claim;
mod corrections;
mod judgement;
mod passage;

use anstyle::Style;
use anyhow::Result;
use serde_json::value::RawValue;
use veridic::result::ClaimRecord;
use veridic_models::Probabilities;
use veridic_program::output::{line, visible, wrapped};

pub(crate) use self::corrections::corrected;
pub(crate) use self::judgement::judged;

/// The claims of a row, printed as one line of JSON.
#[derive(serde::Serialize)]
pub(crate) struct RowClaims<'r> {
    pub(crate) id: Option<&'r RawValue>,
    pub(crate) claims: Vec<ClaimRecord<'r>>,
}

/// Prints the sentences of a summary with their claims; `number` is the row's line in a file of rows.
pub fn claims(number: Option<usize>, sentences: &[(String, Vec<&str>)]) -> Result<()> {
    let dim = Style::new().dimmed();
    if let Some(number) = number {
        line(&format!("{dim}line {number}{dim:#}"))?;
    }
    for (sentence, claims) in sentences {
        wrapped(&format!("{dim}{}{dim:#}", visible(sentence)), 0)?;
        claims.iter().try_for_each(|claim| wrapped(&format!("  - {}", visible(claim)), 4))?;
    }
    Ok(())
}

/// Prints the probabilities of one pair.
pub fn probabilities(p: &Probabilities) -> Result<()> {
    let rows = [("entailment", p.entailment), ("neutral", p.neutral), ("contradiction", p.contradiction)];
    let best = rows.iter().map(|row| row.1).fold(0.0, f32::max);
    for (name, value) in rows {
        let style = if value == best { Style::new().bold() } else { Style::new() };
        line(&format!("{style}{name:<14} {value:.4}{style:#}"))?;
    }
    Ok(())
}
