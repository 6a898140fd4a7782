"""Numbers that depend on n, written as sums and products of n, its powers and its logarithms: ``n lg^2 n``.

``lg`` is the logarithm to base 2 and ``ln`` the natural one. A text is read by rules of its own, never executed.
"""

import re
from decimal import Context, Decimal, DecimalException
from functools import lru_cache
from typing import Final

from gpviz.number_text import SUPERSCRIPTS

EXPRESSION_EXAMPLES: Final = "'n lg^2 n', 'n^1.5' or '2 lg n'"

_LONGEST: Final = 60
_MOST: Final = Decimal(10) ** 60
"""Nobody needs larger values, and they would take more digits than `_CONTEXT` has."""

_CONTEXT: Final = Context(prec=120)
_ALMOST: Final = Decimal(10) ** -40
"""A value this close to a whole number is taken for that number: the rest is rounding."""

_NUMBER: Final = r"\d{1,12}(?:\.\d{1,6})?"
_TOKEN: Final = re.compile(rf"\s*({_NUMBER}|lg|ln|n|[-+*/^()·])", re.ASCII)
_TO_RAISED: Final = str.maketrans("0123456789", SUPERSCRIPTS)
_FROM_RAISED: Final = str.maketrans(SUPERSCRIPTS, "0123456789")
_RAISED: Final = re.compile(f"[{SUPERSCRIPTS}]+")
_MOST_EXPONENT: Final = 100


class _UnreadableError(Exception):
    """The text is not an expression in n."""


def is_expression(text: str) -> bool:
    """Whether the text is an expression with an n in it."""
    try:
        _evaluated(text, 2)
    except _UnreadableError:
        return False
    except DecimalException:  # it has no value for n = 2
        return True
    return True


@lru_cache(maxsize=1024)
def expression_value(text: str, n: int) -> int | None:
    """The value of the expression for this n, rounded up; None where it has no value, or one beyond 10^60."""
    try:
        value = _evaluated(text, n)
        if not abs(value) <= _MOST:
            return None
        nearest = value.to_integral_value(context=_CONTEXT)
        if abs(value - nearest) <= _ALMOST * max(abs(value), Decimal(1)):
            return int(nearest)
    except (_UnreadableError, DecimalException):
        return None
    return value.__ceil__()


def expression_text(text: str) -> str:
    """The expression as a person reads it, with raised exponents: n lg² n."""
    return re.sub(r"\^(\d+)(?![.\d])", lambda power: power[1].translate(_TO_RAISED), text)


def _evaluated(text: str, n: int) -> Decimal:
    return _Reader(text, n).value()


class _Reader:
    """Reads an expression and evaluates it on the way."""

    def __init__(self, text: str, n: int) -> None:
        plain = _RAISED.sub(lambda power: f"^{power[0].translate(_FROM_RAISED)}", text).lower()
        self._tokens = _tokens_of(plain)
        self._position = 0
        self._n = n

    def value(self) -> Decimal:
        """The value of the expression; raises `_UnreadableError` or a `DecimalException`."""
        value = self._sum()
        if self._position < len(self._tokens):
            raise _UnreadableError
        return value

    def _next(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._next()
        if token not in wanted:
            return ""
        self._position += 1
        return token

    def _sum(self) -> Decimal:
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = _CONTEXT.add(value, other) if sign == "+" else _CONTEXT.subtract(value, other)
        return value

    def _product(self) -> Decimal:
        value = self._factor()
        while True:
            sign = self._take("*", "·", "/")
            if not sign and (not self._next() or self._next() in ")+-^"):
                return value
            if not sign and self._next()[0].isdigit():  # whoever writes 10 000 n means no product
                raise _UnreadableError
            other = self._factor()
            value = _CONTEXT.divide(value, other) if sign == "/" else _CONTEXT.multiply(value, other)

    def _factor(self) -> Decimal:
        if logarithm := self._take("lg", "ln"):
            exponent = self._exponent()
            is_bracketed = self._take("(")
            if not self._take("n") or (is_bracketed and not self._take(")")):
                raise _UnreadableError
            return _power(_logarithm(logarithm, self._n), exponent)
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                raise _UnreadableError
        elif self._take("n"):
            value = Decimal(self._n)
        else:
            value = self._number()
        return _power(value, self._exponent())

    def _exponent(self) -> Decimal:
        if not self._take("^"):
            return Decimal(1)
        exponent = self._number()
        if exponent > _MOST_EXPONENT:
            raise _UnreadableError
        return exponent

    def _number(self) -> Decimal:
        token = self._next()
        if not token[:1].isdigit():
            raise _UnreadableError
        self._position += 1
        return Decimal(token)


def _tokens_of(text: str) -> list[str]:
    """The tokens of an expression; raises `_UnreadableError` for one that has no n or is too long."""
    tokens: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end <= _LONGEST:
        token = _TOKEN.match(text, position, end)
        if token is None:
            raise _UnreadableError
        tokens.append(token[1])
        position = token.end()
    if "n" not in tokens:
        raise _UnreadableError
    return tokens


def _power(value: Decimal, exponent: Decimal) -> Decimal:
    return value if exponent == 1 else _CONTEXT.power(value, exponent)


@lru_cache(maxsize=256)
def _logarithm(name: str, n: int) -> Decimal:
    if name == "lg" and n.bit_count() == 1:
        return Decimal(n.bit_length() - 1)
    natural = _CONTEXT.ln(Decimal(n))
    return natural if name == "ln" else _CONTEXT.divide(natural, _CONTEXT.ln(Decimal(2)))
