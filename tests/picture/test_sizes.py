"""How large type is in a picture of 1280x720, so that the last row of a hall can read it."""

from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Item, Shape
from gpviz.picture.options import Options
from gpviz.picture.picture import Picture
from tests.picture.random_moments import random_moments


def texts_of(picture: Picture) -> list[Item]:
    return [item for item in items_of(picture) if item.shape is Shape.TEXT]


def depth_of(picture: Picture) -> int:
    parents = {edge.child: edge.parent for edge in picture.edges}
    depths = {node.uid: 0 for node in picture.nodes}
    for node in picture.nodes:  # parents come before their children
        if node.uid in parents:
            depths[node.uid] = depths[parents[node.uid]] + 1
    return max(depths.values(), default=0)


def test_labels_and_the_banner_can_be_read() -> None:
    sizes: set[int] = set()
    for _, moment in random_moments(400, seed=77):
        picture = picture_of(moment, Options(width=1280, height=720))
        nodes = {f"label {node.uid}" for node in picture.nodes}
        texts = texts_of(picture)
        sentence = [text for text in texts if text.key.startswith("banner ")]
        assert min(text.points[2] for text in sentence if not text.key.startswith("banner more")) >= 19
        labels = [text.points[2] for text in texts if text.key in nodes]
        if len(picture.nodes) <= 15:
            assert min(labels, default=22.0) >= 22
        if depth_of(picture) <= 8:
            assert min(labels, default=14.0) >= 14
        sizes.add(len(picture.nodes))
    assert min(sizes) <= 3
    assert max(sizes) > 15
