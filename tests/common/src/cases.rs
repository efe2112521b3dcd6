//! Tables of cases: every case runs, and all that fail are reported.

use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls `test` with every case, then panics if it panicked for any of them.
#[track_caller]
pub fn test_each<C: Debug>(cases: impl IntoIterator<Item = C>, mut test: impl FnMut(C)) {
    let mut failed = Vec::new();
    for case in cases {
        let name: String = format!("{case:?}").chars().take(200).collect();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| test(case))) {
            failed.push(format!("{name}: {}", message(&*panic)));
        }
    }
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| Some(panic.downcast_ref::<String>()?)).unwrap_or("a panic without a message")
}
