"""The cluster: the same result as on one machine, also when a worker of it is lost in the middle."""

import json
import os
import pickle
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gpviz
from gpviz.engine import GpvizError
from gpviz.experiments import dask_cluster
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.dask_cluster import ClusterExecutor, TlsFiles, answer_to
from gpviz.experiments.plan_runner import Progress, run_plan
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from tests.experiments.test_plan_runner import small_plan, tables, undisturbed
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
HERE = "127.0.0.1"


@contextmanager
def process(
    folder: Path, *arguments: object, stderr: int = subprocess.DEVNULL, **variables: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the cluster, ended in the end without ceremony."""
    command = [sys.executable, "-m", *map(str, arguments), "--host", HERE, "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=stderr
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def address_of(scheduler: "subprocess.Popen[bytes]") -> str:
    """The address of the scheduler, as soon as it has told it."""
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        if found := re.search(rb"tcp://[\d.]+:\d+", line):
            return found.group().decode()
    raise AssertionError("the scheduler ended")


def worker(folder: Path, file: Path, **variables: str) -> Any:
    options = ("--no-nanny", "--nthreads", 1, "--scheduler-file", file, "--local-directory", folder)
    return process(folder, "distributed.cli.dask_worker", *options, **variables)


def test_with_one_of_two_workers_killed_the_result_is_that_of_one_machine(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "_LOOK_EVERY_S", 0.01)
    plan = small_plan(250)
    file = tmp_path / "scheduler.json"
    scheduler = ("distributed.cli.dask_scheduler", "--port", 0, "--scheduler-file", file)
    foreign = tmp_path / "foreign"
    (foreign / "gpviz").mkdir(parents=True)
    (foreign / "gpviz" / "__init__.py").write_text("raise ImportError\n")
    seen: list[Progress] = []
    with ExitStack() as stack:
        # The scheduler has no gpviz that works, and needs none.
        started = stack.enter_context(
            process(tmp_path, *scheduler, stderr=subprocess.PIPE, PYTHONPATH=str(foreign))
        )
        workers = [stack.enter_context(worker(tmp_path, file)) for _ in range(2)]
        executor = stack.enter_context(ClusterExecutor(address_of(started)))

        def on_progress(progress: Progress) -> bool:
            seen.append(progress)
            if progress.done and executor.workers == 2:
                workers[0].kill()
                while executor.workers == 2:  # until the scheduler has noticed
                    assert executor.wait(0) == []
            return False

        while executor.workers < 2:
            assert executor.wait(0) == []
        with Store.create(tmp_path / "a.gpvizx", plan) as store:
            assert run_plan(store, executor, on_progress)
        assert workers[0].poll() is not None
        assert tables(tmp_path / "a.gpvizx") == undisturbed(tmp_path, plan)
        reported = [note for progress in seen for note in progress.notes]
        assert "The cluster has 2 workers now." in reported
        assert reported[-1] == "The cluster has 1 worker now."


def test_an_address_at_which_nobody_answers_is_reported_in_a_sentence(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "_CONNECT_S", 0.2)
    with socket.socket() as taken:
        taken.bind((HERE, 0))  # nobody listens
        address = f"tcp://{HERE}:{taken.getsockname()[1]}"
        with pytest.raises(
            GpvizError, match=f"cluster: no scheduler answers at {address} within 0.2 seconds"
        ):
            ClusterExecutor(address)


def test_another_server_at_the_address_is_reported_as_no_scheduler(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_cluster, "_CONNECT_S", 2)
    with socket.create_server((HERE, 0)) as server:
        address = f"tcp://{HERE}:{server.getsockname()[1]}"

        def answer():
            with server.accept()[0] as caller:
                caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                while caller.recv(4096):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(GpvizError, match=f"cluster: no scheduler answers at {address}"):
            ClusterExecutor(address)
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    "address", ["", "nonsense", "http://host/", "host", "tcp://:80", "host:80 ", "host:65536", None, 5]
)
def test_what_is_no_address_is_refused_in_a_sentence(address):
    with pytest.raises(GpvizError, match=r"cluster: .* must be the address of a scheduler, such as"):
        ClusterExecutor(address)


def test_without_the_package_it_says_how_to_get_it(monkeypatch):
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(dask_cluster, "import_module", missing)
    with pytest.raises(GpvizError, match=r'pip install "gpviz\[cluster\]"'):
        ClusterExecutor("host:8786")


CHUNK = Chunk(1, small_plan().cells[0].config, 2, 3, 10**6)
CHUNK_TEXT = json.dumps({**CHUNK._asdict(), "config": CHUNK.config.as_dict()})


class FakeScheduler:
    """The package `distributed` and its client, with a worker that comes up with a certain outcome."""

    status = "finished"

    def __init__(self) -> None:
        self.outcome: BaseException | object = None
        self.threads: dict[str, int] = {}
        self.is_gone = False
        self.waited: list[float] = []
        self.given: dict[str, Any] = {}

    def Security(self, **files: Any) -> Any:  # noqa: N802
        return files or self

    def get_connection_args(self, role: str) -> dict[str, Any]:
        return {"ssl_context": None}

    def Client(self, address: str, **options: Any) -> Any:  # noqa: N802
        self.given = {"address": address, **options}
        return self

    def nthreads(self) -> dict[str, int]:
        self._answer()
        return self.threads

    def submit(self, work: Callable[[str, str], object], text: str, version: str, **options: Any) -> Any:
        self._answer()
        if self.outcome is None:
            self.outcome = work(text, version)
        return self

    def as_current(self) -> Any:
        return nullcontext()

    def wait(self, futures: object, **options: Any) -> None:
        self._answer()

    def result(self, timeout: float) -> object:
        self.waited.append(timeout)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome

    def close(self, timeout: float) -> None: ...

    def cancel(self, tasks: list[Any], force: bool) -> None: ...

    def _answer(self) -> None:
        if self.is_gone:
            raise OSError("connection lost")


@pytest.fixture
def scheduler(monkeypatch) -> FakeScheduler:
    made = FakeScheduler()
    monkeypatch.setattr(
        dask_cluster, "import_module", lambda name: made if name == "distributed" else import_module(name)
    )
    monkeypatch.setattr(dask_cluster, "_LOOK_EVERY_S", 0)
    return made


@pytest.fixture
def executor(scheduler) -> ClusterExecutor:
    return ClusterExecutor("host:8786")


def outcome_of(executor: ClusterExecutor, scheduler: FakeScheduler, outcome: object = None) -> ChunkResult:
    """What comes of a chunk whose worker comes up with this; without anything it does the work."""
    scheduler.outcome = outcome
    executor.submit(CHUNK)
    (result,) = executor.wait(1)
    return result


def test_what_goes_wrong_with_a_worker_is_reported_in_a_sentence(scheduler):
    from distributed.scheduler import KilledWorker

    for outcome, text in (
        (
            KilledWorker("key", None, 3),
            r"every worker that was given these runs was lost, AND₃ .*seed 7 to 9;",
        ),
        (OSError("gone"), "the scheduler at host:8786 no longer answers; the finished runs are kept"),
        (ZeroDivisionError("by zero"), r"a worker cannot do AND₃ .*; ZeroDivisionError: by zero\."),
        ("a worker on h has no gpviz; it needs version 1", "cluster: a worker on h has no gpviz"),
    ):
        with ClusterExecutor("host:8786") as executor, pytest.raises(GpvizError, match=text):
            outcome_of(executor, scheduler, outcome)


def test_a_worker_with_another_version_of_gpviz_says_so(executor, scheduler, monkeypatch):
    monkeypatch.setattr(dask_cluster, "__version__", "9.9")
    with pytest.raises(GpvizError, match=f"has gpviz {gpviz.__version__}; it needs version 9.9"):
        outcome_of(executor, scheduler)


def test_the_notes_say_how_many_workers_there_are(executor, scheduler):
    assert executor.notes() == ["The cluster has no workers now; the runs go on when there are some."]
    for threads, note in (
        ({"a": 1}, "The cluster has 1 worker now."),
        ({"a": 4}, "The cluster has 1 worker now, with 4 threads together."),
    ):
        scheduler.threads = threads
        executor.wait(0)
        assert executor.notes() == [note]


def test_a_scheduler_that_has_gone_is_reported_whatever_is_asked_of_it(executor, scheduler):
    text = "the scheduler at host:8786 no longer answers; the finished runs are kept"
    with executor:
        executor.submit(CHUNK)
        scheduler.is_gone = True
        with pytest.raises(GpvizError, match=text):
            executor.submit(CHUNK)
        with pytest.raises(GpvizError, match=text):
            executor.wait(0.1)
        executor.cancel()


def test_a_chunk_and_its_result_travel_as_plain_data(executor, scheduler):
    found, expected = outcome_of(executor, scheduler), run_chunk(CHUNK)
    assert (found.cell, found.rows, found.totals) == (1, expected.rows, expected.totals)


def answer(**changes: Any) -> bytes:
    data = json.loads(answer_to(CHUNK_TEXT))
    data["seconds"] = 1.0  # a time that was measured would give the tests below other names each time
    return json.dumps(data | changes).encode()


class Bomb:
    """Does harm when it is unpickled."""

    def __reduce__(self) -> Any:
        return (pytest.fail, ("unpickled",))


ROWS = json.loads(answer_to(CHUNK_TEXT))["rows"]


@pytest.mark.parametrize(
    "content",
    [
        pickle.dumps(Bomb()), Bomb(), 5, b"", b"[]", b"{}", b"[" * 100_000, answer(rows=None),
        answer(rows=[]), answer(rows=ROWS[:2]), answer(rows=[*ROWS, ROWS[0]]), answer(rows=ROWS[::-1]),
        answer(seconds="soon"),
        answer(rows=[[*row[:1], "won", *row[2:]] for row in ROWS]),
        answer(rows=[[*row[:-1], "§"] for row in ROWS]),
        answer(seconds=float("nan")), answer(rows=[[*row, 1] for row in ROWS]),
        answer(totals=None), answer(totals={}), answer(totals=Totals().as_dict()),
        answer(rows=[[*row[:2], -1, *row[3:]] for row in ROWS]),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_result_is_refused_in_a_sentence(executor, scheduler, content):
    with pytest.raises(GpvizError, match=r"cluster: results of AND₃ .* cannot be read"):
        outcome_of(executor, scheduler, content)


@pytest.fixture
def files(tmp_path) -> TlsFiles:
    made = TlsFiles(*(tmp_path / f"{name}.pem" for name in ("ca", "cert", "key")))
    for name in ("ca", "cert", "key"):
        (tmp_path / f"{name}.pem").touch()
    return made


@pytest.mark.parametrize("address", ["host:8786", "tls://host:8786"])
def test_tls_is_handed_to_dask_and_nothing_else_will_do(scheduler, files, address):
    ClusterExecutor(address, files).close()
    assert scheduler.given["address"] == "tls://host:8786"
    assert scheduler.given["security"] == {
        "tls_ca_file": str(files.ca),
        "tls_client_cert": str(files.cert),
        "tls_client_key": str(files.key),
        "require_encryption": True,
    }


def test_without_tls_dask_goes_by_its_own_settings(scheduler):
    ClusterExecutor("tcp://host:8786").close()
    assert "security" not in scheduler.given


def test_tls_that_cannot_be_is_reported_in_a_sentence(scheduler, files, tmp_path, monkeypatch):
    with pytest.raises(GpvizError, match=r"tcp://host:8786 is without TLS; .* must begin with tls://\."):
        ClusterExecutor("tcp://host:8786", files)
    for name in ("ca", "cert", "key"):
        with pytest.raises(
            GpvizError, match=f"--tls-{name}: it is missing; TLS needs --tls-ca, --tls-cert and"
        ):
            ClusterExecutor("host:8786", files._replace(**{name: None}))
    with pytest.raises(GpvizError, match=r"--tls-key: .*missing.pem cannot be read; there is no such file"):
        ClusterExecutor("host:8786", files._replace(key=tmp_path / "missing.pem"))

    with pytest.raises(GpvizError, match=r"cluster: tls://host:8786 cannot be reached; TLS needs --tls-ca, "):
        ClusterExecutor("tls://host:8786")


@pytest.mark.parametrize(
    ("problem", "cause", "reported"),
    [
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), None, "certificate verify failed"),
        (
            OSError("TLS certificate does not match. Check your security settings."),
            ssl.SSLCertVerificationError(1, "certificate verify failed"),
            "certificate verify failed",
        ),
        (
            OSError("in <TLS (closed)>: SSLError: [SSL: TLSV1_ALERT_UNKNOWN_CA] tlsv1 alert unknown ca"),
            OSError("Stream is closed"),
            "the scheduler does not accept the certificate",
        ),
    ],
)
def test_certificates_that_are_not_accepted_are_reported_as_such(
    scheduler, files, monkeypatch, problem, cause, reported
):
    def refuse(*_: Any, **__: Any) -> None:
        raise problem from cause

    monkeypatch.setattr(scheduler, "Client", refuse)
    with pytest.raises(
        GpvizError, match=rf"cluster: no secure connection to tls://host:8786; .*{reported}\."
    ):
        ClusterExecutor("host:8786", files)
