"""RunConfig: what it accepts, the sentence for everything else, and the rules that follow from it."""

import dataclasses
import json
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.settings import MAX_COUNTED_ROWS, MAX_DRAWN_ROWS
from tests.engine.strategies import configs

LIMITS = "a number from 1, or 'n', 'n+1', 'n-1', '2n', '1.5n' or 'inf'"
SAMPLED = {"fitness": "sampled", "rows": 10}
COUNTED = {**SAMPLED, "sampler": "counts"}

# Field, value, what the sentence shows of the value, what it says is allowed, other settings.
BAD = [
    ("n", 0, "0", "a whole number from 1 to 1000", {}),
    ("n", -3, "-3", "a whole number from 1 to 1000", {}),
    ("n", 1001, "1001", "a whole number from 1 to 1000", {}),
    ("n", 2.0, "2.0", "a whole number from 1 to 1000", {}),
    ("n", float("nan"), "nan", "a whole number from 1 to 1000", {}),
    ("n", True, "True", "a whole number from 1 to 1000", {}),
    ("n", None, "None", "a whole number from 1 to 1000", {}),
    ("n", "four", "'four'", "a whole number from 1 to 1000", {}),
    ("n", "4.5", "'4.5'", "a whole number from 1 to 1000", {}),
    ("n", "", "''", "a whole number from 1 to 1000", {}),
    ("n", "٤", "'٤'", "a whole number from 1 to 1000", {}),
    ("n", np.float64(4), "np.float64(4.0)", "a whole number from 1 to 1000", {}),
    ("n", np.True_, "np.True_", "a whole number from 1 to 1000", {}),
    ("n", np.array([4, 5]), "array([4, 5])", "a whole number from 1 to 1000", {}),
    ("limit", np.array([4, 5]), "array([4, 5])", LIMITS, {}),
    ("deletion", np.array(["leaf"]), "array(['leaf'], dtype='<U4')", "'leaf' or 'subtree'", {}),
    ("n", [4], "[4]", "a whole number from 1 to 1000", {}),
    ("n", "9" * 5000, "'999", "a whole number from 1 to 1000", {}),
    ("n", 10**5000, "a number of 16610 bits", "a whole number from 1 to 1000", {}),
    ("limit", 0, "0", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", "0", "'0'", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", 10**9 + 1, "1000000001", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", "n-4", "'n-4'", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", "n-9", "'n-9'", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", "0.1n", "'0.1n'", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", "999999999n", "'999999999n'", "from 1 to 1000000000 leaves, or 'inf'", {}),
    ("limit", -1, "-1", LIMITS, {}),
    ("limit", "-n", "'-n'", LIMITS, {}),
    ("limit", 4.5, "4.5", LIMITS, {}),
    ("limit", float("nan"), "nan", LIMITS, {}),
    ("limit", float("-inf"), "-inf", LIMITS, {}),
    ("limit", True, "True", LIMITS, {}),
    ("limit", "", "''", LIMITS, {}),
    ("limit", "m", "'m'", LIMITS, {}),
    ("limit", "n*2", "'n*2'", LIMITS, {}),
    ("limit", "nn", "'nn'", LIMITS, {}),
    ("limit", "2n2", "'2n2'", LIMITS, {}),
    ("limit", "n+", "'n+'", LIMITS, {}),
    ("limit", "1e3", "'1e3'", LIMITS, {}),
    ("limit", "٤", "'٤'", LIMITS, {}),
    ("limit", [], "[]", LIMITS, {}),
    ("limit", "9" * 5000, "'999", LIMITS, {}),
    ("limit", 10**5000, "a number of 16610 bits", "or 'inf'", {}),
    ("deletion", "tree", "'tree'", "'leaf' or 'subtree'", {}),
    ("deletion", None, "None", "'leaf' or 'subtree'", {}),
    ("deletion", "Leaf", "'Leaf'", "'leaf' or 'subtree'", {}),
    ("functions", "or", "'or'", "'and,or' or 'and'", {}),
    ("functions", "xor", "'xor'", "'and,or' or 'and'", {}),
    ("functions", "", "''", "'and,or' or 'and'", {}),
    ("functions", [], "[]", "'and,or' or 'and'", {}),
    ("functions", None, "None", "'and,or' or 'and'", {}),
    ("functions", ["and", 3], "['and', 3]", "'and,or' or 'and'", {}),
    ("functions", [["and"]], "[['and']]", "'and,or' or 'and'", {}),
    ("fitness", "exact", "'exact'", "'complete' or 'sampled'", {}),
    ("fitness", 1, "1", "'complete' or 'sampled'", {}),
    ("sampler", "row", "'row'", "'rows' or 'counts'", {}),
    ("sampler", "row", "'row'", "'rows' or 'counts'", SAMPLED),
    ("rows", 10, "10", "left out unless fitness is 'sampled'", {}),
    ("rows", 0, "0", "a whole number from 1 to 10000000 with the sampler 'rows'", SAMPLED),
    ("rows", 10**7 + 1, "10000001", "from 1 to 10000000 with the sampler 'rows'", SAMPLED),
    ("rows", 10**12 + 1, "1000000000001", "to 1000000000000 with the sampler 'counts'", COUNTED),
    ("rows", "many", "'many'", "a whole number from 1 to 10000000", SAMPLED),
    ("rows", 1.5, "1.5", "a whole number from 1 to 10000000", SAMPLED),
    ("accept_error", -1, "-1", "a whole number from 0", {}),
    ("accept_error", None, "None", "a whole number from 0", {}),
    ("accept_error", 2**1000 + 1, "a number of 1001 bits", "from 0 to 2^1000", {}),
    ("empty_tree", "none", "'none'", "'any' or 'insert-only'", {}),
    ("empty_tree", "", "''", "'any' or 'insert-only'", {}),
    ("seed", -1, "-1", "a whole number from 0", {}),
    ("seed", 2**4096, "a number of 4097 bits", "a whole number from 0", {}),
    ("seed", 1.0, "1.0", "a whole number from 0", {}),
    ("seed", "seed", "'seed'", "a whole number from 0", {}),
    ("seed", False, "False", "a whole number from 0", {}),
]  # fmt: skip
IDS = [f"{field}={shown(value)[:30]}" for field, value, *_ in BAD]

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=3),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=2), st.none(), max_size=1),
)


