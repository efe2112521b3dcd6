"""Conversations with claims about who said, wants or agreed to what.

Two kinds: exchanges written here, with places, times and things drawn at random; and
sentences of the documents attributed to speakers ("I am late." said by Ann becomes
"Ann is late."). Each claim names its speaker, so an edit can name the wrong one.
"""

import random
import re

from edits import WORDS

SAID = ("{who} says {what}", "{who} said that {what}", "{who} thinks that {what}", "According to {who}, {what}", "{who} tells {other} that {what}")
PAST = {"went", "was", "had", "got", "saw", "said", "told", "took", "came", "made", "did", "bought", "thought", "felt", "knew", "left", "met",
        "heard", "found", "gave", "lost", "wrote", "read", "put", "ran", "kept", "began", "grew", "spent", "could", "would", "should", "might",
        "must", "may", "can", "will", "never", "also", "always", "just", "really", "only", "even", "still", "then", "once", "already", "often", "ever"}
FILL = {
    "time": ("six", "seven", "eight", "half past nine", "noon", "ten", "five o'clock", "midnight"),
    "day": WORDS["days"][:7],
    "place": ("the station", "the cinema", "the office", "the library", "the park", "the airport", "the café", "school", "the gym", "the museum"),
    "thing": ("a cake", "some wine", "the tickets", "a blanket", "the keys", "pizza", "flowers", "a guitar", "the report", "a present"),
    "what": ("swimming", "hiking", "dancing", "shopping", "skating", "running", "camping", "bowling"),
    "relative": ("sister", "brother", "mother", "father", "cousin", "aunt", "boss", "neighbour", "uncle", "grandmother"),
    "feeling": ("tired", "sick", "busy", "nervous", "happy", "bored", "hungry", "worried"),
    "number": ("two", "three", "four", "twenty", "fifty", "a hundred", "six", "ten"),
}
EXCHANGES = (
    (("{A}: Can you pick me up from {place} at {time}?", "{B}: Sure, no problem."), ("{B} will pick {A} up from {place} at {time}.", "{B} agrees to fetch {A} from {place}.")),
    (("{A}: I can't come on {day}.", "{B}: What a pity. Why?", "{A}: I'm {feeling}."), ("{A} can't come on {day}.", "{A} is {feeling}.")),
    (("{A}: Who's bringing {thing}?", "{B}: I will.", "{C}: Great, I'll help."), ("{B} will bring {thing}.", "{C} offers to help.")),
    (("{A}: Shall we go {what} on {day}?", "{B}: I'd love to!"), ("{A} and {B} will go {what} on {day}.", "{B} accepts the invitation of {A} to go {what}.")),
    (("{A}: Shall we go {what} on {day}?", "{B}: Sorry, I'm {feeling}.", "{A}: Ok, another time."), ("{B} won't go {what} with {A}.", "{B} is {feeling}.")),
    (("{A}: My {relative} is coming on {day}.", "{B}: Oh! Is she staying long?", "{A}: {number} days."), ("{A} is expecting a visit of a {relative}.", "{A}'s {relative} is coming on {day}.", "{A}'s {relative} stays for {number} days.")),
    (("{A}: Did you buy {thing}?", "{B}: No, I forgot :(", "{A}: Never mind, I'll get it."), ("{B} forgot to buy {thing}.", "{A} will get {thing}.")),
    (("{A}: Where are you?", "{B}: At {place}, waiting for you.", "{A}: I'll be there in {number} minutes."), ("{B} is waiting for {A} at {place}.", "{A} will be there in {number} minutes.")),
    (("{A}: I lost my phone at {place}.", "{B}: Again?!", "{C}: I can lend you my old one."), ("{A} lost a phone at {place}.", "{C} offers {A} an old phone.")),
    (("{A}: How was {place}?", "{B}: Boring. I left at {time}."), ("{B} left {place} at {time}.", "{B} was bored.")),
    (("{A}: Could you lend me {number} dollars?", "{B}: I'm broke, ask {C}.", "{C}: I can give it to you on {day}."), ("{A} wants to borrow {number} dollars.", "{C} will lend {A} money on {day}.", "{B} has no money.")),
    (("{A}: Guess what, I got the job!", "{B}: Congratulations!", "{A}: I start on {day}."), ("{A} got a job.", "{A} starts working on {day}.", "{B} congratulates {A}.")),
    (("{A}: I'm at {place} with my {relative}.", "{B}: Say hi from me."), ("{A} is at {place} with {A}'s {relative}.", "{B} sends greetings to {A}'s {relative}.")),
    (("{A}: Do you like {what}?", "{B}: Not really, I prefer staying at home.", "{A}: Me too."), ("{B} doesn't like {what} much.", "{A} prefers staying at home, too.")),
    (("{A}: The meeting is moved to {day} at {time}.", "{B}: Does everybody know?", "{A}: {C} doesn't yet.", "{B}: I'll call {C}."), ("The meeting was moved to {day}.", "{B} will call {C}.", "{C} doesn't know that the meeting was moved.")),
    (("{A}: I need {thing} for {day}.", "{B}: My {relative} has one.", "{A}: Could you ask?"), ("{A} needs {thing} for {day}.", "{A} wants {B} to ask {B}'s {relative}.")),
    (("{A}: Are you done with the {what} plans?", "{B}: Almost. We meet at {time} in front of {place}."), ("They meet at {time} in front of {place}.", "{B} has almost finished the plans for {what}.")),
    (("{A}: You should see a doctor.", "{B}: I know, I have an appointment on {day}."), ("{B} has an appointment with a doctor on {day}.", "{A} advises {B} to see a doctor.")),
    (("{A}: I propose that we cut the budget by {number} percent.", "{B}: I'm against it.", "{C}: I agree with {A}."), ("{A} wants to cut the budget by {number} percent.", "{B} is against {A}'s proposal.", "{C} supports {A}'s proposal.")),
    (("{A}: Item {number} on the agenda is the school roof.", "{B}: The costs have doubled.", "{C}: Then we have to postpone it to {day}."), ("{B} says that the costs have doubled.", "{C} wants to postpone it to {day}.", "{C} thinks that the roof has to wait.")),
)


