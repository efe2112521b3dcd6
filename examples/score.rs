//! One summary against its document: each claim with its verdict and the evidence.
//!
//!     cargo run --release --example score -- examples/article.txt examples/summary.txt

use std::env::args;
use std::error::Error;
use std::fs::read_to_string;

use veridic::Scorer;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = args().skip(1).collect();
    let [document, summary] = &files[..] else { return Err("usage: score DOCUMENT SUMMARY".into()) };
    let scorer = Scorer::builder("base").build()?;
    let result = scorer.score(&read_to_string(document)?, &read_to_string(summary)?)?;
    println!("{:.2} {:?}", result.score, result.verdict);
    for claim in &result.claims {
        println!("\n{:.2} {:?}: {}", claim.score, claim.verdict, claim.text);
        println!("     {}", claim.evidence.text);
        if let Some(counter) = &claim.counter_evidence {
            println!("     against: {}", counter.evidence.text);
        }
    }
    Ok(())
}
