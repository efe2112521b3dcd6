//! Words that are unfit for a report: swear words, insults and chat. The list is short on purpose: it leaves out words that
//! serious texts use too ("hell", "damn").

use super::{Issue, IssueKind};
use crate::metrics::sumautoeval::entities::is_listed;
use crate::metrics::sumautoeval::note::Note;
use veridic_text::{Span, words};

const UNFIT: &str = "\
    arsehole asshole assholes bastard bastards bitch bitches bollocks bullshit crap crappy cunt dickhead \
    dumbass fuck fucked fucker fucking fucks goddamn jackass moron morons motherfucker piss pissed shit \
    shitty slut twat wanker whore btw gonna gotta imho lmao lol omg rofl wanna wtf y'all ya'll";

pub(super) fn issues(note: &Note<'_>) -> Vec<Issue> {
    let mut found = Vec::new();
    for sentence in &note.sentences {
        for word in words(sentence.text) {
            let lower = word.text.to_lowercase().replace('’', "'");
            if is_listed(&lower, UNFIT) {
                let before = word.text.as_ptr() as usize - sentence.text.as_ptr() as usize;
                let start = sentence.span.start + sentence.text[..before].chars().count();
                let span = Span { start, end: start + word.text.chars().count() };
                let message = format!("\"{}\" has no place in a report", word.text);
                found.push(Issue { kind: IssueKind::Language, span, message });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfit_words_are_found_with_their_spans() {
        let note = Note::of("Das Café was calm. It was a shitty day, LOL.");
        let found = issues(&note);
        let texts: Vec<&str> = found.iter().map(|issue| note.index.slice(issue.span)).collect();
        assert_eq!(texts, ["shitty", "LOL"]);
        assert!(issues(&Note::of("A bitter pill, he said in hell.")).is_empty());
    }
}
