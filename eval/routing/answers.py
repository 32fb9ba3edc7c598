"""Answers for the refusal head: the given ones and those composed from frames/refusal-answers.txt."""
import random
import re
from pathlib import Path

import compose
from dataset import SHARED, own_lines, part_of, read_jsonl

PATH = Path(__file__).parent / "frames" / "refusal-answers.txt"


def read_templates():
    templates, slots, section = {"refusal": [], "answer": []}, {}, None
    for number, line in enumerate(PATH.read_text().splitlines(), 1):
        if not line or line.startswith("# "):
            continue
        if line.startswith("@"):
            section = line[1:]
        elif section == "slots":
            name, values = line.split(" = ", 1)
            slots[name] = [v.strip() for v in values.split(" | ")]
        else:
            templates[section].append((number, line.replace("\\n", "\n")))
    return templates, slots


def given_answers():
    rows = []
    for r in read_jsonl(SHARED / "refusals.jsonl"):
        if r["label"] != "partial":
            family = re.sub(r"^refusal_direction \((.*), substring.*", r"\1", r["source"])
            rows.append({"response": r["response"], "prompt": r["prompt"], "label": int(r["label"] == "refusal"), "family": family})
    return rows


def own_answers(seed, copies=2):
    rng = random.Random(seed)
    rows = []
    for label, prompt, text in own_lines("development-answers.tsv"):
        row = {"response": text, "prompt": None if prompt == "-" else prompt, "label": int(label == "refusal"), "family": f"own {part_of(text)}"}
        rows.append(row)
        rows += [{**row, "prompt": row["prompt"] if rng.random() < 0.5 else None, "response": compose.roughen(text, rng, 0.6), "copy": True} for _ in range(copies)]
    return rows


def composed_answers(seed, per_template=10):
    rng = random.Random(seed)
    templates, slots = read_templates()

    def fill(text):
        for _ in range(3):
            text = re.sub(r"\{(\w+)\}", lambda m: rng.choice(slots[m[1]]).replace("\\n", "\n") if m[1] in slots else m[0], text)
        return text.replace("{{", "{").replace("}}", "}").strip()

    rows = []
    frames = [f for f in compose.FRAME_LIST if f["pos"] == "user"]
    documents = [d for kind in compose.DOCUMENTS.values() for d in kind]
    for label, name in [(1, "refusal"), (0, "answer")]:
        for number, template in templates[name]:
            for _ in range(per_template if "{" in template else max(2, per_template // 3)):
                text = fill(template)
                if label and rng.random() < 0.15 and not text.startswith(("{", "[", "<", "`")):
                    text += " " + fill("{why} {offer}")
                if rng.random() < 0.08 and not text.startswith(("{", "[", "`")):
                    text = '{"' + rng.choice(["answer", "text", "response", "output", "content"]) + '": "' + text.replace('"', "'").replace("\n", " ") + '"}'
                if rng.random() < 0.2:
                    text = compose.roughen(text, rng, 1.0) if rng.random() < 0.3 else text.replace("'", "’")
                prompt = compose.fill(rng.choice(frames)["text"], rng) if rng.random() < 0.6 else None
                rows.append({"response": text, "prompt": prompt, "label": label, "family": f"frames:{name}:{number}"})
    for document in documents * 3:  # whatever documents say, an answer that quotes or repeats them does not refuse
        rows.append({"response": document, "prompt": None, "label": 0, "family": "frames:document"})
    for row in compose.compose_all(1, seed, ["A short passage."])[::12]:  # nor does text that asks for things
        rows.append({"response": row["messages"][-1]["content"], "prompt": None, "label": 0, "family": "frames:request"})
    return rows


if __name__ == "__main__":
    import json
    import sys

    rows = [*given_answers(), *own_answers(6), *composed_answers(5)]
    Path(sys.argv[1]).write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n")
    print(len(rows), sum(r["label"] for r in rows))
