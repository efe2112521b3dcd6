"""Measures what `veridic` says that the document says instead (docs/measurements/accuracy.md).

Standard library only. Summaries are made by rules of this file alone, so that the program's own parser is not measured by itself.

    make    sentences of documents made false (numbers, dates, names, exchanged names) and consistent rewordings
    list    what `instead` fires on, for a person to judge
    report  tables and benches/runs/contrast.json from runs, labels and judgements

Rows of `make` have the field `kind`, `half` (tune or test), and where they are false `truth`, what the document says.
"""

import argparse
import json
import math
import pathlib
import random
import re
import sys

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
DATE = re.compile(
    r"\b(?:%s) \d{1,2}\b(?!,? \d{4})|\b\d{1,2} (?:%s)\b(?! \d{4})|\b(?:19|20)\d\d\b(?![-–])|\b(?:%s)\b"
    % ("|".join(MONTHS), "|".join(MONTHS), "|".join(DAYS))
)
NUMBER = re.compile(
    r"(?<![\w.,$£€/-])(?P<sign>[$£€]?)(?P<digits>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)"
    r"(?P<unit> ?(?:%|per cent|percent)| (?:million|billion)|)(?![\w/:-]|\.\d|,\d)"
)
NAME = re.compile(r"(?<![.!?\"“'] )(?<!^)(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}(?![\w-]| [A-Z])")
LIST = re.compile(r"^[\s,]*(?:and|or|with|v|vs|,|&|against|met|in|of|at)?[\s,]*$")
SYMMETRIC = re.compile(
    r"\b(?:with|and|met|meets|between|married|against|together|join\w*|drew|draw|versus|spoke|talks?|agreed|both|couple|"
    r"partner|friend|brother|sister|teammate|rival|called|known as|aka)\b"
)


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def sentences(document):
    """Sentences of plain shape: 8 to 35 words, one capital start, a stop at the end, no quotation."""
    found = re.split(r"(?<=[a-z0-9%)][.!?])\s+(?=[A-Z])|\n+", document)
    found = [sentence.strip() for sentence in found]
    plain = re.compile(r"^[A-Z][^\"“”‘`|\n]*[.]$")
    return [one for one in found if plain.match(one) and 8 <= len(one.split()) <= 35]


def value(match):
    scale = {" million": 1e6, " billion": 1e9}.get(match["unit"], 1.0)
    return float(match["digits"].replace(",", "")) * scale


def sort_of_number(match):
    unit = match["unit"].strip().replace("percent", "per cent").replace("%", "per cent")
    return match["sign"], unit


def is_year(match):
    return not match["sign"] and not match["unit"] and re.fullmatch(r"(?:19|20)\d\d", match["digits"])


def numbers(text):
    found = (match for match in NUMBER.finditer(text) if not is_year(match))
    # "3 May", "May 3".
    dates = [match.span() for match in DATE.finditer(text)]
    return [m for m in found if not any(start <= m.start() < end for start, end in dates)]


def sort_of_date(text):
    if text in DAYS:
        return "day"
    if text.isdigit():
        return "year"
    return "day of month"


def replace(sentence, span, text):
    return sentence[: span[0]] + text + sentence[span[1] :]


def false_number(sentence, document, random_):
    own = [match for match in numbers(sentence) if value(match) > 2]
    random_.shuffle(own)
    for match in own:
        near = lambda other: abs(value(other) - value(match)) <= 0.25 * max(value(other), value(match))
        others = sorted(
            {
                other.group()
                for other in numbers(document)
                if sort_of_number(other) == sort_of_number(match)
                and value(other) > 2
                and not near(other)
                and other.group() not in sentence
            }
        )
        if others:
            return replace(sentence, match.span(), random_.choice(others)), match.group()
    return None


def false_date(sentence, document, random_):
    own = list(DATE.finditer(sentence))
    random_.shuffle(own)
    for match in own:
        others = sorted(
            {
                other.group()
                for other in DATE.finditer(document)
                if sort_of_date(other.group()) == sort_of_date(match.group()) and other.group() not in sentence
            }
        )
        if others:
            return replace(sentence, match.span(), random_.choice(others)), match.group()
    return None


def plain_names(text):
    skip = set(MONTHS) | set(DAYS)
    return [match for match in NAME.finditer(text) if not skip & set(match.group().split())]


def share_a_word(one, other):
    return bool(set(one.lower().split()) & set(other.lower().split()))


def false_name(sentence, document, random_):
    own = plain_names(sentence)
    random_.shuffle(own)
    for match in own:
        others = sorted(
            {
                other.group()
                for other in plain_names(document)
                if not share_a_word(other.group(), sentence) and len(other.group().split()) == 2
            }
        )
        if others and len(match.group().split()) == 2:
            return replace(sentence, match.span(), random_.choice(others)), match.group()
    return None


