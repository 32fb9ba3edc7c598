"""Plain text for the fit: pieces of one to eight sentences from the given data and from docstrings of installed Python libraries."""
import ast
import json
import random
import re
import sysconfig
from collections import Counter
from pathlib import Path

DATA = Path(__file__).parents[3] / "shared" / "data"
#: At most this many pieces of each source. Abstracts that SciFact's test judges relevant are left out altogether.
CAPS = {"docs": 9000, "scifact": 14000, "pairs": 22000, "routing": 22000, "refusals": 6000}


def read_jsonl(path):
    return [json.loads(line) for line in open(path, encoding="utf8")]


def pieces(text, rng):
    sentences = [s.strip() for s in re.split(r"(?<=[.!?])\s+|\n+", text.strip()) if len(s.strip()) > 2]
    at = 0
    while at < len(sentences):
        count = rng.choice([1, 1, 1, 2, 3, 5, 8])
        piece = " ".join(sentences[at : at + count])[:1000]
        at += count
        if len(piece) >= 8:
            yield piece


def docstrings():
    roots = [Path(sysconfig.get_paths()["stdlib"]), *(Path(sysconfig.get_paths()["purelib"]) / name for name in ("sklearn", "torch/nn", "networkx", "huggingface_hub"))]
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            if "site-packages" in path.relative_to(root).parts:
                continue
            try:
                tree = ast.parse(path.read_text(errors="ignore"))
            except (SyntaxError, ValueError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                    text = ast.get_docstring(node)
                    if text and len(text) > 40:
                        yield " ".join(text.split("\n\n")[:4])[:1500]


def collect(seed=7):
    """→ [(source, piece)], shuffled, each piece once."""
    rng, found = random.Random(seed), {}
    judged = {line.split("\t")[1] for line in (DATA / "retrieval/qrels.tsv").read_text().split("\n")[1:] if line}
    sources = [
        *(("routing", r["text"]) for r in read_jsonl(DATA / "routing/train.jsonl")),
        *(("pairs", r["text"]) for r in read_jsonl(DATA / "routing/pairs.jsonl")),
        *(("refusals", r["response"][:1500]) for r in read_jsonl(DATA / "routing/refusals.jsonl")),
        *(("scifact", f"{r['title']}\n{r['text']}") for r in read_jsonl(DATA / "retrieval/corpus.jsonl") if str(r["id"]) not in judged),
        *(("docs", text) for text in docstrings()),
    ]
    for source, text in sources:
        for piece in pieces(text, rng):
            found.setdefault(piece, source)
    rows = sorted((source, piece) for piece, source in found.items())
    rng.shuffle(rows)
    counts, kept = Counter(), []
    for source, piece in rows:
        if counts[source] < CAPS[source]:
            counts[source] += 1
            kept.append((source, piece))
    return kept
