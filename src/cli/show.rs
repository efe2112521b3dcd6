//! What a person sees on a terminal. Colour only there, and not under NO_COLOR (anstream decides);
//! text from outside never reaches the terminal with its control characters.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use veridic::metrics::Evaluation;
use veridic::metrics::sumautoeval::Kappa;
use veridic::notes;
use veridic::pipeline::evidence::{Contribution, Support};
use veridic::pipeline::{ClaimResult, ClaimsFrom, Extract, Limits, Scale, Thresholds};
use veridic::text::Reading;
use veridic::{PairResult, Verdict};
use veridic_models::Probabilities;

/// Longest evidence that is shown whole, in characters.
const SHOWN_CHARACTERS: usize = 160;

/// How many of a claim's facts are shown: those that add or take most.
const SHOWN_CONTRIBUTIONS: usize = 4;

/// A note on stderr. One that cannot be shown is no reason to stop.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A line of data.
pub(super) fn line(text: &str) -> Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// Lines of data, unchanged.
pub(super) fn lines(lines: &[String]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// A line of JSON, unchanged: what hides colours from files takes control characters out of texts too.
pub(super) fn json(value: &impl serde::Serialize) -> Result<()> {
    lines(&[serde_json::to_string(value).context("cannot write JSON")?])
}

/// Sentences of a summary, each with its claims; `line`: the row's, if there are rows.
pub(super) fn claims(line: Option<usize>, sentences: &[(String, Vec<&str>)]) -> Result<()> {
    let dim = Style::new().dimmed();
    if let Some(number) = line {
        self::line(&format!("{dim}line {number}{dim:#}"))?;
    }
    for (sentence, claims) in sentences {
        self::line(&format!("{dim}{}{dim:#}", visible(sentence)))?;
        claims.iter().try_for_each(|claim| self::line(&format!("  - {}", visible(claim))))?;
    }
    Ok(())
}

/// What metrics say of a pair.
pub(super) fn evaluation(evaluation: &Evaluation) -> Result<()> {
    if let Some(judged) = &evaluation.judged {
        pair(judged)?;
    }
    let measures = &evaluation.measures;
    if evaluation.judged.is_some() && !measures.numbers().is_empty() {
        line("")?;
    }
    for (name, number) in measures.numbers() {
        line(&format!("{name:<24} {number:.3}"))?;
    }
    measures.agreement().told().try_for_each(|told| line(&agreement(told)))?;
    let left_out = measures.not_measured().iter();
    left_out.map(|(name, why)| format!("{name:<24} not measured: {why}")).try_for_each(|told| line(&told))
}

/// How far SumAutoEval's checks agree on an axis.
pub(super) fn agreement((axis, Kappa { kappa, entities }): (&str, Kappa)) -> String {
    let kappa = kappa.map_or("undefined, all answers are the same".to_owned(), |kappa| format!("{kappa:.3}"));
    format!("sumautoeval {axis}: the three checks agree with Fleiss' kappa {kappa} over {entities} entities")
}

/// The judgement of a pair.
fn pair(result: &PairResult) -> Result<()> {
    let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
    let style = style(result.verdict);
    let bold = Style::new().bold();
    line(&format!(
        "{bold}score {:.2}{bold:#}   {style}{}{style:#}{}   {supported} of {} claims supported",
        result.score,
        result.verdict.name(),
        result.reason.map(|reason| format!(" (reason: {})", reason.name())).unwrap_or_default(),
        result.claims.len()
    ))?;
    result.claims.iter().enumerate().try_for_each(|(index, claim)| self::claim(index + 1, claim))?;
    let ledger = &result.ledger;
    let dim = Style::new().dimmed();
    if let Some(Extract { method, budget, sentences, .. }) = ledger.extract {
        let read = notes::extracted(ledger.sentences, sentences, method, budget);
        line(&format!("\n{dim}{read}{dim:#}"))?;
    }
    let mut told = format!(
        "{} document sentences, {} premises compared, {} left out",
        ledger.extract.map_or(ledger.sentences, |extract| extract.sentences),
        ledger.premises,
        ledger.premises_skipped
    );
    for (count, what) in [(ledger.premises_split, "split"), (ledger.premises_cut, "cut")] {
        if count > 0 {
            told += &format!(", {count} {what} at the token limit");
        }
    }
    if ledger.rewritings_left_out > 0 {
        told += &format!(", {} rewritings too many or too long", ledger.rewritings_left_out);
    }
    if ledger.claims_from == ClaimsFrom::WholeSummary {
        told += "; no sentence with words was found, the whole summary is the claim";
    }
    line(&format!(
        "\n{dim}profile {}, model {}; {told}{dim:#}",
        result.profile.profile.name, result.models.nli.id
    ))?;
    line(&format!("{dim}{}{dim:#}", limits(&result.limits)))
}

/// What scores are and what decided the verdicts.
fn limits(limits: &Limits) -> String {
    let Limits { scale, thresholds: Thresholds { supported, contradicted, .. } } = limits;
    let scores = match scale {
        Scale::Probability => "scores are probabilities",
        Scale::Score => "scores are from -1 to 1",
    };
    format!("{scores}; claims are supported from {supported:.2}, contradicted above {contradicted:.2}")
}

fn claim(number: usize, claim: &ClaimResult) -> Result<()> {
    let style = style(claim.verdict);
    let dim = Style::new().dimmed();
    let mark = match claim.verdict {
        Verdict::Supported => "✓",
        Verdict::Unsupported => "?",
        Verdict::Contradicted => "✗",
    };
    line(&format!(
        "\n{style}{mark} {:<12}{style:#} {:>5.2}  {number}. {}",
        claim.verdict.name(),
        claim.score,
        plain(&claim.text)
    ))?;
    let (label, span) = (format!("{:?}", claim.level).to_lowercase(), claim.evidence.span);
    line(&format!(
        "                      {dim}best {label} [{}, {}]:{dim:#} {}",
        span.start,
        span.end,
        plain(&claim.evidence.text)
    ))?;
    if let Some(substitution) = &claim.substitution {
        line(&format!(
            "                      {dim}with{dim:#} {} {dim}[{}, {}] read as{dim:#} {} {dim}[{}, {}]{dim:#}",
            plain(&substitution.mention),
            substitution.mention_span.start,
            substitution.mention_span.end,
            plain(&substitution.by),
            substitution.by_span.start,
            substitution.by_span.end
        ))?;
    }
    if let Some(support) = &claim.support {
        self::support(support)?;
    }
    if let Some(counter) = &claim.counter_evidence {
        line(&format!(
            "                      {style}against, {:.2}{style:#} {dim}[{}, {}]:{dim:#} {}",
            counter.contradiction,
            counter.evidence.span.start,
            counter.evidence.span.end,
            plain(&counter.evidence.text)
        ))?;
    }
    Ok(())
}

/// What weighs most for and against a claim, and what of it is nowhere in the document.
fn support(support: &Support) -> Result<()> {
    let dim = Style::new().dimmed();
    let mut contributions: Vec<&Contribution> = support.contributions.iter().collect();
    contributions.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    let told = contributions.iter().take(SHOWN_CONTRIBUTIONS).map(|contribution| {
        let Contribution { fact, value, adds } = contribution;
        format!("{} {value:.2} ({adds:+.1})", fact.replace('_', " "))
    });
    line(&format!("                      {dim}weighed: {}{dim:#}", told.collect::<Vec<_>>().join(", ")))?;
    support.not_found.iter().try_for_each(|told| line(&format!("                      {}", visible(told))))
}

/// The probabilities of one pair.
pub(super) fn probabilities(p: &Probabilities) -> Result<()> {
    let rows = [("entailment", p.entailment), ("neutral", p.neutral), ("contradiction", p.contradiction)];
    let best = rows.iter().map(|row| row.1).fold(0.0, f32::max);
    for (name, value) in rows {
        let style = if value == best { Style::new().bold() } else { Style::new() };
        line(&format!("{style}{name:<14} {value:.4}{style:#}"))?;
    }
    Ok(())
}

fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Supported => AnsiColor::Green,
        Verdict::Unsupported => AnsiColor::Yellow,
        Verdict::Contradicted => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(colour.into()))
}

/// As [`visible`], its middle left out when it is long.
fn plain(text: &str) -> String {
    let shown: Vec<char> = visible(text).chars().collect();
    if shown.len() <= SHOWN_CHARACTERS {
        return shown.into_iter().collect();
    }
    let (start, end) = (&shown[..SHOWN_CHARACTERS / 2], &shown[shown.len() - SHOWN_CHARACTERS / 2..]);
    format!("{} [...] {}", start.iter().collect::<String>(), end.iter().collect::<String>())
}

/// As it is read, on one line, so without control and direction characters.
pub(super) fn visible(text: &str) -> String {
    Reading::of(text).text().split_whitespace().collect::<Vec<_>>().join(" ")
}
