//! The benchmark: rows of three formats, and the figures.

use serde::Deserialize;
use veridic::corpus::read::{Origin, RawRow};
use veridic::corpus::{Fields, field_text};
use veridic_models::store::quoting::quoted_name;
use veridic_stats::{krippendorff_alpha, pearson, spearman};

use super::finesure::{self, FineSurERow};
use super::key_facts::KeyFactLists;
use super::label::{Dimension, KeyFact, Label};
use super::ratings::{self, Ratings, SummaryKey};
use super::table;
use crate::metrics::MetricInputs;
use crate::protocol::{
    About, BenchError, Benchmark, Case, Figures, LEAST_SUMMARIES, Rated, RowContent, Shown, Text, fields,
    figures, published, votes,
};

const KEY_FACTS: &str = "keyfacts";
const COMPLETENESS: &str = "human_completeness";

const NO_SENTENCE_LABELS: &str =
    "has no labels of sentences: give FineSurE's realsumm-data.json, or --dimension completeness";

#[derive(Debug, Clone, Default)]
pub struct RealSumm {
    pub dimension: Dimension,
    /// The documents and their key facts, for FineSurE's file and the authors' tables.
    pub key_facts: KeyFactLists,
    pub ratings: Ratings,
    /// Whether to measure the answers given in rows of FineSurE's files.
    pub given_answers: bool,
    /// Whether references and key facts are those of FineSurE's program.
    pub as_published: bool,
}

/// A key fact as our own format has it.
#[derive(Deserialize)]
struct OwnKeyFact {
    text: String,
    present: Option<f64>,
}

impl Benchmark for RealSumm {
    type Label = Label;

    fn about(&self) -> About {
        let (place, usual_metric) = match self.dimension {
            Dimension::Completeness => (0, "finesure:completeness"),
            Dimension::Conciseness => (1, Self::CONCISENESS),
        };
        let published = &published!("realsumm")[place..=place];
        About { published, usual_metric: Some(usual_metric), ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Label>, String> {
        let RawRow { origin, mut fields } = row;
        if finesure::is_row(&fields) {
            return self.finesure_row(&mut fields);
        }
        if ratings::is_row(&fields) {
            return self.rated_row(&origin, &fields);
        }
        self.own_row(&mut fields)
    }

    fn measure(&self, cases: &[Case<Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        let is_finesure = cases.iter().any(|case| case.label.is_in_sentences);
        let rated = Rated::of(cases, scores, |label| &label.rating);
        let rated = rated.ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 });
        rated.check(match self.dimension {
            Dimension::Completeness => "the share of key facts",
            Dimension::Conciseness => "the share of sentences with a key fact",
        })?;
        Ok(figures! { "dimension": self.dimension.name() }.and(rated.counts()).and(figures! {
            "pearson": rated.over_summaries(pearson),
            "spearman": rated.over_summaries(spearman),
            "system_spearman": rated.over_systems(spearman),
            "key_fact_agreement": with_people(cases),
            "agreement_of_people": alpha(&among_people(cases)),
            "warnings": rated.warning().into_iter().collect::<Vec<_>>(),
        }))
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let own = ["pearson", "spearman", "system_spearman"].map(|field| &figures[field]);
        let beside = self.about().published[0].beside_figures(name, own);
        Shown { lines: table::lines(self.dimension, figures, &beside), beside: vec![beside] }
    }
}

impl RealSumm {
    /// The metric of conciseness.
    pub const CONCISENESS: &str = "finesure:conciseness";

    fn own_row(&self, fields: &mut Fields) -> Result<RowContent<Label>, String> {
        fields::require(fields, &["document", "model", "summary", KEY_FACTS, COMPLETENESS])?;
        if self.dimension == Dimension::Conciseness {
            return Err(NO_SENTENCE_LABELS.into());
        }
        let what = "a list of objects with the field text";
        let key_facts: Vec<OwnKeyFact> = fields::parsed(fields, KEY_FACTS, what)?;
        if key_facts.is_empty() {
            return Err(format!("field `{KEY_FACTS}` is empty: completeness cannot be measured"));
        }
        let labelled = |fact: OwnKeyFact| KeyFact {
            text: fact.text,
            label: fact.present.map(|share| share > 0.5),
            votes: Vec::new(),
        };
        let key_facts: Vec<KeyFact> = key_facts.into_iter().map(labelled).collect();
        let texts = texts(&key_facts);
        let (system, share) = (fields::name(fields, "model")?, fields::share(fields, COMPLETENESS)?);
        let reference = fields::optional_text(fields, "reference")?;
        let (document, summary) = (field_text(fields, "document")?, field_text(fields, "summary")?);
        let text = text(summary, Label::new(system, share, key_facts));
        Ok(RowContent::text(document, text).with_inputs(self.inputs(texts, reference)))
    }

