"""The rows that the routing head learns from: composed frames and the given data (../shared/data/routing)."""
import json
import random
from pathlib import Path

import compose

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "data" / "routing"


def read_jsonl(path):
    return [json.loads(line) for line in open(path, encoding="utf8")]


def user(text):
    return [{"role": "user", "content": text}]


def group_of(source):
    """Sources that share authors or text count as one, so that leaving one out leaves all of its kin out."""
    for prefix, group in [("MMLU", "MMLU"), ("GSM8K", "GSM8K"), ("P3", "P3"), ("authored frames (train) + dolly", "authored+dolly"),
                          ("authored frames (train) + MBPP", "authored+MBPP"), ("authored frames (train) + Parti", "authored+Parti"),
                          ("authored frames (train) + banking", "authored+banking"), ("authored media", "media negatives"),
                          ("arena", "arena-hard"), ("MBPP", "MBPP"), ("TaskBench", "TaskBench"), ("databricks", "dolly")]:
        if source.startswith(prefix):
            return group
    raise ValueError(source)


def given_rows():
    return [{"messages": user(r["text"]), "task": r["task"], "media": r["media"], "difficulty": r["difficulty"], "source": r["source"],
             "family": group_of(r["source"]), "lang": "en", "doc": "dolly" if "dolly" in r["source"] else "own"} for r in read_jsonl(SHARED / "train.jsonl")]


def exam_rows(seed, count=1500):
    """Further exam questions: all of them ask for reasoning."""
    rows = random.Random(seed).sample(read_jsonl(SHARED / "pairs.jsonl"), count)
    return [{"messages": user(r["text"]), "task": "reasoning", "media": "none", "difficulty": None, "source": r["source"],
             "family": group_of(r["source"]), "lang": "en", "doc": "own", "exam": True} for r in rows]


def contexts():
    return [r["text"].split("\n\n", 1)[1][:2500] for r in read_jsonl(SHARED / "train.jsonl") if r["source"] == "databricks-dolly-15k" and "\n\n" in r["text"]]


def roughened(rows, seed, share=1.0):
    rng = random.Random(seed)
    return [{**r, "messages": [{**m, "content": compose.roughen(m["content"], rng, share)} for m in r["messages"]], "rough": True} for r in rows]


def all_rows(per_frame=8, seed=21):
    given = given_rows()
    frames = compose.compose_all(per_frame, seed, contexts())
    return [*given, *roughened(given, seed + 1), *exam_rows(seed), *frames]
