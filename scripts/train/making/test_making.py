"""Tests of the rules that make pairs, without torch and without the engine: python3 -m unittest test_making"""

import random
import unittest

from contexts import MOST_WORDS, around, padded, tokenised
from dialogues import exchange, speech, third_person
from documents import join
from edits import Edit, NamePool, changed_number, choose_edit, name_kind, names
from make_pairs import both_ways, coverage
from mine import worst
from nearness import Index
from phrasing import active, adverbial_last, reword

SENTENCE = "In 1990 Maria Lopez sold three boats to John Smith in Lisbon."


class Edits(unittest.TestCase):
    def test_whole_words_are_replaced_and_capitals_kept(self):
        self.assertEqual(Edit("opposite", "first", "last").apply("First firsts first."), "Last firsts last.")

    def test_an_exchange_is_its_own_inverse(self):
        edit = Edit("roles", "Maria Lopez", "John Smith", exchange=True)
        self.assertEqual(edit.apply(SENTENCE), "In 1990 John Smith sold three boats to Maria Lopez in Lisbon.")
        self.assertEqual(edit.apply(edit.apply(SENTENCE)), SENTENCE)

    def test_the_places_of_an_edit(self):
        edit = Edit("name", "Maria Lopez", "Ann Lee")
        self.assertEqual(edit.places("Today Maria Lopez sold a boat."), [[6, 17]])
        self.assertEqual(edit.places("Ann Lee sold a boat."), [[0, 7]])

    def test_names_and_their_kinds(self):
        self.assertEqual(names(SENTENCE), ["Maria Lopez", "John Smith", "Lisbon"])
        self.assertEqual([name_kind(name) for name in ("Maria Lopez", "Paris", "Bank of Spain", "French")],
                         ["person", "place", "organisation", "nationality"])

    def test_a_number_changes_and_keeps_its_form(self):
        for seed in range(200):
            choose = random.Random(seed)
            for number in ("0", "7", "1990", "12,500", "3.5"):
                new = changed_number(number, choose)
                self.assertNotEqual(new, number)
                self.assertEqual("." in new, "." in number)

    def test_an_edit_changes_both_claim_and_sentence(self):
        pool = NamePool([SENTENCE, "Paris is near."])
        for seed in range(100):
            edit = choose_edit("Maria Lopez sold three boats.", SENTENCE, SENTENCE, pool, random.Random(seed))
            for text in ("Maria Lopez sold three boats.", SENTENCE):
                self.assertNotEqual(edit.apply(text), text, edit)

    def test_a_claim_alone_tells_nothing(self):
        rows = both_ways(SENTENCE, "Maria Lopez sold three boats.", Edit("number", "three", "six"), "toy")
        labels = {}
        for row in rows:
            labels.setdefault(row["hypothesis"], set()).add(row["label"])
        self.assertEqual(labels, {"Maria Lopez sold three boats.": {"entailment", "contradiction"},
                                  "Maria Lopez sold six boats.": {"entailment", "contradiction"}})
        wrong = [row for row in rows if row["label"] == "contradiction"]
        self.assertEqual([row["hypothesis"][start:end] for row in wrong for start, end in row["unsupported"]], ["three", "six"])


class Rewording(unittest.TestCase):
    def test_shapes(self):
        self.assertEqual(active("The house was built by Ann Lee."), "Ann Lee built the house.")
        self.assertEqual(adverbial_last("In 1990, the house was sold again."), "The house was sold again in 1990.")
        self.assertIsNone(active("The house was gone by Monday."))

    def test_the_same_seed_gives_the_same_words(self):
        claim = "The film began in 1990 and several people died."
        self.assertEqual(reword(claim, random.Random(3)), reword(claim, random.Random(3)))


class Contexts(unittest.TestCase):
    def test_the_own_sentence_is_always_there_and_the_order_kept(self):
        sentences = [f"Sentence number {number} of the text." for number in range(9)]
        for seed in range(200):
            choose = random.Random(seed)
            window, place = around(sentences, 4, 3, choose)
            self.assertEqual(window[place], sentences[4])
            made = padded(window, place, ["Other one.", "Other two."], 5, choose)
            self.assertEqual([one for one in made if one in sentences], window)
            self.assertEqual(len(made), 5)

    def test_no_premise_grows_past_its_limit_for_its_neighbours(self):
        others = [f"{number} " + "word " * 100 for number in range(9)]
        made = padded(["Own sentence."], 0, others, 9, random.Random(1))
        self.assertLessEqual(sum(len(one.split()) for one in made), MOST_WORDS)
        self.assertIn("Own sentence.", made)

    def test_tokenised(self):
        self.assertEqual(tokenised("He didn't go (yet). Ann's car."), "He did n't go -LRB- yet -RRB- . Ann 's car .")


class Documents(unittest.TestCase):
    def test_windows_of_one_text_are_joined(self):
        cuts = [[("A b.", []), ("C d.", [])], [("C d.", []), ("E f.", [])], [("Other.", [])]]
        self.assertEqual([document.sentences for document in join(cuts, "toy", set())],
                         [("A b.", "C d.", "E f."), ("Other.",)])

    def test_texts_that_go_on_differently_stay_apart(self):
        cuts = [[("A b.", []), ("C d.", [])], [("A b.", []), ("E f.", [])]]
        self.assertEqual(sorted(document.sentences for document in join(cuts, "toy", set())), [("A b.",), ("C d.",), ("E f.",)])


class Dialogues(unittest.TestCase):
    def test_the_first_person_is_told_by_a_third(self):
        self.assertEqual(third_person("I'm late and I like my tea.", "Ann", "Ben"), "Ann is late and Ann likes Ann's tea.")
        self.assertEqual(third_person("I went home.", "Ann", "Ben"), "Ann went home.")

    def test_every_slot_is_filled(self):
        for seed in range(300):
            turns, claims = exchange(["Ann", "Ben", "Cid"], random.Random(seed))
            self.assertNotRegex(" ".join(turns + claims), r"[{}]")

    def test_a_claim_names_its_speaker(self):
        self.assertIn("Ann", speech("The train is late.", "Ann", "Ben", random.Random(0)))


class Mining(unittest.TestCase):
    def test_nearest_by_rare_words(self):
        index = Index(["the red house", "the old boat", "a red boat", "other things here"])
        self.assertEqual(index.nearest("old boat", 2), [1, 2])
        self.assertEqual(index.nearest("old boat", 2, {1}), [2])

    def test_the_worst_of_each_group_is_kept(self):
        rows = [{"group": group} for group in "aabb"]
        self.assertEqual(worst(rows, [0.1, 0.7, None, 0.2], 1), [rows[1], rows[3]])
        self.assertEqual(worst(rows, [0.5, 0.5, 0.0, 0.0], 1), [rows[0], rows[2]])

    def test_coverage(self):
        self.assertEqual(coverage("The red boat sank.", "A red boat."), 0.5)  # red, boat of the, red, boat, sank


if __name__ == "__main__":
    unittest.main()
