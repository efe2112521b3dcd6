//! Every file of a snapshot belongs to an assertion: its name is in the source file that it is named after.
use std::fs;

use crate::common::repository;

#[test]
fn no_snapshot_is_left_over() {
    let mut found = 0;
    for folder in ["tests/it", "tests/it/run", "tests/it/serve"] {
        for entry in fs::read_dir(repository(folder).join("snapshots")).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let parts: Vec<&str> =
                file.strip_suffix(".snap").expect("an accepted snapshot").split("__").collect();
            let name = parts[parts.len() - 1];
            let in_source = |module: &str| {
                let text = fs::read_to_string(repository(folder).join(format!("{module}.rs")));
                text.is_ok_and(|text| text.contains(&format!("assert_snapshot!(\"{name}\"")))
            };
            assert!(parts.iter().any(|module| in_source(module)) || in_source("mod"), "{file} is not used");
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}
