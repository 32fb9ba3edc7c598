"""
Trains all heads and writes src/encoder/heads.bin and eval/results/routing-honest.json. Seeded; about ten minutes on one free core.

    python eval/routing/train.py <scratch folder> [--skip-honest] [--keep-refusals | --tasks-only]

Honest figures come from heads that never saw the tested source (whole sources are left out, never random rows); the heads that are
shipped then learn from everything. Features are read by the product's own code (eval/routing/dump-features.ts). With --keep-refusals the refusal
head, its threshold and its figures stay as they are: what it learns from contains requests too, so it would change with every new frame.
With --tasks-only all else than the recognition of tasks stays as it is, media, difficulty and the finding of the instruction too.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HEADS = ROOT / "src/encoder/heads.bin"
FIGURES = ROOT / "eval/results/routing-honest.json"
REVISION = "routing-19"
sys.path.insert(0, str(HERE.parent / "encoder"))
from answers import composed_answers, given_answers, own_answers  # noqa: E402
from dataset import all_rows  # noqa: E402
from difficulty import difficulty_rows  # noqa: E402
from exams import fit_exams, folds_of, interval, score_exams  # noqa: E402
from heads import (BUCKETS, OPENING_BUCKETS, OPENING_OUTPUTS, UNIT_BUCKETS, Examples, averaged, linear_tensors, opening_tensors, predict,  # noqa: E402
                   replace_outputs, tensors_of, train)
from tensor_file import read_tensor_file, write_tensor_file  # noqa: E402
from units import train_units, unit_rows  # noqa: E402

TASKS = ["extraction", "classification", "summarization", "reasoning", "code", "writing"]
MEDIA = ["none", "image", "video", "speech"]
VECTORS, ANSWER_VECTORS = 768, 256
REQUEST_INPUTS, ANSWER_INPUTS = 808, 300
GROUPS = [["dolly"], ["P3"], ["arena-hard", "MBPP"], ["authored+dolly", "authored+MBPP", "authored+banking"],
          ["TaskBench", "authored+Parti", "media negatives"], ["MMLU", "GSM8K"]]
#: A part of our own requests is left out with each.
GROUPS = [[*group, f"own {part}"] for part, group in enumerate(GROUPS)]
ROUTE = dict(seed=2, epochs=4, hidden=32, word_rate=0.01, dense_rate=0.004, batch=128, word_drop=0.3, dense_drop=0.3, hidden_drop=0.2)
#: Strength of the complexity head's regularization, and how much its shapes count beside the words.
COMPLEXITY = dict(strength=0.3, shapes=0.3)
REFUSAL = dict(epochs=14, hidden=12, word_rate=0.02, dense_rate=0.003, batch=64, decay=1e-4, word_drop=0.3, dense_drop=0.3)
#: The weight of a composed request beside one that somebody wrote: composed ones are many, and would drown the others.
COMPOSED = 1 / 2
cross_entropy = torch.nn.functional.cross_entropy
binary_cross_entropy = torch.nn.functional.binary_cross_entropy_with_logits


def dump(kind, rows, scratch, name):
    heads = scratch / "heads.bin"
    path = scratch / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n")
    subprocess.run(["bun", str(HERE / "dump-features.ts"), kind, str(path), str(scratch / name), *([str(heads)] if heads.exists() else [])], check=True)
    return str(scratch / name)


def write_heads(path, units, calibration, heads):
    words, shapes, bias = units
    scale = float(np.abs(words).max() / 127)
    tensors = {"units.words": np.clip(np.round(words / scale), -127, 127).astype(np.int8), "units.shapes": shapes.astype(np.float32)}
    for name, tensor in heads.items():
        tensors.update(tensor)
    meta = {"revision": REVISION, "license": "Apache-2.0", "unitWordScale": scale, "unitBias": bias, "calibration": calibration}
    write_tensor_file(str(path), meta, tensors)


def blank(name, inputs, outputs):
    zeros = lambda n: np.zeros(n, np.float32)
    return {f"{name}.words": np.zeros(BUCKETS * outputs, np.int8), f"{name}.wordScales": zeros(outputs), f"{name}.weights1": zeros(inputs),
            f"{name}.bias1": zeros(1), f"{name}.weights2": zeros(outputs), f"{name}.bias2": zeros(outputs),
            **(opening_tensors(name, np.zeros((OPENING_BUCKETS, OPENING_OUTPUTS))) if outputs > OPENING_OUTPUTS else {})}


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def expected_calibration_error(confidence, right, bins=15):
    edges, error = np.linspace(0, 1, bins + 1), 0.0
    for low, high in zip(edges, edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            error += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    return float(error)


# ---------------------------------------------------------------- task and media


def route_loss(examples):
    task = torch.tensor([TASKS.index(r["task"]) if r["task"] else -1 for r in examples.rows])
    media = torch.tensor([MEDIA.index(r["media"]) for r in examples.rows])
    weight = torch.tensor([(0.5 if r.get("rough") else 1.0) * (COMPOSED if r["family"].startswith("frames") else 1.0) * (2.5 if r["media"] != "none" else 1.0)
                           for r in examples.rows])

    def loss(logits, rows):
        w, known = weight[rows], task[rows] >= 0
        by_task = cross_entropy(logits[known, :6], task[rows][known], reduction="none", label_smoothing=0.05)
        by_media = cross_entropy(logits[:, 6:], media[rows], reduction="none", label_smoothing=0.01)
        return (by_task * w[known]).sum() / w[known].sum() + (by_media * w).sum() / w.sum()

    return loss, task.numpy(), media.numpy()


def fit_temperature(logits, labels, weight):
    loss = lambda t: -(weight * np.log(softmax(logits / t)[np.arange(len(labels)), labels] + 1e-9)).mean()
    return float(minimize_scalar(loss, bounds=(0.2, 3), method="bounded").x)


def route_honest(examples, loss, task, media):
    family = np.array([r["family"] for r in examples.rows])
    plain = np.array([not (r.get("rough") or r.get("exam") or r.get("own")) for r in examples.rows])
    rough = np.array([bool(r.get("rough")) for r in examples.rows])
    from_dolly = np.array([r.get("doc") == "dolly" for r in examples.rows])
    logits, tested = np.zeros((len(examples), 10), np.float32), np.zeros(len(examples), bool)
    for group in GROUPS:
        out = np.isin(family, group)
        learn = ~out & ~(from_dolly if "dolly" in group else np.zeros(len(out), bool))
        test = np.where(out)[0]
        logits[test] = predict(train(examples, np.where(learn)[0], 10, loss, **ROUTE), examples, test)
        tested[test] = True
        rows = test[plain[test] & (task[test] >= 0)]
        print(group, "accuracy", (logits[rows, :6].argmax(1) == task[rows]).mean().round(3) if len(rows) else "-", flush=True)
    return logits, tested & plain, tested & rough


def own_rows(examples):
    return np.array([bool(r.get("own") and not r.get("copy")) for r in examples.rows])


def own_figures(logits, task, media, caution, examples):
    """Our own requests, a sixth left out at a time: frames were written with most of them in view, so this flatters."""
    own = np.where(own_rows(examples))[0]
    known = own[task[own] >= 0]
    shifted = logits[own, 6:] + caution * (np.arange(len(MEDIA)) == 0)
    return {"rows": len(known), "accuracy": float((logits[known, :6].argmax(1) == task[known]).mean()),
            "mediaMacroF1": float(f1_score(media[own], shifted.argmax(1), average="macro")),
            "mediaFalseAlarms": float(((shifted.argmax(1) > 0) & (media[own] == 0)).mean())}


def route_figures(logits, plain, rough, task, media, examples):
    known = np.where(plain & (task >= 0))[0]
    own = np.where(own_rows(examples))[0]
    asked = own[task[own] >= 0]
    # Everyday requests count as much as the sources do: sources alone would make the heads too sure of the rest.
    both, share = np.concatenate([known, asked]), np.repeat([1 / len(known), 1 / len(asked)], [len(known), len(asked)])
    temperature = fit_temperature(logits[both, :6], task[both], share * len(both) / 2)
    chances = softmax(logits[known, :6] / temperature)
    guess, truth = chances.argmax(1), task[known]
    confidence, right = chances.max(1), chances.argmax(1) == truth
    surest = np.argsort(-confidence)[: int(0.8 * len(known))]
    f1 = f1_score(truth, guess, average=None)
    family = np.array([r["family"] for r in examples.rows])
    per_source = {g: float((logits[known[family[known] == g], :6].argmax(1) == task[known[family[known] == g]]).mean()) for g in sorted(set(family[known]))}
    every = np.where(plain)[0]
    wishes = np.concatenate([every, own])
    weight = np.repeat([1 / len(every), 1 / len(own)], [len(every), len(own)]) * len(wishes) / 2
    caution = choose_caution(logits[wishes, 6:], media[wishes], weight)
    media_temperature = fit_temperature(logits[wishes, 6:] + caution * (np.arange(len(MEDIA)) == 0), media[wishes], weight)
    media_figures = figures_of_media(logits[every, 6:], caution, media[every], family[every] == "media negatives")
    pairs = np.where(rough)[0]
    given = np.where(plain & np.array([not f.startswith("frames") for f in family]))[0]
    agree = (logits[given, :6].argmax(1) == logits[pairs, :6].argmax(1)) & (logits[given, 6:].argmax(1) == logits[pairs, 6:].argmax(1))
    return temperature, media_temperature, caution, {
        "rows": len(known), "macroF1": float(f1.mean()), "f1": dict(zip(TASKS, map(float, f1))), "accuracy": float(right.mean()),
        "accuracyOfSurest80": float(right[surest].mean()), "calibrationError": expected_calibration_error(confidence, right),
        "perSource": per_source, "confusion": confusion_matrix(truth, guess).tolist(), "media": media_figures, "robustness": float(agree.mean()),
        "own": own_figures(logits, task, media, caution, examples),
    }


def choose_caution(logits, media, weight):
    """The best F1 among cautions with few false alarms, on the sources and on our own requests alike."""
    best = (0, -1)
    for caution in np.arange(-2, 3, 0.1):
        guess = (logits + caution * (np.arange(len(MEDIA)) == 0)).argmax(1)
        score = f1_score(media, guess, average="macro")
        if np.average((guess > 0) & (media == 0), weights=weight) <= 0.003 and score > best[1]:
            best = (float(caution), score)
    return best[0]


def figures_of_media(logits, caution, media, hard):
    guess = (logits + caution * (np.arange(len(MEDIA)) == 0)).argmax(1)
    return {"macroF1": float(f1_score(media, guess, average="macro")), "f1": dict(zip(MEDIA, map(float, f1_score(media, guess, average=None)))),
            "falseAlarms": float(((guess > 0) & (media == 0)).mean()), "falseAlarmsOnHardNegatives": float((guess[hard] > 0).mean()),
            "confusion": confusion_matrix(media, guess).tolist()}


# ---------------------------------------------------------------- complexity


class Complexity:
    """Log-odds that a weak model fails: linear in words and shapes, strongly regularized. Vectors and a hidden layer only learn subjects by heart."""

    def __init__(self, examples):
        shapes = examples.dense[:, VECTORS:].numpy()
        self.mean, self.spread = shapes.mean(0), shapes.std(0) + 1e-6
        counts = np.diff(examples.offsets)
        words = sparse.csr_matrix((np.ones(len(examples.flat), np.float32), examples.flat.numpy(), examples.offsets), (len(examples), BUCKETS))
        words.sum_duplicates()
        used = self.spread > 1e-4
        self.scale = np.where(used, COMPLEXITY["shapes"] / self.spread, 0)
        self.inputs = sparse.hstack([sparse.diags(1 / np.sqrt(counts + 1)) @ words, sparse.csr_matrix((shapes - self.mean) * self.scale)]).tocsr()
        self.fails = np.array([float(r["fails"]) for r in examples.rows])
        self.subjects = np.array([r["subject"] for r in examples.rows])
        self.kinds = np.array([r["kind"] for r in examples.rows])
        self.weight = self.weights()

    def weights(self):
        subjects, kinds = self.subjects, self.kinds
        sizes = {s: (subjects == s).sum() for s in set(subjects)}
        # Large subjects must not drown the small ones; moral_scenarios is one question in 895 wordings; sums have a model of their own.
        weight = np.array([sizes[s] ** -0.5 for s in subjects]) * np.where(subjects == "moral_scenarios", 0.2, 1) * np.where(subjects == "gsm8k", 0.3, 1)
        weight = weight / weight[kinds == "pairs"].mean()
        return np.where(kinds == "seed", 3, np.where(kinds == "frame", 0.3, weight))

    def fit(self, rows):
        """Estimates between 0 and 1 count as both outcomes, in shares."""
        inputs, labels = sparse.vstack([self.inputs[rows]] * 2).tocsr(), np.repeat([1, 0], len(rows))
        weight = np.concatenate([self.weight[rows] * self.fails[rows], self.weight[rows] * (1 - self.fails[rows])])
        used = weight > 0
        return LogisticRegression(C=COMPLEXITY["strength"], solver="liblinear", random_state=1).fit(inputs[used], labels[used], weight[used])

    def score(self, fitted, rows):
        return fitted.decision_function(self.inputs[rows])

    def tensors(self, fitted):
        words, shapes = fitted.coef_[0, :BUCKETS], fitted.coef_[0, BUCKETS:] * self.scale
        return linear_tensors("complexity", words, np.concatenate([np.zeros(VECTORS), shapes]), float(fitted.intercept_[0] - shapes @ self.mean))


def cost_quality(scores, weak, strong):
    """The share of the strong-weak gap recovered as the hardest are sent to the strong model: APGR, CPT50, CPT80, the curve."""
    order = np.argsort(-scores, kind="stable")
    quality = np.concatenate([[weak.sum()], weak.sum() + np.cumsum(strong[order].astype(int) - weak[order])]) / len(order)
    gain = (quality - quality[0]) / (quality[-1] - quality[0])
    share = np.arange(len(gain)) / (len(gain) - 1)
    reach = lambda goal: float(share[np.argmax(gain >= goal)])
    picks = np.linspace(0, len(gain) - 1, 51).astype(int)
    return {"apgr": float(gain.mean()), "cpt50": reach(0.5), "cpt80": reach(0.8), "curve": [[float(share[i]), float(gain[i])] for i in picks]}


#: Which subjects are left out together is drawn so many times: one draw is worth a hundredth of AUC by luck.
DIVISIONS = range(3, 8)


def complexity_honest(examples, model):
    fails, subjects = model.fails, model.subjects
    strong = np.array([r["strong"] for r in examples.rows])
    exams = np.where((model.kinds == "pairs") & (subjects != "gsm8k"))[0]
    divisions = [left_out_exams(examples, model, exams, seed) for seed in DIVISIONS]
    sums = np.where(subjects == "gsm8k")[0]
    half = np.random.default_rng(1).permutation(sums)[: len(sums) // 2]
    sum_scores = score_word_problems(fit_word_problems(examples, fails, np.setdiff1d(sums, half)), examples, half)
    large = np.isin(subjects[exams], ["moral_scenarios", "professional_law"])
    # Of the strong model's answers there 3 % count as right, beside 39 % in college mathematics: they were read wrongly.
    sound = exams[subjects[exams] != "high_school_mathematics"]
    mean = lambda figure: float(np.mean([figure(by_shapes) for by_shapes, _ in divisions]))
    auc = lambda rows: mean(lambda scores: roc_auc_score(fails[rows], scores[rows]))
    quality = lambda rows, scores: cost_quality(scores[rows], 1 - fails[rows], strong[rows])
    apgr = lambda rows: mean(lambda scores: quality(rows, scores)["apgr"])
    over = lambda figure: interval(lambda drawn: figure(exams[drawn]), subjects[exams])
    by_shapes, by_words = divisions[0]
    platt, platt_words = (LogisticRegression(C=100).fit(scores[exams, None], fails[exams]) for scores in (by_shapes, by_words))
    figures = {
        "aucMmlu": auc(exams), "aucMmluInterval": over(auc), "aucMmluWithoutTheTwoLargest": auc(exams[~large]),
        "aucGsm8k": float(roc_auc_score(fails[half], sum_scores)),
        "mmlu": {**quality(exams, by_shapes), "apgr": apgr(exams)}, "apgrMmluInterval": over(apgr), "apgrMmluSound": apgr(sound),
        "gsm8k": cost_quality(sum_scores, 1 - fails[half], strong[half]),
        "calibrationError": expected_calibration_error(1 / (1 + np.exp(-platt.decision_function(by_shapes[exams, None]))), fails[exams] == 1),
    }
    line = lambda fitted: {"slope": float(fitted.coef_[0, 0]), "intercept": float(fitted.intercept_[0])}
    return {"complexity": line(platt_words), "examScale": line(platt)}, figures


def left_out_exams(examples, model, exams, seed):
    """Scores by shapes, and by the words that the head reads in all other requests; each by models that saw none of the question's subject."""
    tested = np.zeros(len(examples), bool)
    tested[exams] = True
    listed = ~np.isnan(examples.exams[:, 0])
    by_shapes, by_words = np.zeros(len(examples)), np.zeros(len(examples))
    for out in folds_of(model.subjects, tested, seed):
        test, learn = np.where(out)[0], np.where(~out)[0]
        if seed == DIVISIONS[0] or not listed[test].all():
            by_words[test] = model.score(model.fit(learn), test)
        fitted = fit_listed(examples, model, learn)
        by_shapes[test] = np.where(listed[test], score_exams(fitted, np.nan_to_num(examples.exams[test])), by_words[test])
    return by_shapes, by_words


