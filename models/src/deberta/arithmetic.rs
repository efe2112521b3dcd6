//! The floating-point operations of one sequence, counted from the configuration; speed is measured against them
//! (docs/measurements/performance.md).
//!
//! A multiply-add of a matrix product counts as two operations. Products that depend on the weights only and element-wise
//! work (softmax, GELU, norms, sums) are not counted. The last layer counts like every other, although only its first
//! token is computed.

use super::config::DebertaConfig;
use super::slots::DistanceSlots;

impl DebertaConfig {
    /// Floating-point operations of one sequence of `tokens` tokens. The relative terms count the slots of its distances.
    #[must_use]
    pub fn operations(&self, tokens: usize) -> u64 {
        let wide = |number: usize| number as u64;
        let (hidden, tokens_wide) = (wide(self.hidden_size), wide(tokens));
        let projections = 4 * hidden * hidden * tokens_wide;
        let feed_forward = 2 * hidden * wide(self.intermediate_size) * tokens_wide;
        let scores_and_context = 2 * hidden * tokens_wide * tokens_wide;
        let relative = self.relative_terms() * hidden * tokens_wide * self.slots_reached(tokens);
        let layers = wide(self.layers) * (projections + feed_forward + scores_and_context + relative);
        let embedding = if self.embedding_size == self.hidden_size {
            0
        } else {
            wide(self.embedding_size) * hidden * tokens_wide
        };
        let conv = self
            .conv
            .as_ref()
            .map_or(0, |conv| wide(conv.kernel_size) * hidden * hidden * tokens_wide / wide(conv.groups));
        let head = hidden * hidden + hidden * wide(self.labels.len());
        2 * (embedding + layers + conv + head)
    }

    fn relative_terms(&self) -> u64 {
        self.relative.as_ref().map_or(0, |relative| {
            u64::from(relative.content_to_position) + u64::from(relative.position_to_content)
        })
    }

    fn slots_reached(&self, tokens: usize) -> u64 {
        let Some(relative) = &self.relative else { return 0 };
        let table = DistanceSlots::of(relative).table(tokens);
        match (table.first(), table.last()) {
            (Some(low), Some(high)) => u64::from(high - low + 1),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DebertaConfig;

    fn config(more: &str) -> DebertaConfig {
        let json = format!(
            r#"{{"model_type": "deberta-v2", "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 3,
                "num_attention_heads": 2, "intermediate_size": 20{more}}}"#
        );
        DebertaConfig::parse(json.as_bytes(), "config.json").unwrap()
    }

    #[test]
    fn operations_equal_the_count_by_hand() {
        // 5 tokens, one layer: 4 projections of 8 x 8, 2 of 8 x 20, scores and context 5 x 5 x 8 each.
        let layer = 5 * (4 * 64 + 2 * 160) + 2 * 200;
        // The pooler, 8 x 8, and the head, 8 x 2.
        assert_eq!(config("").operations(5), 2 * (3 * layer + 64 + 16));
        // Distances -4..=4 reach 9 slots; each of two terms multiplies 5 x 9 x 8.
        let relative = r#", "relative_attention": true, "pos_att_type": "c2p|p2c", "position_buckets": 16"#;
        assert_eq!(config(relative).operations(5), 2 * (3 * (layer + 2 * 360) + 64 + 16));
    }

    #[test]
    fn far_distances_share_slots() {
        let relative = r#", "relative_attention": true, "pos_att_type": "c2p", "position_buckets": 4, "max_relative_positions": 64"#;
        // 100 tokens reach all 8 slots of a span of 4, no more.
        let layer = 100 * (4 * 64 + 2 * 160) + 2 * 100 * 100 * 8 + 100 * 8 * 8;
        assert_eq!(config(relative).operations(100), 2 * (3 * layer + 64 + 16));
    }
}
