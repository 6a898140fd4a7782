"""Chunks on other machines: the workers of a dask.distributed cluster, however many there are at a time.

What goes to and fro are texts in JSON, of which only what is expected is read. dask itself sends its own messages
as pickles, so that whoever has the scheduler can do anything here: it has to be trusted, and TLS proves who it is.
"""

import base64
import json
import logging
import re
import ssl
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple, Self

from gpviz import __version__
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.optional_packages import how_to_get
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.pool import runs_text
from gpviz.experiments.store import checked_row
from gpviz.experiments.totals import Totals
from gpviz.files.file_io import error_reason, shown_path
from gpviz.number_text import counted

_CONNECT_S: Final = 8
_RESULT_S: Final = (0.25, 10.0)
"""How long a result is waited for, at first and at most: each time twice as long, as it may be a large one."""

_LOOK_EVERY_S: Final = 1.0
_RETRIES: Final = 3
_ADDRESS: Final = re.compile(r"(tcp://|tls://|ws://|wss://)?([^\s/:\[\]]+|\[[^\s\]]+\]):(?P<port>\d{1,5})")
_MAX_PORT: Final = 65_535
_ENCRYPTED: Final = ("tls://", "wss://")
_NEEDED: Final = "TLS needs --tls-ca, --tls-cert and --tls-key"
_MOST_BYTES: Final = 1_000_000_000
"""More than any chunk comes to."""


class TlsFiles(NamedTuple):
    """The files of a connection by TLS: whom one trusts, and what one is known by; dask needs all of them."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def check(self) -> None:
        """Raise a sentence if one of them is missing or cannot be read."""
        for name, path in self._asdict().items():
            if path is None:
                raise GpvizError(f"--tls-{name}: it is missing; {_NEEDED}.")
            try:
                with path.open("rb"):
                    pass
            except (OSError, ValueError) as error:
                raise GpvizError(
                    f"--tls-{name}: {shown_path(path)} cannot be read; {error_reason(error)}."
                ) from error


class ClusterExecutor:
    """An `Executor` with the workers of a cluster, which may come and go.

    What a worker had when it was lost is done again by another. The scheduler needs no gpviz, the workers need the
    same version of it.
    """

    def __init__(self, address: str, tls: TlsFiles | None = None) -> None:
        """Find the scheduler at this address; with ``tls`` nobody else can pose as it or listen."""
        match = _ADDRESS.fullmatch(str(address))
        if match is None or int(match["port"]) > _MAX_PORT:
            raise InvalidValueError(
                "cluster", address, "the address of a scheduler, such as tcp://10.0.0.5:8786"
            )
        if tls is not None:
            tls.check()
            if match[1] not in (None, *_ENCRYPTED):
                raise GpvizError(
                    f"cluster: {address} is without TLS; with --tls-ca it must begin with tls://."
                )
        self.address = f"tls://{address}" if tls is not None and match[1] is None else address
        self._tls = tls
        self.workers = 0
        self._client: Any = None
        self._tasks: dict[Any, Chunk] = {}
        self._notes: list[str] = []
        self._patience: dict[Any, float] = {}
        self._count: tuple[int, int] | None = None
        self._submitted = 0
        self._looked = 0.0
        self._connect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.close()

    def submit(self, chunk: Chunk) -> None:
        if self._client is None:
            self._connect()
        self._submitted += 1
        try:
            future = self._client.submit(
                _work,
                _chunk_text(chunk),
                __version__,
                pure=False,
                retries=_RETRIES,
                priority=-self._submitted,
            )
        except (OSError, RuntimeError) as error:
            raise self._lost() from error
        self._tasks[future] = chunk

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        distributed = _distributed()
        self._look()
        deadline = monotonic() + timeout_s
        results: list[ChunkResult] = []
        while self._tasks and not results and (left := deadline - monotonic()) > 0:
            try:
                with self._client.as_current():
                    distributed.wait(list(self._tasks), timeout=left, return_when="FIRST_COMPLETED")
            except TimeoutError:
                break
            except (OSError, RuntimeError, CancelledError) as error:
                raise self._lost() from error
            results = [
                result
                for future in list(self._tasks)
                if future.status != "pending" and (result := self._result(future)) is not None
            ]
        return results

    def notes(self) -> list[str]:
        notes, self._notes = self._notes, []
        return notes

    def cancel(self) -> None:
        """Nothing more: the chunks that the workers have are short, and come back as they are."""

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(OSError, RuntimeError, TimeoutError, CancelledError):  # it may have gone before us
            client.cancel(list(self._tasks), force=True)
        self._tasks.clear()
        self._patience.clear()
        with suppress(OSError, RuntimeError, TimeoutError, CancelledError):
            client.close(timeout=2)

    def _connect(self) -> None:
        distributed = _distributed()
        for name in ("distributed", "distributed.client", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what a person should know is in the notes
        try:
            if self._tls is None and self.address.startswith(_ENCRYPTED) and not _has_tls(distributed):
                raise GpvizError(f"cluster: {self.address} cannot be reached; {_NEEDED}.")
            options = {} if self._tls is None else {"security": _security(distributed, self._tls)}
            self._client = distributed.Client(
                self.address, timeout=_CONNECT_S, set_as_default=False, name="gpviz", **options
            )
        except (OSError, ValueError, TypeError, RuntimeError, MemoryError) as error:
            # Another kind of server seems to announce a message that no memory can hold.
            reason = _tls_reason(error)
            if reason:
                raise GpvizError(f"cluster: no secure connection to {self.address}; {reason}.") from error
            raise GpvizError(
                f"cluster: no scheduler answers at {self.address} within {_CONNECT_S} seconds."
            ) from error
        self._looked = 0.0
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    def _look(self) -> None:
        """See how many workers there are, unless that was just now."""
        now = monotonic()
        if self._client is None or now - self._looked < _LOOK_EVERY_S:
            return
        try:
            threads = self._client.nthreads()
        except (OSError, RuntimeError, CancelledError) as error:
            raise self._lost() from error
        self._looked = now
        self.workers = sum(threads.values())
        count = (len(threads), self.workers)
        if count != self._count:
            self._count = count
            self._notes.append(_count_text(*count))

    def _result(self, future: Any) -> ChunkResult | None:
        """What came of a chunk; None where it cannot be fetched just now.

        A result whose worker is lost before it is fetched is made again by another, which shows as a timeout.
        """
        killed: type[Exception] = import_module("distributed.scheduler").KilledWorker
        chunk = self._tasks[future]
        try:
            found = future.result(timeout=self._patience.get(future, _RESULT_S[0]))
        except TimeoutError:
            self._patience[future] = min(2 * self._patience.get(future, _RESULT_S[0]), _RESULT_S[1])
            return None
        except killed as error:
            raise GpvizError(
                f"cluster: every worker that was given these runs was lost, {runs_text(chunk)}; the "
                "finished runs are kept."
            ) from error
        except (OSError, CancelledError) as error:
            raise self._lost() from error
        except Exception as error:  # whatever a worker may come up with
            raise GpvizError(
                f"cluster: a worker cannot do {runs_text(chunk)}; {type(error).__name__}: {str(error)[:200]}."
            ) from error
        result = _result_of(found, chunk)
        del self._tasks[future]
        self._patience.pop(future, None)
        return result

    def _lost(self) -> GpvizError:
        return GpvizError(
            f"cluster: the scheduler at {self.address} no longer answers; the finished runs are kept."
        )


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise GpvizError(how_to_get("cluster")) from error


def _security(distributed: Any, tls: TlsFiles) -> Any:
    texts = {name: None if path is None else str(path) for name, path in tls._asdict().items()}
    return distributed.Security(
        tls_ca_file=texts["ca"],
        tls_client_cert=texts["cert"],
        tls_client_key=texts["key"],
        require_encryption=True,
    )


def _has_tls(distributed: Any) -> bool:
    """Whether dask's own settings name the files of TLS."""
    return distributed.Security().get_connection_args("client")["ssl_context"] is not None


