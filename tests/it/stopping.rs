//! Long texts of every kind, stopped at some moment: the work ends soon, and what is decided until then is right. Also what
//! bounds the work: the numbers of claims and sources, and of claims that are open together.

use std::ops::ControlFlow;
#[cfg(unix)]
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use serde_json::json;
use veridic::pipeline::Settings;
use veridic::rules::Rules;
use veridic::schedule::{Event, ignore_events};
use veridic::{Error, Pair, Scorer};

#[cfg(unix)]
use crate::common::runs::{ended, judging, wait_until};
#[cfg(unix)]
use crate::common::server::Server;
use crate::common::{Place, scorer, tiny};

static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
    let rules = Rules { screen: Some("words:8".parse().unwrap()), ..Rules::veridic() };
    scorer(&tiny(), Settings { rules, ..Settings::default() })
});

/// Far more than it takes on any machine, and far less than one stage took that never asked whether to go on.
const SOON: Duration = Duration::from_secs(10);

const UNITS: usize = 100_000;

const WORDS: [&str; 12] =
    ["pool", "bridge", "Anna", "March", "closed", "4", "mayor", "in", "the", "Berg", "euros", "1998"];

/// A word of the text at a place, by a fixed shuffle.
fn word(place: usize) -> &'static str {
    WORDS[place.wrapping_mul(2_654_435_761) / 7 % WORDS.len()]
}

fn words(place: usize, count: usize) -> String {
    (place * count..(place + 1) * count).map(word).collect::<Vec<_>>().join(" ")
}

/// A unit of a text, by its number.
type Unit = fn(usize) -> String;

/// Texts by their unit: what they begin with, the unit, and what they end with.
const TEXTS: [(&str, &str, Unit, &str); 22] = [
    ("characters", "", |_| "a".into(), " closed"),
    ("letters of another script", "", |_| "東".into(), ""),
    ("combining marks", "e", |_| "\u{301}".into(), ""),
    ("words", "", |at| words(at, 1) + " ", ""),
    ("sentences", "", |at| format!("The {}. ", words(at, 3)), ""),
    ("questions", "", |at| format!("Is the {}? ", words(at, 2)), ""),
    ("lines", "", |at| words(at, 2) + "\n", ""),
    ("turns", "", |at| format!("{}: {}.\n", ["Anna", "Ben"][at % 2], words(at, 2)), ""),
    (
        "cues",
        "WEBVTT\n\n",
        |at| {
            let time = format!("{:02}:{:02}:{:02}", at / 3600, at / 60 % 60, at % 60);
            format!("{time}.000 --> {time}.900\n{}\n\n", words(at, 2))
        },
        "",
    ),
    ("rows", "what,count\n", |at| format!("{},{at}\n", words(at, 1)), ""),
    ("rows of a table", "| what | count |\n|---|---|\n", |at| format!("| {} | {at} |\n", words(at, 1)), ""),
    ("records", "", |at| format!("key {at}: {}\n", words(at, 1)), ""),
    ("objects", "[", |at| format!("{{\"a\": {at}}},"), "{}]"),
    ("lines of a log", "", |at| format!("10:00:{:02} INFO {}\n", at % 60, words(at, 1)), ""),
    ("quoted lines", "From: Anna\nTo: Ben\n\n", |at| format!("> {}\n", words(at, 2)), ""),
    ("names", "", |at| format!("{} Berg, ", ["Anna", "Ben"][at % 2]), ""),
    ("numbers", "", |at| format!("{at} "), ""),
    ("dates", "", |at| format!("{} March {}. ", 1 + at % 28, 1900 + at % 120), ""),
    ("brackets", "", |_| "(".into(), " closed"),
    ("objects in objects", "", |_| "{\"a\":".into(), "1"),
    ("list levels", "", |at| format!("{}- {}\n", " ".repeat(at % 40), words(at, 1)), ""),
    ("headings", "", |at| format!("# {}\n\n", words(at, 1)), ""),
];

fn text((_, begin, unit, end): (&str, &str, Unit, &str), most: usize) -> String {
    let mut text = begin.to_owned();
    let mut characters = 0;
    for part in (0..UNITS).map(unit) {
        characters += part.chars().count();
        if characters > most {
            break;
        }
        text += &part;
    }
    text + end
}

