"""Whether what was made is the built-in model, and how near it is to the model it came from.

In go the made files and the source model; out come figures, printed, and the list of checks
that failed. Texts are in `verify-texts.json`; every one is embedded as query and as passage.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from checksums import PINNED, sha256
from reference_encoder import ReferenceEncoder
from reference_tokenizer import UNKNOWN
from runtime import Session
from token_fixture import COMMITTED, read_fixture
from weights import SourceModel

HERE = Path(__file__).resolve().parent
EMBEDDED = HERE.parent.parent / "src" / "embed" / "builtin"
TEXTS = json.loads((HERE / "verify-texts.json").read_text("utf-8"))
PREFIXES = ["query: ", "passage: "]


@dataclass(frozen=True)
class Floor:
    """The least cosine that is accepted, over all texts of a group."""

    mean: float
    lowest: float


QUANTISED = Floor(mean=0.999, lowest=0.995)
"""Against 32-bit weights on the same pieces: what 8 bits cost."""
WHOLE = {"ja": Floor(mean=0.999, lowest=0.995), "en": Floor(mean=0.995, lowest=0.95)}
"""Against the unpruned model on its own pieces: what 8 bits and the smaller vocabulary cost."""
WHOLE_OTHERS = Floor(mean=0.87, lowest=0.75)
"""The same for all other languages together."""


class Verification:
    """Collects what fails instead of stopping, so that one run tells everything."""

    def __init__(
        self, out: Path, model: SourceModel, keep: np.ndarray, pruned: Tokenizer, whole: Tokenizer
    ) -> None:
        self.failures: list[str] = []
        self._out = out
        self._keep = keep
        self._pruned = pruned
        self._whole = whole
        self._made = Session(out / "model-q8.ort")
        self._reference = ReferenceEncoder(model)

    def run(self) -> list[str]:
        """All checks; returns the failed ones."""
        for check in (self.hashes, self.embedded_file, self.agreement, self.known_characters, self.fixture):
            check()
        return self.failures

    def hashes(self) -> None:
        """The made files are the pinned ones, and so are those in the sources."""
        for group, folder in (("outputs", self._out), ("embedded", EMBEDDED)):
            for name, expected in PINNED[group].items():
                self._expect(sha256(folder / name) == expected, f"{folder / name} has the pinned hash")

    def embedded_file(self) -> None:
        """Both files of the ORT form, and the ONNX form, give the same bits."""
        embedded = Session(EMBEDDED / "model-q8.ort")
        onnx = Session(self._out / "model-q8.onnx")
        texts = self._prefixed([*TEXTS["ja"], *TEXTS["en"], *TEXTS["others"].values()])
        different = 0
        for text in texts:
            ids = self._pruned.encode(text).ids
            vector = self._made.embed(ids).tobytes()
            different += vector != embedded.embed(ids).tobytes() or vector != onnx.embed(ids).tobytes()
        self._expect(
            different == 0,
            f"{len(texts) - different} of {len(texts)} vectors equal those of the embedded file bit for bit",
        )

    def agreement(self) -> None:
        """Cosines in Japanese and English: first what 8 bits cost, then all that changed."""
        for language, floor in WHOLE.items():
            texts = self._prefixed(TEXTS[language])
            self._compare(f"{language}, same pieces", texts, self._on_same_pieces, QUANTISED)
            self._compare(f"{language}, unpruned", texts, self._unpruned, floor)

    def known_characters(self) -> None:
        """No language meets an unknown piece; how much of its meaning is left is told, with a low floor."""
        others: dict[str, str] = TEXTS["others"]
        for language, text in others.items():
            unknown = self._pruned.encode(text).ids.count(UNKNOWN)
            cosine = self._cosine(PREFIXES[1] + text, self._unpruned)
            self._expect(unknown == 0, f"{language}: {unknown} unknown pieces, cosine {cosine:.3f}")
        self._compare(
            "other languages, unpruned", self._prefixed(list(others.values())), self._unpruned, WHOLE_OTHERS
        )

    def fixture(self) -> None:
        """What the tests of our tokenizer compare with is what the library says today."""
        made = read_fixture(self._out / COMMITTED.name)
        same = COMMITTED.exists() and read_fixture(COMMITTED) == made
        self._expect(
            same, f"{COMMITTED.name} in the tests has the {len(made['texts'])} texts and ids made now"
        )

    def _compare(
        self, title: str, texts: list[str], other: Callable[[str], np.ndarray], floor: Floor
    ) -> None:
        cosines = np.array([self._cosine(text, other) for text in texts])
        mean, lowest = cosines.mean(), cosines.min()
        self._expect(
            bool(mean >= floor.mean and lowest >= floor.lowest),
            f"{title}, {len(texts)} texts: cosine {mean:.5f} (at least {floor.mean}), "
            f"lowest {lowest:.5f} (at least {floor.lowest})",
        )

    def _cosine(self, text: str, other: Callable[[str], np.ndarray]) -> float:
        return float(self._made.embed(self._pruned.encode(text).ids) @ other(text))

    def _on_same_pieces(self, text: str) -> np.ndarray:
        return self._reference.embed(self._keep[self._pruned.encode(text).ids].tolist())

    def _unpruned(self, text: str) -> np.ndarray:
        return self._reference.embed(self._whole.encode(text).ids)

    def _prefixed(self, texts: list[str]) -> list[str]:
        return [prefix + text for prefix in PREFIXES for text in texts]

    def _expect(self, holds: bool, statement: str) -> None:
        print(f"  {'ok  ' if holds else 'FAIL'} {statement}", flush=True)
        if not holds:
            self.failures.append(statement)
