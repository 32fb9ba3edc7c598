"""The rows that the routing head learns from: composed frames and the given data (../shared/data/routing)."""
import json
import random
import zlib
from pathlib import Path

import compose
from exam_frames import stem_rows

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


def stem_requests(seed):
    """Our own exam questions: they ask for reasoning too."""
    return [{"messages": r["messages"], "task": "reasoning", "media": "none", "difficulty": None, "source": r["subject"],
             "family": "frames:exam", "lang": "en", "doc": "own"} for r in stem_rows(seed)]


def contexts():
    return [r["text"].split("\n\n", 1)[1][:2500] for r in read_jsonl(SHARED / "train.jsonl") if r["source"] == "databricks-dolly-15k" and "\n\n" in r["text"]]


def roughened(rows, seed, share=1.0):
    rng = random.Random(seed)
    return [{**r, "messages": [{**m, "content": compose.roughen(m["content"], rng, share)} for m in r["messages"]], "rough": True} for r in rows]


def own_lines(name):
    return [line.replace("\\n", "\n").split("\t", 2) for line in (HERE / name).read_text().splitlines() if line and not line.startswith("#")]


#: Our own requests and answers are left out in so many parts, each together with a group of the given sources.
PARTS = 6


def part_of(text):
    return zlib.crc32(text.encode()) % PARTS


def own_requests(seed, copies=3):
    """Requests as people at work write them (development.tsv), once as they are and some times with damage, politeness and context."""
    rng = random.Random(seed)
    rows = []
    for task, media, text in own_lines("development.tsv"):
        row = {"messages": user(text), "task": None if task == "-" else task, "media": media, "difficulty": None, "source": "own",
               "family": f"own {part_of(text)}", "lang": "en", "doc": "own", "own": True}
        rows.append(row)
        for _ in range(copies):
            changed = compose.register(text, "en", rng) if text.isascii() and rng.random() < 0.5 else text
            rows.append({**row, "messages": user(compose.roughen(changed, rng, 0.7)), "copy": True})
    return rows


def asked_requests(seed, copies=6):
    """asks.tsv, once as it stands and some times in other layouts."""
    composer = compose.Composer(seed, [])
    rows = []
    for row in compose.ASKS:
        own = {"difficulty": None, "source": "asks", "family": f"own {part_of(row['ask'] + row['document'])}", "doc": "own", "own": True}
        rows.append({**composer.compose_ask(row, changed=False), **own})
        rows += [{**composer.compose_ask(row), **own, "copy": True} for _ in range(copies)]
    return rows


def follow_ups(seed, per_line=6):
    return [{**row, "difficulty": None, "source": "follow-ups", "family": "frames:follow-ups"} for row in compose.compose_follow_ups(per_line, seed, contexts())]


def all_rows(per_frame=8, seed=21):
    given = given_rows()
    frames = compose.compose_all(per_frame, seed, contexts())
    return [*given, *roughened(given, seed + 1), *exam_rows(seed), *stem_requests(seed), *frames, *own_requests(seed + 2), *asked_requests(seed + 3), *follow_ups(seed + 4)]
