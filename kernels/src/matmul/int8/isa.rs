//! The instruction sets of 8-bit products, and the order in which each reads both sides.

#[cfg(target_arch = "x86_64")]
use crate::amx;
use crate::isa::Isa;
use crate::matmul::shapes::TileShape;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// Inputs of each row that one instruction multiplies: a quad.
pub(super) const QUAD: usize = 4;

/// The instruction set of 8-bit products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Int8Isa {
    /// x86-64 with AMX tiles.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// x86-64 with AVX-512 VNNI (8-bit dot products).
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// x86-64 with AVX2 and AVX-VNNI (8-bit dot products).
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// aarch64 with 8-bit matrix-multiply instructions.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Plain code as the compiler vectorises it.
    Portable,
}

impl Int8Isa {
    /// The set to use on this machine, within [`Isa::best`].
    pub(crate) fn best() -> Self {
        match Isa::best() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if amx::tiles().int8 => Self::Amx,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if is_x86_feature_detected!("avx512vnni") => Self::Vnni,
            #[cfg(target_arch = "x86_64")]
            Isa::AvxVnni => Self::AvxVnni,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Avx2 => Self::Avx2,
            #[cfg(target_arch = "aarch64")]
            Isa::Portable if std::arch::is_aarch64_feature_detected!("i8mm") => Self::Neon,
            Isa::Portable => Self::Portable,
        }
    }

    /// All sets that this machine can run, with tiles emulated if it has none.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut sets = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let (avx512, avx2) = (Isa::best() == Isa::Avx512, Isa::best() != Isa::Portable);
            let x86 = [
                (Self::Amx, amx::tiles_or_emulation().int8),
                (Self::Vnni, avx512 && is_x86_feature_detected!("avx512vnni")),
                (Self::AvxVnni, avx2 && is_x86_feature_detected!("avxvnni")),
                (Self::Avx2, avx2),
            ];
            sets.extend(x86.into_iter().filter(|(_, is_there)| *is_there).map(|(set, _)| set));
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(std::arch::is_aarch64_feature_detected!("i8mm").then_some(Self::Neon));
        sets
    }

    pub(super) fn shape(self) -> TileShape {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => TileShape { rows: amx::ROWS, columns: amx::COLUMNS },
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => TileShape { rows: 12, columns: 32 },
            // 12 accumulators, 2 of the panel, 1 of the left side: 15 of 16 registers.
            #[cfg(target_arch = "x86_64")]
            Self::AvxVnni => TileShape { rows: 6, columns: 16 },
            #[cfg(target_arch = "aarch64")]
            Self::Neon => TileShape { rows: neon::ROWS, columns: 2 * neon::COLUMNS },
            // 8 accumulators, 2 of the panel and their absolute values, 1 of the left side, 2 constants, 1 temporary: 16 of
            // 16 registers.
            _ => TileShape { rows: 4, columns: 16 },
        }
    }

    /// Bytes of a row of `inner` values: rounded up to whole quads, or to whole tile rows for AMX.
    pub(super) fn depth(self, inner: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => inner.next_multiple_of(amx::ROW_BYTES),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => inner.next_multiple_of(neon::STEP),
            _ => inner.next_multiple_of(QUAD),
        }
    }

    /// Bytes of a row side by side: a tile holds the first such piece of all its rows, then the second, and so on.
    pub(super) fn piece(self, depth: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::ROW_BYTES,
            _ => depth,
        }
    }

    /// The position of a column's quad in a panel, in quads.
    pub(super) fn quad_index(self, quad: usize, column: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => {
                let (rows, half) = (amx::ROWS, amx::COLUMNS / 2);
                ((quad / rows * 2 + column / half) * rows + quad % rows) * half + column % half
            }
            _ => quad * self.shape().columns + column,
        }
    }
}
