"""Files that somebody has changed: what opening them says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine.errors import GpvizError


def changed(data: Any, path: str, value: Any) -> Any:
    """The data with another value at ``key.key``; a number is an index in a list."""
    key, _, rest = path.partition(".")
    name: Any = int(key) if isinstance(data, list) else key
    inside = changed(data[name], rest, value) if rest else value
    if isinstance(data, list):
        return [*data[:name], inside, *data[name + 1 :]]
    return {**data, name: inside}


def refusal(file: Path, content: bytes | dict[str, Any], opened: Callable[[Path], object]) -> str:
    """What opening a file with this content says: one sentence that names the file, which is not changed."""
    written = content if isinstance(content, bytes) else json.dumps(content).encode()
    file.write_bytes(written)
    with pytest.raises(GpvizError) as caught:
        opened(file)
    assert file.read_bytes() == written
    name, message = str(caught.value)[: len(str(file))], str(caught.value)[len(str(file)) :]
    assert name == str(file)
    assert message.startswith(": ")
    assert message.endswith(".")
    assert message.isprintable()
    assert len(message) < 400
    return message[2:]
