//! Properties of a word without its sentence: the lists that contain it and the verb forms that it can be.
//!
//! Decides how a word is classified by itself; long lists are the files in `words/`. Refuses context, which the other
//! files of `tagging` know.

pub(crate) mod classes;
pub(crate) mod verb_forms;
