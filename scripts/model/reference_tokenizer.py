"""The tokenizer as a `tokenizer.json` of the `tokenizers` library: the reference of our own.

In go pieces and scores; out comes the JSON text, byte for byte the same each time. Cleaning
follows the training normaliser: controls go, fifteen characters become a space, the rest is
NFKC except for one tilde, and spaces are single and never at an end.
"""

import json
from collections.abc import Sequence
from typing import Any

from vocabulary import WORD_MARK

DELETED = r"[\u0000-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"
SPACES = r"[\t\n\u000c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"
FULLWIDTH_TILDE = "\uff5e"
STAND_IN = "\ufdd0"
"""A noncharacter in the tilde's place while NFKC, which would change the tilde, runs."""
MARKS = ["<s>", "<pad>", "</s>", "<unk>"]
UNKNOWN = 3


def reference_json(pieces: Sequence[str], scores: Sequence[float]) -> str:
    """The library's description of this unigram model; scores have at most four decimals."""
    metaspace = {"type": "Metaspace", "replacement": WORD_MARK, "prepend_scheme": "always", "split": True}
    normalizers = [
        _replace("Regex", DELETED, ""),
        _replace("Regex", SPACES, " "),
        _replace("String", FULLWIDTH_TILDE, STAND_IN),
        {"type": "NFKC"},
        _replace("String", STAND_IN, FULLWIDTH_TILDE),
        _replace("Regex", " {2,}", " "),
        _replace("Regex", "^ | $", ""),
    ]
    description = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_mark(mark_id, mark) for mark_id, mark in enumerate(MARKS)],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": metaspace,
        "post_processor": _frame(),
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": UNKNOWN,
            "vocab": [list(entry) for entry in zip(pieces, scores, strict=True)],
            "byte_fallback": False,
        },
    }
    return json.dumps(description, ensure_ascii=False, separators=(",", ":"))


def _replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def _mark(mark_id: int, mark: str) -> dict[str, Any]:
    switches = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": mark_id, "content": mark, **switches}


def _frame() -> dict[str, Any]:
    """Start and end marks around a text; the second of a pair is never used."""
    start, end = ({"SpecialToken": {"id": mark, "type_id": 0}} for mark in ("<s>", "</s>"))
    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in ("A", "B"))
    special = {mark: {"id": mark, "ids": [MARKS.index(mark)], "tokens": [mark]} for mark in ("<s>", "</s>")}
    return {
        "type": "TemplateProcessing",
        "single": [start, first, end],
        "pair": [start, first, end, second, end],
        "special_tokens": special,
    }