def fit_listed(examples, model, rows):
    rows = rows[~np.isnan(examples.exams[rows, 0])]
    return fit_exams(examples.exams[rows], model.fails[rows], model.weight[rows])


def shipped_exams(examples, model, scale):
    fitted = fit_listed(examples, model, np.arange(len(examples)))
    return {"bias": fitted["bias"] * scale["slope"] + scale["intercept"], "weights": [w * scale["slope"] for w in fitted["weights"]]}


#: Where src/router/features/request-features.ts puts what it sees of a word problem: length, commas, names (all zero for other requests).
WORD_PROBLEM = [VECTORS + 30, VECTORS + 31, VECTORS + 39]


def fit_word_problems(examples, fails, rows):
    """Words tell nothing about a sum's difficulty, three shapes do: log-odds of failing = bias + weights . shapes."""
    shapes = examples.dense[rows][:, WORD_PROBLEM].numpy()
    fitted = LogisticRegression(C=1).fit(shapes, fails[rows])
    return {"bias": float(fitted.intercept_[0]), "weights": [float(w) for w in fitted.coef_[0]]}


def score_word_problems(model, examples, rows):
    return examples.dense[rows][:, WORD_PROBLEM].numpy() @ np.array(model["weights"]) + model["bias"]


# ---------------------------------------------------------------- refusals


