"""python -m unittest, in this folder, with the packages of scripts/fixtures/requirements.txt."""
import pathlib
import random
import sys
import tempfile
import types
import unittest

import torch
from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, MPNetConfig, MPNetForSequenceClassification

import deberta
import losses
import mpnet
import networks
import soft
import spans
import train
sys.path.insert(0, str(pathlib.Path(__file__).parent / "kinds"))
import pairs
from mixture import UNKNOWN, Pair, batches, blamed, first_rows, groups_of, tensors


class Offsets:
    """Stands in for an encoding of tokenizers."""

    def __init__(self, *offsets):
        self.offsets, self.ids = list(offsets), list(range(len(offsets)))


def row(premise, hypothesis, label="entailment", **more):
    return {"premise": premise, "hypothesis": hypothesis, "label": label, **more}


class Spans(unittest.TestCase):
    def unsupported(self, *rows):
        return [[row["hypothesis"][start:end] for start, end in row.get("unsupported", [])] for row in spans.marked(list(rows))]

    def test_words_that_the_entailed_hypothesis_of_the_same_premise_lacks(self):
        premise = "Bo sold the red car on Monday."
        rows = [row(premise, "Bo sold a red car."), row(premise, "Bo bought a red car.", "contradiction")]
        self.assertEqual(self.unsupported(*rows), [[], ["bought"]])

    def test_words_that_are_gone_from_the_premise(self):
        rows = [
            row("The vote on the new bridge was held in Lund on Monday at noon.", "They voted on Monday."),
            row("The vote on the new bridge was held in Lund on Friday at noon.", "They voted on Monday.", "contradiction"),
        ]
        self.assertEqual(self.unsupported(*rows), [[], ["Monday"]])

    def test_a_hypothesis_that_says_something_else_has_no_words_to_blame(self):
        rows = [row("It rained in Oslo.", "It rained in Oslo."), row("It rained in Oslo.", "Ten cats were sold there.", "neutral")]
        self.assertEqual(self.unsupported(*rows), [[], []])


class Documents(unittest.TestCase):
    def test_a_layout_stays_as_it_is(self):
        text = "# a1 table\n| Q1   ⟦5¦7⟧ |\n  {x}\n-----\norder EC Q1 has five.\n=====\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.txt")
            path.write_text(text, encoding="utf-8")
            read = [(pair["premise"], pair["label"], pair["genre"]) for pair in pairs.pairs(path)]
        self.assertEqual(read, [("| Q1   5 |\n  {x}", "entailment", "table"), ("| Q1   7 |\n  {x}", "contradiction", "table")])


class Mixture(unittest.TestCase):
    def test_tokens_of_an_entailed_hypothesis_are_not_to_blame_and_others_only_where_it_is_known(self):
        claim = Offsets((0, 2), (3, 9), (10, 13))
        self.assertEqual(blamed(row("", "It rained now"), claim), [0, 0, 0])
        self.assertEqual(blamed(row("", "It rained now", "neutral"), claim), [UNKNOWN] * 3)
        self.assertEqual(blamed(row("", "It rained now", "neutral", unsupported=[[5, 11]]), claim), [0, 1, 1])

    def test_pairs_of_one_hypothesis_stay_together_up_to_the_cap(self):
        groups = list(groups_of([row("a", "x"), row("b", "y"), row("c", "x")]))
        self.assertEqual([[pair["premise"] for pair in group] for group in groups], [["a", "c"], ["b"]])
        self.assertEqual([len(group) for group in first_rows(groups, 1)], [1])

    def test_every_pair_is_in_one_batch_of_the_budget(self):
        pairs = [Pair(list(range(length)), [0] * length, 0, number, [UNKNOWN] * length, None) for number, length in enumerate((5, 9, 2, 7))]
        made = list(batches(pairs, 16))
        self.assertEqual(sorted(pair.group for batch in made for pair in batch), [0, 1, 2, 3])
        self.assertTrue(all(len(batch) * max(len(pair.ids) for pair in batch) <= 16 for batch in made))
        self.assertEqual(tensors(made[0], 1).mask.sum().item(), sum(len(pair.ids) for pair in made[0]))


class Windows(unittest.TestCase):
    def test_a_window_is_consecutive_sentences_and_mostly_the_nearest(self):
        days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        premise = " ".join(f"It rained in Oslo all {day}." for day in days)
        made = [soft.window(row(premise, "It rained on Sunday."), random.Random(seed))["premise"] for seed in range(50)]
        self.assertTrue(all(window in premise and window.endswith(".") for window in made))
        self.assertEqual({window.count(".") for window in made}, {1, 2, 3, 4})
        self.assertGreater(sum("Sunday" in window for window in made), 30)

    def test_a_short_premise_has_none(self):
        self.assertIsNone(soft.window(row("One. Two. Three. Four.", "One."), random.Random(1)))


