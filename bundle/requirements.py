"""What the bundle is made of: the packages that gpviz needs, and the licences they come with."""

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["distributions", "other_modules", "write_licences"]

_LICENCE: Final = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_GNU_TEXTS: Final = ("GPL-2", "GPL-3", "LGPL-2.1", "LGPL-3")
_HEAD: Final = """\
This bundle of gpviz includes software by others. gpviz itself is under the MIT licence; see LICENSE.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They are the files in
_internal/PySide6 and _internal/shiboken6, and you may replace them with your own builds. Their source is at
https://download.qt.io/official_releases/.

PyAV brings FFmpeg, which is under the GNU Lesser General Public License, version 3 or later, with the encoders
x264 and x265, which are under the GNU General Public License, version 2 or later. They are the files in
_internal/av.libs; without them and _internal/av, gpviz does everything but films. Their source is at
https://ffmpeg.org, https://code.videolan.org/videolan/x264 and https://bitbucket.org/multicoreware/x265_git.

The texts of the licences are in the folder licences; those of the GNU project are also at
https://www.gnu.org/licenses/.
"""


def distributions(name: str, *extras: str) -> list[metadata.Distribution]:
    """A package with these extras, and all it needs here, by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting, seen = [(name, extras)], set()
    while waiting:
        wanted = name, extras = waiting.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        found[canonicalize_name(name)] = distribution = metadata.distribution(name)
        for text in distribution.requires or ():
            needed = Requirement(text)
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            ):
                waiting.append((needed.name, tuple(sorted(needed.extras))))
    return [found[key] for key in sorted(found)]


def other_modules(wanted: Iterable[metadata.Distribution]) -> list[str]:
    """The modules that only other packages of this environment have: what is in a bundle is not up to chance."""
    names = {canonicalize_name(each.name) for each in wanted}
    return sorted(
        module
        for module, owners in metadata.packages_distributions().items()
        if not names & {canonicalize_name(owner) for owner in owners}
    )


def write_licences(
    folder: Path, root: Path, used: Iterable[metadata.Distribution], libraries: Iterable[Path]
) -> None:
    """Put LICENSE, THIRD-PARTY.txt and the folder licences there; the libraries are those of the system."""
    texts = folder / "licences"
    lines = [_HEAD, "The packages:", ""]
    for each in used:
        if each.name == "gpviz":
            continue
        facts = each.metadata.json
        said = facts.get("license_expression") or facts.get("license") or _classified(each)
        lines.append(f"  {each.name} {each.version}: {said}")
        for file in each.files or ():
            if _LICENCE.search(file.name) and not file.name.endswith((".py", ".pyc")):
                _copy(Path(str(file.locate())), texts / each.name / "-".join(file.parts[1:]))
    shutil.copy(root / "LICENSE", folder)
    for file in (root / "resources" / "fonts").glob("LICENSE-*.txt"):
        _copy(file, texts / f"{file.stem.removeprefix('LICENSE-')} fonts" / "LICENSE.txt")
    _copy(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", texts / "Python" / "LICENSE.txt")
    for name in _GNU_TEXTS:
        _copy(Path("/usr/share/common-licenses") / name, texts / "GNU" / f"{name}.txt")
    if packages := _system_packages(libraries):
        lines += [
            "",
            "Libraries of the system it was made on, by Debian's names:",
            "",
            f"  {', '.join(packages)}",
        ]
    for package in packages:
        _copy(Path("/usr/share/doc") / package / "copyright", texts / "system" / f"{package}.txt")
    (folder / "THIRD-PARTY.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


def _classified(distribution: metadata.Distribution) -> str:
    classifiers = distribution.metadata.get_all("Classifier", [])
    return ", ".join(text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License"))


def _system_packages(libraries: Iterable[Path]) -> list[str]:
    if shutil.which("dpkg-query") is None:
        return []
    # Since /lib became a link, some files are known by the one name and some by the other.
    paths = {str(path.resolve()) for path in libraries}
    paths |= {path.removeprefix("/usr") for path in paths}
    told = subprocess.run(["dpkg-query", "-S", *paths], capture_output=True, text=True, check=False).stdout
    return sorted({line.partition(":")[0] for line in told.splitlines()})


def _copy(source: Path, target: Path) -> None:
    """Copy it if it is there; not every system has them all."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
