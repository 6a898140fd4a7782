"""The pause panel: every rule is there, and only a person's changes are told."""

from dataclasses import fields, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from gpviz.app.panels.pause_panel import PausePanel
from gpviz.runs.pause_rules import PauseRules


@pytest.fixture
def panel(show):
    made = PausePanel()
    window = show(made)
    yield made
    window.close()


@pytest.fixture
def changes(panel):
    seen: list[PauseRules] = []
    panel.rules_changed.connect(seen.append)
    return seen


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        PauseRules,
        **dict.fromkeys(
            [field.name for field in fields(PauseRules) if isinstance(field.default, bool)], st.booleans()
        ),
        leaves=st.none() | st.integers(1, 10**9),
        iteration=st.none() | st.integers(1, 10**7),
        stuck_rise=st.none() | st.integers(1, 100),
    )
)
def test_all_rules_come_back_and_showing_them_tells_nothing(panel, changes, rules):
    panel.set_rules(rules)
    assert panel.rules() == rules
    assert changes == []


@pytest.mark.parametrize(
    "name", [field.name for field in fields(PauseRules) if isinstance(field.default, bool)]
)
def test_the_space_key_changes_a_rule(panel, changes, qtbot, name):
    panel.set_kind(is_sampled=True, is_limited=True, can_get_stuck=True)
    panel.boxes[name].setFocus()
    qtbot.keyClick(panel.boxes[name], Qt.Key.Key_Space)
    wanted = replace(PauseRules(), **{name: not getattr(PauseRules(), name)})
    assert changes == [wanted]
    assert panel.rules() == wanted


def test_a_number_counts_only_when_it_is_switched_on(panel, changes, qtbot):
    panel.boxes["leaves"].click()
    assert changes == [PauseRules(leaves=8)]
    panel.spins["leaves"].setValue(12)
    assert changes[-1] == PauseRules(leaves=12)
    panel.boxes["leaves"].click()
    assert changes[-1] == PauseRules()


def test_choosing_a_number_switches_its_rule_on(panel, changes):
    panel.spins["iteration"].setValue(420)
    assert changes == [PauseRules(iteration=420)]
    panel.spins["leaves"].setValue(5)
    assert changes[-1] == PauseRules(iteration=420, leaves=5)


def test_a_number_half_typed_is_none(panel, changes, qtbot):
    panel.spins["iteration"].setFocus()
    panel.spins["iteration"].selectAll()
    qtbot.keyClicks(panel.spins["iteration"], "57")
    assert changes == []
    qtbot.keyClick(panel.spins["iteration"], Qt.Key.Key_Return)
    assert changes == [PauseRules(iteration=57)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("true_error_grew", "only for errors on sampled rows"),
        ("full", "only with a size limit"),
        ("too_large", "only with a size limit"),
    ],
)
def test_what_cannot_happen_in_the_run_on_show_cannot_be_chosen_and_says_why(panel, name, reason):
    for is_possible in (False, True):
        panel.set_kind(is_sampled=is_possible, is_limited=is_possible, can_get_stuck=True)
        assert panel.boxes[name].isEnabled() is is_possible
        assert (panel.boxes[name].accessibleDescription() == reason) is not is_possible


def test_the_chance_to_end_stuck_rises_only_where_a_run_can_get_stuck(panel, changes):
    panel.spins["stuck_rise"].setValue(250)
    assert changes == [PauseRules(stuck_rise=100)]
    assert panel.spins["stuck_rise"].text() == "+100 %"
    panel.set_kind(is_sampled=False, is_limited=True, can_get_stuck=False)
    for part in (panel.boxes["stuck_rise"], panel.spins["stuck_rise"]):
        assert not part.isEnabled()
        assert part.accessibleDescription() == "only for rules under which a run can get stuck"
    panel.set_kind(is_sampled=False, is_limited=True, can_get_stuck=True)
    assert panel.spins["stuck_rise"].isEnabled()
    assert "slows the run down" in panel.spins["stuck_rise"].accessibleDescription()