def refusal(field: str, value: object, others: dict[str, object]) -> str:
    with pytest.raises(InvalidValueError) as refused:
        RunConfig.from_dict({"n": 4, **others, field: value})
    return str(refused.value)


class TestRefusing:
    @pytest.mark.parametrize(("field", "value", "start", "allowed", "others"), BAD, ids=IDS)
    def test_one_short_line_names_the_field_the_value_and_what_is_allowed(
        self, field, value, start, allowed, others
    ):
        sentence = refusal(field, value, others)
        assert sentence.startswith(f"{field}: {start}")
        assert allowed in sentence.partition(" is not allowed; it must be ")[2]
        assert re.fullmatch(r"[^\n]{1,200}\.", sentence)

    @pytest.mark.parametrize("make", [RunConfig.from_dict, lambda data: RunConfig(n=4).replaced(**data)])
    def test_an_unknown_name_is_shown_beside_the_known_ones(self, make):
        with pytest.raises(
            GpvizError, match=r"^'sead' is not a setting of a run; they are n, limit, .*, seed\.$"
        ):
            make({"n": 4, "sead": 3})

    @given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(RunConfig)]), JUNK))
    def test_anything_else_is_a_configuration_or_a_sentence(self, data):
        try:
            config = RunConfig.from_dict(data)
        except GpvizError as refused:
            assert re.fullmatch(r"[^\n]{1,300}\.", str(refused))
        else:
            assert RunConfig.from_dict(config.as_dict()) == config


class TestLimit:
    @pytest.mark.parametrize(
        ("text", "n", "leaves"),
        [
            ("n", 5, 5),
            ("N", 5, 5),
            ("n+1", 5, 6),
            (" n + 1 ", 5, 6),
            ("n-2", 5, 3),
            ("n - 4", 5, 1),
            ("2n", 5, 10),
            ("2 n", 5, 10),
            ("2*n", 5, 10),
            ("2·n", 5, 10),
            ("2n+3", 5, 13),
            ("1.5n", 4, 6),
            ("1.5n", 5, 7),
            ("0.2n", 5, 1),
            ("1.1n", 10, 11),
            ("0.999999999n", 1000, 999),
            ("7", 5, 7),
            (" 007 ", 5, 7),
            (7, 5, 7),
            (1, 5, 1),
            (10**9, 5, 10**9),
            ("1000000n", 1000, 10**9),
            ("inf", 5, None),
            (" INF ", 5, None),
            ("infinity", 5, None),
            ("∞", 5, None),
            (float("inf"), 5, None),
            (None, 5, None),
            (np.int64(9), 5, 9),
            (np.float64("inf"), 5, None),
        ],
    )
    def test_a_limit_is_a_number_of_leaves_rounded_down(self, text, n, leaves):
        assert RunConfig(n=n, limit=text).max_leaves == leaves

    @given(st.integers(1, 1000), st.integers(1, 999), st.integers(0, 99))
    def test_a_fraction_of_n_is_exact(self, n, hundredths, extra):
        exact = n * hundredths // 100 + extra
        if exact:
            assert (
                RunConfig(n=n, limit=f"{hundredths // 100}.{hundredths % 100:02}n+{extra}").max_leaves
                == exact
            )

    def test_the_limit_is_kept_as_it_was_typed_but_for_spaces_and_case(self):
        assert RunConfig(n=4, limit=" 2N + 1 ").limit == "2n+1"


