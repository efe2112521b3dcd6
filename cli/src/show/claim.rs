//! The judgement of a claim: its verdict, the reason, and the passage that decides it, in at most four lines of a terminal
//! of the usual width. `--explain` shows everything that decided it. A passage is printed once.

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use veridic::Span;
use veridic::result::{
    Citation, CitationVerdict, ClaimResult, Evidence, Limits, SourceSpans, Substitution, Verdict,
};
use veridic::text::enclosing_span;

use veridic_program::output::{visible, wrapped};

use super::passage;

/// The indent of all lines but the first.
pub(super) const INDENT: usize = 4;

/// The characters in a line of a terminal of 80 columns, besides the indent and what folding between words leaves empty.
const LINE: usize = 70;

/// The lines of a claim.
const LINES: usize = 4;

/// The lines of its text, which is cut if it is longer.
const TEXT_LINES: usize = 2;

/// The maximum number of characters of a passage if everything is shown.
const PASSAGE_CHARACTERS: usize = 300;

/// Prints the judgement of a claim.
pub(super) fn claim(number: usize, claim: &ClaimResult, limits: &Limits) -> Result<()> {
    let text = passage::shown(&claim.text, "", TEXT_LINES * LINE - HEAD);
    heading(number, claim, limits, &text)?;
    let reason = visible(&claim.explanation);
    let used = lines_of(HEAD + text.chars().count()) + lines_of(reason.chars().count());
    let left = LINES.saturating_sub(used + usize::from(claim.substitution.is_some()));
    let evidence = deciding(claim);
    if evidence.spans.is_empty() {
        styled(claim, &reason)?;
    } else if left == 0 || quotes(&reason, evidence) {
        styled(claim, &format!("{reason} {}", span(evidence)))?;
    } else {
        styled(claim, &reason)?;
        let place = head_of(claim, evidence, &reason);
        let most = (left * LINE).saturating_sub(place.chars().count() + 2);
        detail(&format!("{place}:"), &passage::shown(&evidence.text, &claim.text, most))?;
    }
    if used < LINES {
        claim.substitution.iter().try_for_each(read_with)?;
    }
    claim.citations.iter().flatten().try_for_each(citation)
}

/// Prints everything that decided a claim.
pub(super) fn explained(number: usize, claim: &ClaimResult, limits: &Limits) -> Result<()> {
    heading(number, claim, limits, &visible(&claim.text))?;
    let reason = visible(&claim.explanation);
    styled(claim, &reason)?;
    if let Some(cap) = claim.cap {
        let judge = 100.0 * claim.probabilities.entailment;
        detail("capped:", &format!("{}; the judge alone says {judge:.0}%", cap.about()))?;
    }
    if let Some(tested) = &claim.tested {
        detail("looked for:", &visible(tested))?;
    }
    if !claim.evidence.spans.is_empty() {
        let level = format!("{:?}", claim.level).to_lowercase();
        passage_line(&format!("best {level}"), &claim.evidence, claim, quotes(&reason, &claim.evidence))?;
    }
    claim.substitution.iter().try_for_each(read_with)?;
    claim.citations.iter().flatten().try_for_each(citation)?;
    probabilities(claim)?;
    if let Some(support) = &claim.support {
        support.not_found.iter().try_for_each(|text| detail("", &visible(text)))?;
    }
    if let Some(counter) = &claim.counter_evidence {
        let is_shown = counter.evidence.spans == claim.evidence.spans || quotes(&reason, &counter.evidence);
        passage_line(
            &format!("against it, {:.2}", counter.contradiction),
            &counter.evidence,
            claim,
            is_shown,
        )?;
    }
    Ok(())
}

/// The width of what precedes a claim's text in its first line.
const HEAD: usize = 25;

/// The number of lines of this many characters.
fn lines_of(characters: usize) -> usize {
    characters.div_ceil(LINE)
}

/// The passage that decides a claim: the one against it if it is contradicted, else the one that supports it best.
fn deciding(claim: &ClaimResult) -> &Evidence {
    match &claim.counter_evidence {
        Some(counter) if claim.verdict == Verdict::Contradicted => &counter.evidence,
        _ => &claim.evidence,
    }
}

/// What precedes the passage: its place, unless the reason says it, and how it relates to the claim if nothing else says so.
fn head_of(claim: &ClaimResult, evidence: &Evidence, reason: &str) -> String {
    let place = place(evidence);
    let closest = if claim.verdict == Verdict::Unsupported { "closest " } else { "" };
    match &evidence.place {
        Some(told) if reason.contains(&visible(&told.to_string())) => span(evidence),
        _ => format!("{closest}{place}"),
    }
}

/// Whether the reason has the passage's words.
fn quotes(reason: &str, evidence: &Evidence) -> bool {
    reason.contains(visible(&evidence.text).trim_end_matches('.'))
}

fn heading(number: usize, claim: &ClaimResult, limits: &Limits, text: &str) -> Result<()> {
    let style = style(claim.verdict);
    let mark = match claim.verdict {
        Verdict::Supported => "✓",
        Verdict::Contradicted => "✗",
        Verdict::Unsure => "~",
        Verdict::NoAnswer => "-",
        _ => "?",
    };
    let (verdict, score) = (claim.verdict.name(), limits.shown(claim.score));
    wrapped("", 0)?;
    wrapped(&format!("{style}{mark} {verdict:<12}{style:#} {score:>5}  {number}. {text}"), INDENT)
}

/// Prints the reason for a verdict in the verdict's colour.
fn styled(claim: &ClaimResult, reason: &str) -> Result<()> {
    let style = style(claim.verdict);
    detail("", &format!("{style}{reason}{style:#}"))
}

/// Prints a passage, only its place if its words are shown already.
fn passage_line(head: &str, evidence: &Evidence, claim: &ClaimResult, is_shown: bool) -> Result<()> {
    let place = place(evidence);
    if is_shown {
        return detail(&format!("{head} {place}"), "");
    }
    detail(&format!("{head} {place}:"), &passage::shown(&evidence.text, &claim.text, PASSAGE_CHARACTERS))
}

/// Prints which name stands for which mention in a sentence that was read rewritten.
fn read_with(substitution: &Substitution) -> Result<()> {
    let (mention, by) = (visible(&substitution.mention), visible(&substitution.by));
    let at = span_in(substitution.mention_span, &substitution.mention_sources);
    let from = span_in(substitution.by_span, &substitution.by_sources);
    detail("read with:", &format!("{by} {from} for {mention} {at}"))
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
    wrapped(format!("{:INDENT$}{head}{text}", "").trim_end(), INDENT)
}

/// Describes the place of evidence: where people look it up, such as its turn in a transcript, and its span.
fn place(evidence: &Evidence) -> String {
    match &evidence.place {
        Some(place) => format!("{} {}", visible(&place.to_string()), span(evidence)),
        None => span(evidence),
    }
}

fn span(evidence: &Evidence) -> String {
    span_in(evidence.span, &evidence.sources)
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

/// The colour of a verdict.
pub(super) fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Supported => AnsiColor::Green,
        Verdict::Contradicted => AnsiColor::Red,
        Verdict::Unsure => AnsiColor::Magenta,
        Verdict::NoAnswer => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    Style::new().bold().fg_color(Some(colour.into()))
}
