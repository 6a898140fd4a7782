"""All keys of a window, in sections, as the guide's page of keys has them."""

from gpviz.app.actions import MAIN, action_specs, loose_keys, shown_keys


def key_sections(window: str = MAIN) -> list[tuple[str, list[tuple[str, str]]]]:
    """All keys of a window, in sections, with what they do."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for spec in action_specs(window):
        if keys := shown_keys(spec):
            sections.setdefault(spec.section, []).append((keys, spec.tip))
    for section, keys, effect in loose_keys(window):
        sections.setdefault(section, []).append((keys, effect))
    return list(sections.items())