class TestValues:
    def test_the_defaults_are_those_of_the_paper(self):
        assert RunConfig(n=4).as_dict() == {
            "n": 4,
            "limit": "2n",
            "deletion": "subtree",
            "functions": ["and", "or"],
            "fitness": "complete",
            "rows": None,
            "sampler": "rows",
            "accept_error": 0,
            "empty_tree": "any",
            "seed": 0,
        }

    @pytest.mark.parametrize("text", ["12", " 12 ", "+12", "012"])
    def test_numbers_may_be_texts(self, text):
        config = RunConfig.from_dict(
            {"n": text, "accept_error": text, "seed": text, "rows": text, "fitness": "sampled"}
        )
        numbers = (config.n, config.accept_error, config.seed, config.rows)
        assert numbers == (12, 12, 12, 12)

    @pytest.mark.parametrize(
        "seed", [0, 1, 2**31, 2**32, 2**53 + 1, 2**64 - 1, 2**64, 2**128 + 1, 2**4096 - 1]
    )
    def test_a_seed_is_kept_to_the_last_bit(self, seed):
        assert (RunConfig(n=4, seed=seed).seed, RunConfig(n=4, seed=str(seed)).seed) == (seed, seed)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("functions", "settled"),
        [
            ("and", (Function.AND,)),
            ("and,or", tuple(Function)),
            ("OR, And", tuple(Function)),
            (["or", "and"], tuple(Function)),
            ({"and", "or"}, tuple(Function)),
            ((Function.OR, Function.AND), tuple(Function)),
            ([Function.AND, "and"], (Function.AND,)),
        ],
    )
    def test_functions_settle_in_one_order(self, functions, settled):
        assert RunConfig(n=4, functions=functions).functions == settled

    def test_the_bounds_themselves_are_allowed(self):
        config = RunConfig(
            n=1000,
            limit=10**9,
            accept_error=2**1000,
            fitness="sampled",
            rows=MAX_DRAWN_ROWS,  # type: ignore[arg-type]
        )
        assert config.replaced(sampler="counts", rows=MAX_COUNTED_ROWS).rows == MAX_COUNTED_ROWS

    @pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16, np.uint64], ids=str)
    def test_integers_of_numpy_become_plain_ones(self, kind):
        given = {"n": 8, "limit": 9, "seed": 7, "rows": 5, "accept_error": 1}
        plain = RunConfig(fitness="sampled", **given)
        config = RunConfig(fitness=np.str_("sampled"), **{name: kind(value) for name, value in given.items()})
        assert config == plain
        assert json.dumps(config.as_dict()) == json.dumps(plain.as_dict())
        assert repr(config) == repr(plain)


class TestData:
    @given(configs())
    def test_json_and_back_is_the_same_configuration(self, config):
        assert RunConfig.from_dict(json.loads(json.dumps(config.as_dict()))) == config

    @given(configs())
    def test_a_pickle_and_back_is_the_same_configuration(self, config):
        assert pickle.loads(pickle.dumps(config)) == config

    @pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(RunConfig)])
    def test_a_configuration_never_changes(self, field):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(RunConfig(n=4), field, 3)

    def test_replaced_checks_again(self):
        with pytest.raises(InvalidValueError, match="limit: 'n-3' is not allowed"):
            RunConfig(n=4, limit="n-3").replaced(n=3)


class TestRules:
    CONFIG = RunConfig(n=4, limit=8, deletion="leaf", fitness="sampled", rows=10, seed=1)

    @pytest.mark.parametrize(
        "change", [{"seed": 2}, {"sampler": "counts"}, {"limit": "2n"}, {"limit": "n+4"}]
    )
    def test_what_leaves_the_fate_of_a_tree_alone_leaves_the_rules_as_they_are(self, change):
        other = self.CONFIG.replaced(**change)
        assert other != self.CONFIG
        assert other.rules == self.CONFIG.rules
        assert hash(other.rules) == hash(self.CONFIG.rules)

    @pytest.mark.parametrize(
        "change",
        [
            {"n": 5},
            {"limit": 9},
            {"limit": "inf"},
            {"deletion": "subtree"},
            {"functions": "and"},
            {"fitness": "complete", "rows": None},
            {"rows": 11},
            {"accept_error": 1},
            {"empty_tree": "insert-only"},
        ],
    )
    def test_every_other_setting_changes_them(self, change):
        assert self.CONFIG.replaced(**change).rules != self.CONFIG.rules

    def test_every_setting_is_known_to_change_them_or_not(self):
        settings = {field.name for field in dataclasses.fields(RunConfig)}
        rules = {field.name for field in dataclasses.fields(self.CONFIG.rules)}
        assert settings - rules == {"fitness", "sampler", "seed"}
        assert rules - settings == {"max_leaves"}

    @given(configs())
    def test_they_say_what_the_configuration_says(self, config):
        rules = config.rules
        for name in (
            "n",
            "functions",
            "max_leaves",
            "is_sampled",
            "rows",
            "has_subtree_deletion",
            "empty_tree",
        ):
            assert getattr(rules, name) == getattr(config, name)
