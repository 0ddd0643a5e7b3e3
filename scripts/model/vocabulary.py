"""Which pieces of the vocabulary stay.

In go all pieces and the committed choice by frequency (`keep40k.npy`: 40,000 ids, chosen in
Japanese and English text); out come the ids to keep, ascending. A piece's new id is its place.
"""

import numpy as np

from weights import SourceModel

WORD_MARK = "\u2581"
"""Stands before each word, in place of the space."""
SPECIAL = [0, 1, 2, 3]
"""Start, padding, end, unknown: they keep their ids."""
REPLACEMENT = "\ufffd"


def choose_pieces(model: SourceModel, frequent: np.ndarray) -> np.ndarray:
    """Ids (int64) of the frequent pieces and all of one character, so that any language can be spelled."""
    single = {
        piece_id
        for piece_id, piece in enumerate(model.pieces)
        if len(piece.removeprefix(WORD_MARK)) <= 1 and REPLACEMENT not in piece
    }
    return np.array(sorted(single.union(frequent.tolist(), SPECIAL)), np.int64)
