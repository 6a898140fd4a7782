from gpviz.analysis import exact as exact
from gpviz.analysis import expected_wait as expected_wait
from gpviz.analysis import neighbourhood as neighbourhood
from gpviz.analysis import outlook as outlook
from gpviz.engine import Function as Function
from gpviz.engine import GpvizError as GpvizError
from gpviz.engine import Mutation as Mutation
from gpviz.engine import Operation as Operation
from gpviz.engine import Outcome as Outcome
from gpviz.engine import Result as Result
from gpviz.engine import RlsGp as RlsGp
from gpviz.engine import RunConfig as RunConfig
from gpviz.engine import Side as Side
from gpviz.engine import State as State
from gpviz.engine import Step as Step
from gpviz.engine import Verdict as Verdict
from gpviz.engine import format_formula as format_formula
from gpviz.engine import parse as parse
from gpviz.engine import simplified as simplified
from gpviz.engine import tree_state as tree_state
from gpviz.experiments.store import Store as Store
from gpviz.notebook import InteractivePage as InteractivePage
from gpviz.notebook import interactive as interactive
from gpviz.runs.history import History as History

__all__: list[str]
__version__: str
