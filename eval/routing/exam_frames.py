"""Exam questions of ours (frames/difficulty.txt) with our estimate of how often a weak model fails in their field."""
import random
import re
from pathlib import Path

PATH = Path(__file__).parent / "frames" / "difficulty.txt"
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
    """Each question twice with choices and once without."""
    rng, stems, rows = random.Random(seed), read_stems(), []
    for stem in stems:
        for kind in range(3):
            text = stem[2]
            if kind < 2 and "word problems" not in stem[1]:
                text += "".join(f"\n{letter}. {choice}" for letter, choice in zip("ABCD", choices_of(stem, stems, rng))) + "\nAnswer:"
            rows.append({"messages": [{"role": "user", "content": text}], "fails": stem[0], "strong": 1, "subject": f"seed:{stem[1]}", "kind": "seed"})
    return rows
