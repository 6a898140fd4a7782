"""Writes the files of the shipped lectures anew: all of them, or those whose names are given."""

import sys
from typing import Final

from gpviz import assets
from gpviz.lecture.lecture import save_lecture
from scripts.lectures import drift, sampling, why_stuck

SOURCES: Final = {source.NAME: source for source in (why_stuck, drift, sampling)}

for name in sys.argv[1:] or SOURCES:
    save_lecture(assets.folder("lectures") / f"{name}.gpviz", SOURCES[name].built())