def _tls_reason(error: BaseException) -> str:
    """What is wrong with the certificates, if that is why there is no connection; else empty."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            reason = getattr(cause, "reason", None) or error_reason(cause)
            return getattr(cause, "verify_message", "") or reason.lower().replace("_", " ")
        if "SSLError" in str(cause):  # dask tells in words that the other side has refused
            return "the scheduler does not accept the certificate"
        cause = cause.__cause__ or cause.__context__
    return ""


def _chunk_text(chunk: Chunk) -> str:
    return json.dumps({**chunk._asdict(), "config": chunk.config.as_dict()})


def answer_to(text: str) -> bytes:
    """What a worker does with the text of a chunk, in the text of its result."""
    data = json.loads(text)
    result = run_chunk(Chunk(**{**data, "config": RunConfig.from_dict(data["config"])}))
    rows = [(*row[:-1], base64.b64encode(row.path).decode("ascii")) for row in result.rows]
    return json.dumps({"rows": rows, "totals": result.totals.as_dict(), "seconds": result.seconds}).encode()


def _result_of(content: object, chunk: Chunk) -> ChunkResult:
    """The result of a chunk, as `answer_to` writes it; raises `GpvizError` for anything else."""
    if isinstance(content, str):
        raise GpvizError(f"cluster: {content[:200]}.")
    try:
        if not isinstance(content, bytes) or len(content) > _MOST_BYTES:
            raise ValueError("no text")
        data = json.loads(content)
        rows = [checked_row(row[:-1], base64.b64decode(row[-1], validate=True)) for row in data["rows"]]
        seconds = float(data["seconds"])
        numbers = [row.number for row in rows]
        if numbers != list(range(chunk.first, chunk.first + chunk.runs)):
            raise ValueError("other runs")
        if not 0.0 <= seconds < 1e9:
            raise ValueError("no time")
        totals = Totals.from_dict(data["totals"])
        if totals.runs != chunk.runs:
            raise ValueError("totals of other runs")
    except (GpvizError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        raise GpvizError(
            f"cluster: results of {runs_text(chunk)} cannot be read; the finished runs are kept."
        ) from error
    return ChunkResult(chunk.cell, rows, totals, seconds)


def _count_text(count: int, threads: int) -> str:
    if not count:
        return "The cluster has no workers now; the runs go on when there are some."
    text = f"The cluster has {counted(count, 'worker')} now"
    return f"{text}." if threads == count else f"{text}, with {threads} threads together."


def _sent_in_full() -> Callable[[str, str], bytes | str]:
    """What a worker does with a chunk: the result, or what is wrong with the worker.

    A function within a function is sent as it is, not by the name of its module, so that the scheduler needs no
    gpviz, and a worker without it can say so.
    """

    def work(text: str, version: str) -> bytes | str:
        import socket

        try:
            import gpviz
            from gpviz.experiments.dask_cluster import answer_to
        except ImportError:
            return f"a worker on {socket.gethostname()} has no gpviz; it needs version {version}"
        if gpviz.__version__ != version:
            return f"a worker on {socket.gethostname()} has gpviz {gpviz.__version__}; it needs version {version}"
        return answer_to(text)

    return work


_work: Final = _sent_in_full()
