//! Other metrics beside the claims, on the same engine.
//!
//!     cargo run --release --features bundled --example metrics

use veridic::progress::ignore_events;
use veridic::{Pair, Scorer};

fn main() -> veridic::Result<()> {
    let evaluator = Scorer::builder("mini").set("metric", "fenice;summac-zs;nli-sent")?.build_evaluator()?;
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
