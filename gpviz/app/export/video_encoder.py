"""Turns frames into a film file, in a thread of its own, so that painting and encoding go on side by side."""

import queue
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

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


class _Writer(Protocol):
    """Writes frames; one that is given again is written again."""

    def write(self, frame: "av.VideoFrame") -> None: ...

    def finish(self) -> None: ...


class FilmEncoder:
    """Takes frames and writes them meanwhile; use it by `encoding`.

    The codec has threads of its own, which end when nothing refers to it any more: only the thread that writes
    knows the writer, and neither this object nor a problem that somebody keeps does.
    """

    def __init__(self, writer: _Writer, most_waiting: int = _MOST_WAITING) -> None:
        self._waiting: queue.Queue[QImage | None] = queue.Queue(max(2, min(most_waiting, _MOST_WAITING)))
        self._problem: BaseException | None = None
        self._is_given_up = False
        self._thread = threading.Thread(target=self._work, args=(writer,), name="gpviz film")
        self._thread.start()

    def add(self, image: QImage) -> None:
        """The next frame; it waits while too many of them are still to be written."""
        self._waiting.put(image)
        if self._problem is not None:
            raise self._problem

    def finish(self) -> None:
        """Write what is left."""
        self._end()
        if self._problem is not None:
            raise self._problem

    def give_up(self) -> None:
        """Write nothing more."""
        self._is_given_up = True
        self._end()

    def _end(self) -> None:
        self._waiting.put(None)
        self._thread.join()
        if self._problem is not None:
            traceback.clear_frames(self._problem.__traceback__)

    def _work(self, writer: _Writer) -> None:
        """Until there is no more; after a problem frames are only taken away, as someone may wait to add one."""
        last: QImage | None = None
        frame: av.VideoFrame | None = None
        while (image := self._waiting.get()) is not None:
            if self._is_given_up or self._problem is not None:
                continue
            try:
                if frame is None or image is not last:
                    frame, last = _frame_of(image), image
                writer.write(frame)
            except BaseException as problem:  # raised when the next frame is added
                self._problem = problem
        if self._is_given_up or self._problem is not None:
            return
        try:
            writer.finish()
        except BaseException as problem:
            self._problem = problem


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
                _Mp4Writer(container, width, height, rate)
                if form == "mp4"
                else _GifWriter(container, width, height, rate, samples),
                _WAITING_BYTES // (4 * width * height),
            )
            try:
                yield encoder
            except BaseException:
                encoder.give_up()
                raise
            encoder.finish()
    except av.FFmpegError as error:
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror) from error  # as any other file that cannot be written
        raise GpvizError(f"film: it cannot be encoded; {error.strerror}.") from error


class _Mp4Writer:
    """H.264 as every player takes it."""

    def __init__(self, container: "av.container.OutputContainer", width: int, height: int, rate: int) -> None:
        self._container = container
        stream = container.add_stream("libx264", rate=rate, options=_X264)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.time_base = Fraction(1, rate)
        context.thread_count = 0
        # Set, as players take small and large films for differently coloured otherwise.
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED_RANGE
        self._stream = stream
        self._source: av.VideoFrame | None = None
        self._frame: av.VideoFrame | None = None
        self._done = 0

    def write(self, frame: "av.VideoFrame") -> None:
        if self._frame is None or frame is not self._source:
            self._source = frame
            self._frame = frame.reformat(
                format="yuv420p", dst_colorspace="ITU709", src_color_range="JPEG", dst_color_range="MPEG"
            )
        self._frame.pts = self._done
        self._done += 1
        for packet in self._stream.encode(self._frame):
            self._container.mux(packet)

    def finish(self) -> None:
        for packet in self._stream.encode():
            self._container.mux(packet)


class _GifWriter:
    """A GIF with one palette for the whole film, made of the colours of the samples."""

    def __init__(
        self,
        container: "av.container.OutputContainer",
        width: int,
        height: int,
        rate: int,
        samples: Sequence[QImage],
    ) -> None:
        self._container = container
        stream = container.add_stream("gif", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        stream.codec_context.time_base = Fraction(1, rate)
        self._stream = stream
        self._rate = rate
        self._palette = _palette_of(samples, width, height)
        self._graph, self._input = self._made_graph(width, height)
        self._done = 0

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
        for packet in self._stream.encode():
            self._container.mux(packet)

    def _drain(self) -> None:
        av = require_video()
        while True:
            try:
                painted = self._graph.vpull()
            except (av.BlockingIOError, av.EOFError):
                return
            for packet in self._stream.encode(painted):
                self._container.mux(packet)


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
