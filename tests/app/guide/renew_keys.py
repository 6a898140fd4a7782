"""The guide's page of keys, made of the actions: `python -m tests.app.guide.renew_keys` writes it anew."""

from gpviz import assets
from tests.app.key_sections import key_sections

_HEAD = """# Keys

Press **?** to find any command, and its keys, by typing.

**Space** plays and pauses, unless what has the keyboard has a use for it: a button is pressed, a list opens or
chooses, a field takes a blank. A page that you have just opened does not have the keyboard yet; the tree has it.
Esc gives it back to the tree.
"""


def keys_page() -> str:
    """The page as it should be."""
    parts = [_HEAD]
    for title, keys in key_sections():
        rows = "".join(f"| {key.replace('|', chr(92) + '|')} | {effect} |\n" for key, effect in keys)
        parts.append(f"\n## {title}\n\n| key | what it does |\n|---|---|\n{rows}")
    return "".join(parts)


if __name__ == "__main__":
    (assets.folder("guide") / "keys.md").write_text(keys_page(), encoding="utf-8")
