"""An executor without processes, for tests of whatever needs one."""

from collections import deque

from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk


class InlineExecutor:
    """Does the chunks in this process, one after another, whenever it is waited for."""

    workers = 1

    def __init__(self) -> None:
        self._chunks: deque[Chunk] = deque()

    def submit(self, chunk: Chunk) -> None:
        self._chunks.append(chunk)

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        return [run_chunk(self._chunks.popleft())] if self._chunks else []

    def notes(self) -> list[str]:
        return []

    def cancel(self) -> None:
        self._chunks.clear()

    def close(self) -> None:
        self._chunks.clear()
