//! `--paper`: a run's rows below the published ones, and the differences from the papers' set-ups.

use anyhow::{Result, ensure};
use veridic::corpus::RowJudge;
use veridic::rules::ProfileName;

use crate::Evaluator;
use crate::protocol::PublishedTable;

/// Refuses `--paper` without tables of a paper.
pub(super) fn check_tables(is_asked: bool, tables: &[PublishedTable]) -> Result<()> {
    ensure!(
        !is_asked || !tables.is_empty(),
        "--paper: there are no published figures for these scores: leave it out"
    );
    Ok(())
}

/// Returns the warnings below a run's own table, which explain empty cells.
pub(super) fn warnings(table: Vec<String>) -> Vec<String> {
    table.into_iter().filter(|line| line.starts_with("warning: ")).collect()
}

/// Describes a profile whose settings are not a paper's.
fn of_no_paper(profile: ProfileName) -> &'static str {
    if profile == ProfileName::Veridic { " (our own; --profile paper is FENICE's)" } else { "" }
}

/// Describes in one line how an evaluator scores.
pub(super) fn set_up(evaluator: &Evaluator) -> String {
    let scorer = evaluator.scorer();
    let (stamp, models) = (evaluator.profile_stamp(), scorer.models());
    let rules = &stamp.rules;
    let levels: Vec<&str> = rules.levels.iter().map(|level| level.name()).collect();
    let mut parts = vec![format!("metric {}", evaluator.metric_names().join(", "))];
    // An answering language model needs none of these.
    let judging = vec![
        format!("profile {}{} on {}", rules.profile, of_no_paper(rules.profile), levels.join(", ")),
        format!("model {} in {}", models.nli.id, models.nli.dtype),
        format!("claims {}", rules.claims.name()),
        format!("coreference {}", rules.coref.name()),
        rules.screen.map_or_else(|| "no screen".to_owned(), |screen| format!("screen {screen}")),
    ];
    if evaluator.judges_claims() || stamp.answers.is_none() {
        parts.extend(judging);
    }
    parts.extend(stamp.answers.map(|answers| format!("a language model's answers ({answers})")));
    parts.join("; ")
}
