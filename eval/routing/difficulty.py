"""Rows for the complexity head: outcomes of a weak model, our estimates by field (frames/difficulty.txt) and by kind of request."""
import compose
from dataset import SHARED, contexts, read_jsonl, user
from exam_frames import stem_rows

#: How often a weak model fails at everyday requests: our estimates; reasoning and code carry their frame's own.
BY_TASK = {"extraction": 0.13, "classification": 0.15, "summarization": 0.1, "writing": 0.12}


def difficulty_rows(seed=2):
    rows = [{"messages": user(r["text"]), "fails": 1 - int(r["weak_correct"]), "strong": int(r["strong_correct"]), "subject": r["subject"], "kind": "pairs"}
            for r in read_jsonl(SHARED / "pairs.jsonl")]
    for r in compose.compose_all(1, 77, contexts())[::2]:
        sums = r["task"] == "reasoning" and any(c.isdigit() for c in r["ask"])  # word problems are learned from outcomes, not from our estimates
        if r["task"] and r["family"] != "frames:media" and not sums:
            rows.append({"messages": r["messages"], "fails": BY_TASK.get(r["task"], r["difficulty"]), "strong": 1, "subject": f"frame:{r['task']}", "kind": "frame"})
    return [*rows, *stem_rows(seed)]
