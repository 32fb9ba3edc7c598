"""Rows for the complexity head: outcomes of a weak model, our estimates by field (frames/difficulty.txt) and by kind of request."""
import random
import re
from pathlib import Path

import compose
from dataset import SHARED, contexts, read_jsonl, user

PATH = Path(__file__).parent / "frames" / "difficulty.txt"
#: How often a weak model fails at everyday requests: our estimates; reasoning and code carry their frame's own.
BY_TASK = {"extraction": 0.13, "classification": 0.15, "summarization": 0.1, "writing": 0.12}
CHOICES = ["the first", "increase", "decrease", "none of the above", "both", "a constant", "2", "12", "0.5", "the second one", "unchanged", "x", "-1"]


def read_stems():
    stems, share, field = [], None, None
    for line in PATH.read_text().splitlines():
        if line.startswith("@"):
            _, share, field = line.split(" ", 2)
        elif line and not line.startswith("#"):
            stems.append((float(share), field, line))
    return stems


def choices_of(stem, stems, rng):
    share, field, text = stem
    if re.search(r"\d", text) and share >= 0.4:
        return [str(rng.choice([rng.randint(1, 99), round(rng.random() * 10, 2)])) for _ in range(4)]
    kin = [s[2] for s in stems if s[1] == field]
    return [" ".join(rng.choice(kin).rstrip(".?").split(" ")[-4:]) for _ in range(4)] if rng.random() < 0.5 else rng.sample(CHOICES, 4)


def stem_rows(seed):
    rng, stems, rows = random.Random(seed), read_stems(), []
    for stem in stems:
        for kind in range(3):
            text = stem[2]
            if kind < 2 and "word problems" not in stem[1]:
                text += "".join(f"\n{letter}. {choice}" for letter, choice in zip("ABCD", choices_of(stem, stems, rng))) + "\nAnswer:"
            rows.append({"messages": user(text), "fails": stem[0], "strong": 1, "subject": f"seed:{stem[1]}", "kind": "seed"})
    return rows


def difficulty_rows(seed=2):
    rows = [{"messages": user(r["text"]), "fails": 1 - int(r["weak_correct"]), "strong": int(r["strong_correct"]), "subject": r["subject"], "kind": "pairs"}
            for r in read_jsonl(SHARED / "pairs.jsonl")]
    for r in compose.compose_all(1, 77, contexts())[::2]:
        sums = r["task"] == "reasoning" and any(c.isdigit() for c in r["ask"])  # word problems are learned from outcomes, not from our estimates
        if r["task"] and r["family"] != "frames:media" and not sums:
            rows.append({"messages": r["messages"], "fails": BY_TASK.get(r["task"], r["difficulty"]), "strong": 1, "subject": f"frame:{r['task']}", "kind": "frame"})
    return [*rows, *stem_rows(seed)]
