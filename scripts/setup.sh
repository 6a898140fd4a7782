# Makes .venv ready; sourced by the scripts beside it.
#
#   prepare [extra ...]    installs the project into .venv, editable, with these extras
#
# .venv belongs to these scripts. A stamp in it says what it holds; as long as the stamp fits, `prepare`
# installs and downloads nothing. Without a stamp, a set-up was interrupted and .venv is made anew.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
bin=$root/.venv/bin
stamp=$root/.venv/gpviz-stamp

# The system packages that are missing, one a line. Every package the program needs beyond Python is in these two.
missing_packages() {
    can_make_venv "$python" || "$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
    # A test drives the real window on a screen that nobody sees.
    case " $* " in *" dev "*)
        command -v Xvfb >/dev/null || echo xvfb
        command -v xdotool >/dev/null || echo xdotool
        # Others open an exported page in a browser, and read the text in an exported picture.
        command -v pdftotext >/dev/null || echo poppler-utils
        command -v chromium >/dev/null || echo chromium
        command -v chromedriver >/dev/null || echo chromium-driver
    esac
    # PyInstaller looks with it into libraries.
    case " $* " in *" bundle "*) command -v objdump >/dev/null || echo binutils ;; esac
}

# The same for the window alone: Qt comes with Python, but the libraries of the system that it draws with do not.
missing_window_packages() {
    libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || return 0
    while read -r library package; do
        case $libraries in *"$library"*) ;; *) echo "$package" ;; esac
    done <<LIBRARIES
libEGL.so.1 libegl1
libGL.so.1 libgl1
libglib-2.0.so.0 libglib2.0-0
libfontconfig.so.1 libfontconfig1
libxkbcommon.so.0 libxkbcommon0
libdbus-1.so.3 libdbus-1-3
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0 libxcb-shape0
libxcb-shm.so.0 libxcb-shm0
libxcb-sync.so.1 libxcb-sync1
libxcb-util.so.1 libxcb-util1
libxcb-xfixes.so.0 libxcb-xfixes0
libxcb-xkb.so.1 libxcb-xkb1
libX11-xcb.so.1 libx11-xcb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
LIBRARIES
}

prepare() {
    if is_ready "$@"; then return; fi
    lock
    if ! is_ready "$@"; then set_up "$@"; fi
    exec 9<&-
}

is_ready() {
    [ -f "$stamp" ] && [ "$(head -n 2 "$stamp")" = "$(environment && checksum)" ] || return 1
    for extra in "$@"; do
        grep -qx "extra $extra" "$stamp" || return 1
    done
}

# An environment works with one Python and in one place only.
environment() {
    "$bin/python" -I -c 'import sys; print(*sys.version_info[:2], sys.prefix)' 2>/dev/null
}

# Everything that says what is to be installed.
checksum() {
    cat "$root/pyproject.toml" "$root/scripts/setup.sh" | cksum
}

# Two set-ups at a time would spoil each other's work. The lock ends with this script or `exec 9<&-`.
lock() {
    exec 9<"$root/pyproject.toml"
    if command -v flock >/dev/null && ! flock -n 9; then
        say "Waiting for another set-up of gpviz ..."
        flock 9
    fi
}

set_up() {
    say "Setting up gpviz (once) ..."
    # What another script asked for stays.
    extras=$({ sed -n 's/^extra //p' "$stamp" 2>/dev/null || true; printf '%s\n' "$@"; } | sed '/^$/d' | sort -u)
    find_python
    packages=$(missing_packages $extras)
    window_packages=$(missing_window_packages)
    if [ -n "$packages" ]; then
        install_packages $packages $window_packages
    elif [ -n "$window_packages" ]; then
        # Without them the program still runs in the terminal.
        (install_packages $window_packages) || say "The window cannot be opened until they are there."
    fi
    if [ ! -f "$stamp" ] || [ "$(head -n 1 "$stamp")" != "$(environment)" ]; then
        "$python" -m venv --clear "$root/.venv" || fail "The Python environment $root/.venv could not be made."
    fi
    install_project || fail "The Python packages could not be installed; see above. A later call tries again."
}

# The stamp goes away while pip works, so that nobody trusts what an interruption leaves behind. When pip gives
# up by itself it leaves the environment as it was; then the old stamp comes back, and whatever could start before
# still can.
install_project() {
    trap 'exit 130' INT TERM
    if [ -f "$stamp" ]; then mv "$stamp" "$stamp.old"; fi
    project=.
    if [ -n "$extras" ]; then project=".[$(printf '%s' "$extras" | tr '\n' ',')]"; fi
    if (cd "$root" && "$bin/python" -m pip install -qq --no-input --disable-pip-version-check -e "$project"); then
        {
            environment
            checksum
            for extra in $extras; do echo "extra $extra"; done
        } >"$stamp.new"
        mv "$stamp.new" "$stamp"
        rm -f "$stamp.old"
    else
        if [ -f "$stamp.old" ]; then mv "$stamp.old" "$stamp"; fi
        return 1
    fi
    trap - INT TERM
}

# Sets `python`: the newest of those that are tried, else any that is new enough; but one that can make environments
# as it is comes before any other.
find_python() {
    python=
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        if can_make_venv "$name"; then
            python=$name
            return
        fi
        python=${python:-$name}
    done
    [ -n "$python" ] || fail "gpviz needs Python 3.11 or newer, and this machine has none."
}

# Debian keeps a part of Python, without which `-m venv` fails, in a package of its own.
can_make_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        fail "gpviz needs what Debian calls $*; please install it and try again."
    elif [ "$(id -u)" -eq 0 ]; then
        as_root='env'
    elif sudo -n true 2>/dev/null; then
        as_root='sudo -n env'
    else
        fail "gpviz needs the system packages: $*. Install them with: sudo apt-get install $*"
    fi
    say "Installing system packages: $* ..."
    # A source that cannot be reached need not be the one that has the packages, so only the second one counts.
    apt update || true
    apt install --yes --no-install-recommends "$@" ||
        fail "The system packages could not be installed: $*. Install them with: sudo apt-get install $*"
}

apt() {
    $as_root DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" </dev/null >/dev/null
}

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 2
}
