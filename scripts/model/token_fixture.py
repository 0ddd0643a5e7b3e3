"""The fixture by which our tokenizer is tested against the `tokenizers` library.

In goes the reference tokenizer; out come its ids for texts, written by hand
(`fixture-texts.json`) and generated, and a short digest for each 256 characters of Unicode.
Which disagreements are known, and why, is listed in the test that reads it.
"""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from fixture_texts import generate_texts

HERE = Path(__file__).resolve().parent
COMMITTED = HERE.parent.parent / "test" / "fixtures" / "token-ids.json.gz"
SEED = 2026
TEXTS_PER_KIND = 120
SWEPT = 0x40000
"""All planes in which characters with a piece or a folding lie."""
BLOCK = 256
DIGEST_LENGTH = 8
Fixture = dict[str, list[Any]]


def token_fixture(reference: Tokenizer) -> Fixture:
    """`texts` is a list of [text, ids]; `blocks` has one digest for each 256 code points from 0."""
    written = json.loads((HERE / "fixture-texts.json").read_text("utf-8"))
    texts = list(dict.fromkeys([*written, *generate_texts(SEED, TEXTS_PER_KIND)]))
    ids = [encoding.ids for encoding in reference.encode_batch(texts)]
    blocks = [_digest(reference, first) for first in range(0, SWEPT, BLOCK)]
    return {"texts": [list(row) for row in zip(texts, ids, strict=True)], "blocks": blocks}


def write_fixture(fixture: Fixture, path: Path) -> None:
    """Compressed; the bytes depend on the machine's zlib, the content does not."""
    content = json.dumps(fixture, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def read_fixture(path: Path) -> Fixture:
    """The content of a file that `write_fixture` wrote."""
    return json.loads(gzip.decompress(path.read_bytes()))


def _digest(reference: Tokenizer, first: int) -> str:
    """Of the ids of each character between two letters, one text a line."""
    texts = [f"a{chr(c)}b" for c in range(first, first + BLOCK) if not 0xD800 <= c <= 0xDFFF]
    lines = [" ".join(map(str, encoding.ids)) + "\n" for encoding in reference.encode_batch(texts)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:DIGEST_LENGTH]