def refusal_loss(examples):
    label = torch.tensor([float(r["label"]) for r in examples.rows])
    return lambda logits, rows: binary_cross_entropy(logits[:, 0], label[rows] * 0.96 + 0.02), label.numpy()


def train_refusal(examples, chosen, loss):
    """Two of them, averaged: one alone is worth half a hundredth of F1 by luck."""
    return averaged([train(examples, chosen, 1, loss, seed=seed, **REFUSAL) for seed in (1, 2)])


def refusal_honest(examples, loss, label):
    family = np.array([r["family"] for r in examples.rows])
    given = np.array([not f.startswith(("frames", "own")) for f in family])
    # Our own answers are left out in parts, each with one of the given sources.
    sources = sorted(set(family[given]))
    family = np.array([sources[int(f[4:]) % len(sources)] if f.startswith("own") else f for f in family])
    by_model = left_out_scores(examples, loss, family, given)
    # Harsher: XSTest's three models answer the same prompts, so all three are left out together.
    by_prompts = left_out_scores(examples, loss, np.where(np.char.startswith(family, "XSTest"), "XSTest", family), given)
    z, y = by_model[given], label[given]
    slope = float(LogisticRegression(C=100).fit(z[:, None], y).coef_[0, 0])
    threshold = choose_threshold(z, y)
    return {"slope": slope, "intercept": -slope * threshold}, {
        "rows": int(given.sum()), **refusal_figures(z > threshold, y), "promptsUnseenToo": refusal_figures(by_prompts[given] > threshold, y),
    }


