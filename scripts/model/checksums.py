"""The one place that knows `hashes.json`: what every file of the recipe must be.

In go paths; out come their hashes, or a refusal that names file, expectation and finding.
"""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PINNED: dict[str, dict[str, str]] = json.loads((HERE / "hashes.json").read_text("utf-8"))


def sha256(path: Path) -> str:
    """The file's SHA-256 in lower-case hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def require(path: Path, expected: str, advice: str) -> None:
    """Ends the run unless the file has this hash; nothing unknown may go into the model."""
    found = sha256(path)
    if found != expected:
        sys.exit(f"{path} is not the expected file:\n  SHA-256 {found}\n  instead of {expected}\n{advice}")


def announce(path: Path) -> None:
    """Prints what was made: name, bytes, hash."""
    print(f"  {path.name:20} {path.stat().st_size:>11,} bytes  {sha256(path)}", flush=True)
