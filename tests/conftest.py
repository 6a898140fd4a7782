"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

from hypothesis import settings

collect_ignore = ["benchmarks"]

settings.register_profile(
    "gpviz", derandomize=True, deadline=None, database=None, max_examples=100, print_blob=True
)
settings.load_profile("gpviz")