def left_out_scores(examples, loss, sources, tested):
    scores = np.zeros(len(examples))
    for source in sorted(set(sources[tested])):
        test = np.where(sources == source)[0]
        scores[test] = predict(train_refusal(examples, np.where(sources != source)[0], loss), examples, test)[:, 0]
    return scores


def refusal_figures(guess, y):
    return {"f1": float(f1_score(y, guess)), "falsePositives": float((guess & (y == 0)).sum() / (y == 0).sum()),
            "recall": float((guess & (y == 1)).sum() / (y == 1).sum())}


def choose_threshold(z, y, most_false=0.006):
    """Best F1 among thresholds with few false alarms: a good answer called a refusal costs a retry."""
    options = [t for t in np.arange(-2, 3, 0.05) if ((z > t) & (y == 0)).sum() / (y == 0).sum() <= most_false]
    return float(max(options, key=lambda t: f1_score(y, z > t)))


def kept_refusals(path):
    """→ threshold and figures as the last training wrote them."""
    figures = json.loads(path.read_text())
    return figures["calibration"]["refusal"], figures["refusal"]


def kept_head(name):
    return {key: tensor for key, tensor in read_tensor_file(HEADS)[1].items() if key.startswith(f"{name}.")}


# ---------------------------------------------------------------- all of it


