//! Activation functions. Names follow published model configurations; an unknown name is refused, never replaced by
//! a similar function.

use candle_core::{Result, Tensor};

use crate::functions::{gelu, gelu_tanh, relu, short_gelu, silu};
use crate::isa::{Isa, vectorised};
use crate::matmul::Precision;

/// A pointwise activation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// `x * Phi(x)` with the error function (Hendrycks and Gimpel 2016), not its tanh approximation.
    Gelu,
    /// GELU's tanh approximation, `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`.
    GeluTanh,
    /// `max(x, 0)`.
    Relu,
    /// `x / (1 + exp(-x))`.
    Silu,
    /// The hyperbolic tangent.
    Tanh,
}

impl Activation {
    /// The activation with this name in model configurations; none if it is not supported.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Self::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" => Some(Self::GeluTanh),
            "relu" => Some(Self::Relu),
            "silu" | "swish" => Some(Self::Silu),
            "tanh" => Some(Self::Tanh),
            _ => None,
        }
    }

    /// Applies the function to every element of a tensor with candle's operations.
    ///
    /// # Errors
    /// When candle's operation fails.
    pub fn apply(self, x: &Tensor) -> Result<Tensor> {
        match self {
            Self::Gelu => x.gelu_erf(),
            Self::GeluTanh => x.gelu(),
            Self::Relu => x.relu(),
            Self::Silu => x.silu(),
            Self::Tanh => x.tanh(),
        }
    }

    /// Applies the function in place, as exactly as a following product in `precision` needs.
    pub(crate) fn apply_before(self, precision: Precision, isa: Isa, values: &mut [f32]) {
        match (self, precision) {
            (Self::Gelu, Precision::Bf16 | Precision::Int8) => vectorised!(isa, short_gelu(values)),
            _ => self.apply_to(isa, values),
        }
    }

    /// Applies the function in place.
    pub(crate) fn apply_to(self, isa: Isa, values: &mut [f32]) {
        match self {
            Self::Gelu => vectorised!(isa, gelu(values)),
            Self::GeluTanh => vectorised!(isa, gelu_tanh(values)),
            Self::Relu => vectorised!(isa, relu(values)),
            Self::Silu => vectorised!(isa, silu(values)),
            Self::Tanh => values.iter_mut().for_each(|value| *value = value.tanh()),
        }
    }
}
