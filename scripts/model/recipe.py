"""The steps, in order, from the published weights to the verified files of the built-in model.

In go the folders for results and for work; out come the files, each printed with its hash, and
the exit status: 1 if a check failed. `make.py` runs this in the right environment.
"""

import sys
import time
from pathlib import Path

import numpy as np
import onnx
from tokenizers import Tokenizer

from checksums import HERE, PINNED, announce, require
from double_array import compact_tokenizer
from graph import build_graph
from reference_tokenizer import reference_json
from runtime import convert_to_ort
from source import fetch_weights
from token_fixture import COMMITTED, token_fixture, write_fixture
from verify import Verification
from vocabulary import choose_pieces
from weights import SourceModel, read_weights


def main(out: Path, work: Path) -> int:
    """Makes and verifies everything."""
    started = time.monotonic()
    _title("inputs")
    for name, expected in PINNED["inputs"].items():
        require(HERE / name, expected, "It is part of the sources: restore it from version control.")
        announce(HERE / name)
    model = read_weights(fetch_weights(work))

    _title("vocabulary")
    keep = choose_pieces(model, np.load(HERE / "keep40k.npy"))
    np.save(out / "keep.npy", keep)
    announce(out / "keep.npy")

    _title("tokenizer")
    pieces, scores = _entries(model, keep)
    description = reference_json(pieces, scores)
    (out / "tokenizer.json").write_bytes(description.encode())
    announce(out / "tokenizer.json")
    (out / "tokenizer.bin").write_bytes(compact_tokenizer(pieces, scores))
    announce(out / "tokenizer.bin")
    pruned = Tokenizer.from_str(description)
    write_fixture(token_fixture(pruned), out / COMMITTED.name)
    announce(out / COMMITTED.name)

    _title("model")
    onnx.save(build_graph(model, keep, np.load(HERE / "smooth.npz")), out / "model-q8.onnx")
    announce(out / "model-q8.onnx")
    convert_to_ort(out / "model-q8.onnx", out / "model-q8.ort")
    announce(out / "model-q8.ort")

    _title("checks")
    whole = Tokenizer.from_str(reference_json(*_entries(model, np.arange(len(model.pieces)))))
    failures = Verification(out, model, keep, pruned, whole).run()
    verdict = f"{len(failures)} checks failed" if failures else "all checks passed"
    print(f"{verdict}, {time.monotonic() - started:.0f} s")
    return 1 if failures else 0


def _entries(model: SourceModel, keep: np.ndarray) -> tuple[list[str], list[float]]:
    """Pieces and scores in their new order; four decimals are what `tokenizer.bin` holds."""
    return [model.pieces[i] for i in keep], [round(float(model.scores[i]), 4) for i in keep]


def _title(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
