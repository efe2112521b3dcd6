//! The differences between the members of BERT's family: first position, token types, and the names of tensors in
//! `transformers`.

use crate::transformer::{LayerNames, ProjectionNames};

/// A member of BERT's family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// BERT (Devlin et al. 2019): positions from 0, token types for the two texts.
    Bert,
    /// RoBERTa (Liu et al. 2019): positions from the row after the padding id, one type.
    Roberta,
    /// MPNet (Song et al. 2020): positions like RoBERTa's, no types, and a bias by distance that all layers share.
    Mpnet,
    /// ALBERT (Lan et al. 2020): BERT's positions and types, narrow embeddings that a layer widens, and layers that share
    /// their weights.
    Albert,
}

/// The names of the parts of ALBERT's layers.
const ALBERT_LAYER: LayerNames = LayerNames {
    projections: ProjectionNames::Separate(["attention.query", "attention.key", "attention.value"]),
    attention_output: "attention.dense",
    attention_norm: "attention.LayerNorm",
    up: "ffn",
    down: "ffn_output",
    norm: "full_layer_layer_norm",
};

/// The names of the parts of MPNet's layers.
const MPNET_LAYER: LayerNames = LayerNames {
    projections: ProjectionNames::Separate(["attention.attn.q", "attention.attn.k", "attention.attn.v"]),
    attention_output: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
    ..LayerNames::BERT
};

impl Family {
    pub(crate) const ALL: [Self; 4] = [Self::Bert, Self::Roberta, Self::Mpnet, Self::Albert];

    /// The member with this `model_type`.
    pub(crate) fn of(model_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.model_type() == model_type)
    }

    /// Its `model_type` in config.json.
    pub(crate) fn model_type(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Roberta => "roberta",
            Self::Mpnet => "mpnet",
            Self::Albert => "albert",
        }
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bert => "BERT",
            Self::Roberta => "RoBERTa",
            Self::Mpnet => "MPNet",
            Self::Albert => "ALBERT",
        }
    }

    /// The class of its sequence classifiers in `transformers`.
    pub(crate) fn classifier_class(self) -> &'static str {
        match self {
            Self::Bert => "BertForSequenceClassification",
            Self::Roberta => "RobertaForSequenceClassification",
            Self::Mpnet => "MPNetForSequenceClassification",
            Self::Albert => "AlbertForSequenceClassification",
        }
    }

    /// The prefix of the encoder's tensor names.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Bert => "bert.",
            Self::Roberta => "roberta.",
            Self::Mpnet => "mpnet.",
            Self::Albert => "albert.",
        }
    }

    pub(super) fn layer_names(self) -> LayerNames {
        match self {
            Self::Bert | Self::Roberta => LayerNames::BERT,
            Self::Mpnet => MPNET_LAYER,
            Self::Albert => ALBERT_LAYER,
        }
    }

    /// The names of the two layers of a classifier's head, which reads the first token: one with tanh, and the output.
    pub(super) fn head_names(self) -> (&'static str, &'static str) {
        match self {
            Self::Bert => ("bert.pooler.dense", "classifier"),
            Self::Roberta | Self::Mpnet => ("classifier.dense", "classifier.out_proj"),
            Self::Albert => ("albert.pooler", "classifier"),
        }
    }

    /// The name of the layer with tanh that BERT, RoBERTa and ALBERT without a classifier's head have. MPNet's is never loaded.
    pub(super) fn pooler(self) -> &'static str {
        match self {
            Self::Bert => "bert.pooler.dense",
            Self::Roberta => "roberta.pooler.dense",
            Self::Mpnet => "mpnet.pooler.dense",
            Self::Albert => "albert.pooler",
        }
    }

    /// The function of feed-forward layers where config.json names none.
    pub(super) fn default_activation(self) -> &'static str {
        if self == Self::Albert { "gelu_new" } else { "gelu" }
    }

    pub(super) fn has_types(self) -> bool {
        self != Self::Mpnet
    }

    /// The padding id after which positions are counted; `None` if they start at 0. MPNet's is fixed in its code.
    pub(super) fn padding_id(self, configured: Option<u32>) -> Option<u32> {
        match self {
            Self::Bert | Self::Albert => None,
            Self::Roberta => Some(configured.unwrap_or(1)),
            Self::Mpnet => Some(1),
        }
    }
}
