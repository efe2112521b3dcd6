//! What a pronoun, a title or a first name tells about a person.

/// The gender of a person as far as the text tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    Male,
    Female,
    Unknown,
}

impl Gender {
    /// Whether the two can be said of one person.
    pub(super) fn agrees(self, other: Gender) -> bool {
        self == other || self == Gender::Unknown || other == Gender::Unknown
    }

    /// What is known of a person of whom both are said.
    pub(super) fn or(self, other: Gender) -> Gender {
        if self == Gender::Unknown { other } else { self }
    }
}
