//! The instruction sets of bf16 products, and the tile that each multiplies.

use super::panel::WIDTH;
#[cfg(target_arch = "x86_64")]
use crate::amx;
#[cfg(target_arch = "x86_64")]
use crate::isa::Isa;
use crate::matmul::shapes::TileShape;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// The instruction set of bf16 products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bf16Isa {
    /// x86-64 with AMX tiles.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// x86-64 with AVX-512 and its bf16 dot products.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// aarch64 with bf16 matrix-multiply instructions.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// The plain reference.
    #[cfg(test)]
    Plain,
}

impl Bf16Isa {
    /// The set to use on this machine, within [`Isa::best`]; none if the processor has no bf16 products.
    pub(crate) fn best() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if Isa::best() == Isa::Avx512 {
            if amx::tiles().bf16 {
                return Some(Self::Amx);
            }
            if is_x86_feature_detected!("avx512bf16") {
                return Some(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("bf16") {
            return Some(Self::Neon);
        }
        None
    }

    /// Whether products are at least eight times as fast as in f32, rather than twice.
    pub(crate) fn is_much_faster_than_f32(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Amx {
            return true;
        }
        false
    }

    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => "amx",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512_bf16",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon_bf16",
            #[cfg(test)]
            Self::Plain => "plain",
        }
    }

    /// All sets that this machine can run, with tiles emulated if it has none.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut sets = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if amx::tiles_or_emulation().bf16 {
                sets.push(Self::Amx);
            }
            if Isa::best() == Isa::Avx512 && is_x86_feature_detected!("avx512bf16") {
                sets.push(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(Self::best());
        sets
    }

    /// The tile.
    pub(super) fn shape(self) -> TileShape {
        let rows = match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::ROWS,
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => 12,
            #[cfg(target_arch = "aarch64")]
            Self::Neon => neon::ROWS,
            #[cfg(test)]
            Self::Plain => 1,
        };
        TileShape { rows, columns: WIDTH }
    }
}
