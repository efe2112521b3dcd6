//! Checks whether the sources that an answer cites support it. `markers` finds the citation markers, which are removed
//! from the text that the judge reads ([`super::reading`]). Afterwards each claim is judged against each cited source
//! alone; if none of them supports it, against all cited sources together, and then against every other source alone.
//!
//! A marker belongs to the claims of the sentence that contains it or directly precedes it; at the start of a line, to
//! those of the following sentence.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::{Cited, Edit, Marker, NormalizedText, Span, TextIndex, markers};

use super::Scorer;
use super::reading::ReadPair;
use crate::claims::ClaimExtractor;
use crate::decide::Verdict;
use crate::error::{Error, Result};
use crate::input::{Pair, Source, SourceText, Sources, summary_sentences};
use crate::result::{Citation, CitationVerdict, ClaimResult, PairResult};
use crate::schedule::OnEvent;

/// The markers of an answer.
#[derive(Debug, Clone)]
pub(super) struct Markers(Vec<Marker>);

impl Markers {
    pub(super) fn of(answer: &str, sources: &Sources) -> Self {
        let ids: Vec<&str> = sources.list().iter().map(|source| source.id.as_str()).collect();
        Self(markers(answer, &ids))
    }

    /// The answer without them.
    pub(super) fn left_out<'t>(&self, answer: &'t str) -> NormalizedText<'t> {
        let edits: Vec<Edit> = self.0.iter().map(|marker| marker.left_out.clone()).collect();
        NormalizedText::edited(answer, &edits)
    }

    /// The indices of each claim's markers. `claims` has each claim's spans and `sentences` the sentences of the
    /// normalised answer.
    fn of_claims(
        &self,
        answer: &NormalizedText<'_>,
        sentences: &[Span],
        claims: &[&[Span]],
    ) -> Vec<Vec<usize>> {
        let mut of_claims = vec![Vec::new(); claims.len()];
        for (number, marker) in self.0.iter().enumerate() {
            let at = answer.read_position(marker.left_out.span.start);
            let sentence = match marker.leads {
                true => sentences.iter().find(|sentence| sentence.end > at).or(sentences.last()),
                false => sentences.iter().rfind(|sentence| sentence.start < at).or(sentences.first()),
            };
            let Some(sentence) = sentence else { continue };
            for (of_claim, spans) in of_claims.iter_mut().zip(claims) {
                if spans.iter().any(|span| span.start < sentence.end && sentence.start < span.end) {
                    of_claim.push(number);
                }
            }
        }
        of_claims
    }
}

/// A pair whose citations are checked.
struct CitedPair<'r> {
    read: &'r ReadPair<'r>,
    sources: &'r Sources,
    markers: &'r Markers,
    claims: Vec<ClaimCitations>,
}

impl<'r> CitedPair<'r> {
    /// `None` if the pair asks for no citations.
    fn of(read: &'r ReadPair<'r>, judged: &PairResult) -> Option<Self> {
        let (markers, sources) = read.markers().zip(read.given().sources)?;
        let spans: Vec<&[Span]> = judged.claims.iter().map(|claim| claim.summary_spans.as_slice()).collect();
        // A judged pair contains its given sentences.
        let pair = read.pair();
        let sentences = summary_sentences(&TextIndex::new(pair.summary), pair.summary_sentences).ok()?;
        let of_claims = markers.of_claims(read.summary(), &sentences, &spans);
        let claim = |(claim, markers_of): (&ClaimResult, Vec<usize>)| {
            let cited = markers_of.iter().flat_map(|marker| &markers.0[*marker].cited);
            let cited = cited.filter_map(|cited| match cited {
                Cited::Known(source) => Some(*source),
                Cited::Unknown(_) => None,
            });
            let cited = cited.collect::<BTreeSet<usize>>().into_iter().collect();
            ClaimCitations { text: claim.text.clone(), markers: markers_of, cited, judged: BTreeMap::new() }
        };
        let claims = judged.claims.iter().zip(of_claims).map(claim).collect();
        Some(Self { read, sources, markers, claims })
    }

    /// Joins some of the sources into a document.
    fn document(&self, sources: &[usize]) -> Option<(String, Sources)> {
        let document = TextIndex::new(self.read.given().document);
        let text = |source: &usize| {
            let Source { id, span, .. } = &self.sources.list()[*source];
            SourceText { id: id.clone(), text: document.slice(*span).to_owned() }
        };
        Sources::join(&sources.iter().map(text).collect::<Vec<_>>()).ok()
    }

