//! The kinds of topics, main or marginal: the authors' `topic_category/{mediasum,meetingbank}_topic_category.json`, each an
//! object that maps a topic to `main` or `marginal`.

use std::collections::HashMap;

use veridic_models::store::quoting::{quoted_name, without_values};

use super::names::{self, TOPICS};

/// The kinds of the topics of both corpora.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics(HashMap<(&'static str, String), &'static str>);

impl Topics {
    /// Adds the topics of a file, whose name contains the corpus.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), String> {
        let dataset = names::dataset_of_file(file)
            .ok_or("the name of a file of topics must hold mediasum or meetingbank, as the authors' do")?;
        let kinds: HashMap<String, String> = serde_json::from_str(text).map_err(|error| {
            format!("is not an object from topic to main or marginal ({})", without_values(&error))
        })?;
        for (topic, kind) in kinds {
            let unknown = || format!("topic {} must be main or marginal", quoted_name(&topic));
            let found = TOPICS.into_iter().find(|known| *known == kind).ok_or_else(unknown)?;
            self.0.insert((dataset, topic.trim().to_owned()), found);
        }
        Ok(())
    }

    pub(super) fn kind(&self, dataset: &'static str, topic: &str) -> Result<&'static str, String> {
        self.0.get(&(dataset, topic.to_owned())).copied().ok_or_else(|| {
            let topic = quoted_name(topic);
            format!("topic {topic} of {dataset} is in no file of topics ({dataset}_topic_category.json)")
        })
    }
}
