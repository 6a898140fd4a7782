"""What each action of the window does, by the action's name."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from gpviz import page_list
from gpviz.app.actions import page_action
from gpviz.app.dialogs import show_about
from gpviz.app.pacing import faster, slower

if TYPE_CHECKING:
    from gpviz.app.main_window import MainWindow

__all__ = ["handlers_of"]

Handlers = dict[str, Callable[..., Any]]


def handlers_of(window: "MainWindow") -> Handlers:
    """A handler for every action; views are looked up when it is called, as they are made after the actions."""
    parts = (_playing, _studying, _files, _lecturing, _looking, _arranging)
    return {name: handler for part in parts for name, handler in part(window).items()}


def _playing(window: "MainWindow") -> Handlers:
    controller = window.controller
    return {
        "play": lambda: window.page_host.quiz.toggle_playing(),
        "play_backwards": controller.play_backwards,
        "next": lambda: window.page_host.quiz.next(),
        "previous": controller.step_back,
        "next_accepted": controller.go_next_accepted,
        "previous_accepted": controller.go_previous_accepted,
        "first": controller.go_first,
        "live_end": controller.go_live,
        "faster": lambda: controller.set_speed(faster(controller.speed)),
        "slower": lambda: controller.set_speed(slower(controller.speed)),
        "go_to": window.ask_iteration,
        "bookmark": window.toggle_bookmark,
    }


def _studying(window: "MainWindow") -> Handlers:
    return {
        "phase_down": lambda: window.page_host.quiz.next_phase(),
        "phase_up": lambda: window.page_host.phases.up(),
        "quiz": lambda on: window.page_host.quiz.set_on(on),
        "undo": lambda: window.windows.undoer.undo(),
        "redo": lambda: window.windows.undoer.redo(),
        **{page_action(info.name): partial(window.show_page, info.name) for info in page_list.PAGES},
    }


def _files(window: "MainWindow") -> Handlers:
    return {
        "new_run": lambda: window.views.setup.new_run_button.click(),
        "restart": lambda: window.views.setup.restart_button.click(),
        "open": lambda: window.file_controller.ask_and_open(),
        "save": lambda: window.windows.saver.save(),
        "save_as": lambda: window.windows.saver.ask_and_save(),
        "export": lambda: window.windows.ask_export(),
        "copy_tree": lambda: window.windows.copy_tree(),
        "quit": window.close,
    }


def _lecturing(window: "MainWindow") -> Handlers:
    return {
        "compare": lambda: window.windows.comparing.show_run(),
        "experiments": lambda: window.windows.experimenting.show(),
        "lecture": lambda: window.windows.toggle_lecture(),
        "present": lambda: window.windows.present(0),
        "rehearse": lambda: window.windows.rehearse(),
        "capture": lambda: window.windows.capture(),
        "new_lecture": lambda: window.windows.lecture_editor.new(),
        "save_lecture": lambda: window.windows.lecture_editor.save(),
    }


def _looking(window: "MainWindow") -> Handlers:
    return {
        "fit": lambda: window.views.stage.canvas.fit(),
        "zoom_in": lambda: window.views.stage.canvas.zoom_in(),
        "zoom_out": lambda: window.views.stage.canvas.zoom_out(),
        "collapse": lambda: window.views.stage.canvas.toggle_collapsed_selected(),
        "expand_all": lambda: window.views.stage.canvas.expand_all(),
        "redundant": lambda on: window.views.stage.canvas.set_redundant_shown(on),
        "ghosts": lambda on: window.views.stage.canvas.set_ghosts_shown(on),
        "reasons": lambda on: window.views.stage.canvas.set_reasons_shown(on),
        "legend": lambda on: window.views.stage.set_legend_shown(on),
        "log_scale": lambda on: window.views.curves.set_log_scale(on),
        "reset_curves": lambda: window.views.curves.reset_view(),
        "reduced_motion": window.set_reduced_motion,
    }


def _arranging(window: "MainWindow") -> Handlers:
    return {
        "setup_panel": lambda on: window.views.show_left(on),
        "step_panel": lambda on: window.views.show_right(on),
        "curves_panel": lambda on: window.views.show_lower(on),
        "full_screen": window.set_full_screen,
        "larger_type": partial(window.theme_manager.change_type, 1),
        "smaller_type": partial(window.theme_manager.change_type, -1),
        "next_theme": window.theme_manager.choose_next,
        "help": lambda: window.windows.show_guide(),
        "hint": window.show_first_hint,
        "keys": window.show_keys,
        "about": partial(show_about, window),
    }