    fn finesure_row(&self, fields: &mut Fields) -> Result<RowContent<Label>, String> {
        let row = FineSurERow::read(fields, &self.key_facts, self.dimension)?;
        let Some(share) = row.share else {
            return Ok(RowContent::LeftOut("summaries with fewer than two labels for each item".into()));
        };
        let given_answers = if self.given_answers { row.given(fields, self.dimension)? } else { None };
        if self.given_answers && given_answers.is_none() {
            return Ok(RowContent::Unanswered("summaries whose answers do not fit their key facts".into()));
        }
        let key_facts = row.key_facts();
        let summary = row.sentences.join(" ");
        let sentences = Some(row.sentences).filter(|all| all.iter().all(|text| !text.trim().is_empty()));
        let label =
            Label { is_in_sentences: sentences.is_some(), ..Label::new(row.system, share, key_facts) };
        let text = Text { sentences, given_answers, ..text(summary, label) };
        let inputs = self.inputs(row.list.key_facts.clone(), row.reference);
        Ok(RowContent::text(row.document, text).with_inputs(inputs))
    }

    /// Returns the text of a row of the authors' tables; further rows of its summary have none.
    fn rated_row(&self, origin: &Origin, fields: &Fields) -> Result<RowContent<Label>, String> {
        if self.dimension == Dimension::Conciseness {
            return Err(NO_SENTENCE_LABELS.into());
        }
        let key = SummaryKey::of(origin, fields)?;
        let list = self.key_facts.of(&key.document)?;
        let Some(rated) = self.ratings.of_first_row(&key, origin) else {
            return Ok(RowContent::texts(String::new(), Vec::new()));
        };
        let is_counted = |fact: &KeyFact| !self.as_published || list.key_facts.contains(&fact.text);
        let key_facts: Vec<KeyFact> = rated.key_facts().filter(is_counted).collect();
        let labels: Vec<Option<bool>> = key_facts.iter().map(|fact| fact.label).collect();
        let Some(share) = votes::share(&labels, true) else {
            return Err(format!(
                "none of its statements is among the key facts of document {}",
                quoted_name(&key.document)
            ));
        };
        let inputs = self.inputs(texts(&key_facts), list.reference.clone());
        let text = text(rated.summary.clone(), Label::new(key.system, share, key_facts));
        Ok(RowContent::text(list.document.clone(), text).with_inputs(inputs))
    }

    fn inputs(&self, key_facts: Vec<String>, reference: Option<String>) -> MetricInputs {
        let unmarked = |text: String| if self.as_published { text } else { unmarked(&text) };
        MetricInputs { key_facts, reference: reference.map(unmarked), ..MetricInputs::default() }
    }
}

fn text(summary: String, label: Label) -> Text<Label> {
    Text::new(summary, label.rating.value > 0.5, label.rating.system.clone(), label)
}

fn texts(key_facts: &[KeyFact]) -> Vec<String> {
    key_facts.iter().map(|fact| fact.text.clone()).collect()
}

/// Returns Krippendorff's alpha, nominal, of several labels per item; `None` if all labels are equal.
fn alpha(items: &[Vec<bool>]) -> Figures {
    let number = |label: &bool| f64::from(u8::from(*label));
    let numbers: Vec<Vec<f64>> = items.iter().map(|labels| labels.iter().map(number).collect()).collect();
    let alpha = krippendorff_alpha(&numbers).ok();
    Figures::or_absent((!items.is_empty()).then(|| figures! { "key_facts": items.len(), "alpha": alpha }))
}

/// Alpha between the answers and the human majority on the key facts with the same text. Other key facts, such as those that
/// a model extracted, have no label; they are counted.
fn with_people(cases: &[Case<Label>]) -> Figures {
    let (mut both, mut unlabelled) = (Vec::new(), 0);
    for case in cases {
        for fact in case.answers.key_facts.iter().flatten() {
            match case.label.key_facts.iter().find(|own| own.text == fact.text) {
                Some(own) => both.extend(own.label.map(|label| vec![fact.is_found, label])),
                None => unlabelled += 1,
            }
        }
    }
    match (alpha(&both), unlabelled) {
        (Figures::Absent, 0) => Figures::Absent,
        (Figures::Absent, _) => figures! { "key_facts": 0, "alpha": None::<f64>, "unlabelled": unlabelled },
        (found, _) => found.and(figures! { "unlabelled": unlabelled }),
    }
}

fn among_people(cases: &[Case<Label>]) -> Vec<Vec<bool>> {
    let votes = cases.iter().flat_map(|case| &case.label.key_facts).map(|fact| fact.votes.clone());
    votes.filter(|votes| votes.len() > 1).collect()
}

/// Puts each marked sentence of a text on a separate line.
fn unmarked(text: &str) -> String {
    let sentences = text.split("<t>").flat_map(|part| part.split("</t>")).map(str::trim);
    sentences.filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join("\n")
}
