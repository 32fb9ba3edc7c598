"""Trains the model that tells asking lines from pasted ones (src/router/features/find-instruction.ts)."""
import random
import re

import numpy as np
import torch

import compose
from dataset import SHARED, asked_requests, contexts, read_jsonl
from heads import UNIT_BUCKETS


def unit_rows(seed=11):
    """Texts and the instruction inside each."""
    rows = [{"text": m["content"], "ask": r["ask"]} for r in [*compose.compose_all(2, seed, contexts()), *asked_requests(seed)]
            for m in r["messages"] if m["role"] in ("user", "system")]
    for r in read_jsonl(SHARED / "train.jsonl"):
        text, source = r["text"], r["source"]
        if source == "databricks-dolly-15k" and "\n\n" in text and r["task"] in ("extraction", "summarization", "classification"):
            rows.append({"text": text, "ask": text.split("\n\n", 1)[0]})
        elif source.startswith(("MMLU", "GSM", "MBPP")) or (source == "databricks-dolly-15k" and len(text) < 250):
            rows.append({"text": text, "ask": text})
    random.Random(4).shuffle(rows)
    return rows


def trigrams(text):
    text = re.sub(r"\W+", "", text.lower())
    return {text[i : i + 3] for i in range(len(text) - 2)} or {text}


def train_units(rows, prefix):
    """→ word weights, shape weights, intercept. A unit asks when most of its letters come from the row's instruction."""
    spans = np.fromfile(f"{prefix}.spans.i32", np.int32).reshape(-1, 3)
    shapes = torch.from_numpy(np.fromfile(f"{prefix}.shapes.f32", np.float32).reshape(len(spans), -1))
    offsets = np.fromfile(f"{prefix}.buckets.offsets.i32", np.int32)
    flat = torch.from_numpy(np.fromfile(f"{prefix}.buckets.flat.i32", np.int32).astype(np.int64) & (UNIT_BUCKETS - 1))
    asks = {}
    labels = np.zeros(len(spans), np.float32)
    for k, (row, start, end) in enumerate(spans):
        ask = asks.setdefault(row, trigrams(rows[row]["ask"]))
        unit = trigrams(rows[row]["text"][start:end])
        labels[k] = len(unit & ask) / max(1, len(unit)) > 0.55
    torch.manual_seed(3)
    words, weights, bias = torch.zeros(UNIT_BUCKETS, requires_grad=True), torch.zeros(shapes.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam([words, weights, bias], lr=0.02)
    target, order = torch.from_numpy(labels), np.random.default_rng(0)
    for _ in range(4):
        shuffled = order.permutation(len(spans))
        for at in range(0, len(shuffled), 2048):
            chosen = shuffled[at : at + 2048]
            counts = offsets[chosen + 1] - offsets[chosen]
            ends = np.cumsum(np.concatenate([[0], counts]))
            index = np.arange(ends[-1]) - np.repeat(ends[:-1], counts) + np.repeat(offsets[chosen], counts)
            kept = words * (torch.rand(UNIT_BUCKETS) > 0.2) / 0.8
            sums = torch.nn.functional.embedding_bag(flat[torch.from_numpy(index)], kept[:, None], torch.from_numpy(ends[:-1].astype(np.int64)), mode="sum")[:, 0]
            scores = sums / torch.sqrt(torch.from_numpy(counts.astype(np.float32)) + 1) + shapes[chosen] @ weights + bias
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, target[chosen]) + 1e-5 * (words**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return words.detach().numpy(), weights.detach().numpy(), float(bias)
