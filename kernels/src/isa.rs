//! Selects the vector instruction set at run time, so that one binary is fast on every machine. Kernels take the set
//! as an argument, so that tests can run each of them.

use std::sync::OnceLock;

/// The set that [`Isa::best`] returns, fixed at the first call.
static BEST: OnceLock<Isa> = OnceLock::new();

/// A vector instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isa {
    /// x86-64 with AVX-512 (F, VL, BW, DQ).
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// x86-64 with AVX2, FMA and AVX-VNNI (8-bit dot products of 256 bits).
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// x86-64 with AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Plain code as the compiler vectorises it; NEON on aarch64.
    Portable,
}

impl Isa {
    /// The set in use: the widest of this machine, unless [`Isa::prefer`] was called first.
    #[must_use]
    pub fn best() -> Self {
        *BEST.get_or_init(Self::widest)
    }

    /// Makes the whole process use this set, to measure other machines' code paths. Returns false if the machine
    /// lacks the instructions, or if [`Isa::best`] has already fixed another set.
    pub fn prefer(self) -> bool {
        Self::available().contains(&self) && *BEST.get_or_init(|| self) == self
    }

    fn widest() -> Self {
        Self::available().first().copied().unwrap_or(Self::Portable)
    }

    /// All sets that this machine supports, the widest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq");
            sets.extend(avx512.then_some(Self::Avx512));
            sets.extend(is_x86_feature_detected!("avxvnni").then_some(Self::AvxVnni));
            sets.push(Self::Avx2);
        }
        sets.push(Self::Portable);
        sets
    }
}

/// Whether fused multiply-add compiles to an instruction in plain code, rather than to a call into the C library.
pub(crate) const PORTABLE_FMA: bool = cfg!(target_arch = "aarch64");

/// `a * b + c`, fused if `FMA`.
#[inline(always)]
pub(crate) fn multiply_add<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Calls a function that is generic over `const FMA: bool`, compiled for the given [`Isa`]. The function must be
/// `#[inline(always)]`.
macro_rules! vectorised {
    ($isa:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $isa {
            // SAFETY: every Isa but Portable comes from Isa::best or Isa::available, which check the machine.
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Isa::Avx512 => unsafe { $crate::isa::with_avx512(|| $function::<true>($($argument),*)) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Isa::AvxVnni | $crate::isa::Isa::Avx2 => unsafe { $crate::isa::with_avx2(|| $function::<true>($($argument),*)) },
            _ => $function::<{ $crate::isa::PORTABLE_FMA }>($($argument),*),
        }
    };
}
pub(crate) use vectorised;

/// Runs `job` with its inlined code compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
pub(crate) fn with_avx512<R>(job: impl FnOnce() -> R) -> R {
    job()
}

/// Runs `job` with its inlined code compiled for AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn with_avx2<R>(job: impl FnOnce() -> R) -> R {
    job()
}
