"""The guide's page of keys, made of the actions: `python -m tests.app.guide.renew_keys` writes it anew."""

from gpviz import assets
from gpviz.app.actions import key_sections

__all__ = ["keys_page"]

_HEAD = "# Keys\n\nThe list is also under **?**, where it can be searched.\n"


def keys_page() -> str:
    """The page as it should be."""
    parts = [_HEAD]
    for title, keys in key_sections():
        rows = "".join(f"| {key.replace('|', chr(92) + '|')} | {effect} |\n" for key, effect in keys)
        parts.append(f"\n## {title}\n\n| key | what it does |\n|---|---|\n{rows}")
    return "".join(parts)


if __name__ == "__main__":
    (assets.folder("guide") / "keys.md").write_text(keys_page(), encoding="utf-8")