/// Judges a pair and stops it after this time. Returns how long it went on, if it was not done before.
fn stopped_after(document: &str, summary: &str, time: Duration) -> Option<Duration> {
    let is_over = AtomicBool::new(false);
    let on_event = |_: Event| {
        if is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let pair = [Pair::new(document, summary)];
    thread::scope(|scope| {
        let judging = scope.spawn(|| SCORER.score_batch(&pair, &on_event).swap_remove(0));
        thread::sleep(time);
        is_over.store(true, Ordering::Relaxed);
        let start = Instant::now();
        match judging.join().unwrap() {
            Err(Error::Stopped) => Some(start.elapsed()),
            // It was done, or the text cannot be judged.
            _ => None,
        }
    })
}

#[test]
fn work_on_any_long_text_ends_soon_after_it_is_stopped() {
    let (document, summary) =
        ("Anna Berg closed the pool in March. It cost 4 euros.", "The pool closed in March.");
    for (number, of_unit) in TEXTS.into_iter().enumerate() {
        let time = Duration::from_millis(20 + 29 * (number as u64 * 7 % 11));
        for (document, summary) in
            [(&text(of_unit, 1_900_000)[..], summary), (document, &text(of_unit, 190_000))]
        {
            if let Some(went_on) = stopped_after(document, summary, time) {
                assert!(went_on < SOON, "{}: {went_on:?} after {time:?}", of_unit.0);
            }
        }
    }
}

/// The same through the program: a run gets SIGTERM, a client of the server leaves, a session of MCP is closed.
#[cfg(unix)]
#[test]
fn runs_servers_and_sessions_end_soon() {
    let server = Server::tiny(&["--set", "cache_mb=0"]);
    for (number, of_unit) in TEXTS.into_iter().enumerate().step_by(8) {
        let document = text(of_unit, 1_900_000);
        let summary = "The pool closed in March.";
        let pair = json!({"document": document, "summary": summary}).to_string();
        let time = Duration::from_millis(100 + 150 * (number as u64 % 3));

        let place = Place::new();
        place.write("rows.jsonl", format!("{pair}\n"));
        let run = place.start(&judging("rows.jsonl", "out.jsonl", &["--quiet"]));
        thread::sleep(time);
        Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
        let start = Instant::now();
        ended(run);
        assert!(start.elapsed() < SOON, "{}: run", of_unit.0);

        let client = server.send_post("/v1/score", &pair);
        thread::sleep(time);
        drop(client);
        let start = Instant::now();
        assert!(wait_until(|| server.metric("veridic_in_hand") == 0.0));
        assert!(start.elapsed() < SOON, "{}: server", of_unit.0);

        #[cfg(feature = "mcp")]
        {
            let mut session = crate::mcp::Session::tiny(&[]);
            let arguments = json!({"text": summary, "sources": [document]});
            session.begin("tools/call", &json!({"name": "check", "arguments": arguments}));
            thread::sleep(time);
            let start = Instant::now();
            assert_eq!(session.end().0, Some(0));
            assert!(start.elapsed() < SOON, "{}: session", of_unit.0);
        }
    }
}

/// More claims than may be open together about a document of this length are judged as if each were alone.
#[test]
fn claims_that_wait_for_others_are_judged_the_same() {
    let document: String = (0..6000).map(|at| format!("The {} sat on {at}. ", words(at, 1))).collect();
    let summary: String = (0..60).map(|at| format!("The {} sat on {}. ", words(at, 1), at * 90)).collect();
    let together = SCORER.score(&document, &summary).unwrap();
    assert_eq!(together.claims.len(), 60);
    let texts: Vec<&String> = together.claims.iter().map(|claim| &claim.text).collect();
    for place in [0, 31, 59] {
        let alone = SCORER.score(&document, texts[place]).unwrap();
        let (alone, together) = (&alone.claims[0], &together.claims[place]);
        assert_eq!(
            (alone.score, &alone.evidence.spans),
            (together.score, &together.evidence.spans),
            "{place}"
        );
    }
}

#[test]
fn too_many_claims_are_refused() {
    let claims = vec!["The pool closed.".to_owned(); 10_001];
    let pair = Pair { claims: Some(&claims), ..Pair::new("The pool closed.", "The pool closed.") };
    let error = SCORER.score_given_claims(&[pair], &ignore_events).swap_remove(0).unwrap_err().to_string();
    assert_eq!(error, "the claims are 10001, the limit is 10000: judge the text in parts");
    let sentences = "It is. ".repeat(10_001);
    let error = SCORER.score("The pool closed.", &sentences).unwrap_err().to_string();
    assert!(error.starts_with("the claims are 1000"), "{error}");
}
