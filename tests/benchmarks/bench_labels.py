"""How large the labels of trees are in the window with a page open, in pixels. Needs no screen.

Trees are those of runs, the first with so many nodes; how deep they are differs much from run to run.
"""

import os
import tempfile
from statistics import median

from tests.benchmarks.amount import ignore_missing_screen

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SEEDS = 15
SIZES = ((1280, 720), (1366, 768), (1920, 1080))
TREES = ((16, 31), (64, 131))


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ[name] = home
        measure()


def measure() -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from gpviz.app.application import make_application
    from gpviz.app.canvas.node_shapes import LABEL_SIZE
    from gpviz.app.main_window import MainWindow
    from gpviz.app.preferences import Preferences
    from gpviz.app.theme_manager import ThemeManager
    from gpviz.engine import Node, RlsGp, RunConfig
    from gpviz.engine.tree import depth_of

    def tree_of(n: int, nodes: int, seed: int) -> Node:
        search = RlsGp(RunConfig(n=n, limit=str((nodes + 1) // 2), seed=seed))
        while search.tree is None or search.tree.size != nodes:
            search.step()
        return search.tree

    ignore_missing_screen()
    application = make_application(["gpviz"])
    settings = Preferences()
    settings.set_flag("setup_panel", False)
    theme_manager = ThemeManager(settings, "light")
    theme_manager.apply()
    window = MainWindow(settings, theme_manager)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.show()
    window.show_page("rows")
    print(
        f"{'window':>10} {'nodes':>6} {'levels':>7} {'least':>6} {'median':>7} {'most':>6}  labels in pixels"
    )
    for n, nodes in TREES:
        trees = [tree_of(n, nodes, seed) for seed in range(SEEDS)]
        levels = median(depth_of(tree) for tree in trees)
        for size in SIZES:
            window.resize(*size)
            found = []
            for tree in trees:
                window.player.start_run(RunConfig(n=n, limit="inf"), tree)
                while not window.is_idle:
                    QApplication.processEvents()
                found.append(LABEL_SIZE * window.views.stage.canvas.camera.scale)
            shown = f"{size[0]}x{size[1]}"
            least, middle, most = min(found), median(found), max(found)
            print(
                f"{shown:>10} {nodes:>6} {levels:>7.0f} {least:>6.1f} {middle:>7.1f} {most:>6.1f}", flush=True
            )
    window.document.is_modified = False
    window.close()
    application.processEvents()


if __name__ == "__main__":
    main()
