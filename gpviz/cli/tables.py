"""Tables that the commands print: names with their values, and columns below their heads."""

from collections.abc import Sequence


def facts_text(facts: Sequence[tuple[str, str]], width: int = 0) -> str:
    """Names and values below each other, indented; the names take at least ``width`` characters."""
    width = max(width, *(len(name) for name, _ in facts))
    return "\n".join(f"  {name:<{width}}  {value}" for name, value in facts)


def table_text(
    lines: Sequence[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    left: int,
    heading: tuple[int, str] | None = None,
) -> str:
    """Columns below each other; the first ``left`` of them begin and the others end below each other.

    A ``heading`` stands over all columns from the one with its number on; the last of these begins, too.
    """
    rows = [heads, *lines] if heads else lines
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1 if heading is not None else None

    def row_text(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if column < left or column == last else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    texts = [row_text(row) for row in rows]
    if heading is not None:
        first, title = heading
        start = sum(widths[:first]) + 2 * first
        texts.insert(0, f"{'':{start}}{f' {title} '.center(len(texts[0]) - start, '─')}")
    return "\n".join(texts)
