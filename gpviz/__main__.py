"""`python -m gpviz` is `gpviz`."""

import sys

from gpviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
