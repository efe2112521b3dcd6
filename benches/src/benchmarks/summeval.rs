//! SummEval (Fabbri et al., TACL 2021): experts' ratings of summaries by several systems, in the authors' file
//! `model_annotations.aligned.paired.jsonl` (text, decoded, model_id, expert_annotations: list of objects with coherence,
//! consistency, fluency, relevance; references). The rating of a summary is the mean of the experts' ratings on one
//! dimension; the crowd's ratings are not read. Metrics that need one reference get the first, those that need several get
//! all.
//!
//! Papers correlate on three levels and do not always say which: over all summaries at once; within each document among its
//! systems' summaries, averaged over the documents where that is defined; and over the systems, each by the means of its
//! summaries, as the authors do.

use std::collections::{HashMap, HashSet};

use clap::ValueEnum;
use serde_json::{Map, Value};
use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic::corpus::{Fields, field_text, field_texts};
use veridic::named;
use veridic_models::store::quoting::kind_of;
use veridic_stats::{kendall, pearson, spearman};

use crate::metrics::MetricInputs;
use crate::protocol::{
    About, BenchError, Benchmark, Case, Correlate, Estimate, Figures, Rated, Rating, RowContent, Shown, Text,
    fields, figures, layout, published, read_fields,
};

const ARTICLE: &str = "text";
const EXPERTS: &str = "expert_annotations";
const REFERENCES: &str = "references";

const BEST: f64 = 5.0;

/// The dimension rated by the experts. The names are those of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum Dimension {
    /// Whether the summary holds together.
    Coherence,
    /// Whether the article supports it.
    Consistency,
    /// Whether its sentences are well written.
    Fluency,
    /// Whether it has what is important.
    Relevance,
}

named!(Dimension, "dimension", { Coherence = "coherence", Consistency = "consistency", Fluency = "fluency", Relevance = "relevance" });

#[derive(Debug, Clone)]
pub struct SummEval {
    pub dimension: Dimension,
    pub selection: Selection,
}

impl Benchmark for SummEval {
    type Label = Rating;

    fn about(&self) -> About {
        let place = self.dimension as usize;
        About { published: &published!("summeval")[place..=place], ..About::default() }
    }

    fn read_row(&self, row: RawRow) -> Result<RowContent<Rating>, String> {
        let mut fields = row.fields;
        fields::require(&fields, &["decoded", "model_id", EXPERTS])?;
        fields::require(&fields, &[ARTICLE]).map_err(|reason| {
            format!(
                "{reason}: pair the annotations with their articles first, with the authors' pair_data.py"
            )
        })?;
        let system = fields::name(&fields, "model_id")?;
        let rating = Rating { system, value: self.agreement(&fields)?.mean };
        if !self.selection.takes(&row.origin) {
            return Ok(RowContent::LeftOut("summaries of an article that experts agree less about".into()));
        }
        let references = match fields.get(REFERENCES) {
            Some(_) => field_texts(&mut fields, REFERENCES)?,
            None => Vec::new(),
        };
        let (document, summary) = (field_text(&mut fields, ARTICLE)?, field_text(&mut fields, "decoded")?);
        let inputs =
            MetricInputs { reference: references.first().cloned(), references, ..MetricInputs::default() };
        let text = Text::new(summary, rating.value == BEST, rating.system.clone(), rating);
        Ok(RowContent::text(document, text).with_inputs(inputs))
    }

    fn measure(&self, cases: &[Case<Rating>], scores: &[f64]) -> Result<Figures, BenchError> {
        let rated = Rated::of(cases, scores, |rating| rating);
        rated.check(self.dimension.name())?;
        Ok(figures! { "dimension": self.dimension.name() }.and(rated.counts()).and(figures! {
            "over_summaries": correlations(|correlate| rated.over_summaries(correlate)),
            "within_documents": correlations(|correlate| rated.within_documents(correlate).0),
            "documents_averaged": rated.within_documents(kendall).1,
            "over_systems": correlations(|correlate| rated.over_systems(correlate)),
            "warnings": rated.warning().into_iter().collect::<Vec<_>>(),
        }))
    }