def exchange(speakers: list[str], choose: random.Random) -> tuple[list[str], list[str]]:
    """Turns and claims of one of the written exchanges between three speakers, with its slots filled."""
    turns, claims = choose.choice(EXCHANGES)
    fill = {slot: choose.choice(values) for slot, values in FILL.items()} | dict(zip("ABC", speakers))
    filled = [[text.format(**fill) for text in texts] for texts in (turns, claims)]
    return filled[0], [claim[:1].upper() + claim[1:] for claim in filled[1]]


def third_person(sentence: str, who: str, other: str) -> str:
    """A first-person sentence of `who` to `other`, in the third person."""
    def verb(found):
        word = found[1]
        if word.lower() in PAST or word.endswith("ed"):
            return f"{who} {word}"
        ending = "es" if re.search(r"(s|sh|ch|x|o)$", word) else "s"
        return f"{who} {word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{who} {word}{ending}"

    told = re.sub(r"\bI(?:'m| am)\b", f"{who} is", sentence)
    told = re.sub(r"\bI(?:'ve| have)\b", f"{who} has", told)
    told = re.sub(r"\bI'll\b", f"{who} will", told)
    told = re.sub(r"\bI'd\b", f"{who} would", told)
    told = re.sub(r"\bI (?:don't|do not)\b", f"{who} does not", told)
    told = re.sub(r"\bI (\w+)\b", verb, told)
    told = re.sub(r"\b(?:I|me|myself)\b", who, told)
    told = re.sub(r"\b[Mm]y\b", f"{who}'s", told)
    told = re.sub(r"\b[Yy]ou(?:'re| are)\b", f"{other} is", told)
    told = re.sub(r"\b[Yy]our\b", f"{other}'s", told)
    return re.sub(r"\b[Yy]ou\b", other, told)


def speech(sentence: str, who: str, other: str, choose: random.Random) -> str:
    """A claim that `who` says the sentence."""
    told = third_person(sentence, who, other)
    if re.search(r"\bI\b|I'", sentence) and choose.random() < 0.6:
        return told[:1].upper() + told[1:]
    first = told.split(" ", 1)[0]
    if first in ("The", "A", "An", "It", "He", "She", "They", "This", "That", "There", "In", "We", "And", "But", "So", "If", "When"):
        told = told[:1].lower() + told[1:]
    return choose.choice(SAID).format(who=who, other=other, what=told)


def mixed(turns: list[str], fillers: list[str], speakers: list[str], choose: random.Random) -> list[str]:
    """The turns in their order with other sentences said before and behind them."""
    said = [f"{choose.choice(speakers)}: {filler}" for filler in fillers]
    cut = choose.randint(0, len(said))
    return said[:cut] + turns + said[cut:]
