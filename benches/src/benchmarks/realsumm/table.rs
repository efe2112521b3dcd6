//! REALSumm's table, with the agreement on single key facts.

use super::label::Dimension;
use crate::protocol::{Beside, Figures};

/// The paper's figures on single key facts.
const PUBLISHED_ALPHA: &str =
    "published: FineSurE 0.65 with people; 0.66 among people (section 4, Song et al. 2024)";

pub(super) fn lines(dimension: Dimension, figures: &Figures, beside: &Beside) -> Vec<String> {
    let [summaries, documents, systems] =
        ["summaries", "documents", "systems"].map(|name| figures[name].cell());
    let what = match dimension {
        Dimension::Completeness => "key facts that people find",
        Dimension::Conciseness => "sentences in which people find a key fact",
    };
    let mut lines = vec![
        format!("REALSumm: correlation with the share of {what}, times 100"),
        format!("{summaries} summaries of {documents} documents by {systems} systems"),
    ];
    lines.extend(beside.lines());
    let alphas = [("with most people", "key_fact_agreement"), ("among people", "agreement_of_people")];
    let alphas = alphas.iter().filter_map(|(who, field)| agreement(who, &figures[*field]));
    let alphas: Vec<String> = alphas.collect();
    if !alphas.is_empty() {
        lines.push(String::new());
        lines.extend(alphas);
        lines.push(PUBLISHED_ALPHA.to_owned());
    }
    lines.extend(figures.warnings());
    lines
}

fn agreement(who: &str, found: &Figures) -> Option<String> {
    let alpha = found["alpha"].value().map_or_else(|| "-".to_owned(), |alpha| format!("{alpha:.2}"));
    let key_facts = found["key_facts"].value()?;
    let unlabelled = found["unlabelled"].value().filter(|count| *count > 0.0);
    let beside = unlabelled
        .map_or_else(String::new, |count| format!("; left out: {count} key facts that people did not label"));
    Some(format!("Krippendorff's alpha on {key_facts} key facts, {who}: {alpha}{beside}"))
}
