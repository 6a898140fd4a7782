"""Turns frames into a film file, in a thread of its own, so that painting and encoding go on side by side."""

import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtGui import QImage

from gpviz.engine import GpvizError
from gpviz.engine.optional_packages import how_to_get

if TYPE_CHECKING:
    import av

_MOST_WAITING: Final = 12
_WAITING_BYTES: Final = 128_000_000
_X264: Final = {"preset": "veryfast", "crf": "18", "tune": "animation"}
_BT709: Final = 1
_LIMITED_RANGE: Final = 1


def require_video() -> Any:
    """The library that encodes films; raises `GpvizError` where it is not installed."""
    try:
        import av
    except ImportError as error:
        raise GpvizError(how_to_get("video")) from error
    return av


class FilmEncoder:
    """Takes frames and writes them meanwhile; use it by `encoding`."""

    def __init__(self, writer: "Mp4Writer | GifWriter", most_waiting: int) -> None:
        self._writer: Mp4Writer | GifWriter | None = writer
        self._most_waiting = max(2, min(most_waiting, _MOST_WAITING))
        self._waiting: deque[Future[None]] = deque()
        self._thread = ThreadPoolExecutor(1, "gpviz film")
        self._last: tuple[QImage, av.VideoFrame] | None = None

    def add(self, image: QImage) -> None:
        """The next frame; it waits while too many of them are still to be written."""
        self._waiting.append(self._thread.submit(self._write, image))
        while len(self._waiting) > self._most_waiting:
            self._waiting.popleft().result()

    def finish(self) -> None:
        """Write what is left."""
        assert self._writer is not None
        for frame in self._waiting:
            frame.result()
        self._thread.submit(self._writer.finish).result()

    def close(self) -> None:
        """Write nothing more, and let go of the codec: its threads end when nothing refers to it any more."""
        self._thread.shutdown(cancel_futures=True)
        self._waiting.clear()
        self._writer = self._last = None

    def _write(self, image: QImage) -> None:
        assert self._writer is not None
        if self._last is None or image is not self._last[0]:
            self._last = image, _frame_of(image)
        self._writer.write(self._last[1])


@contextmanager
def encoding(
    path: Path, form: str, width: int, height: int, rate: int, samples: Sequence[QImage] = ()
) -> Iterator[FilmEncoder]:
    """An encoder that writes ``mp4`` or ``gif`` to this path; ``samples`` have the colours of a GIF."""
    av = require_video()
    options = {"movflags": "+faststart"} if form == "mp4" else {}
    try:
        # The name of a draft does not give the format.
        with av.open(str(path), "w", format=form, options=options) as container:
            encoder = FilmEncoder(
                Mp4Writer(container, width, height, rate)
                if form == "mp4"
                else GifWriter(container, width, height, rate, samples),
                _WAITING_BYTES // (4 * width * height),
            )
            try:
                yield encoder
                encoder.finish()
            except BaseException as problem:
                traceback.clear_frames(problem.__traceback__)  # its frames refer to the writer
                raise
            finally:
                encoder.close()
    except av.FFmpegError as error:
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror) from error  # as any other file that cannot be written
        raise GpvizError(f"film: it cannot be encoded; {error.strerror}.") from error


class _StreamWriter:
    """Writes frames into the only stream of a container; the same frame may be written several times."""

    def __init__(
        self, container: "av.container.OutputContainer", stream: "av.VideoStream", rate: int
    ) -> None:
        self._container = container
        self._stream = stream
        stream.codec_context.time_base = Fraction(1, rate)
        self._done = 0

    def finish(self) -> None:
        """Write the frames that the codec still holds."""
        self._encode(None)

    def _encode(self, frame: "av.VideoFrame | None") -> None:
        for packet in self._stream.encode(frame):
            self._container.mux(packet)


class Mp4Writer(_StreamWriter):
    """H.264 as every player takes it."""

    def __init__(self, container: "av.container.OutputContainer", width: int, height: int, rate: int) -> None:
        stream = container.add_stream("libx264", rate=rate, options=_X264)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        super().__init__(container, stream, rate)
        context = stream.codec_context
        context.thread_count = 0
        # Set, as players take small and large films for differently coloured otherwise.
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED_RANGE
        self._source: av.VideoFrame | None = None
        self._frame: av.VideoFrame | None = None

    def write(self, frame: "av.VideoFrame") -> None:
        if self._frame is None or frame is not self._source:
            self._source = frame
            self._frame = frame.reformat(
                format="yuv420p", dst_colorspace="ITU709", src_color_range="JPEG", dst_color_range="MPEG"
            )
        self._frame.pts = self._done
        self._done += 1
        self._encode(self._frame)


class GifWriter(_StreamWriter):
    """A GIF with one palette for the whole film, made of the colours of the samples."""

    def __init__(
        self,
        container: "av.container.OutputContainer",
        width: int,
        height: int,
        rate: int,
        samples: Sequence[QImage],
    ) -> None:
        stream = container.add_stream("gif", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        super().__init__(container, stream, rate)
        self._rate = rate
        self._palette = _palette_of(samples, width, height)
        self._graph, self._input = self._made_graph(width, height)

    def _made_graph(self, width: int, height: int) -> tuple[Any, Any]:
        graph = _new_graph()
        base = Fraction(1, self._rate)
        source = graph.add_buffer(width=width, height=height, format="bgra", time_base=base)
        colours = graph.add_buffer(
            width=self._palette.width,
            height=self._palette.height,
            format=self._palette.format.name,
            time_base=base,
        )
        use = graph.add("paletteuse", "dither=none:diff_mode=rectangle")
        sink = graph.add("buffersink")
        source.link_to(use, 0, 0)
        colours.link_to(use, 0, 1)
        use.link_to(sink)
        graph.configure()
        self._palette.pts = 0
        self._palette.time_base = base
        colours.push(self._palette)
        colours.push(None)
        return graph, source

    def write(self, frame: "av.VideoFrame") -> None:
        frame.pts = self._done
        frame.time_base = Fraction(1, self._rate)
        self._done += 1
        self._input.push(frame)
        self._drain()

    def finish(self) -> None:
        self._input.push(None)
        self._drain()
        super().finish()

    def _drain(self) -> None:
        av = require_video()
        while True:
            try:
                painted = self._graph.vpull()
            except (av.BlockingIOError, av.EOFError):
                return
            self._encode(painted)


def _palette_of(samples: Sequence[QImage], width: int, height: int) -> Any:
    """The colours that the samples need most, as a frame of 16 × 16."""
    graph = _new_graph()
    source = graph.add_buffer(width=width, height=height, format="bgra", time_base=Fraction(1, 1))
    generate = graph.add("palettegen", "reserve_transparent=1:stats_mode=full")
    sink = graph.add("buffersink")
    source.link_to(generate)
    generate.link_to(sink)
    graph.configure()
    for number, image in enumerate(samples):
        frame = _frame_of(image)
        frame.pts = number
        frame.time_base = Fraction(1, 1)
        source.push(frame)
    source.push(None)
    return graph.vpull()


def _new_graph() -> Any:
    graph = require_video().filter.Graph()
    if hasattr(graph, "threads"):
        # None of the filters here shares its work, and threads would stay until the graph is collected as garbage.
        graph.threads = 1
    return graph


def _frame_of(image: QImage) -> "av.VideoFrame":
    av = require_video()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(
        image.height(), image.bytesPerLine() // 4, 4
    )
    return av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels[:, : image.width()]), format="bgra")
