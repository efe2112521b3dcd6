//! The walls of the house: imports of files run one way, and the three roofs know nothing of each other.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::repository;

/// The sources of every crate.
const CRATES: [&str; 13] = [
    "src",
    "files/src",
    "kernels/src",
    "models/src",
    "models/store/src",
    "models/weights/src",
    "program/src",
    "cli/src",
    "python/src",
    "python/calls/src",
    "benches/src",
    "benches/stats/src",
    "benches/python/src",
];

/// A module by its path within its crate; the crate's root is empty.
type Module = Vec<String>;

/// The modules of a crate, with the text of each up to its tests.
fn modules(crate_sources: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(crate_sources.to_owned(), Module::new())];
    while let Some((folder, parent)) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "tests" {
                folders.push((path, [parent.clone(), vec![name]].concat()));
            } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
                let own = if ["mod", "lib", "main"].contains(&&*name) { vec![] } else { vec![name] };
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                found.insert([parent.clone(), own].concat(), code.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    found
}

/// The paths that a text imports, and whether it makes them public.
fn imports(text: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    // A path of visibility is no import.
    let pieces = text.split("pub(in ").enumerate();
    let text: String =
        pieces.map(|(at, piece)| if at == 0 { piece } else { piece.split_once(')').unwrap().1 }).collect();
    for statement in text.split(';') {
        let Some(start) = statement.rfind("use ").filter(|start| {
            let before = statement[..*start].trim_end();
            before.is_empty() || before.ends_with(['}', ']', ')', '\n']) || before.ends_with("pub")
        }) else {
            continue;
        };
        let is_public =
            statement[..start].trim_end().ends_with("pub") || statement[..start].trim_end().ends_with(')');
        expand(statement[start + 4..].trim(), &[], &mut |path| found.push((path, is_public)));
    }
    // Paths that are written out where they are used.
    for piece in text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':') {
        let path: Vec<String> = piece.split("::").map(str::to_owned).collect();
        // Before a brace, a path is the beginning of the imports above.
        let is_whole = path.iter().all(|name| !name.is_empty());
        if path.len() > 1 && is_whole {
            found.push((path, false));
        }
    }
    found
}

/// Calls `add` with every path of a tree such as `a::{b, c::{d, e}}`.
fn expand(tree: &str, before: &[String], add: &mut impl FnMut(Vec<String>)) {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, c) in tree.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let (path, rest) = part.split_once('{').unwrap_or((part, ""));
        let names = path.split(" as ").next().unwrap().split("::").map(|name| name.trim().to_owned());
        let path = [before.to_vec(), names.filter(|name| !name.is_empty()).collect()].concat();
        match rest.trim_end().strip_suffix('}') {
            Some(inner) => expand(inner, &path, add),
            None => add(path),
        }
    }
}

/// Which modules a crate's modules take names from; a name that a module hands on counts for the module that defines it.
fn arrows(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut handed_on: BTreeMap<Module, Vec<String>> = BTreeMap::new();
    let mut taken: Vec<(Module, Vec<String>)> = Vec::new();
    for (module, text) in modules {
        for (path, is_public) in imports(text) {
            let Some(path) = absolute(module, &path, modules) else { continue };
            if is_public && let Some(name) = path.last() {
                handed_on.insert([module.clone(), vec![name.clone()]].concat(), path.clone());
            }
            taken.push((module.clone(), path));
        }
    }
    let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, mut path) in taken {
        for _ in 0..6 {
            let next = (0..=path.len()).rev().find_map(|end| handed_on.get(&path[..end]).map(|to| (end, to)));
            match next {
                Some((end, to)) if !modules.contains_key(&path[..end]) => path = [to, &path[end..]].concat(),
                _ => break,
            }
        }
        let target = (0..=path.len()).rev().map(|end| &path[..end]).find(|path| modules.contains_key(*path));
        if let Some(target) = target.filter(|target| !target.is_empty() && **target != *module) {
            arrows.entry(module).or_default().insert(target.to_vec());
        }
    }
    arrows
}

/// The path from the crate's root; `None` for a name of another crate, or one that is imported elsewhere in the module.
fn absolute(module: &Module, path: &[String], modules: &BTreeMap<Module, String>) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let rest = &path[supers.max(usize::from(["crate", "self"].contains(&&*path[0])))..];
    let base: &[String] = match &*path[0] {
        "crate" => &[],
        "self" => module,
        "super" => &module[..module.len().checked_sub(supers)?],
        child if modules.contains_key(&[module.clone(), vec![child.to_owned()]].concat()) => module,
        _ => return None,
    };
    let path = [base, rest].concat();
    Some(path.into_iter().filter(|name| name != "self").collect())
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for sources in CRATES {
        let modules = modules(&repository(sources));
        assert!(!modules.is_empty(), "{sources}");
        let mut left = arrows(&modules);
        // A module that imports nothing that is left is no part of a circle; neither is one that nothing left imports.
        loop {
            let before: usize = left.values().map(|to| 1 + to.len()).sum();
            let keys: BTreeSet<Module> = left.keys().cloned().collect();
            let wanted: BTreeSet<Module> = left.values().flatten().cloned().collect();
            left.values_mut().for_each(|to| to.retain(|module| keys.contains(module)));
            left.retain(|module, to| !to.is_empty() && wanted.contains(module));
            if left.values().map(|to| 1 + to.len()).sum::<usize>() == before {
                break;
            }
        }
        for (module, to) in left {
            let to: Vec<String> = to.iter().map(|to| to.join("/")).collect();
            circles.push(format!("{sources}: {} -> {}", module.join("/"), to.join(", ")));
        }
    }
    assert!(circles.is_empty(), "files in circles, or between two of them:\n{}", circles.join("\n"));
}

/// The library, the program, the Python package and the laboratory stand beside each other.
#[test]
fn no_roof_stands_on_another() {
    for (manifest, refused) in [
        ("Cargo.toml", &["veridic-cli", "veridic-program", "veridic-bench", "veridic-stats"][..]),
        ("models/Cargo.toml", &["veridic-cli", "veridic-program", "veridic-bench", "path = \"..\""]),
        ("program/Cargo.toml", &["veridic-cli", "veridic-bench", "veridic-stats"]),
        ("cli/Cargo.toml", &["veridic-bench", "veridic-stats"]),
        ("python/Cargo.toml", &["veridic-bench", "veridic-stats", "veridic-program"]),
        ("benches/Cargo.toml", &["veridic-cli", "veridic-python"]),
        ("benches/python/Cargo.toml", &["veridic-cli"]),
    ] {
        let text = fs::read_to_string(repository(manifest)).unwrap();
        let package =
            text.split("[dependencies]").nth(1).unwrap().split("[dev-dependencies]").next().unwrap();
        for name in refused {
            let is_there = package.lines().any(|line| line.starts_with(name));
            assert!(!is_there, "{manifest} depends on {name}");
        }
    }
}
