//! The help of all commands.

use super::Place;

/// All commands, found in the help of their parent.
pub fn commands(place: &Place) -> Vec<Vec<String>> {
    let mut found = vec![vec![]];
    let mut next = 0;
    while next < found.len() {
        let command: Vec<String> = found[next].clone();
        let help = place.run(command.iter().map(String::as_str).chain(["-h"])).ok();
        let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
        let entries = listed.lines().take_while(|line| line.starts_with("  "));
        let names = entries
            .filter(|line| !line.starts_with("   "))
            .map(|line| line.split_whitespace().next().unwrap());
        for name in names.filter(|name| *name != "help") {
            found.push([&command[..], &[name.to_owned()]].concat());
        }
        next += 1;
    }
    found
}

/// No line of the short help is folded, in more than `least` commands.
#[track_caller]
pub fn assert_short_help(least: usize) {
    let place = Place::new();
    let commands = commands(&place);
    assert!(commands.len() > least, "{commands:?}");
    let mut folded = Vec::new();
    for command in &commands {
        let help = place.run(command.iter().map(String::as_str).chain(["-h"])).ok();
        let entries = help.lines().filter(|line| line.starts_with("  "));
        // An entry starts within eight columns; folded text is indented deeper.
        folded.extend(
            entries.filter(|line| line.starts_with("         ")).map(|line| format!("{command:?}: {line}")),
        );
    }
    assert!(folded.is_empty(), "{}", folded.join("\n"));
}
