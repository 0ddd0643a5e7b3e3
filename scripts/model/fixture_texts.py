"""Texts to compare tokenizers on: generated from word lists, the same on every machine.

In goes nothing but `fixture-words.json` and a seed; out come texts of many scripts and of
everything that documents really contain: full width, half-width kana, decomposed accents,
emoji, controls, odd spaces, addresses, code, very long words. The kinds are at the end.
"""

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from dice import Dice

WORDS = json.loads((Path(__file__).resolve().parent / "fixture-words.json").read_text("utf-8"))
SPACED: dict[str, list[str]] = {name: words.split(" ") for name, words in WORDS["spaced"].items()}
JOINED: dict[str, list[str]] = {name: words.split(" ") for name, words in WORDS["joined"].items()}
LANGUAGES = SPACED | JOINED
EMOJI: list[str] = WORDS["emoji"].split(" ")
SYMBOLS: list[str] = WORDS["symbols"].split(" ")
ENGLISH = SPACED["English"]
JAPANESE = JOINED["Japanese"]

SPACES = [
    *" \t\n\r\f\v\u0085\u00a0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
    "\r\n",
    "  ",
]
INVISIBLE = [
    *"\u0000\u0001\u0007\u0008\u001b\u001f\u007f\u008f\u0090\u009f\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff\ufffd\u2581\ufe0f"
]
PUNCTUATION = [". ", ", ", "! ", "? ", ": ", "; ", " - ", "/", " (", ") ", "…", "。", "、", "・"]
HEX = "0123456789abcdef"
MAX_WORD = 3000
"""In UTF-16 units; below the length at which our tokenizer cuts a run without spaces."""

RANDOM_RANGES = [
    (0x20, 0x7F), (0xA0, 0x250), (0x250, 0x370), (0x370, 0x530), (0x530, 0x700), (0x900, 0xE00),
    (0xE00, 0x1100), (0x1100, 0x1200), (0x1200, 0x1800), (0x1E00, 0x2000), (0x2000, 0x2C00),
    (0x2E80, 0x3040), (0x3040, 0x3100), (0x3100, 0x3400), (0x3400, 0x4E00), (0x4E00, 0xA000),
    (0xA000, 0xAC00), (0xAC00, 0xD7A4), (0xF900, 0xFB00), (0xFB00, 0xFE00), (0xFE30, 0xFFF0),
    (0x10000, 0x10200), (0x1D400, 0x1D800), (0x1F000, 0x1FB00), (0x20000, 0x2A6E0),
]  # fmt: skip
"""Blocks out of which single characters are drawn."""


def generate_texts(seed: int, per_kind: int) -> Iterator[str]:
    """Yields `per_kind` texts of every kind, then the special cases; some may be equal."""
    dice = Dice(seed)
    for kind in KINDS:
        for _ in range(per_kind):
            yield kind(dice)
    yield from WORDS["literals"]
    for newer in WORDS["newer"].split(" "):
        first, _, last = newer.partition("-")
        yield from (f"a{chr(c)}b" for c in range(int(first, 16), int(last or first, 16) + 1))


def _sentence(dice: Dice, languages: dict[str, list[str]] = LANGUAGES) -> str:
    name = dice.one_of(list(languages))
    words = [dice.one_of(languages[name]) for _ in range(dice.between(1, 10))]
    return ("" if name in JOINED else " ").join(words)


def _spaced(dice: Dice) -> str:
    return _sentence(dice, SPACED)


def _joined(dice: Dice) -> str:
    return _sentence(dice, JOINED)


def _japanese(dice: Dice) -> str:
    return "".join(dice.one_of(JAPANESE) for _ in range(dice.between(1, 16)))


def _mixed(dice: Dice) -> str:
    parts = [_sentence(dice) for _ in range(dice.between(2, 4))]
    return dice.one_of(["", " ", "、", "\n"]).join(parts)


def _punctuated(dice: Dice) -> str:
    return "".join(
        dice.one_of(ENGLISH + JAPANESE) + dice.one_of(PUNCTUATION) for _ in range(dice.between(2, 8))
    )


def _number(dice: Dice) -> str:
    n, m, k = dice.between(0, 99_999), dice.between(0, 99), dice.between(0, 9)
    forms = [
        f"{n:,}.{m}", f"-{n}", f"+{n} %", f"¥{n:,}（税込）", f"{m}月{k}日",
        f"20{m:02}-0{k}-1{k}T0{k}:{m % 60:02}:00Z", f"v{k}.{m}.{n}-rc.{k}", f"0x{n:x}", f"{m}.{k}e-{k}",
        f"10.{m}.{k}.1:{n}", f"第{m}章", f"{n}円～{n + m}円", f"({k})", f"{k}/{m}", f"03-{n:05}-{m:02}",
        f"{m}°{k}′", "".join(dice.one_of(HEX) for _ in range(40)),
    ]  # fmt: skip
    return dice.one_of(forms)