def main(scratch, honest, keep_refusals):
    scratch.mkdir(parents=True, exist_ok=True)
    asking = unit_rows()
    units = train_units(asking, dump("units", [{"text": r["text"]} for r in asking], scratch, "units"))
    empty = {n: blank(n, i, o) for n, i, o in [("route", REQUEST_INPUTS, 10), ("complexity", REQUEST_INPUTS, 1), ("refusal", ANSWER_INPUTS, 1)]}
    write_heads(scratch / "heads.bin", units, {}, empty)

    requests = Examples(dump("requests", all_rows(6), scratch, "requests"), VECTORS)
    outcomes = Examples(dump("requests", difficulty_rows(), scratch, "outcomes"), VECTORS)
    answers = Examples(dump("answers", [*given_answers(), *own_answers(6), *composed_answers(5, 7)], scratch, "answers"), ANSWER_VECTORS)
    loss, task, media = route_loss(requests)
    hard = Complexity(outcomes)
    answer_loss, label = refusal_loss(answers)

    if honest:
        logits, plain, rough = route_honest(requests, loss, task, media)
        np.save(scratch / "logits.npy", logits)
        temperature, media_temperature, caution, routing = route_figures(logits, plain, rough, task, media, requests)
        complexity, hardness = complexity_honest(outcomes, hard)
        refusal, refusing = kept_refusals(FIGURES) if keep_refusals else refusal_honest(answers, answer_loss, label)
        calibration = {"taskTemperature": temperature, "mediaTemperature": media_temperature, "mediaCaution": caution, **complexity, "refusal": refusal}
        FIGURES.write_text(json.dumps({"calibration": calibration, "routing": routing, "complexity": hardness, "refusal": refusing}, indent=1) + "\n")
        for name, figures in [("routing", routing), ("complexity", hardness), ("refusal", refusing)]:
            print(name, json.dumps({k: v for k, v in figures.items() if k not in ("confusion", "curve")})[:1500])
    calibration = json.loads(FIGURES.read_text())["calibration"]
    calibration["exam"] = shipped_exams(outcomes, hard, calibration.pop("examScale"))
    calibration["wordProblem"] = fit_word_problems(outcomes, hard.fails, np.where(hard.subjects == "gsm8k")[0])
    heads = {
        "route": tensors_of("route", train(requests, np.arange(len(requests)), 10, loss, **ROUTE)),
        "complexity": hard.tensors(hard.fit(np.arange(len(outcomes)))),
        "refusal": kept_head("refusal") if keep_refusals else tensors_of("refusal", train_refusal(answers, np.arange(len(answers)), answer_loss)),
    }
    write_heads(HEADS, units, calibration, heads)


