"""Times and rates in the words of the experiments window."""

__all__ = ["duration_words", "rate_words"]


def duration_words(seconds: float) -> str:
    """A time as a person says it: under 1 s, 12 s, 3 min 20 s, 2 h 5 min, 4 days."""
    if seconds < 1:
        return "less than 1 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    if whole < 172_800:
        hours, rest = divmod(round(whole / 60), 60)
        return f"{hours:,} h {rest} min" if rest and hours < 10 else f"{hours:,} h"
    return f"{round(whole / 86_400):,} days"


def rate_words(rate: float) -> str:
    """Runs a second, or a minute where they are slow."""
    if rate >= 10:
        return f"{rate:,.0f} runs a second"
    if rate >= 1:
        return f"{rate:.1f} runs a second"
    return f"{rate * 60:.1f} runs a minute"
