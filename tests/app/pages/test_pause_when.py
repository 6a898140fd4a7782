"""The page Pause when: it shows the rules of the player, and what a person changes is changed there."""

from dataclasses import fields, replace
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from gpviz.app.pages.pause_when import PauseWhenPage
from gpviz.engine import RunConfig
from gpviz.runs.history import History
from gpviz.runs.pause_rules import PauseRules

CONFIG = RunConfig(n=6, limit="n+1", deletion="leaf", seed=1)
SWITCHES = [field.name for field in fields(PauseRules) if isinstance(field.default, bool)]


@pytest.fixture
def page(shown_page, player):
    player.set_rules(PauseRules())
    made = shown_page(PauseWhenPage)
    made.connect_to(SimpleNamespace(player=player))
    return made


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        PauseRules,
        **dict.fromkeys(SWITCHES, st.booleans()),
        leaves=st.none() | st.integers(1, 10**9),
        iteration=st.none() | st.integers(1, 10**7),
        stuck_rise=st.none() | st.integers(1, 100),
    )
)
def test_every_rule_of_the_player_is_shown(page, player, rules):
    player.set_rules(rules)
    page.connect_to(page.context)
    assert player.rules == rules  # showing changes nothing
    is_stuck_asked = not rules.stuck
    page.boxes["stuck"].click()
    assert player.rules == replace(rules, stuck=is_stuck_asked)


@pytest.mark.parametrize("name", SWITCHES)
def test_the_space_key_changes_a_rule(page, player, qtbot, name):
    page.show_moment(History(CONFIG.replaced(fitness="sampled", rows=9)), 0)
    page.boxes[name].setFocus()
    qtbot.keyClick(page.boxes[name], Qt.Key.Key_Space)
    assert player.rules == replace(PauseRules(), **{name: not getattr(PauseRules(), name)})


def test_a_number_counts_only_when_it_is_switched_on(page, player):
    page.boxes["leaves"].click()
    assert player.rules == PauseRules(leaves=8)
    page.spins["leaves"].setValue(12)
    assert player.rules == PauseRules(leaves=12)
    page.boxes["leaves"].click()
    assert player.rules == PauseRules()


def test_choosing_a_number_switches_its_rule_on(page, player):
    page.spins["iteration"].setValue(420)
    page.spins["stuck_rise"].setValue(250)
    assert player.rules == PauseRules(iteration=420, stuck_rise=100)


def test_a_number_half_typed_is_none(page, player, qtbot):
    page.spins["iteration"].setFocus()
    page.spins["iteration"].selectAll()
    qtbot.keyClicks(page.spins["iteration"], "57")
    assert player.rules == PauseRules()
    qtbot.keyClick(page.spins["iteration"], Qt.Key.Key_Return)
    assert player.rules == PauseRules(iteration=57)


@pytest.mark.parametrize(
    ("config", "impossible"),
    [
        (CONFIG, {"true_error_grew": "Only for errors on sampled rows."}),
        (
            CONFIG.replaced(limit="inf", fitness="sampled", rows=9),
            {
                "full": "Only with a size limit.",
                "too_large": "Only with a size limit.",
                "stuck_rise": "Only for rules under which a run can get stuck.",
            },
        ),
    ],
)
def test_what_cannot_happen_in_the_run_on_show_cannot_be_chosen_and_says_why(page, config, impossible):
    page.show_moment(History(config), 0)
    said = {name: box.accessibleDescription() for name, box in page.boxes.items() if not box.isEnabled()}
    assert said == impossible
    assert page.spins["stuck_rise"].isEnabled() is ("stuck_rise" not in impossible)
    page.show_moment(History(CONFIG.replaced(limit="2n", fitness="sampled", rows=9)), 0)
    assert page.boxes["full"].isEnabled()
