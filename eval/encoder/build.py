"""
Distils the static encoder and writes src/encoder/encoder.bin.

    python eval/encoder/build.py <scratch folder> [--without source,source] [--limit N] [--no-write]

1. every vocabulary entry through the teacher; 2. projection to 256 principal directions of the teacher's sentence vectors;
3. weights by frequency; 4. fit of the table to the teacher's sentence vectors on plain text; 5. int8, one scale a row.
`--without scifact` builds the table whose SciFact figure is honest (README.md). Teacher vectors are cached in the scratch folder.
"""
import argparse
import json
import time
import unicodedata
from pathlib import Path

import numpy as np
import torch

from plain_texts import DATA, collect, read_jsonl
from teacher import load_teacher, read_vocabulary, sentence_vectors, token_ids, token_vectors
from tensor_file import write_tensor_file

DIMENSIONS = 256
#: Entries before this one are special or unused.
FIRST_REAL = 999
#: BERT's vocabulary is ordered by frequency from here on.
FIRST_RANKED = 1995
EPOCHS, BATCH, PULL_TO_START = 5, 512, 0.02
TARGET = Path(__file__).parents[2] / "src" / "encoder" / "encoder.bin"


def cached(path, make):
    if not path.exists():
        np.save(path, make())
    return np.load(path)


def frequency_weights(vocabulary, ids):
    """SIF weights; a token's share is the geometric mean of Zipf's law over its rank and of its share in the plain text."""
    counts = np.bincount(np.concatenate([np.array(row) for row in ids]), minlength=len(vocabulary))
    ranks = np.maximum(np.arange(len(vocabulary)) - FIRST_RANKED, 1)
    share = np.sqrt(1 / (ranks * np.log(len(vocabulary))) * (counts + 1) / (counts.sum() + len(vocabulary)))
    weights = 1e-3 / (1e-3 + share)
    weights[:FIRST_REAL] = 0
    for i, token in enumerate(vocabulary):
        if len(token) == 1 and unicodedata.category(token)[0] in "PS":
            weights[i] *= 0.15
    return weights


def fit(start, ids, goal, log):
    """Adam on 1 - cosine to the teacher, the batch's own similarities, and a pull to the start for rarely seen tokens."""
    torch.manual_seed(5)
    order = np.random.default_rng(5)
    table = torch.nn.Parameter(torch.tensor(start * 8 / np.abs(start).max(), dtype=torch.float32))
    origin, turn = table.detach().clone(), torch.nn.Parameter(torch.eye(DIMENSIONS))
    goal = torch.from_numpy(goal)
    optimizer = torch.optim.Adam([{"params": [table], "lr": 0.02 * origin.abs().mean().item()}, {"params": [turn], "lr": 1e-3}])
    for epoch in range(EPOCHS):
        shuffled = order.permutation(len(ids))
        for at in range(0, len(shuffled) - BATCH + 1, BATCH):
            rows = [ids[k] for k in shuffled[at : at + BATCH]]
            flat = torch.tensor([i for row in rows for i in row])
            starts = torch.from_numpy(np.cumsum([0] + [len(row) for row in rows])[:-1])
            vectors = torch.nn.functional.normalize(torch.nn.functional.embedding_bag(flat, table, starts, mode="sum") @ turn, dim=1)
            wanted = goal[shuffled[at : at + BATCH]]
            used = torch.unique(flat)
            loss = (1 - (vectors * wanted).sum(1)).mean() + 20 * ((vectors @ vectors.T - wanted @ wanted.T) ** 2).mean()
            loss = loss + PULL_TO_START * ((table[used] - origin[used]) ** 2).sum() / (origin[used] ** 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        log(epoch, (table @ turn).detach().numpy())
    return (table @ turn).detach().numpy()


def embed(table, ids):
    vectors = np.stack([table[row].sum(0) for row in ids])
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def scifact_ndcg(table):
    """nDCG@10 of the table alone on SciFact's 300 test claims."""
    corpus, queries = read_jsonl(DATA / "retrieval/corpus.jsonl"), read_jsonl(DATA / "retrieval/queries.jsonl")
    relevant = {}
    for line in (DATA / "retrieval/qrels.tsv").read_text().split("\n")[1:]:
        if line:
            query, document, grade = line.split("\t")
            if int(grade) > 0:
                relevant.setdefault(query, set()).add(document)
    names = [str(c["id"]) for c in corpus]
    scores = embed(table, token_ids([q["text"] for q in queries])) @ embed(table, token_ids([f"{c['title']}. {c['text']}" for c in corpus], 512)).T
    total = 0.0
    for query, row in zip(queries, scores):
        wanted = relevant.get(str(query["id"]), set())
        gain = sum(1 / np.log2(rank + 2) for rank, k in enumerate(np.argsort(-row)[:10]) if names[k] in wanted)
        total += gain / sum(1 / np.log2(rank + 2) for rank in range(min(10, len(wanted))))
    return total / len(queries)


def write(table, vocabulary):
    scales = np.abs(table).max(1) / 127
    empty = scales < 1e-8
    scales[empty] = 1
    values = np.clip(np.round(table / scales[:, None]), -127, 127).astype(np.int8)
    scales[empty] = 0
    meta = {"revision": "minilm-static-1", "license": "Apache-2.0", "teacher": "sentence-transformers/all-MiniLM-L6-v2"}
    write_tensor_file(str(TARGET), meta, {"vocabulary": "\n".join(vocabulary), "table": values, "scales": scales.astype(np.float32)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--without", default="")
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    rows = collect()[: options.limit]
    texts = [text for _, text in rows]
    teacher, vocabulary, started = load_teacher(), read_vocabulary(), time.time()
    tokens = cached(options.scratch / "tokens.npy", lambda: token_vectors(teacher, len(vocabulary)))
    sentences = cached(options.scratch / f"sentences-{len(texts)}.npy", lambda: sentence_vectors(teacher, texts)).astype(np.float32)
    _, directions = np.linalg.eigh(sentences.T @ sentences)
    projection = np.ascontiguousarray(directions[:, ::-1][:, :DIMENSIONS])
    goal = sentences @ projection
    goal /= np.linalg.norm(goal, axis=1, keepdims=True)
    ids = token_ids(texts)
    start = (tokens - tokens[FIRST_REAL:].mean(0)) @ projection * frequency_weights(vocabulary, ids)[:, None]
    print(json.dumps({"texts": len(texts), "before the fit": round(scifact_ndcg(start), 4)}), flush=True)
    chosen = [i for i, (source, _) in enumerate(rows) if source not in options.without.split(",")]
    log = lambda epoch, table: print(json.dumps({"epoch": epoch, "scifact nDCG@10": round(scifact_ndcg(table), 4), "s": round(time.time() - started)}), flush=True)
    table = fit(start, [ids[i] for i in chosen], goal[chosen], log)
    if not options.no_write:
        write(table, vocabulary)


if __name__ == "__main__":
    main()
