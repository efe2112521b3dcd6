"""Checks of what is written; needs torch and transformers: python -m unittest test_export"""

import unittest

import torch

from export import rounded_rows


class RoundedRows(unittest.TestCase):
    def setUp(self):
        sizes = torch.logspace(-7, 4, 200)[:, None]
        self.table = torch.randn(200, 48, generator=torch.Generator().manual_seed(1)) * sizes
        self.table[7] = 0
        self.rounded = rounded_rows(self.table)

    def test_are_exact_in_float16(self):
        self.assertTrue(torch.equal(self.rounded.half().float(), self.rounded))

    def test_have_at_most_255_values_each(self):
        self.assertTrue(all(row.unique().numel() <= 255 for row in self.rounded))

    def test_are_near_by(self):
        largest = self.table.abs().amax(1, keepdim=True).clamp(min=127 * 2.0**-20)
        self.assertTrue(((self.rounded - self.table).abs() <= largest / 127 * 9 / 8 / 2).all())

    def test_stay_when_rounded_again(self):
        self.assertTrue(torch.equal(rounded_rows(self.rounded), self.rounded))


if __name__ == "__main__":
    unittest.main()
