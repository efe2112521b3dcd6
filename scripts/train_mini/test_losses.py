"""Checks of losses and batches; needs torch: python -m unittest test_losses"""

import math
import unittest
from types import SimpleNamespace

import torch

from average import mean_weights
from batches import UNKNOWN, Example, epoch_batches, supported_tokens, unit_numbers, units
from failure import Failure
from losses import pair_losses, token_losses, unit_losses
from pairs import Pair

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILMENT = range(4)


def example(length, group=""):
    return Example([1] * length, [0] * length, NOT_ENTAILMENT, group)


class Losses(unittest.TestCase):
    def test_of_a_pair(self):
        logits = torch.tensor([[0.5, 0.25, 0.25]]).log()
        for label, probability in ((ENTAILMENT, 0.5), (NEUTRAL, 0.25), (NOT_ENTAILMENT, 0.25 + 0.25)):
            self.assertAlmostEqual(pair_losses(logits, torch.tensor([label])).item(), -math.log(probability), places=6)

    def test_of_a_group_is_that_of_its_most_entailed_pair(self):
        entailed = [0.1, 0.7, 0.4, 0.2]
        logits = torch.tensor([[p, (1 - p) / 2, (1 - p) / 2] for p in entailed]).log().requires_grad_()
        numbers = torch.tensor([0, 0, 0, 1])
        for label, expected in ((NOT_ENTAILMENT, [-math.log(1 - 0.7), -math.log(1 - 0.2)]),
                                (ENTAILMENT, [-math.log(0.7), -math.log(0.2)])):
            labels = torch.full((4,), label)
            losses = unit_losses(pair_losses(logits, labels), labels, numbers)
            for loss, value in zip(losses.tolist(), expected, strict=True):
                self.assertAlmostEqual(loss, value, places=5)
            gradient, = torch.autograd.grad(losses.sum(), logits)
            self.assertEqual([row.abs().sum().item() > 0 for row in gradient], [False, True, False, True])


class TokenLosses(unittest.TestCase):
    def test_is_the_mean_over_known_tokens(self):
        right, wrong = 0.9, 0.2  # probabilities that a token is supported
        token_logits = torch.tensor([[right, wrong, 0.5], [0.5, 0.5, 0.5]]).logit()
        losses = token_losses(token_logits, torch.tensor([[1, 0, UNKNOWN], [UNKNOWN] * 3]))
        self.assertAlmostEqual(losses[0].item(), -(math.log(right) + math.log(1 - wrong)) / 2, places=5)
        self.assertEqual(losses[1].item(), 0)

    def test_tokens_of_the_hypothesis_are_known_by_their_places(self):
        encoding = SimpleNamespace(sequence_ids=[None, 0, None, 1, 1, 1, None],
                                   offsets=[(0, 0), (0, 4), (0, 0), (0, 3), (4, 9), (9, 10), (0, 0)])
        wrong = Pair("Text", "Ann slept.", "contradiction", "toy", unsupported=((4, 9),))
        self.assertEqual(supported_tokens(wrong, encoding), (-1, -1, -1, 1, 0, 1, -1))
        self.assertEqual(supported_tokens(Pair("Text", "Ann slept.", "entailment", "toy"), encoding), (-1, -1, -1, 1, 1, 1, -1))
        self.assertEqual(supported_tokens(Pair("Text", "Ann slept.", "neutral", "toy"), encoding), ())


class Averages(unittest.TestCase):
    def test_is_the_mean_of_each_tensor(self):
        models = [{"a": torch.tensor([1.0, 2.0]).half()}, {"a": torch.tensor([3.0, 5.0]).half()}]
        self.assertEqual(mean_weights(models)["a"].tolist(), [2.0, 3.5])
        with self.assertRaises(Failure):
            mean_weights([models[0], {"b": models[1]["a"]}])


class Batches(unittest.TestCase):
    def test_a_group_is_never_split(self):
        examples = [example(5 + number % 7, f"group {number // 3}" if number < 60 else "") for number in range(100)]
        batches = epoch_batches(examples, 40, seed=1, epoch=0)
        self.assertEqual(sorted(index for batch in batches for index in batch), list(range(100)))
        for start in range(0, 60, 3):
            self.assertEqual(sum(start in batch and start + 1 in batch and start + 2 in batch for batch in batches), 1)

    def test_without_groups_every_pair_is_a_unit(self):
        examples = [example(4) for _ in range(3)]
        self.assertEqual(units([0, 1, 2], examples), [[0], [1], [2]])
        self.assertEqual(unit_numbers(examples, "cpu").tolist(), [0, 1, 2])


if __name__ == "__main__":
    unittest.main()
