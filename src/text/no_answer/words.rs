//! The words of sentences that give no answer.

use crate::text::word_list::WordList;

/// Names of the texts that a writer of an answer was given.
pub(super) static GIVEN_TEXTS: WordList = WordList::new(
    "article articles context contexts content document documents excerpt excerpts file files material materials \
     information passage passages results source sources text texts transcript",
);

/// Names of other texts. What they contain is a fact about them; what they do not say is an absence.
pub(super) static OTHER_TEXTS: WordList = WordList::new(
    "agreement book brochure chapter chat clause contract conversation email e-mail form guide handbook invoice lease \
     letter log mail manual memo message minutes notes page paper policy protocol record records report section story \
     summary table thread website",
);

/// Verbs of texts that say something.
pub(super) static SAYING: WordList = WordList::new(
    "clarify disclose explain indicate mention name record reveal say says specify state states tell tells mentions \
     indicates specifies explains reveals clarifies",
);

/// Verbs of texts that contain something.
pub(super) static CONTAINING: WordList = WordList::new(
    "address answer contain contains cover describe detail discuss give gives have has include includes list make \
     makes offer offers provide provides report show talk addresses describes discusses",
);

/// What a writer knows or finds, or does not.
pub(super) static FINDING: WordList =
    WordList::new("determine find have identify know locate see confirm verify");

/// What a writer does who answers.
pub(super) static ANSWERING: WordList = WordList::new(
    "access advise answer assist comment complete comply discuss do fulfil fulfill generate give help offer provide \
     recommend respond say share speak summarise summarize tell",
);

/// Nouns for what is said about something.
pub(super) static ABOUT_NOUNS: WordList = WordList::new(
    "answer data detail details idea indication info information knowledge mention mentions reference references",
);

/// Words between the negation and what is not said.
pub(super) static BEFORE_TOPIC: WordList = WordList::new(
    "about actually additional any anything anywhere as clear concerning enough explicitly for further in mention of on \
     regarding relevant specific specifically sufficient to",
);

/// Words that stand for what was asked.
pub(super) static WHAT_WAS_ASKED: WordList = WordList::new(
    "a an any anything answer information it question questions request that the this topic your",
);
