//! Enums whose values have names that people type: one list of names gives `name`, `ALL`, `Display` and `FromStr`.
//! A name that does not exist is [`UnknownName`], which lists those that do.

use veridic_models::store::did_you_mean;

/// A name that none of an enum's values has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} `{name}`{}: known are {}", did_you_mean(.name, .known.iter().copied()), .known.join(", "))]
pub struct UnknownName {
    /// What the enum is about.
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// What to give instead, without the name itself, for messages that already say it.
    #[must_use]
    pub fn expected(&self) -> String {
        let meant = did_you_mean(&self.name, self.known.iter().copied());
        format!("no such name{meant}: known are {}", self.known.join(", "))
    }
}

/// Gives an enum of unit values their names: `named!(Level, "level", { Sentence = "sentence", ... })`.
#[macro_export]
macro_rules! named {
    ($type:ty, $kind:literal, { $($value:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// All values, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The name, as it is typed and written.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::settings::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, Self::Err> {
                Self::ALL.into_iter().find(|value| value.name() == name).ok_or_else(|| {
                    let known = Self::ALL.iter().map(|value| value.name()).collect();
                    $crate::settings::UnknownName { kind: $kind, name: name.to_owned(), known }
                })
            }
        }
    };
}
