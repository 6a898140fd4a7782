"""Which tests run on which systems, and why not on the others."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


def _makes_links() -> bool:
    """Windows allows links only to administrators and developers."""
    with TemporaryDirectory() as folder:
        try:
            (Path(folder) / "link").symlink_to("nowhere")
        except OSError:
            return False
    return True


def _allows_any_name() -> bool:
    """Only where any bytes are a name can a file be called what harms who shows it."""
    with TemporaryDirectory() as folder:
        try:
            Path(os.fsdecode(os.fsencode(folder) + b'/<":\n\xff')).touch()
        except (OSError, ValueError):
            return False
    return True


def _permissions_hold() -> bool:
    """Whether a file can be protected from whoever runs the tests; the administrator may write anything."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.touch(mode=0o444)
        return not os.access(file, os.W_OK)


needs_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no pipes in folders, no modes of files, no fork and no kill"
)
needs_any_name = pytest.mark.skipif(not _allows_any_name(), reason="files cannot have such names here")
needs_links = pytest.mark.skipif(not _makes_links(), reason="links cannot be made here")
needs_permissions = pytest.mark.skipif(
    sys.platform == "win32" or not _permissions_hold(), reason="everything may be written here"
)
