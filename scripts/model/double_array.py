"""The tokenizer as `tokenizer.bin`: all pieces as a trie in a double array that loads in milliseconds.

In go pieces and scores; out come the file's bytes, whose layout `src/embed/builtin/README.md`
documents. Where a node lies depends on first fit in a fixed order, so the bytes are the same each time.
"""

import struct
from collections import Counter
from collections.abc import Sequence

import numpy as np

MAGIC = b"E5T2"
NO_PIECE = 0xFFFF
FIRST_TEXT_PIECE = 4
"""Pieces before it are marks, which no text yields."""
SCORE_UNITS = 10_000
SEARCH_WINDOW = 4096


class _Trie:
    """Nodes are numbered as they are met; node 0 is the root."""

    def __init__(self) -> None:
        self.children: list[dict[int, int]] = [{}]
        self.piece: list[int] = [NO_PIECE]

    def add(self, codes: Sequence[int], piece_id: int) -> None:
        node = 0
        for code in codes:
            child = self.children[node].get(code)
            if child is None:
                child = len(self.children)
                self.children[node][code] = child
                self.children.append({})
                self.piece.append(NO_PIECE)
            node = child
        self.piece[node] = piece_id


def compact_tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> bytes:
    """The bytes of `tokenizer.bin`; raises ValueError when ids do not fit in 16 bits."""
    if len(pieces) >= NO_PIECE:
        raise ValueError(f"{len(pieces)} pieces are too many for 16-bit ids")
    texts = [np.frombuffer(piece.encode("utf-16-le"), "<u2").tolist() for piece in pieces]
    frequency = Counter(unit for text in texts[FIRST_TEXT_PIECE:] for unit in text)
    units = sorted(frequency, key=lambda unit: (-frequency[unit], unit))
    code_of = {unit: place + 1 for place, unit in enumerate(units)}

    trie = _Trie()
    for piece_id, text in enumerate(texts):
        if piece_id >= FIRST_TEXT_PIECE:
            trie.add([code_of[unit] for unit in text], piece_id)
    base, check, piece_at = _lay_out(trie, _choose_bases(trie, len(units)))

    header = struct.pack("<4sIII", MAGIC, len(pieces), len(units), len(base))
    scaled = np.round(np.array(scores) * SCORE_UNITS).astype("<i4")
    parts = [scaled, base, np.array(units, "<u2"), check, piece_at]
    return header + b"".join(part.tobytes() for part in parts)


def _choose_bases(trie: _Trie, code_count: int) -> dict[int, int]:
    """First fit: the root, then nodes with many children first. No two nodes share a base."""
    capacity = len(trie.children) * 3 + code_count * 2 + 10_000
    slot_taken = np.zeros(capacity, bool)
    base_taken = np.zeros(capacity, bool)
    slot_taken[0] = True
    inner = (node for node, children in enumerate(trie.children) if children)
    order = sorted(inner, key=lambda node: (node != 0, -len(trie.children[node]), node))
    bases: dict[int, int] = {}
    lowest_free = 0
    for node in order:
        codes = np.array(sorted(trie.children[node]))
        base = _first_fit(codes, slot_taken, base_taken, lowest_free)
        base_taken[base] = True
        slot_taken[base + codes] = True
        bases[node] = base
        while base_taken[lowest_free]:
            lowest_free += 1
    return bases


def _first_fit(codes: np.ndarray, slot_taken: np.ndarray, base_taken: np.ndarray, start: int) -> int:
    while True:
        stop = start + SEARCH_WINDOW
        fits = ~base_taken[start:stop]
        for code in codes:
            fits &= ~slot_taken[start + code : stop + code]
        found = np.flatnonzero(fits)
        if len(found):
            return start + int(found[0])
        start = stop


def _lay_out(trie: _Trie, bases: dict[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three arrays over all slots, cut after the last one in use."""
    slot_of = {0: 0}
    for node, base in bases.items():
        for code, child in trie.children[node].items():
            slot_of[child] = base + code
    size = max(slot_of.values()) + 1
    base_at = np.zeros(size, "<i4")
    check = np.zeros(size, "<u2")
    piece_at = np.full(size, NO_PIECE, "<u2")
    for node, slot in slot_of.items():
        piece_at[slot] = trie.piece[node]
        base_at[slot] = bases.get(node, 0)
        for code in trie.children[node]:
            check[bases[node] + code] = code
    return base_at, check, piece_at