    fn show(&self, name: &str, figures: &Figures) -> Shown {
        let [summaries, documents, systems, averaged] =
            ["summaries", "documents", "systems", "documents_averaged"].map(|name| figures[name].cell());
        let levels = [
            (format!("all {summaries} summaries"), "over_summaries"),
            (format!("within a document, mean of {averaged} of {documents}"), "within_documents"),
            (format!("means of {systems} systems"), "over_systems"),
        ];
        let mut rows = vec![layout::cells([name, "Kendall", "Spearman", "Pearson"])];
        rows.extend(levels.map(|(level, of)| {
            let cells = ["kendall", "spearman", "pearson"].map(|name| figures[of][name].cell());
            std::iter::once(level).chain(cells).collect()
        }));
        let own = ["spearman", "kendall"].map(|of| &figures["over_summaries"][of]);
        let beside = self.about().published[0].beside_figures(name, own);
        let dimension = self.dimension;
        let title = format!("SummEval: correlation with the experts' mean {dimension}, times 100");
        Shown::table(title, &rows, beside, figures)
    }
}

fn correlations(level: impl Fn(Correlate) -> Option<Estimate>) -> Figures {
    figures! { "kendall": level(kendall), "spearman": level(spearman), "pearson": level(pearson) }
}

struct Agreement {
    mean: f64,
    variance: f64,
}

impl SummEval {
    /// Reads the experts' ratings of the dimension.
    fn agreement(&self, fields: &Fields) -> Result<Agreement, String> {
        let name = self.dimension.name();
        let experts: Vec<Map<String, Value>> =
            fields::parsed(fields, EXPERTS, "a list of objects with ratings")?;
        if experts.is_empty() {
            return Err(format!("field `{EXPERTS}` is empty: there is nothing to compare scores with"));
        }
        let mut ratings = Vec::with_capacity(experts.len());
        for (number, expert) in experts.iter().enumerate() {
            let rating = expert.get(name).and_then(Value::as_f64).filter(|r| (1.0..=BEST).contains(r));
            let Some(rating) = rating else {
                let found = expert.get(name).map_or("nothing", |value| kind_of(&value.to_string()));
                return Err(format!("expert {} rates `{name}` with {found}: it must be 1 to 5", number + 1));
            };
            ratings.push(rating);
        }
        let count = ratings.len() as f64;
        let mean = ratings.iter().sum::<f64>() / count;
        let variance = ratings.iter().map(|rating| (rating - mean).powi(2)).sum::<f64>() / count;
        Ok(Agreement { mean, variance })
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(Option<HashSet<Origin>>);

impl Selection {
    /// All summaries.
    pub const ALL: Self = Self(None);

    /// Selects the summary of each article whose experts agree most about the dimension of `benchmark`. Yuan et al.
    /// (SumAutoEval, section 4.3) choose a summary "where expert evaluations were more consistent" without saying how;
    /// here it is the one with the smallest variance of the experts' ratings, on ties the first in the data. Refuses the
    /// first row that differs from the authors' format.
    pub fn agreed(
        benchmark: &SummEval,
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
    ) -> Result<Self, BenchError> {
        let mut chosen: HashMap<String, (f64, Origin)> = HashMap::new();
        read_fields(rows, |origin, mut fields| {
            let variance = benchmark.agreement(&fields)?.variance;
            let article = field_text(&mut fields, ARTICLE)?;
            let is_better = chosen.get(&article).is_none_or(|(least, _)| variance < *least);
            if is_better {
                chosen.insert(article, (variance, origin.clone()));
            }
            Ok(())
        })?;
        Ok(Self(Some(chosen.into_values().map(|(_, origin)| origin).collect())))
    }

    fn takes(&self, origin: &Origin) -> bool {
        self.0.as_ref().is_none_or(|chosen| chosen.contains(origin))
    }
}