def false_roles(sentence, _, random_):
    # Both names may open the sentence here.
    opening = re.compile(r"(?:(?<=^)|(?<=[a-z,] ))[A-Z][a-z]+ [A-Z][a-z]+(?![\w-]| [A-Z])")
    own = [match for match in opening.finditer(sentence) if not set(MONTHS + DAYS) & set(match.group().split())]
    pairs = [(a, b) for place, a in enumerate(own) for b in own[place + 1 :]]
    random_.shuffle(pairs)
    for first, second in pairs:
        between = sentence[first.end() : second.start()]
        if LIST.match(between) or SYMMETRIC.search(between) or share_a_word(first.group(), second.group()):
            continue
        if len(between.split()) < 2:
            continue
        swapped = second.group() + between + first.group()
        return replace(sentence, (first.start(), second.end()), swapped), sentence[first.start() : second.end()]
    return None


def digits_to_words(sentence, *_):
    match = re.search(r"(?<![\w.,$£€/-])(?<!\. )([3-9]|1[0-2]) (?=[a-z]{4,}s\b)(?!months?\b)", sentence)
    return match and replace(sentence, match.span(1), SMALL[int(match[1])])


def words_to_digits(sentence, *_):
    match = re.search(r"(?<!-)\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?=[a-z]{4,}s\b)", sentence)
    return match and replace(sentence, match.span(1), str(SMALL.index(match[1])))


def millions(sentence, *_):
    match = re.search(r"(?<![\w.,-])(?<!\. )(\d+(?:\.\d{1,2})?) million\b(?! (?:and|to))", sentence)
    if match:
        return replace(sentence, match.span(), f"{round(float(match[1]) * 1e6):,}")
    match = re.search(r"(?<![\w.,-])(\d{1,3}),(\d)00,000(?![\d,])", sentence)
    return match and replace(sentence, match.span(), f"{match[1]}.{match[2]} million".replace(".0 ", " "))


def shares(sentence, *_):
    match = re.search(r"(?<=\d)(?: per cent| percent)\b(?!age)", sentence)
    if match:
        return replace(sentence, match.span(), "%")
    match = re.search(r"(?<=\d)%", sentence)
    return match and replace(sentence, match.span(), " per cent")


def day_of_month(sentence, *_):
    months = "|".join(MONTHS)
    match = re.search(rf"\b(\d{{1,2}}) ({months})\b(?! \d)", sentence)
    if match:
        return replace(sentence, match.span(), f"{match[2]} {match[1]}")
    match = re.search(rf"\b({months}) (\d{{1,2}})\b(?!,? \d)", sentence)
    return match and replace(sentence, match.span(), f"{match[2]} {match[1]}")


def dollars(sentence, *_):
    match = re.search(r"(?<![^\s(])\$(\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?)(?![\w.,-]*\d)(?![-\w])", sentence)
    if match:
        return replace(sentence, match.span(), f"{match[1]} dollars")
    match = re.search(r"(?<![^\s(])£(\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?)(?![\w.,-]*\d)(?![-\w])", sentence)
    return match and replace(sentence, match.span(), f"{match[1]} pounds")


def person(sentence, document, random_):
    """Mr X <-> X; a full name of the document for its surname."""
    match = re.search(r"\b(?:Mr|Mrs|Ms|Dr)\.? ([A-Z][a-z]+)\b(?! [A-Z])", sentence)
    if match:
        full = sorted({m for m in re.findall(rf"\b[A-Z][a-z]+ {match[1]}\b", document) if m.split()[0] not in ("Mr", "Mrs", "Ms", "Dr")})
        return replace(sentence, match.span(), full[0] if len(full) == 1 else match[1])
    for match in plain_names(sentence):
        surname = match.group().split()[-1]
        if len(match.group().split()) == 2 and re.search(rf"\b(?:Mr|Mrs|Ms|Dr)\.? {surname}\b", document):
            return replace(sentence, match.span(), surname)
    return None


def states(sentence, *_):
    match = re.search(r"\bthe U\.?S\.?(?=[ ,])(?! [A-Z])", sentence)
    if match:
        return replace(sentence, match.span(), "the United States")
    match = re.search(r"\bthe (?:United States|UK|United Kingdom)\b(?! [A-Z])", sentence)
    if match:
        return replace(sentence, match.span(), {"the UK": "the United Kingdom", "the United Kingdom": "the UK"}.get(match.group(), "the US"))
    return None


