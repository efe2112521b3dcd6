//! Other metrics beside the claims, on the same engine.
//!
//!     cargo run --release --features bundled --example metrics

use veridic::progress::ignore_events;
use veridic::{EvaluatorPlan, Pair, Scorer};

fn main() -> veridic::Result<()> {
    let evaluator = EvaluatorPlan::new(Scorer::builder("mini"))
        .metric(["fenice", "summac-zs", "nli-sent"].map(str::to_owned).to_vec())
        .build()?;
    let pair = Pair::new("The pool closes in March for repairs.", "The pool closes in March.");
    for evaluation in evaluator.evaluate(&[pair], &ignore_events) {
        let evaluation = evaluation?;
        println!("score {:.2}", evaluation.score);
        for (name, number) in evaluation.measures.numbers() {
            println!("{name} {number:.2}");
        }
    }
    Ok(())
}
