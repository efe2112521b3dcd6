//! The gender of a person, from pronouns, titles and first names.

/// The gender of a person, as far as the text shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    Male,
    Female,
    Unknown,
}

impl Gender {
    /// Whether the two can be of one person.
    pub(super) fn agrees(self, other: Gender) -> bool {
        self == other || self == Gender::Unknown || other == Gender::Unknown
    }

    /// This gender, or the other one if this is unknown.
    pub(super) fn or(self, other: Gender) -> Gender {
        if self == Gender::Unknown { other } else { self }
    }
}
