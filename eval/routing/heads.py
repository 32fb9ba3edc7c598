"""The heads' shape and training: a bag of hashed words plus a small network over dense features (src/encoder/heads.ts applies them)."""
import json
from pathlib import Path

import numpy as np
import torch

BUCKETS = 1 << 16
UNIT_BUCKETS = BUCKETS // 4
#: The last outputs of the route head (media) also look at the instruction's opening by itself: its first buckets, folded.
OPENING_BUCKETS = BUCKETS // 8
OPENING_LENGTH = 40
OPENING_OUTPUTS = 4
#: The encoder's unit vectors have small entries; they are scaled up for training and the factor is folded into the weights.
VECTOR_SCALE = 6.0
torch.set_num_threads(1)


class Examples:
    """What eval/routing/dump-features.ts wrote: dense rows and ragged bucket lists."""

    def __init__(self, prefix, vectors):
        self.rows = [json.loads(line) for line in open(f"{prefix}.jsonl", encoding="utf8")]
        dense = np.fromfile(f"{prefix}.dense.f32", np.float32).reshape(len(self.rows), -1)
        dense[:, :vectors] *= VECTOR_SCALE
        self.vectors, self.inputs = vectors, dense.shape[1]
        self.dense = torch.from_numpy(dense)
        self.flat = torch.from_numpy(np.fromfile(f"{prefix}.buckets.flat.i32", np.int32).astype(np.int64))
        self.offsets = np.fromfile(f"{prefix}.buckets.offsets.i32", np.int32)
        exams = Path(f"{prefix}.exams.f32")
        #: Of questions with answers to choose from; NaN for all others.
        self.exams = np.fromfile(exams, np.float32).reshape(len(self.rows), -1).astype(np.float64) if exams.exists() else None

    def __len__(self):
        return len(self.rows)

    def batch(self, chosen):
        counts = self.offsets[chosen + 1] - self.offsets[chosen]
        ends = np.cumsum(np.concatenate([[0], counts]))
        at = np.arange(ends[-1]) - np.repeat(ends[:-1], counts) + np.repeat(self.offsets[chosen], counts)
        starts = ends[:-1].astype(np.int64)
        return self.dense[chosen], self.flat[torch.from_numpy(at)], torch.from_numpy(starts), torch.from_numpy(counts.astype(np.float32))

    def openings(self, chosen):
        counts = np.minimum(self.offsets[chosen + 1] - self.offsets[chosen], OPENING_LENGTH)
        ends = np.cumsum(np.concatenate([[0], counts]))
        at = np.arange(ends[-1]) - np.repeat(ends[:-1], counts) + np.repeat(self.offsets[chosen], counts)
        return self.flat[torch.from_numpy(at)] & (OPENING_BUCKETS - 1), torch.from_numpy(ends[:-1].astype(np.int64)), torch.from_numpy(counts.astype(np.float32))


class Head(torch.nn.Module):
    def __init__(self, inputs, outputs, hidden, vectors):
        super().__init__()
        self.vectors = vectors
        self.words = torch.nn.Parameter(torch.zeros(BUCKETS, outputs))
        self.opening = torch.nn.Parameter(torch.zeros(OPENING_BUCKETS, OPENING_OUTPUTS)) if outputs > OPENING_OUTPUTS else None
        self.first = torch.nn.Linear(inputs, hidden)
        self.second = torch.nn.Linear(hidden, outputs)

    def bag(self, weights, flat, starts, counts, drop):
        keep = (torch.rand(len(flat)) > drop).float() / (1 - drop) if drop else None
        return torch.nn.functional.embedding_bag(flat, weights, starts, mode="sum", per_sample_weights=keep) / torch.sqrt(counts + 1)[:, None]

    def forward(self, dense, flat, starts, counts, opening=None, word_drop=0.0, dense_drop=0.0, hidden_drop=0.0):
        words = self.bag(self.words, flat, starts, counts, word_drop)
        if self.opening is not None:
            words = words + torch.nn.functional.pad(self.bag(self.opening, *opening, word_drop), (words.shape[1] - OPENING_OUTPUTS, 0))
        dropout = torch.nn.functional.dropout
        dense = torch.cat([dropout(dense[:, : self.vectors], dense_drop, dense_drop > 0), dense[:, self.vectors :]], 1)
        hidden = dropout(torch.relu(self.first(dense)), hidden_drop, hidden_drop > 0)
        return words + self.second(hidden)