    /// The citations of each claim, once everything is judged.
    fn citations(&self) -> impl Iterator<Item = Vec<Citation>> {
        let answer = TextIndex::new(self.read.given().summary);
        let id = |source: usize| self.sources.list()[source].id.clone();
        self.claims.iter().map(move |claim| {
            let markers = claim.markers.iter().map(|marker| &self.markers.0[*marker]);
            let of_marker = |marker: &'r Marker| marker.cited.iter().map(move |cited| (marker, cited));
            let citation = |(marker, cited): (&Marker, &Cited)| {
                let (source, verdict, score, other) = match cited {
                    Cited::Known(source) => {
                        let (verdict, other) = claim.verdict(*source);
                        (
                            id(*source),
                            verdict,
                            claim.against(*source).and_then(|one| one.score),
                            other.map(id),
                        )
                    }
                    Cited::Unknown(id) => (id.clone(), CitationVerdict::UnknownSource, None, None),
                };
                let (span, marker) = (marker.span, answer.slice(marker.span).to_owned());
                Citation { marker, span, source, verdict, score, other }
            };
            markers.flat_map(of_marker).map(citation).collect()
        })
    }
}

/// The state of a claim whose citations are checked. Pure.
struct ClaimCitations {
    text: String,
    /// The indices of its markers.
    markers: Vec<usize>,
    /// The indices of the sources that it cites, in order.
    cited: Vec<usize>,
    /// Its judgements, by sorted set of sources.
    judged: BTreeMap<Vec<usize>, SourceJudgement>,
}

/// A claim's judgement against a set of sources.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SourceJudgement {
    /// `None` if the sources have no words.
    score: Option<f32>,
    supports: bool,
}

impl ClaimCitations {
    /// The sets of sources that it has to be judged against next, given the number of sources.
    fn wanted(&self, sources: usize) -> Vec<Vec<usize>> {
        if self.cited.is_empty() {
            return Vec::new();
        }
        let missing = |sources: &[usize]| -> Vec<Vec<usize>> {
            let alone = sources.iter().map(|source| vec![*source]);
            alone.filter(|alone| !self.judged.contains_key(alone)).collect()
        };
        let alone = missing(&self.cited);
        if !alone.is_empty() || self.cited.iter().any(|source| self.supports(&[*source])) {
            return alone;
        }
        if !self.judged.contains_key(&self.cited) {
            return vec![self.cited.clone()];
        }
        if self.supports(&self.cited) { Vec::new() } else { missing(&(0..sources).collect::<Vec<_>>()) }
    }

    fn against(&self, source: usize) -> Option<SourceJudgement> {
        self.judged.get([source].as_slice()).copied()
    }

    fn supports(&self, sources: &[usize]) -> bool {
        self.judged.get(sources).is_some_and(|against| against.supports)
    }

    /// Whether a cited source supports the claim, and another source that does instead.
    fn verdict(&self, source: usize) -> (CitationVerdict, Option<usize>) {
        if self.supports(&[source]) {
            return (CitationVerdict::Supports, None);
        }
        let supporting =
            self.judged.iter().filter(|(sources, against)| sources.len() == 1 && against.supports);
        // The first one on ties.
        let best = supporting.rev().max_by(|(_, a), (_, b)| {
            let score = |against: &SourceJudgement| against.score.unwrap_or(f32::NEG_INFINITY);
            score(a).total_cmp(&score(b))
        });
        match best {
            Some((other, _)) => (CitationVerdict::OtherSupports, other.first().copied()),
            None if self.supports(&self.cited) => (CitationVerdict::SupportsTogether, None),
            None => (CitationVerdict::None, None),
        }
    }
}

/// Claims of a pair to judge against a set of its sources.
struct Question {
    pair: usize,
    sources: Vec<usize>,
    claims: Vec<usize>,
    document: (String, Sources),
    texts: Vec<String>,
}

