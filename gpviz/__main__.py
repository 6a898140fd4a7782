"""`python -m gpviz` is `gpviz`, and a bundle that needs no Python begins here."""

import os
import sys

from gpviz.cli import main
from gpviz.engine.optional_packages import is_bundle


def _begin_in_bundle() -> None:
    """Become a worker of an experiment if this process was started for one; else make ready to be the program."""
    import multiprocessing  # which takes long, and the window may never need it

    multiprocessing.freeze_support()
    # They make a bundle find its own libraries, which it has by now. A browser or a file manager that is opened
    # from here would load them, too, instead of those it was made for.
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    for name in ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):
        os.environ.pop(name, None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    if is_bundle():
        _begin_in_bundle()
    sys.exit(main())
