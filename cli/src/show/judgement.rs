//! The judgement of a pair: score and verdict, its claims, the work done, and the thresholds.

use anstyle::Style;
use anyhow::Result;
use veridic::result::{ClaimsFrom, Ledger, Limits, NOT_A_CLAIM, NotClaim, PairResult, Scale, Verdict};
use veridic::rules::{Screen, Thresholds};

use veridic_program::output::{counted, line, visible, wrapped};

use super::claim::{self, INDENT, style};

/// Prints the judgement of a pair; `explains` adds everything that decided each claim.
pub(crate) fn judged(result: &PairResult, explains: bool) -> Result<()> {
    let style = style(result.verdict);
    let verdict = format!("{style}{}{style:#}", result.verdict.name());
    let heading = if result.verdict == Verdict::NoAnswer {
        format!("{verdict}   no answer to judge")
    } else {
        let bold = Style::new().bold();
        let reason = result.reason.map(|reason| format!(" (reason: {})", reason.name())).unwrap_or_default();
        let claims = result.claims.iter().filter(|claim| claim.verdict != Verdict::NoAnswer).count();
        let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
        format!(
            "{bold}score {}{bold:#}   {verdict}{reason}   {supported} of {} supported",
            result.limits.shown(result.score),
            counted(claims, "claim")
        )
    };
    wrapped(&heading, 0)?;
    let mut others = result.not_claims.iter().peekable();
    for (index, claim) in result.claims.iter().enumerate() {
        let begins = claim.summary_spans.first().map_or(0, |span| span.start);
        while let Some(other) = others.next_if(|other| other.span.start < begins) {
            not_claim(other)?;
        }
        if explains {
            claim::explained(index + 1, claim, &result.limits)?;
        } else {
            claim::claim(index + 1, claim, &result.limits)?;
        }
    }
    others.try_for_each(not_claim)?;
    let dim = Style::new().dimmed();
    line("")?;
    let (profile, model) = (result.profile.rules.profile, &result.models.nli.id);
    wrapped(
        &format!(
            "{dim}profile {profile}, model {model}; {}{dim:#}",
            computed(&result.ledger, result.profile.rules.screen)
        ),
        0,
    )?;
    wrapped(&format!("{dim}{}{dim:#}", limits(&result.limits)), 0)
}

/// Describes the computed and the skipped work.
fn computed(ledger: &Ledger, screen: Option<Screen>) -> String {
    let mut text = format!(
        "{}, {} compared, {} left out",
        counted(ledger.sentences, "document sentence"),
        counted(ledger.premises, "premise"),
        ledger.premises_skipped + ledger.premises_screened
    );
    if let Some(screen) = screen.filter(|_| ledger.premises_screened > 0) {
        text += &format!(" ({} by the screen {screen})", ledger.premises_screened);
    }
    if ledger.premises_split > 0 {
        text += &format!(", {} split into runs", ledger.premises_split);
    }
    if ledger.premises_cut > 0 {
        text += &format!(", {} cut at the token limit", ledger.premises_cut);
    }
    if ledger.rewritings_left_out > 0 {
        text += &format!(", {} rewritings left out as too many or too long", ledger.rewritings_left_out);
    }
    if ledger.claims_from == ClaimsFrom::WholeSummary {
        text += "; no sentence with words was found, so the whole summary is the claim";
    }
    text
}

/// Describes the scale of the scores and the thresholds of the verdicts.
fn limits(limits: &Limits) -> String {
    let Limits { scale, thresholds: Thresholds { supported, contradicted, .. }, .. } = limits;
    let scores = match scale {
        Scale::Probability => "scores are probabilities",
        _ => "scores are from -1 to 1",
    };
    let mut text =
        format!("{scores}; claims are supported from {supported:.2}, contradicted above {contradicted:.2}");
    if let Some(distance) = limits.unsure_within {
        text += &format!(", unsure within {distance:.2} of that limit");
    }
    text
}

/// Prints a part of the summary that states nothing.
fn not_claim(other: &NotClaim) -> Result<()> {
    let dim = Style::new().dimmed();
    line("")?;
    let kind = other.verdict().map_or(NOT_A_CLAIM, Verdict::name);
    wrapped(&format!("{dim}- {kind:<19}{}{dim:#}", visible(&other.text)), INDENT)
}
