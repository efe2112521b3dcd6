"""Short texts drawn at random, for loads."""

import random

PLACES = "Harwell Dunmore Ashby Corby Selby Wells Ripon Truro Ely Bath Leeds York Derby Hull Crewe Luton".split()
THINGS = "pool library bridge market school station bakery museum theatre harbour park road mill church garden tower".split()
MONTHS = "January February March April May June July August September October November December".split()


class Texts:
    def __init__(self, seed):
        self.numbers = random.Random(seed)

    def sentence(self):
        place, thing, month = (self.numbers.choice(words) for words in (PLACES, THINGS, MONTHS))
        year, people = self.numbers.randrange(1800, 2030), self.numbers.randrange(100, 99999)
        return self.numbers.choice([
            f"The {thing} in {place}, which opened in {year}, closes in {month}, the council said on Monday.",
            f"About {people} people a year visit the {thing} of {place}, more than any other in the county.",
            f"Repairs of the {thing} in {place} would cost {people} pounds and take until {month} {year}.",
        ])

    def text(self, sentences):
        return " ".join(self.sentence() for _ in range(sentences))

    def pair(self, sentences, claims):
        return {"document": self.text(sentences), "summary": self.text(claims)}
