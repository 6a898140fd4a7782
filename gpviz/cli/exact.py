"""`gpviz exact`: prints how the runs of a configuration end, solved exactly and without a single run."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any, Final

from gpviz.analysis import ExactCell, exact
from gpviz.cli.common_options import Parser, add_config_options, config_from
from gpviz.cli.progress import Interruptible, Progress
from gpviz.cli.run_summary import as_columns, configuration_line, style_for_output
from gpviz.engine import ASCII, RunConfig
from gpviz.engine.interruption import Stopped
from gpviz.experiments.statistics.exact_comparison import paper_distances
from gpviz.experiments.statistics.paper_tables import PAPER_RUNS, paper_cell
from gpviz.number_text import chance_percent, counted

_EXAMPLES = """examples:
  gpviz exact --n 4 --limit n+1 --deletion leaf
  gpviz exact --n 6 --limit 7 --deletion subtree --json
"""

_QUANTILE_NAMES: Final = {"q05": "5 %", "q25": "25 %", "median": "50 %", "q75": "75 %", "q95": "95 %"}


def add_command(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "exact",
        help="how runs end, exactly, for small trees",
        description=(
            "Solve the Markov chain of RLS-GP from the empty tree: the chance to end stuck, and how long"
            " the other runs take. The limit may be up to 7 leaves, or 8 without ORs, whatever n is."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_options(parser)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(command=_exact)


def _exact(options: argparse.Namespace) -> int:
    config = config_from(options)
    progress = Progress()
    known = _Known()
    with Interruptible() as interruptible:
        progress.tell("listing the kinds of trees ...")

        def on_progress(done: int, states: int) -> None:
            known.done, known.states = done, states
            progress.tell(f"solved {done:,} of {states:,} states")

        try:
            cell = exact(config, should_stop=interruptible.is_stopped, on_progress=on_progress)
        except Stopped:
            progress.clear()
            print(f"gpviz: {known.sentence}", file=sys.stderr)
            return interruptible.exit_code
        finally:
            progress.clear()
    print(json.dumps(_data(config, cell), indent=2) if options.json else _text(config, cell))
    return 0


class _Known:
    """What is known of the chain before it is solved."""

    done = 0
    states = 0

    @property
    def sentence(self) -> str:
        if not self.states:
            return "interrupted before the states were counted."
        return (
            f"interrupted: the chain has {self.states:,} states, {self.done:,} of them solved; the empty tree"
            " comes last."
        )


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
    style = style_for_output()
    lines = [
        configuration_line(config, style),
        f"A Markov chain of {counted(cell.states, 'state')}, solved exactly from the empty tree.",
        "",
        as_columns([("stuck", f"{chance_percent(cell.stuck, 4)} %"), *_solved_facts(cell)]),
    ]
    beside = _paper_facts(config, cell)
    if beside:
        of_z = "z is how many standard errors they lie above the exact ones"
        lines += ["", f"The paper's values, from {PAPER_RUNS} runs; {of_z}:", as_columns(beside)]
    text = "\n".join(lines)
    return text.replace("\N{MINUS SIGN}", "-") if style is ASCII else text


def _solved_facts(cell: ExactCell) -> list[tuple[str, str]]:
    """What there is to say about the runs that are solved."""
    if cell.mean is None or cell.sd is None or cell.leaves is None or cell.leaves_sd is None:
        return [("solved", "never")]
    facts = [("iterations", f"{cell.mean:,.4f} on average, sd {cell.sd:,.4f}")]
    if cell.quantiles is not None:
        quantiles = [f"{words} by {cell.quantiles[name]:,}" for name, words in _QUANTILE_NAMES.items()]
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
    if z is None:
        return ""
    sign = "\N{MINUS SIGN}" if z < 0 else "+"
    return f", z = {sign}{abs(z):.2f}" if round(z, 2) else ", z = 0.00"
