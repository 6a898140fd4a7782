"""A real browser without a window, driven over the WebDriver protocol with nothing but the standard library."""

import base64
import json
import os
import re
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from tests.patience import PATIENCE_MS, PATIENCE_SECONDS

_DRIVER: Final = Path("/usr/bin/chromedriver")
_CHROMIUM: Final = Path("/usr/bin/chromium")
_SWITCHES: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)

KEYS: Final = {
    "Space": " ",
    "Shift": "\ue008",
    "End": "\ue010",
    "Home": "\ue011",
    "Left": "\ue012",
    "Right": "\ue014",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "Tab": "\ue004",
    "Escape": "\ue00c",
}
"""The codes of keys that are no characters."""


def missing() -> str:
    """Why there is no browser to test with, or nothing."""
    absent = [str(path) for path in (_CHROMIUM, _DRIVER) if not path.exists()]
    return f"{' and '.join(absent)} is not installed" if absent else ""


class Browser:
    """One session. Scripts are function bodies; their arguments are in ``arguments``."""

    def __init__(self, address: str, session: str) -> None:
        self._address = f"{address}/session/{session}"

    def open(self, path: Path) -> None:
        """Open a page, and see it: before the first frame is painted, keys and clicks are lost."""
        self._post("url", {"url": path.as_uri()})
        self.wait_until("performance.getEntriesByType('paint').length")
        self._wait_for_frames()

    def run(self, script: str, *arguments: Any) -> Any:
        """What the script returns; a promise is awaited."""
        return self._post("execute/sync", {"script": script, "args": list(arguments)})

    def wait_until(self, condition: str) -> None:
        """Wait, frame by frame, until an expression is true."""
        script = (
            f"return new Promise((done, fail) => {{ const end = performance.now() + {PATIENCE_MS};"
            f" const look = () => ({condition}) ? done(true) : performance.now() > end ? fail(new Error("
            f"{json.dumps(f'never true: {condition}')})) : requestAnimationFrame(look); look(); }});"
        )
        self.run(script)

    def press(self, *keys: str) -> None:
        """Press keys together, the last one while the others are held."""
        codes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": code} for code in codes]
        actions += [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self._post("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def drag(self, selector: str, *shares: float) -> None:
        """Press the mouse on an element at the first share of its width, move to the others, and let go."""
        box = self.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.left, b.top + b.height / 2, b.width]",
            selector,
        )
        places = [(round(box[0] + share * box[2]), round(box[1])) for share in shares]
        moves: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0} for x, y in places
        ]
        actions = [
            moves[0],
            {"type": "pointerDown", "button": 0},
            *moves[1:],
            {"type": "pointerUp", "button": 0},
        ]
        self._post("actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def click(self, selector: str) -> None:
        element = self._post("element", {"using": "css selector", "value": selector})
        self._post(f"element/{next(iter(element.values()))}/click", {})

    def enter_frame(self, selector: str) -> None:
        """Look at what is in a frame from now on, until another page is opened."""
        element = self._post("element", {"using": "css selector", "value": selector})
        self._post("frame", {"id": element})

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the browser's own protocol."""
        return self._post("goog/cdp/execute", {"cmd": name, "params": parameters})

    def set_size(self, width: int, height: int) -> None:
        """The size of what the page sees; it has laid itself out anew afterwards."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.wait_until(f"innerWidth === {width} && innerHeight === {height}")
        self._wait_for_frames()

    def set_system(self, *, is_dark: bool = False, is_calm: bool = False) -> None:
        """What the page is told a person prefers; it has heard of it afterwards."""
        scheme, motion = "dark" if is_dark else "light", "reduce" if is_calm else "no-preference"
        self.command(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": motion},
            ],
        )
        self.wait_until(
            f"matchMedia('(prefers-color-scheme: {scheme})').matches"
            f" && matchMedia('(prefers-reduced-motion: {motion})').matches"
        )
        self._wait_for_frames()

    def _wait_for_frames(self) -> None:
        """A page hears of a change before the next frame, and has painted it before the one after."""
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def screenshot(self) -> bytes:
        return base64.b64decode(self._get("screenshot"))

    def console(self) -> list[str]:
        """What the page has complained about since it was asked last, also loads that were refused."""
        entries = self._post("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries]

    def close(self) -> None:
        _call("DELETE", self._address)

    def _get(self, what: str) -> Any:
        return _call("GET", f"{self._address}/{what}")

    def _post(self, what: str, data: dict[str, Any]) -> Any:
        return _call("POST", f"{self._address}/{what}", data)


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser with a profile of its own, which is gone afterwards, as is its driver."""
    with ExitStack() as stack:
        # The browser's last processes may still write into it while it goes.
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        driver = stack.enter_context(
            subprocess.Popen(
                [str(_DRIVER), "--port=0"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, "HOME": home, "TMPDIR": home},
            )
        )
        stack.callback(driver.terminate)
        address = f"http://127.0.0.1:{_port_of(driver)}"
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {
                "binary": str(_CHROMIUM),
                "args": [*_SWITCHES, f"--user-data-dir={home}/profile"],
            },
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 2 * PATIENCE_MS, "pageLoad": 2 * PATIENCE_MS},
        }
        session = _call("POST", f"{address}/session", {"capabilities": {"alwaysMatch": wanted}})
        browser = Browser(address, session["sessionId"])
        stack.callback(browser.close)
        yield browser


def _port_of(driver: "subprocess.Popen[str]") -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        found = re.search(r"started successfully on port (\d+)", line)
        if found:
            return int(found[1])
    raise RuntimeError("chromedriver ended before it had started")


def _call(method: str, address: str, data: dict[str, Any] | None = None) -> Any:
    request = urllib.request.Request(
        address,
        data=None if data is None else json.dumps(data).encode(),
        method=method,
        headers={"Content-Type": "application/json"},
    )
    # No proxy stands between this machine and itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=2 * PATIENCE_SECONDS) as response:
            return json.load(response)["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from error
