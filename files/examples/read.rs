//! tmp
fn main() { for f in std::env::args().skip(1) { match veridic_files::read(&std::fs::read(&f).unwrap(), veridic_files::ReadAs::Auto) { Ok(t) => println!("=== {f}: {}\n{}", t.kind, t.text), Err(e) => println!("=== {f}: ERR {e}") } } }