class Losses(unittest.TestCase):
    def test_not_entailed_is_either_of_two(self):
        logits = torch.tensor([[0.0, 5.0, -5.0], [0.0, -5.0, 5.0]])
        costs = losses.of_labels(logits, torch.tensor([3, 3]))
        self.assertTrue(torch.allclose(costs[0], costs[1]) and costs[0] < 0.01)

    def test_a_teacher_counts_where_there_is_one(self):
        logits, labels = torch.tensor([[2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), torch.tensor([0, 0])
        costs = losses.of_teacher(logits, torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), labels, 1.0)
        self.assertAlmostEqual((costs[0] - costs[1]).item(), 2.0, places=5)

    def test_order_is_within_a_group_alone(self):
        logits, labels = torch.tensor([[0.0, 3.0, 3.0], [3.0, 0.0, 0.0]]), torch.tensor([0, 1])
        self.assertEqual(losses.of_order(logits, labels, torch.tensor([1, 2])).item(), 0.0)
        self.assertGreater(losses.of_order(logits, labels, torch.tensor([1, 1])).item(), 1.0)

    def test_unknown_tokens_cost_nothing(self):
        blame = torch.tensor([[UNKNOWN, 1, 0], [UNKNOWN, UNKNOWN, UNKNOWN]])
        sure = torch.tensor([[9.0, 20.0, -20.0], [9.0, 9.0, 9.0]])
        self.assertLess(losses.of_tokens(sure, blame).item(), 1e-6)


class Networks(unittest.TestCase):
    def test_mpnet_computes_what_transformers_does(self):
        torch.manual_seed(0)
        sizes = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 48, "num_hidden_layers": 3, "vocab_size": 100, "max_position_embeddings": 514}
        network = MPNetForSequenceClassification(MPNetConfig(num_labels=3, initializer_range=0.3, **sizes)).eval()
        judge = networks.Mpnet(network)
        pairs = [Pair([5 + index % 90 for index in range(length)], [0] * length, 0, 0, [UNKNOWN] * length, None) for length in (600 - 90, 7, 40)]
        batch = tensors(pairs, judge.template.padding)
        logits, _ = judge(batch)
        theirs = network(input_ids=batch.ids, attention_mask=batch.mask).logits
        self.assertTrue(torch.allclose(logits, theirs, atol=1e-4))
        weights = [weight for name, weight in network.named_parameters() if weight.requires_grad and "embeddings" not in name and "token_head" not in name]
        ours, others = (torch.autograd.grad(some.square().sum(), weights) for some in (logits, theirs))
        for own, other in zip(ours, others):
            self.assertTrue(torch.allclose(own, other, atol=1e-3, rtol=1e-3))

    def test_deberta_computes_what_transformers_does(self):
        torch.manual_seed(0)
        sizes = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 48, "num_hidden_layers": 3, "vocab_size": 100}
        attention = {"relative_attention": True, "position_buckets": 8, "pos_att_type": ["p2c", "c2p"], "share_att_key": True, "norm_rel_ebd": "layer_norm"}
        dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "pooler_dropout": 0.0}
        config = DebertaV2Config(num_labels=3, type_vocab_size=2, initializer_range=0.3, pooler_hidden_act="gelu", **sizes, **attention, **dropout)
        network = DebertaV2ForSequenceClassification(config).eval()
        ids, types_of = torch.arange(5, 65).view(2, 30), torch.arange(30).gt(20).long().expand(2, -1)
        mask = torch.arange(30).lt(torch.tensor([[30], [17]])).long()
        ours = deberta.logits(network, ids, mask, types_of)
        theirs = network(input_ids=ids, attention_mask=mask, token_type_ids=types_of).logits
        self.assertTrue(torch.allclose(ours, theirs, atol=1e-4))
        weights = [weight for name, weight in network.named_parameters() if "embeddings.word" not in name]
        ours, others = (torch.autograd.grad(some.square().sum(), weights) for some in (ours, theirs))
        for own, other in zip(ours, others):
            self.assertTrue(torch.allclose(own, other, atol=1e-3, rtol=1e-3))

    def test_attention_on_a_gpu_is_the_same(self):
        torch.manual_seed(0)
        lengths = [3, 70]
        for queries in (lengths, [1, 1]):
            inputs = [torch.randn(sum(sizes), 2, 16, requires_grad=True) for sizes in (queries, lengths, lengths)]
            bias = torch.randn(2, 80, 80)
            one, other = (computed(*inputs, bias, queries, lengths) for computed in (mpnet.Attention.apply, mpnet.gpu_attention))
            self.assertTrue(torch.allclose(one, other, atol=1e-5))
            for own, theirs in zip(*(torch.autograd.grad(some.square().sum(), inputs) for some in (one, other))):
                self.assertTrue(torch.allclose(own, theirs, atol=1e-4))


class Rate(unittest.TestCase):
    def rates(self, shares, hold, after=None):
        return [round(train.rate_at(share, types.SimpleNamespace(hold=hold, after=after)), 3) for share in shares]

    def test_it_rises_stays_and_falls(self):
        self.assertEqual(self.rates((0.02, 0.3, 0.75, 1.0), hold=0.5), [0.5, 1.0, 0.5, 0.0])
        self.assertEqual(self.rates((0.02, 1.0), hold=1.0), [0.5, 1.0])

    def test_a_stage_after_another_does_not_rise(self):
        self.assertEqual(self.rates((0.0, 0.5), hold=0.0, after="state.pt"), [1.0, 0.5])


if __name__ == "__main__":
    unittest.main()
