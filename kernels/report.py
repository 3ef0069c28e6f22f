"""Judges what the guests of kernels/run said, and writes the table. usage: report.py FILE... [--table DOCUMENT]

Exits with 1, and names it, when anything is broken: an attack of the selftest that succeeded, a step that could do what its policy
forbids, a process that outlived its run, a backend that refuses what doctor says it can, or a refusal that gives no way out.
"""

import collections
import json
import re
import sys

BACKENDS = ("mountns", "landlock")
BEGIN, END = "<!-- made by kernels/run -->", "<!-- end -->"
UNAVAILABLE = 125
FORBIDDEN = {
    11: "could not write where it may",
    12: "read a file outside its grants",
    13: "made a file outside its grants",
    14: "wrote to a file outside its grants",
    15: "read a blocked file",
}


class Place:
    """What one account was told in one world."""

    def __init__(self):
        self.asked = {}
        self.left = []


class Boot:
    """What one boot of a kernel said."""

    def __init__(self, file):
        self.kernel = None
        self.skipped = {}
        self.places = collections.defaultdict(Place)
        self.worlds = []
        ended = False
        with open(file, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                fields = line.rstrip("\r\n").split("\t")
                match fields[0]:
                    case "kernel":
                        self.kernel = fields[1]
                    case "world":
                        self.worlds.append(fields[1])
                    case "skipped":
                        self.skipped[fields[1]] = fields[2]
                    case "left":
                        self.places[fields[1], fields[2]].left.append(fields[3])
                    case "end":
                        ended = True
                    case what:
                        _, world, user, code, out, err = fields
                        self.places[world, user].asked[what] = (int(code), json.loads(out) if out else None, err)
        if not ended or self.kernel is None:
            sys.exit(f"{file} has no end: the guest did not come to it")


class Notes:
    """Sentences, each told once, by number; without names that are drawn by lot."""

    def __init__(self):
        self.numbers = {}

    def of(self, sentence):
        sentence = re.sub(r"sbx-[0-9a-f]+", "sbx-...", sentence)
        return self.numbers.setdefault(sentence, len(self.numbers) + 1)


def backends(place):
    return {b["name"]: b for b in place.asked["doctor"][1]["backends"] if b["name"] in BACKENDS}


def refusal(backend):
    """Why it is not used, and the way out, in doctor's words."""
    lacking = [g for g in ("fs.read", "fs.write") if not backend["guarantees"][g]["held"]]
    promise = backend["guarantees"][lacking[0]]
    return promise["reason"], promise["remedy"]


def problems(boot):
    for (world, user), place in boot.places.items():
        where = f"{boot.kernel}, {world}, {user}: "
        for text in problems_of(place):
            yield where + text
    for world in boot.worlds:
        if world not in boot.skipped:
            for user in ("root", "user"):
                if (world, user) not in boot.places:
                    yield f"{boot.kernel}, {world}, {user}: nothing was asked"


def problems_of(place):
    usable = set()
    for name, backend in backends(place).items():
        if backend["usable"]:
            usable.add(name)
        elif not all(refusal(backend)):
            yield f"doctor says no to {name} without a reason and a way out"
    for what, (code, out, err) in place.asked.items():
        if what.startswith("run-"):
            yield from problems_of_run(what, code, out, err, usable)
        elif what == "selftest":
            yield from problems_of_selftest(code, out, err, usable)
    for backend in place.left:
        yield f"a process outlived the run on {backend}"


def problems_of_run(what, code, out, err, usable):
    wanted = what.removeprefix("run-")
    possible = usable if wanted == "auto" else usable & {wanted}
    if code in FORBIDDEN:
        yield f"{what}: the step {FORBIDDEN[code]}"
    elif possible and (code != 0 or out["backend"] not in possible):
        yield f"{what} gave {code} where doctor says that {', '.join(sorted(possible))} can: {err}"
    elif not possible and code != UNAVAILABLE:
        yield f"{what} gave {code} where doctor says no: {err}"
    elif not possible and not (out and out.get("error", {}).get("fix")):
        yield f"{what} was refused without a way out: {err}"


def problems_of_selftest(code, out, err, usable):
    if not usable:
        if code != UNAVAILABLE:
            yield f"selftest gave {code} without a backend: {err}"
        return
    if code != 0:
        yield f"selftest gave {code}: {err}"
    tested = {b["name"]: b for b in out["backends"] if b["name"] in usable}
    for name in usable:
        if name not in tested or tested[name]["held"] == 0:
            yield f"selftest did not try {name}"
        elif tested[name]["broken"]:
            broken = [p["id"] for p in out["probes"] if p["results"].get(name, {}).get("outcome") == "broken"]
            yield f"selftest broke {name}: {', '.join(broken)}"


def cells(place, sets, notes):
    """auto, then what is held and tested of each backend."""
    code, out, _ = place.asked["run-auto"]
    row = [out["backend"] if code == 0 else "refused"]
    found = backends(place)
    selftest = place.asked.get("selftest")
    counts = {b["name"]: b for b in selftest[1].get("backends", [])} if selftest and selftest[1] else {}
    for name in BACKENDS:
        backend = found[name]
        if not backend["usable"]:
            reason, remedy = refusal(backend)
            row.append(f"no ({notes.of(f'{name}: {reason}. Way out: {remedy}.')})")
            continue
        held = tuple(sorted(g for g, promise in backend["guarantees"].items() if promise["held"]))
        cell = f"{letter(sets, held)}"
        if name in counts:
            count = counts[name]
            cell += "; " + ", ".join(f"{count[k]} {k}" for k in ("held", "open", "refused", "broken", "untried"))
        row.append(cell)
    return tuple(row)


def letter(sets, held):
    if held not in sets:
        sets[held] = chr(ord("A") + len(sets))
    return sets[held]


def release(boot):
    return [int(number) for number in re.findall(r"\d+", boot.kernel)]


def untried(boots):
    found = collections.defaultdict(set)
    for boot in boots:
        for place in boot.places.values():
            selftest = place.asked.get("selftest")
            for probe in (selftest and selftest[1] or {}).get("probes", []):
                for name, result in probe["results"].items():
                    if name in BACKENDS and result["outcome"] in ("untried", "open"):
                        found[result["outcome"]].add((probe["id"], name, result["detail"]))
    return found


def table(boots):
    sets, notes, lines = {}, Notes(), []
    lines += ["| kernel | world | account | `auto` takes | mountns | landlock |", "|---|---|---|---|---|---|"]
    for boot in sorted(boots, key=release):
        alike = {}
        for world in boot.worlds:
            if world in boot.skipped:
                lines.append(f"| {boot.kernel} | {world} | | | {boot.skipped[world]} | |")
                continue
            rows = tuple(cells(boot.places[world, user], sets, notes) for user in ("root", "user"))
            alike.setdefault(rows, []).append(world)
        for rows, worlds in alike.items():
            accounts = ("both",) if rows[0] == rows[1] else ("root", "user")
            for user, row in zip(accounts, rows):
                lines.append(f"| {boot.kernel} | {', '.join(worlds)} | {user} | " + " | ".join(row) + " |")
    lines += ["", "Guarantees held without being asked for:", ""]
    lines += [f"- {name}: " + ", ".join(f"`{g}`" for g in held) for held, name in sets.items()]
    lines += ["", "Each \"no\", in doctor's words:", ""]
    lines += [f"{number}. {sentence}" for sentence, number in notes.numbers.items()]
    for outcome, title in (("open", "What stands open, and why:"), ("untried", "What was not tried, and why:")):
        lines += ["", title, ""]
        lines += [f"- `{probe}` on {name}: {why}" for probe, name, why in sorted(untried(boots)[outcome])]
    return "\n".join(lines)


def write(document, text):
    with open(document, encoding="utf-8") as file:
        old = file.read()
    before, rest = old.split(BEGIN)
    after = rest.split(END)[1]
    with open(document, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main(arguments):
    document = None
    if "--table" in arguments:
        at = arguments.index("--table")
        document = arguments[at + 1]
        del arguments[at : at + 2]
    boots = [Boot(file) for file in arguments]
    found = [problem for boot in boots for problem in problems(boot)]
    for problem in found:
        print("BROKEN: " + problem, file=sys.stderr)
    asked = sum(len(boot.places) for boot in boots)
    print(f"{len(boots)} boots, {asked} worlds and accounts, {len(found)} broken")
    if document and not found:
        write(document, table(boots))
    return 1 if found or not asked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
