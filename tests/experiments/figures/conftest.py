"""Experiments that are done once for all tests of figures."""

from pathlib import Path

import pytest

from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.statistics.cell_statistics import CellSummary, summarise
from gpviz.experiments.totals import Totals
from tests.experiments.figures.filled_stores import COUPLED, LEAF, ORS, SAMPLED, STUCK, filled, totals_of


@pytest.fixture(scope="session")
def leaf() -> Plan:
    return plan_of("leaf", LEAF)


@pytest.fixture(scope="session")
def leaf_store(tmp_path_factory, leaf) -> Path:
    return filled(tmp_path_factory.mktemp("stores") / "leaf.gpvizx", leaf)


@pytest.fixture(scope="session")
def sampled() -> Plan:
    return plan_of("sampled", SAMPLED)


@pytest.fixture(scope="session")
def sampled_store(tmp_path_factory, sampled) -> Path:
    return filled(tmp_path_factory.mktemp("stores") / "sampled.gpvizx", sampled)


@pytest.fixture(scope="session")
def coupled() -> Plan:
    return plan_of("coupled", COUPLED)


@pytest.fixture(scope="session")
def coupled_store(tmp_path_factory, coupled) -> Path:
    return filled(tmp_path_factory.mktemp("stores") / "coupled.gpvizx", coupled)


@pytest.fixture(scope="session")
def ors_plan() -> Plan:
    return plan_of("ors", ORS)


@pytest.fixture(scope="session")
def ors_totals(tmp_path_factory, ors_plan) -> list[Totals]:
    return totals_of(filled(tmp_path_factory.mktemp("stores") / "ors.gpvizx", ors_plan))


@pytest.fixture(scope="session")
def ors_summaries(ors_plan, ors_totals) -> list[CellSummary]:
    return summarise(ors_plan, ors_totals)


@pytest.fixture(scope="session")
def stuck() -> Plan:
    return plan_of("stuck", STUCK)


@pytest.fixture(scope="session")
def stuck_store(tmp_path_factory, stuck) -> Path:
    return filled(tmp_path_factory.mktemp("stores") / "stuck.gpvizx", stuck)
