"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

import os

from hypothesis import settings

collect_ignore = ["benchmarks"]

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # without a screen Qt would abort

settings.register_profile(
    "gpviz", derandomize=True, deadline=None, database=None, max_examples=100, print_blob=True
)
settings.load_profile("gpviz")