def train_tasks(scratch, honest):
    """New frames for tasks need not cost wishes for media that are understood today: their outputs, and what they rest on, stay as they are."""
    scratch.mkdir(parents=True, exist_ok=True)
    shutil.copy(HEADS, scratch / "heads.bin")
    requests = Examples(dump("requests", all_rows(6), scratch, "requests"), VECTORS)
    loss, task, media = route_loss(requests)
    figures = json.loads(FIGURES.read_text())
    if honest:
        kept = figures["routing"]
        figures["calibration"]["taskTemperature"], _, _, routing = route_figures(*route_honest(requests, loss, task, media), task, media, requests)
        own = {**kept["own"], "rows": routing["own"]["rows"], "accuracy": routing["own"]["accuracy"]}
        figures["routing"] = {**routing, "media": kept["media"], "own": own}
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    meta, tensors = read_tensor_file(HEADS)
    meta["revision"] = REVISION
    meta["calibration"]["taskTemperature"] = figures["calibration"]["taskTemperature"]
    head = tensors_of("route", train(requests, np.arange(len(requests)), 10, loss, **ROUTE))
    write_tensor_file(HEADS, meta, {**tensors, **replace_outputs("route", tensors, head, len(TASKS))})


if __name__ == "__main__":
    if "--tasks-only" in sys.argv:
        train_tasks(Path(sys.argv[1]), "--skip-honest" not in sys.argv)
    else:
        main(Path(sys.argv[1]), "--skip-honest" not in sys.argv, "--keep-refusals" in sys.argv)