/// The next questions about all pairs, each with all claims that need the same sources.
fn questions(pairs: &[Option<CitedPair<'_>>]) -> Vec<Question> {
    let mut asked: BTreeMap<(usize, Vec<usize>), Vec<usize>> = BTreeMap::new();
    for (number, pair) in pairs.iter().enumerate() {
        let Some(pair) = pair else { continue };
        for (claim, cites) in pair.claims.iter().enumerate() {
            for sources in cites.wanted(pair.sources.list().len()) {
                asked.entry((number, sources)).or_default().push(claim);
            }
        }
    }
    let question = |((number, sources), claims): ((usize, Vec<usize>), Vec<usize>)| {
        let pair = pairs[number].as_ref()?;
        let texts = claims.iter().map(|claim| pair.claims[*claim].text.clone()).collect();
        Some(Question { pair: number, document: pair.document(&sources)?, sources, claims, texts })
    };
    asked.into_iter().filter_map(question).collect()
}

impl Scorer {
    /// Checks the citations of the pairs that ask for it, and adds them to the claims of their results; `judged`
    /// returns the part of a result with the claims. The spans of the results still refer to the normalised texts. A
    /// result whose citations cannot be checked is replaced by the error.
    pub fn add_citations<T>(
        &self,
        read: &[ReadPair<'_>],
        results: &mut [Result<T>],
        judged: impl Fn(&mut T) -> Option<&mut PairResult>,
        on_event: &OnEvent<'_>,
    ) {
        if !read.iter().any(|read| read.given().citations) {
            return;
        }
        let mut places = Vec::new();
        let mut pairs = Vec::new();
        for (place, (read, result)) in read.iter().zip(results.iter_mut()).enumerate() {
            let asked = result.as_mut().ok().filter(|_| read.given().citations);
            if let Some(judged) = asked.and_then(&judged) {
                places.push(place);
                pairs.push((read, judged));
            }
        }
        let outcomes = self.check_citations(pairs, on_event);
        for (place, outcome) in places.into_iter().zip(outcomes) {
            if let Err(error) = outcome {
                results[place] = Err(error);
            }
        }
    }

    fn check_citations(
        &self,
        judged: Vec<(&ReadPair<'_>, &mut PairResult)>,
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<()>> {
        let (read, results): (Vec<_>, Vec<_>) = judged.into_iter().unzip();
        let mut outcomes: Vec<Result<()>> = read.iter().map(|read| read.given().check_citations()).collect();
        let mut pairs: Vec<Option<CitedPair<'_>>> =
            read.iter().zip(&results).map(|(read, result)| CitedPair::of(read, result)).collect();
        let scorer = Self { finds_unsupported_words: false, ..self.clone() };
        loop {
            let questions = questions(&pairs);
            if questions.is_empty() {
                break;
            }
            let asked = questions.iter().zip(questions.iter().map(|question| &pairs[question.pair]));
            let asked: Vec<Pair<'_>> = asked
                .map(|(question, pair)| {
                    let answer = pair.as_ref().map_or("", |pair| pair.read.summary().text());
                    let (document, sources) = &question.document;
                    Pair {
                        claims: Some(&question.texts),
                        sources: Some(sources),
                        ..Pair::new(document, answer)
                    }
                })
                .collect();
            let answers = scorer.score_given(&ClaimExtractor::Given, &asked, on_event, None);
            drop(asked);
            for (question, answer) in questions.into_iter().zip(answers) {
                if let Err(error) =
                    record(&mut pairs[question.pair], question.sources, &question.claims, answer)
                {
                    pairs[question.pair] = None;
                    outcomes[question.pair] = Err(error);
                }
            }
        }
        for (result, pair) in results.into_iter().zip(pairs) {
            let Some(pair) = pair else { continue };
            for (claim, citations) in result.claims.iter_mut().zip(pair.citations()) {
                claim.citations = Some(citations);
            }
        }
        outcomes
    }
}

/// Adds the judgements of claims against a set of sources. Sources without words support nothing.
fn record(
    pair: &mut Option<CitedPair<'_>>,
    sources: Vec<usize>,
    claims: &[usize],
    answer: Result<PairResult>,
) -> Result<()> {
    let Some(pair) = pair else { return Ok(()) };
    let judged: Vec<SourceJudgement> = match answer {
        Ok(answer) => {
            let against = |claim: &ClaimResult| SourceJudgement {
                score: Some(claim.score),
                supports: claim.verdict == Verdict::Supported,
            };
            answer.claims.iter().map(against).collect()
        }
        Err(Error::Text { role: "document", .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    for (place, claim) in claims.iter().enumerate() {
        let against = judged.get(place).copied().unwrap_or(SourceJudgement { score: None, supports: false });
        pair.claims[*claim].judged.insert(sources.clone(), against);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceText;

    fn span(text: &str, part: &str) -> Span {
        let start = text[..text.find(part).unwrap()].chars().count();
        Span { start, end: start + part.chars().count() }
    }

    /// The markers of each claim; a claim is a part of the answer without markers.
    fn markers_of(answer: &str, claims: &[&str]) -> Vec<Vec<String>> {
        let sources: Vec<SourceText> =
            (1..6).map(|number| SourceText::numbered(number, "A.".into())).collect();
        let (_, sources) = Sources::join(&sources).unwrap();
        let markers = Markers::of(answer, &sources);
        let read = markers.left_out(answer);
        let spans: Vec<[Span; 1]> = claims.iter().map(|claim| [span(read.text(), claim)]).collect();
        let spans: Vec<&[Span]> = spans.iter().map(|spans| spans.as_slice()).collect();
        let index = TextIndex::new(answer);
        let name = |marker: usize| index.slice(markers.0[marker].span).to_owned();
        let of_claims = markers.of_claims(&read, &crate::text::sentences(read.text()), &spans).into_iter();
        of_claims.map(|markers| markers.into_iter().map(name).collect()).collect()
    }

    #[test]
    fn a_marker_belongs_to_the_sentence_that_it_stands_in_or_after() {
        let answer = "The pool closes [1]. It rusts, they say.[2] Nobody came [3] and [4] nobody left. [5]";
        let claims = ["The pool closes", "It rusts", "Nobody came", "nobody left"];
        let of = |markers: &[&str]| markers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let last = of(&["[3]", "[4]", "[5]"]);
        assert_eq!(markers_of(answer, &claims), [of(&["[1]"]), of(&["[2]"]), last.clone(), last]);
        let lines = "[1][2] The pool closes.\n\n[3] It rusts.\nNobody came.";
        assert_eq!(
            markers_of(lines, &["The pool closes.", "It rusts.", "Nobody came."]),
            [of(&["[1]", "[2]"]), of(&["[3]"]), of(&[])]
        );
        assert_eq!(markers_of("The pool closes.", &["The pool closes."]), [of(&[])]);
        assert_eq!(markers_of("The pool closes.\n[4]", &["The pool closes."]), [of(&["[4]"])]);
    }

    /// The verdicts on the sources that a claim cites if these sets of sources support it, and the number of sets that
    /// it was judged against.
    fn verdicts(
        cited: &[usize],
        sources: usize,
        supporting: &[&[usize]],
    ) -> (Vec<(&'static str, Option<usize>)>, usize) {
        let cited = cited.to_vec();
        let mut claim =
            ClaimCitations { text: String::new(), markers: Vec::new(), cited, judged: BTreeMap::new() };
        loop {
            let wanted = claim.wanted(sources);
            if wanted.is_empty() {
                break;
            }
            for set in wanted {
                let place = supporting.iter().position(|other| *other == set);
                let score = Some(place.map_or(0.0, |place| 0.9 - 0.1 * place as f32));
                let judged = claim.judged.insert(set, SourceJudgement { score, supports: place.is_some() });
                assert!(judged.is_none(), "nothing is judged twice");
            }
        }
        let verdict = |source: &usize| {
            let (verdict, other) = claim.verdict(*source);
            (verdict.name(), other)
        };
        (claim.cited.iter().map(verdict).collect(), claim.judged.len())
    }

    #[test]
    fn cited_sources_are_judged_first_alone_then_together_then_the_others() {
        assert_eq!(verdicts(&[1], 4, &[&[1]]), (vec![("supports", None)], 1));
        assert_eq!(verdicts(&[1], 4, &[&[3], &[2]]), (vec![("other_supports", Some(3))], 4));
        assert_eq!(verdicts(&[1], 4, &[]), (vec![("none", None)], 4));
        let one = vec![("supports", None), ("other_supports", Some(0))];
        assert_eq!(verdicts(&[0, 2], 4, &[&[0], &[3]]), (one, 2));
        let together = vec![("supports_together", None); 2];
        assert_eq!(verdicts(&[0, 2], 4, &[&[0, 2], &[3]]), (together, 3));
        assert_eq!(verdicts(&[0, 2], 4, &[&[3]]), (vec![("other_supports", Some(3)); 2], 5));
        assert_eq!(verdicts(&[0, 1], 2, &[]), (vec![("none", None); 2], 3));
        assert_eq!(verdicts(&[], 4, &[&[0]]), (vec![], 0));
    }
}
