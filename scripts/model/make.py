"""Makes the built-in model again from published weights: one command, hashes checked throughout.

In goes a folder to fill; out come the files of `hashes.json` in it, after `recipe.py` has
made and verified them. This module needs only Python itself: it puts the pinned packages of
`requirements.txt` into a virtual environment and runs the recipe there.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
OLDEST = (3, 11)
"""The oldest Python for which all pinned packages have wheels."""
NEWEST = (3, 14)
"""The newest one, for the same reason."""


def main() -> int:
    """Runs the recipe in its environment; returns its exit status."""
    arguments = argparse.ArgumentParser(
        description="Makes the files of the built-in model and verifies them."
    )
    arguments.add_argument("--out", type=Path, required=True, help="folder for what is made")
    arguments.add_argument(
        "--work", type=Path, help="folder for environment and download (default: OUT/work)"
    )
    chosen = arguments.parse_args()

    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        found = ".".join(map(str, sys.version_info[:2]))
        sys.exit(
            f"Python {found} cannot make the model: "
            f"the pinned packages need Python 3.{OLDEST[1]} to 3.{NEWEST[1]}."
        )

    out = chosen.out.resolve()
    work = (chosen.work or out / "work").resolve()
    out.mkdir(parents=True, exist_ok=True)
    python = prepare_environment(work / "venv")
    # One thread for NumPy: its matrices are small here, and threads would mostly wait for each other.
    settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run([python, HERE / "recipe.py", out, work], env=settings).returncode


def prepare_environment(folder: Path) -> Path:
    """Returns the Python of a virtual environment that holds exactly the pinned packages."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python

    print(f"environment: {folder}", flush=True)
    venv.create(folder, clear=True, with_pip=True)
    # Without dependencies: all that are needed are pinned. What `tokenizers` downloads models with is not.
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    installed = subprocess.run([*pip, "--require-hashes", "--only-binary=:all:", "-r", REQUIREMENTS])
    if installed.returncode != 0:
        sys.exit("The pinned packages could not be installed; pip says why above.")
    stamp.write_text(wanted)
    return python


if __name__ == "__main__":
    sys.exit(main())
