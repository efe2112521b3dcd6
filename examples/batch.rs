//! Many pairs in common batches, with claims that the caller brings, other rules than the default, and progress.
//!
//!     cargo run --release --features bundled --example batch

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use veridic::schedule::Event;
use veridic::{Pair, Scorer};

fn main() -> veridic::Result<()> {
    let scorer = Scorer::builder("mini")
        .set("profile", "paper")?
        .set("claims", "given")?
        .set("epsilon", 0.0)?
        .build()?;
    let document = "The bakery on Mill Street opened in 1962. Anna Berg has run it since 1998.";
    let claims =
        [vec!["The bakery opened in 1962.".to_owned()], vec!["Anna Berg owns three bakeries.".to_owned()]];
    let pairs: Vec<Pair<'_>> = claims
        .iter()
        .map(|claims| Pair { claims: Some(claims), ..Pair::new(document, &claims[0]) })
        .collect();

    let computed = AtomicUsize::new(0);
    let on_event = |event| {
        if let Event::Computed { pairs, .. } = event {
            computed.fetch_add(pairs, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    for (claims, result) in claims.iter().zip(scorer.score_batch(&pairs, &on_event)) {
        let result = result?;
        println!("{:.2} {:?}: {}", result.score, result.verdict, claims[0]);
    }
    println!("{} pairs of premise and claim were computed", computed.into_inner());
    Ok(())
}