def _address(dice: Dice) -> str:
    words = [dice.one_of(ENGLISH + JAPANESE) for _ in range(3)]
    n = dice.between(0, 9999)
    forms = [
        f"https://example.com/{words[0]}/{words[1]}?q={words[2]}&page={n}#s{n}",
        f"http://localhost:{n}/%E6%9D%B1%E4%BA%AC/{words[0]}.html",
        f"{words[0]}.{words[1]}+{n}@example.co.jp",
        f"C:\\Users\\{words[0]}\\{words[1]}.txt",
        f"/usr/local/{words[0]}/{words[1]}-{n}.tar.gz",
        f"../{words[0]}/{words[1]}.test.ts:{n}",
        f"[{words[0]}]({words[1]}.md) ![{words[2]}](a.png)",
    ]
    return dice.one_of(forms)


def _code(dice: Dice) -> str:
    a, b, c = (dice.one_of(ENGLISH) for _ in range(3))
    text = dice.one_of(JAPANESE)
    n = dice.between(0, 999)
    forms = [
        f"const {a}{b.title()}: Map<string, {c}> = new Map(); // {text}",
        f"def {a}_{b}(self, {c}=None):\n    return {{'{a}': {n}}}",
        f"SELECT {a}.{b} FROM {c} WHERE id >= {n} AND name LIKE '%{text}%';",
        f"#include <{a}.h>\nint {b}[{n}] = {{0}};",
        f"if ({a} !== {b} && !{c}?.[{n}]) {{ throw new Error(`{text}`); }}",
        f"{a}-{b}-{c} {a.upper()}_{b.upper()} {a}{b.title()}{c.title()}",
        f"$ git commit -m '{text}' --{a}={n} | grep -E \"^{b}+$\" > /dev/null 2>&1",
        f"| {a} | {text} |\n|---|:-:|\n| {n} | **{b}** |",
        f"# {text}\n\n- [x] {a}\n- `{b}` *{c}*\n\n```ts\n{a}();\n```",
        f'{{"{a}": [{n}, null, true], "{text}": "\\u3042\\n"}}',
    ]
    return dice.one_of(forms)


def _full_width(dice: Dice) -> str:
    text = dice.one_of([_number, _code, _spaced, _punctuated])(dice)
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


def _half_width_kana(dice: Dice) -> str:
    decomposed = unicodedata.normalize("NFD", _japanese(dice))
    return "".join(_HALF_WIDTH.get(c, c) for c in decomposed)


def _decomposed(dice: Dice) -> str:
    return unicodedata.normalize("NFD", _sentence(dice))


def _upper_case(dice: Dice) -> str:
    return dice.one_of([str.upper, str.title, str.swapcase])(_spaced(dice))


def _symbols(dice: Dice) -> str:
    parts = [dice.one_of(SYMBOLS + EMOJI + ENGLISH + JAPANESE) for _ in range(dice.between(2, 12))]
    return dice.one_of(["", " "]).join(parts)


def _emoji(dice: Dice) -> str:
    return (
        dice.one_of(EMOJI)
        + dice.one_of(["", " "])
        + _sentence(dice)
        + dice.one_of(EMOJI)
        + dice.one_of(EMOJI)
    )


def _oddly_spaced(dice: Dice) -> str:
    return "".join(
        dice.one_of(SPACES) + dice.one_of(ENGLISH + JAPANESE) for _ in range(dice.between(2, 7))
    ) + dice.one_of(SPACES)


def _invisible(dice: Dice) -> str:
    text = list(_sentence(dice))
    for _ in range(dice.between(1, 4)):
        text.insert(dice.between(0, len(text)), dice.one_of(INVISIBLE))
    return "".join(text)


def _combining(dice: Dice) -> str:
    marks = [*"\u0300\u0301\u0308\u0323\u0327\u0338\u3099\u309a\u064b\u0651\u093c\u05bc\u20e3"]
    text = list(_sentence(dice))
    for _ in range(dice.between(1, 5)):
        text.insert(dice.between(0, len(text)), dice.one_of(marks))
    return "".join(text)


def _random_characters(dice: Dice) -> str:
    first, end = dice.one_of(RANDOM_RANGES)
    drawn = (chr(dice.between(first, end - 1)) for _ in range(dice.between(4, 24)))
    return dice.one_of(["", " "]).join(c for c in drawn if _is_long_assigned(c))


def _long_word(dice: Dice) -> str:
    words = [dice.one_of(dice.one_of(list(LANGUAGES.values()))) for _ in range(dice.between(1, 12))]
    word = "".join(words)
    wanted = dice.one_of([60, 120, 250]) if dice.between(0, 9) else MAX_WORD
    units = len(word.encode("utf-16-le")) // 2
    return word * max(1, wanted // units)


def _prefixed(dice: Dice) -> str:
    return dice.one_of(["query: ", "passage: "]) + _sentence(dice)


def _is_long_assigned(character: str) -> bool:
    """Whether Unicode 3.2 knew the character: newer ones may fold differently in different libraries."""
    return unicodedata.ucd_3_2_0.category(character) != "Cn"


_HALF_WIDTH = {unicodedata.normalize("NFKC", chr(c)): chr(c) for c in range(0xFF61, 0xFFA0)}

KINDS: list[Callable[[Dice], str]] = [
    _spaced, _joined, _japanese, _mixed, _punctuated, _number, _address, _code, _full_width, _half_width_kana,
    _decomposed, _upper_case, _symbols, _emoji, _oddly_spaced, _invisible, _combining, _random_characters,
    _long_word, _prefixed,
]  # fmt: skip
