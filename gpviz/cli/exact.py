"""`gpviz exact`: prints how the runs of a configuration end, solved exactly and without a single run."""

import argparse
from dataclasses import asdict
from typing import Any, Final

from gpviz.analysis import ExactCell, exact
from gpviz.cli.common_options import Parser, add_config_options, add_json_option, config_from
from gpviz.cli.progress import Job
from gpviz.cli.run_summary import configuration_line
from gpviz.cli.terminal import facts_text, show_result
from gpviz.engine import RunConfig
from gpviz.experiments.statistics.exact_comparison import paper_distances
from gpviz.experiments.statistics.paper_tables import PAPER_RUNS, paper_cell
from gpviz.number_text import chance_percent, counted, with_sign

DESCRIPTION: Final = (
    "Solve the Markov chain of RLS-GP from the empty tree: the chance to end stuck, and how long the other runs"
    " take. The limit may be up to 7 leaves, or 8 without ORs, whatever n is."
)
EXAMPLES: Final = """examples:
  gpviz exact --n 4 --limit n+1 --deletion leaf
  gpviz exact --n 6 --limit 7 --deletion subtree --json
"""

_QUANTILE_NAMES: Final = {"q05": "5 %", "q25": "25 %", "median": "50 %", "q75": "75 %", "q95": "95 %"}


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_config_options(parser)
    add_json_option(parser)


def execute(options: argparse.Namespace) -> int:
    """Solve the chain and print what it says."""
    config = config_from(options)
    interruption = "interrupted before the states were counted."
    with Job() as job, job.interruptible(lambda: interruption):
        job.show("listing the kinds of trees ...")

        def on_progress(done: int, states: int) -> None:
            nonlocal interruption
            interruption = (
                f"interrupted: the chain has {states:,} states, {done:,} of them solved; the empty tree"
                " comes last."
            )
            job.show(f"solved {done:,} of {states:,} states")

        cell = exact(config, should_stop=job.should_stop, on_progress=on_progress)
    show_result(options, lambda: _data(config, cell), lambda: _text(config, cell))
    return 0


def _data(config: RunConfig, cell: ExactCell) -> dict[str, Any]:
    paper = paper_cell(config)
    return {
        "stuck": cell.stuck,
        "mean": cell.mean,
        "sd": cell.sd,
        "quantiles": None if cell.quantiles is None else dict(cell.quantiles),
        "leaves": cell.leaves,
        "leaves_sd": cell.leaves_sd,
        "ors": cell.ors,
        "states": cell.states,
        "paper": None
        if paper is None
        else {
            **{name: getattr(paper, name) for name in ("table", "B", "T", "T_sd", "S", "S_sd")},
            **asdict(paper_distances(paper, cell)),
        },
        "config": config.as_dict(),
    }


def _text(config: RunConfig, cell: ExactCell) -> str:
    lines = [
        configuration_line(config),
        f"A Markov chain of {counted(cell.states, 'state')}, solved exactly from the empty tree.",
        "",
        facts_text([("stuck", f"{chance_percent(cell.stuck, 4)} %"), *_solved_facts(cell)]),
    ]
    beside = _paper_facts(config, cell)
    if beside:
        of_z = "z is how many standard errors they lie above the exact ones"
        lines += ["", f"The paper's values, from {PAPER_RUNS} runs; {of_z}:", facts_text(beside)]
    return "\n".join(lines)


def _solved_facts(cell: ExactCell) -> list[tuple[str, str]]:
    """What there is to say about the runs that are solved."""
    if cell.mean is None or cell.sd is None or cell.leaves is None or cell.leaves_sd is None:
        return [("solved", "never")]
    facts = [("iterations", f"{cell.mean:,.4f} on average, sd {cell.sd:,.4f}")]
    if cell.quantiles is not None:
        quantiles = [f"{share} by {cell.quantiles[name]:,}" for name, share in _QUANTILE_NAMES.items()]
        if cell.stuck:
            quantiles[0] = quantiles[0].replace(" by", " of the others by")
        facts.append(("solved", ", ".join(quantiles)))
    spread = f" on average, sd {cell.leaves_sd:.4g}" if cell.leaves_sd else ""
    facts.append(("leaves", f"{cell.leaves:.5g}{spread}"))
    facts.append(("ORs", f"{cell.ors:.4g} on average" if cell.ors else "none"))
    return facts


def _paper_facts(config: RunConfig, cell: ExactCell) -> list[tuple[str, str]]:
    """The paper's values for this configuration, if it has them, beside the exact ones."""
    paper = paper_cell(config)
    if paper is None:
        return []
    z = paper_distances(paper, cell)
    facts = [] if paper.B is None else [("stuck", f"{100 * paper.B:.1f} %{_z_text(z.z_B)}")]
    facts.append(("iterations", f"{paper.T:.1f} on average, sd {paper.T_sd:.1f}{_z_text(z.z_T)}"))
    facts.append(("leaves", f"{paper.S:.1f} on average, sd {paper.S_sd:.1f}{_z_text(z.z_S)}"))
    return facts


def _z_text(z: float | None) -> str:
    return "" if z is None else f", z = {with_sign(z, 2)}"