def train(examples, chosen, outputs, loss_of, *, epochs, hidden, word_rate, dense_rate, batch, seed=1, decay=1e-5, **drops):
    """loss_of(logits, rows) → scalar. Adam with one rising and falling learning rate."""
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    head = Head(examples.inputs, outputs, hidden, examples.vectors)
    optimizer = torch.optim.Adam([{"params": [head.words] if head.opening is None else [head.words, head.opening], "lr": word_rate},
                                  {"params": [*head.first.parameters(), *head.second.parameters()], "lr": dense_rate, "weight_decay": decay}], fused=True)
    steps = epochs * (len(chosen) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [word_rate, dense_rate], total_steps=steps + 1)
    for _ in range(epochs):
        shuffled = order.permutation(chosen)
        for at in range(0, len(shuffled) - batch + 1, batch):
            rows = shuffled[at : at + batch]
            loss = loss_of(head(*examples.batch(rows), opening_of(head, examples, rows), **drops), rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return head


def averaged(heads):
    """One head that gives the mean of what they give: their hidden units stand side by side. For heads without an opening."""
    layers = [head.first for head in heads]
    mean = Head(layers[0].in_features, heads[0].second.out_features, sum(layer.out_features for layer in layers), heads[0].vectors)
    with torch.no_grad():
        mean.words.copy_(torch.stack([head.words for head in heads]).mean(0))
        mean.first.weight.copy_(torch.cat([layer.weight for layer in layers]))
        mean.first.bias.copy_(torch.cat([layer.bias for layer in layers]))
        mean.second.weight.copy_(torch.cat([head.second.weight for head in heads], 1) / len(heads))
        mean.second.bias.copy_(torch.stack([head.second.bias for head in heads]).mean(0))
    return mean


def opening_of(head, examples, chosen):
    return None if head.opening is None else examples.openings(chosen)


def predict(head, examples, chosen):
    with torch.no_grad():
        parts = [head(*examples.batch(rows), opening_of(head, examples, rows)) for rows in (chosen[at : at + 1024] for at in range(0, len(chosen), 1024))]
    return torch.cat(parts).numpy()


def int8_of(words):
    """One scale an output."""
    scales = np.abs(words).max(0) / 127
    scales[scales == 0] = 1
    return np.clip(np.round(words / scales), -127, 127).astype(np.int8).ravel(), scales.astype(np.float32)


def opening_tensors(name, words):
    packed, scales = int8_of(words)
    return {f"{name}.opening": packed, f"{name}.openingScales": scales}


def linear_tensors(name, words, dense, bias):
    """The same shape of head for a linear map: two of its four hidden units carry the dense part, one for either sign."""
    packed, scales = int8_of(words[:, None])
    first = np.zeros((4, len(dense)), np.float32)
    first[0], first[1] = dense, -dense
    return {f"{name}.words": packed, f"{name}.wordScales": scales, f"{name}.weights1": first.ravel(), f"{name}.bias1": np.zeros(4, np.float32),
            f"{name}.weights2": np.array([1, -1, 0, 0], np.float32), f"{name}.bias2": np.array([bias], np.float32)}


def tensors_of(name, head):
    """int8 words (one scale an output), float32 network with the vector scale folded in."""
    words, scales = int8_of(head.words.detach().numpy())
    first = head.first.weight.detach().numpy().copy()
    first[:, : head.vectors] *= VECTOR_SCALE
    return {
        f"{name}.words": words, f"{name}.wordScales": scales,
        **(opening_tensors(name, head.opening.detach().numpy()) if head.opening is not None else {}),
        f"{name}.weights1": first.astype(np.float32).ravel(),
        f"{name}.bias1": head.first.bias.detach().numpy(),
        f"{name}.weights2": head.second.weight.detach().numpy().ravel(),
        f"{name}.bias2": head.second.bias.detach().numpy(),
    }


def replace_outputs(name, kept, new, first):
    """The head that gives the first outputs of `new` and the others of `kept`: their hidden units stand side by side, each for its own outputs."""
    table = lambda tensors, part, rows: tensors[f"{name}.{part}"].reshape(rows, -1)
    outputs = len(kept[f"{name}.wordScales"])
    hidden = [len(tensors[f"{name}.bias1"]) for tensors in (new, kept)]
    # Of a head that was made in this way before, only the units that serve the kept outputs.
    needed = table(kept, "weights2", outputs)[first:].any(0)
    join = lambda part: np.concatenate([new[f"{name}.{part}"][:first], kept[f"{name}.{part}"][first:]])
    beside = lambda part: np.concatenate([table(new, part, hidden[0]), table(kept, part, hidden[1])[needed]])
    last = np.zeros((outputs, hidden[0] + needed.sum()), np.float32)
    last[:first, : hidden[0]] = table(new, "weights2", outputs)[:first]
    last[first:, hidden[0] :] = table(kept, "weights2", outputs)[first:, needed]
    words = np.concatenate([table(new, "words", BUCKETS)[:, :first], table(kept, "words", BUCKETS)[:, first:]], 1)
    return {f"{name}.words": words.ravel(), f"{name}.wordScales": join("wordScales"), f"{name}.weights1": beside("weights1").ravel(),
            f"{name}.bias1": beside("bias1").ravel(), f"{name}.weights2": last.ravel(), f"{name}.bias2": join("bias2")}
