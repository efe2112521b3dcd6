//! Enums whose values have names: one list gives the names in files, tables, JSON and options.

/// A name that is none of an enum's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is unknown: it must be one of {}", .known.join(", "))]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The enum's names.
    pub known: Vec<&'static str>,
}

/// Declares an enum with `ALL`, `name`, `description` (the first line of a value's documentation), `Display`,
/// `FromStr` and `Serialize`, each by name.
macro_rules! named {
    ($(#[$meta:meta])* $visibility:vis enum $type:ident {
        $(#[doc = $doc:literal] $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $type {
            $(#[doc = $doc] $variant),+
        }

        impl $type {
            /// All values, in order.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The value's name.
            #[must_use]
            $visibility fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// What the value means, in one line without a full stop.
            #[must_use]
            $visibility fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => $doc.trim_matches([' ', '.'])),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::ALL.into_iter().find(|value| value.name() == name).ok_or_else(|| $crate::UnknownName {
                    name: name.to_owned(),
                    known: Self::ALL.map(Self::name).to_vec(),
                })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use crate::TextLevel;

    #[test]
    fn names_are_read_and_written() {
        for level in TextLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).unwrap(), level.name());
        }
        assert_eq!(TextLevel::Sentence.description(), "Each sentence by itself");
        let error = "word".parse::<TextLevel>().unwrap_err();
        assert_eq!(error.to_string(), "word is unknown: it must be one of sentence, summary");
    }
}
