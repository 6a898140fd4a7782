"""A run is asked for again, or with the next seed, with all that belongs to it."""

from gpviz.engine import RunConfig, parse
from gpviz.engine.mutation_script import parse_script
from gpviz.runs.history import History
from gpviz.runs.show_request import again, next_seed

CONFIG = RunConfig(n=4, limit="8", seed=5)
SCRIPT = parse_script("insert x1")


def test_a_run_starts_again_from_its_tree_and_script():
    request = again(History(CONFIG, parse("x1 & x2", 4), SCRIPT))
    assert (request.run, request.start, request.script) == (CONFIG, "x1 & x2", SCRIPT)
    assert again(History(CONFIG)).start == ""


def test_some_settings_may_be_others():
    assert again(History(CONFIG), deletion="leaf").run == CONFIG.replaced(deletion="leaf")


def test_the_next_seed_changes_nothing_else():
    request = next_seed(History(CONFIG, parse("x1 & x2", 4), SCRIPT))
    assert (request.run, request.start, request.script) == (CONFIG.replaced(seed=6), "x1 & x2", SCRIPT)


def test_after_the_last_seed_comes_the_first():
    last = CONFIG.replaced(seed=2**4096 - 1)
    assert next_seed(History(last)).run == CONFIG.replaced(seed=0)