FALSE = {"number": false_number, "date": false_date, "name": false_name, "roles": false_roles}
REWORDED = {
    "digits to words": digits_to_words,
    "words to digits": words_to_digits,
    "millions": millions,
    "shares": shares,
    "day of month": day_of_month,
    "currency": dollars,
    "person": person,
    "state": states,
}


def make(arguments):
    random_ = random.Random(arguments.seed)
    shown = {row["document"] for path in arguments.without for row in read(path)}
    documents = sorted({row["document"] for path in arguments.data for row in read(path) if "document" in row} - shown)
    random_.shuffle(documents)
    rows = []
    for name, change, count in [(n, c, arguments.false) for n, c in FALSE.items()] + [
        (n, c, arguments.reworded // len(REWORDED)) for n, c in REWORDED.items()
    ]:
        made, order = [], documents[:]
        random_.shuffle(order)
        for document in order:
            if len(made) == count:
                break
            pool = sentences(document)
            random_.shuffle(pool)
            for sentence in pool:
                changed = change(sentence, document, random_)
                summary, truth = changed if isinstance(changed, tuple) else (changed, None)
                # Nor may the false sentence be one of the document's.
                if summary and summary != sentence and summary not in document:
                    row = {"document": document, "summary": summary, "kind": name, "is_false": name in FALSE}
                    made.append({**row, "truth": truth, "sentence": sentence})
                    break
        for place, row in enumerate(made):
            rows.append({"id": f"{name}-{place}", "half": "tune" if place % 2 == 0 else "test", **row})
        print(f"{name}: {len(made)}", file=sys.stderr)
    with open(arguments.out, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def fired(result):
    return [claim for claim in result.get("claims", []) if claim.get("instead")]


def list_(arguments):
    """What fires, one a paragraph; judgements are kept by key."""
    judged = judgements(arguments.judgements)
    shown = 0
    for path in arguments.runs:
        for row, result in enumerate(read(path)):
            for place, claim in enumerate(result.get("claims", [])):
                instead = claim.get("instead")
                key = f"{pathlib.Path(path).stem} {row} {place}"
                if not instead or key in judged or shown == arguments.read:
                    continue
                shown += 1
                counter = claim["counter_evidence"] or {"text": ""}
                print(f"{key}\n  label    {result.get('input', {}).get('label')}")
                print(f"  claim    {claim['text']}\n  sentence {counter['text']}")
                print(f"  {instead['kind']:8} {instead['text']} -> {instead['document']} (+{instead['gain']:.2f})\n")


def judgements(path):
    """right or wrong, by key; the file has key, judgement and reason, separated by tabs."""
    if not path or not pathlib.Path(path).exists():
        return {}
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line.strip()]
    return {key: judgement == "right" for key, judgement, *_ in fields}


def interval(hits, count, z=1.96):
    """Wilson's interval of a share."""
    if not count:
        return [0.0, 1.0]
    share = hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return [max(0.0, middle - half), min(1.0, middle + half)]


def share(hits, count):
    return {"hits": hits, "of": count, "share": hits / count if count else None, "interval": interval(hits, count)}


def auc(rows):
    """The share of (consistent, inconsistent) pairs in the right order; ties count half."""
    good = [score for score, label in rows if label]
    bad = [score for score, label in rows if not label]
    wins = sum((a > b) + (a == b) / 2 for a in good for b in bad)
    return wins / (len(good) * len(bad)) if good and bad else None


def by_id(path):
    return {str(result["id"]): result for result in read(path) if "score" in result}


def by_row(path):
    """Results by the number of their row: ids of a set may repeat."""
    return {row: result for row, result in enumerate(read(path)) if "score" in result}


def generated(on_path, off_path, rows_path):
    rows = {row["id"]: row for row in read(rows_path)}
    on, off = by_id(on_path), by_id(off_path)
    table = []
    for half in ["tune", "test"]:
        for kind in [*FALSE, *REWORDED]:
            chosen = [row for row in rows.values() if row["kind"] == kind and row["half"] == half and row["id"] in on]
            says = [row for row in chosen if fired(on[row["id"]])]
            truths = [
                row for row in says
                if row["truth"] and any(claim["instead"]["document"] in row["truth"] or row["truth"] in claim["instead"]["document"] for claim in fired(on[row["id"]]))
            ]
            passes = lambda results: sum(results[row["id"]]["verdict"] == "supported" for row in chosen)
            lost = [row["id"] for row in chosen if off[row["id"]]["verdict"] == "supported" != on[row["id"]]["verdict"]]
            certain = sum(any(c.get("certainty") for c in on[row["id"]]["claims"]) for row in chosen)
            table.append({
                "half": half, "kind": kind, "false": kind in FALSE, "rows": len(chosen), "instead": len(says), "right": len(truths),
                "supported_without": passes(off), "supported_with": passes(on), "lost": lost, "insensitive": certain,
            })
    return table


def costs(pairs):
    """Pairs with and without, by file."""
    table = []
    for on_path, off_path in pairs:
        on, off = by_row(on_path), by_row(off_path)
        keys = [key for key in on if key in off]
        count = lambda results, *fields: sum(results[key]["ledger"].get(field, 0) for key in keys for field in fields)
        claims = sum(len(on[key]["claims"]) for key in keys)
        without, extra = count(off, "premises"), count(on, "contrast_pairs")
        table.append({
            "file": pathlib.Path(on_path).stem, "rows": len(keys), "claims": claims, "pairs": without, "contrast_pairs": extra,
            "ratio": (count(on, "premises") + extra) / without,
            "instead": sum(len(fired(on[key])) for key in keys),
            "insensitive": sum(bool(claim.get("certainty")) for key in keys for claim in on[key]["claims"]),
        })
        labelled = [key for key in keys if on[key].get("input", {}).get("label") is not None]
        label = lambda key: on[key]["input"]["label"] == 1
        table[-1]["auc_without"] = auc([(off[key]["score"], label(key)) for key in labelled])
        table[-1]["auc_with"] = auc([(on[key]["score"], label(key)) for key in labelled])
        table[-1]["consistent_fired"] = sum(bool(fired(on[key])) for key in labelled if label(key))
        table[-1]["inconsistent_fired"] = sum(bool(fired(on[key])) for key in labelled if not label(key))
    return table


def print_table(rows, columns):
    if not rows:
        return
    cell = lambda value: f"{value:.3f}" if isinstance(value, float) else "" if value is None else str(value)
    lines = [columns] + [[cell(row[column]) for column in columns] for row in rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())
    print()


def report(arguments):
    known = judgements(arguments.judgements)
    result = {"command": sys.argv, "precision": share(sum(known.values()), len(known))}
    print(f"precision: {sum(known.values())} of {len(known)} right\n")
    if arguments.generated:
        table = generated(*arguments.generated)
        result["generated"] = table
        print_table(table, ["half", "kind", "rows", "instead", "right", "supported_without", "supported_with", "insensitive"])
        test = [row for row in table if row["half"] == "test"]
        of = lambda false, field: sum(row[field] for row in test if row["false"] == false)
        result["recall"] = share(of(True, "instead"), of(True, "rows"))
        result["false_alarms"] = share(
            sum(row["instead"] for row in table if not row["false"]), sum(row["rows"] for row in table if not row["false"])
        )
        print(f"recall (test half): {result['recall']}\nfalse alarms: {result['false_alarms']}\n")
    if arguments.runs:
        table = costs([path.split(":") for path in arguments.runs])
        result["runs"] = table
        print_table(table, ["file", "rows", "claims", "pairs", "contrast_pairs", "ratio", "instead", "insensitive", "auc_without", "auc_with", "consistent_fired", "inconsistent_fired"])
        ratios = [row["ratio"] for row in table]
        aucs = [(row["auc_with"], row["auc_without"]) for row in table if row["auc_with"] is not None]
        result["mean_ratio"] = sum(ratios) / len(ratios)
        if aucs:
            result["mean_auc_with"], result["mean_auc_without"] = (sum(column) / len(aucs) for column in zip(*aucs))
        print({key: round(result[key], 4) for key in result if key.startswith("mean")})
    if arguments.out:
        pathlib.Path(arguments.out).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make")
    command.add_argument("data", nargs="+", help="JSON Lines with the field document")
    command.add_argument("--without", nargs="*", default=[], help="files whose documents are left out")
    command.add_argument("--false", type=int, default=100, help="false summaries of each kind")
    command.add_argument("--reworded", type=int, default=200, help="consistent rewordings in all")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--out", required=True)
    command.set_defaults(run=make)
    command = commands.add_parser("list")
    command.add_argument("runs", nargs="+", help="output of `veridic run`")
    command.add_argument("--read", type=int, default=100, help="how many to list")
    command.add_argument("--judgements", help="key, right or wrong, reason: those that are there are left out")
    command.set_defaults(run=list_)
    command = commands.add_parser("report")
    command.add_argument("--judgements")
    command.add_argument("--generated", nargs=3, metavar=("WITH", "WITHOUT", "ROWS"))
    command.add_argument("--runs", nargs="*", default=[], metavar="WITH:WITHOUT")
    command.add_argument("--out")
    command.set_defaults(run=report)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
