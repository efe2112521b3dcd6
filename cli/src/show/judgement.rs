//! The judgement of a pair: score and verdict, claims with their evidence, the work done, and the thresholds.

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use veridic::Span;
use veridic::result::{
    Citation, CitationVerdict, ClaimResult, ClaimsFrom, Evidence, Ledger, Limits, NOT_A_CLAIM, NotClaim,
    PairResult, Scale, SourceSpans, Verdict,
};
use veridic::rules::{Screen, Thresholds};
use veridic::text::enclosing_span;

use veridic_program::output::{line, visible, wrapped};

use super::passage;

/// The indent of a claim's evidence.
const INDENT: usize = 4;

/// The indent of a claim's text.
const CLAIM_INDENT: usize = 22;

/// Prints the judgement of a pair; `explains` adds what decided each claim.
pub(crate) fn judged(result: &PairResult, explains: bool) -> Result<()> {
    let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
    let style = style(result.verdict);
    let bold = Style::new().bold();
    let reason = result.reason.map(|reason| format!(" (reason: {})", reason.name())).unwrap_or_default();
    let answers = result.claims.iter().filter(|claim| claim.verdict != Verdict::NoAnswer);
    let (score, verdict, claims) =
        (result.limits.shown(result.score), result.verdict.name(), answers.count());
    wrapped(
        &format!(
            "{bold}score {score}{bold:#}   {style}{verdict}{style:#}{reason}   {supported} of {claims} claims supported"
        ),
        0,
    )?;
    let mut others = result.not_claims.iter().peekable();
    for (index, claim) in result.claims.iter().enumerate() {
        let begins = claim.summary_spans.first().map_or(0, |span| span.start);
        while let Some(other) = others.next_if(|other| other.span.start < begins) {
            not_claim(other)?;
        }
        self::claim(index + 1, claim, &result.limits, explains)?;
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
        "{} document sentences, {} premises compared, {} left out",
        ledger.sentences,
        ledger.premises,
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
    wrapped(&format!("{dim}- {kind:<19}{}{dim:#}", visible(&other.text)), CLAIM_INDENT)
}

fn claim(number: usize, claim: &ClaimResult, limits: &Limits, explains: bool) -> Result<()> {
    let style = style(claim.verdict);
    let mark = match claim.verdict {
        Verdict::Supported => "✓",
        Verdict::Contradicted => "✗",
        Verdict::Unsure => "~",
        Verdict::NoAnswer => "-",
        _ => "?",
    };
    line("")?;
    let score = limits.shown(claim.score);
    let head = format!("{style}{mark} {:<12}{style:#} {score:>5}  {number}. ", claim.verdict.name());
    wrapped(&format!("{head}{}", visible(&claim.text)), CLAIM_INDENT)?;
    detail("", &format!("{style}{}{style:#}", visible(&claim.explanation)))?;
    if let Some(cap) = claim.cap {
        let judge = 100.0 * claim.probabilities.entailment;
        detail("capped:", &format!("{}; the judge alone says {judge:.0}%", cap.about()))?;
    }
    if let Some(tested) = &claim.tested {
        detail("looked for:", &visible(tested))?;
    }
    let level = format!("{:?}", claim.level).to_lowercase();
    let shown = |evidence: &Evidence| passage::shown(&evidence.text, &claim.text);
    if !claim.evidence.spans.is_empty() {
        detail(&format!("best {level} {}:", place(&claim.evidence)), &shown(&claim.evidence))?;
    }
    if let Some(substitution) = &claim.substitution {
        let (mention, by) = (visible(&substitution.mention), visible(&substitution.by));
        let at = span_in(substitution.mention_span, &substitution.mention_sources);
        let from = span_in(substitution.by_span, &substitution.by_sources);
        detail("read with:", &format!("{by} {from} for {mention} {at}"))?;
    }
    claim.citations.iter().flatten().try_for_each(citation)?;
    if explains {
        probabilities(claim)?;
    }
    if let Some(support) = &claim.support {
        support.not_found.iter().try_for_each(|text| detail("", &visible(text)))?;
    }
    if let Some(counter) = &claim.counter_evidence {
        let head = format!("{style}against it, {:.2}{style:#}", counter.contradiction);
        let (place, text) = (place(&counter.evidence), shown(&counter.evidence));
        wrapped(&format!("{:INDENT$}{head} {place}: {text}", ""), INDENT)?;
    }
    Ok(())
}

/// Prints the model's probabilities for the evidence of a claim.
fn probabilities(claim: &ClaimResult) -> Result<()> {
    let p = &claim.probabilities;
    let [entails, neutral, contradicts] =
        [p.entailment, p.neutral, p.contradiction].map(|share| 100.0 * f64::from(share));
    let text =
        format!("supports it {entails:.0}%, is neutral {neutral:.0}%, contradicts it {contradicts:.0}%");
    detail("the model on this evidence:", &text)
}

/// Prints a citation of a claim and its verdict.
fn citation(citation: &Citation) -> Result<()> {
    let source = visible(&citation.source);
    let alone = citation.score.map(|score| format!(" ({score:.2})")).unwrap_or_default();
    let found = match citation.verdict {
        CitationVerdict::Supports => format!("source {source} supports it{alone}"),
        CitationVerdict::SupportsTogether => {
            format!("source {source} does not support it alone{alone}, the cited sources together do")
        }
        CitationVerdict::OtherSupports => {
            let other = citation.other.as_deref().map(visible).unwrap_or_default();
            format!("source {source} does not support it{alone}, {other} does")
        }
        CitationVerdict::UnknownSource => format!("no source is named {source}"),
        _ => format!("source {source} does not support it{alone}, nor does another one"),
    };
    detail(&format!("cites {}:", visible(&citation.marker)), &found)
}

/// Prints a line under a claim.
fn detail(head: &str, text: &str) -> Result<()> {
    let dim = Style::new().dimmed();
    let head = if head.is_empty() { String::new() } else { format!("{dim}{head}{dim:#} ") };
    wrapped(&format!("{:INDENT$}{head}{text}", ""), INDENT)
}

/// Describes the place of evidence: its turn in a transcript, and its span.
fn place(evidence: &Evidence) -> String {
    let span = span_in(evidence.span, &evidence.sources);
    match &evidence.place {
        Some(place) => format!("{} {span}", visible(&place.to_string())),
        None => span,
    }
}

/// Formats a span of the document; in a list of sources, by source.
fn span_in(span: Span, sources: &[SourceSpans]) -> String {
    let whole = |span: Span| format!("[{}, {}]", span.start, span.end);
    let in_source = |source: &SourceSpans| {
        let span = enclosing_span(&source.spans).unwrap_or(span);
        format!("in {} {}", visible(&source.id), whole(span))
    };
    match sources {
        [] => whole(span),
        _ => sources.iter().map(in_source).collect::<Vec<_>>().join(", "),
    }
}

fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Supported => AnsiColor::Green,
        Verdict::Contradicted => AnsiColor::Red,
        Verdict::Unsure => AnsiColor::Magenta,
        Verdict::NoAnswer => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    Style::new().bold().fg_color(Some(colour.into()))
}
