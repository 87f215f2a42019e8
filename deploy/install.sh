#!/bin/sh
# Install the table companion as a service, or bring it to this version. Run it again whenever you like.
#
# Usage: sudo deploy/install.sh [--wheels FOLDER] [--offline] [--no-panel]
#        sudo deploy/install.sh --rollback              back to the version before this one
#        sudo deploy/install.sh --uninstall [--purge]   away with it; with --purge also settings and games
#
#   --wheels FOLDER  take the Python packages from there (make wheels), none from the network
#   --offline        take nothing from the network at all: Debian's packages must be there; goes with --wheels
#   --no-panel       leave SPI, I2C and the boot configuration alone
#
# For Raspberry Pi OS and Debian, 12 (bookworm) and 13 (trixie). docs/install.md tells the whole story.
# Exit status: 0 done; 2 cannot be done here; 3 could not be made, and nothing changed; 4 rolled back to the version
# before; 5 does not come up.
set -eu
umask 022
cd "$(dirname "$0")"
here=$PWD
# shellcheck source=deploy/lib/say.sh
. "$here/lib/say.sh"
# shellcheck source=deploy/lib/machine.sh
. "$here/lib/machine.sh"
# shellcheck source=deploy/lib/release.sh
. "$here/lib/release.sh"

UNIT=/etc/systemd/system/$SERVICE
RULES=/etc/udev/rules.d/61-table-companion.rules
COMMAND=/usr/local/bin/companion
NEEDED_MEGABYTES=400

usage() { sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p}' "$here/install.sh"; }

read_options() {
    what=install wheels='' offline=no panel=yes purge=no
    while [ $# -gt 0 ]; do
        case $1 in
        --wheels)
            wheels=$(cd "$OLDPWD" && cd "${2:-/nowhere}" 2>/dev/null && pwd) ||
                refuse "$CANNOT" "--wheels: '${2:-}' is no folder."
            shift
            ;;
        --offline) offline=yes ;;
        --no-panel) panel=no ;;
        --rollback) what=rollback ;;
        --uninstall) what=uninstall ;;
        --purge) purge=yes ;;
        --help | -h) usage && exit 0 ;;
        *) refuse "$CANNOT" "'$1' is no option; see: install.sh --help" ;;
        esac
        shift
    done
    [ "$offline$wheels" != yes ] || refuse "$CANNOT" '--offline goes with --wheels FOLDER.'
    [ "$purge$what" != yesinstall ] || refuse "$CANNOT" '--purge goes with --uninstall.'
}

check_machine() {
    [ "$(id -u)" -eq 0 ] || refuse "$CANNOT" 'this needs root. Please type:  sudo deploy/install.sh'
    check_system /etc/os-release
    if dpkg-query -W -f='${Status}' table-companion 2>/dev/null | grep -q 'ok installed'; then
        refuse "$CANNOT" 'the Debian package table-companion is installed; apt looks after it. Nothing was changed.'
    fi
    mkdir -p /run/lock
    exec 9>/run/lock/table-companion
    flock --nonblock 9 || refuse "$CANNOT" 'another installation is going on.'
}

check_space() {
    free=$(df --output=avail --block-size=M /opt | tail -n 1 | tr -dc '0-9')
    [ "$free" -ge "$NEEDED_MEGABYTES" ] ||
        refuse "$CANNOT" "/opt has $free MB left; $NEEDED_MEGABYTES are needed. Nothing was changed."
}

# spidev and lgpio have no wheels everywhere, and numpy's for 32 bit needs a library of Debian's: all three are Debian's.
get_packages() {
    packages='python3 python3-venv python3-numpy python3-spidev'
    # Not used itself: it brings the libraries that piwheels' Pillow for 32 bit is linked with.
    [ "$(dpkg --print-architecture)" != armhf ] || packages="$packages python3-pil"
    if [ "$offline" = yes ]; then
        for package in $packages; do
            dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
                refuse "$CANNOT" "--offline: the package $package is missing. Please install it first."
        done
        return
    fi
    # shellcheck disable=SC2086 # one word a package
    "$here/apt-install" $packages || refuse "$NOT_MADE" 'the packages above could not be installed; nothing was changed.'
    # Raspberry Pi OS has it; Debian has not.
    if apt-cache show python3-lgpio >/dev/null 2>&1; then
        "$here/apt-install" python3-lgpio
    else
        skip 'python3-lgpio (this system has none): buttons and lights on pins will be told as missing'
    fi
}

# The files that a release needs beside its Python packages.
gather_files() {
    mkdir "$scratch/deploy"
    cp -r install.sh apt-install ask-table lib companion.service companion.avahi.service 61-table-companion.rules \
        companion.example.toml "$scratch/deploy"
}

# Sets release, version and sources.
choose_release() {
    if [ -n "$wheels" ]; then
        set -- "$wheels"/table_companion-*.whl
        if [ $# -ne 1 ] || [ ! -f "$1" ]; then
            refuse "$CANNOT" "$wheels must hold one wheel of table_companion, as 'make wheels' leaves it."
        fi
        version=${1##*/table_companion-}
        version=${version%%-*}
        sources=$wheels
    else
        copy_sources
    fi
    release=$(release_name "$version" "$sources" "$scratch/deploy")
}

# Sets version and sources: what pip builds from, in a folder that it may write to.
copy_sources() {
    [ -f ../pyproject.toml ] || refuse "$CANNOT" 'the sources are not here; name a folder with --wheels.'
    version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' ../companion/__init__.py)
    sources=$scratch/sources
    mkdir "$sources"
    (cd .. && cp -r companion drivers simulator pyproject.toml README.md LICENSE "$sources")
    find "$sources" -name __pycache__ -prune -exec rm -rf {} +
    grep -v '^numpy==' ../constraints.txt >"$sources/constraints.txt"
}

make_it() {
    if [ -n "$wheels" ]; then
        make_release "$release" "$scratch/deploy" --no-index --find-links "$wheels" "table-companion[pi,mqtt]==$version"
    else
        make_release "$release" "$scratch/deploy" --constraint "$sources/constraints.txt" "${sources}[pi,mqtt]"
    fi
}

# install_files RELEASE: what the system needs to know of a release.
install_files() {
    files=$RELEASES/$1/deploy
    install -D -m 0644 "$files/companion.service" "$UNIT"
    install -D -m 0644 "$files/61-table-companion.rules" "$RULES"
    ln -sfn "$CURRENT/bin/companion" "$COMMAND"
    set_up_avahi "$files/companion.avahi.service" "$(ask "$1" port)"
    reload_udev
    ! systemd_runs || systemctl daemon-reload
    systemctl enable --quiet "$SERVICE"
}

install_release() {
    check_space
    get_packages
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    gather_files
    choose_release
    say "Making $release ..."
    make_it || refuse "$NOT_MADE" "$release could not be made (see above); what ran before still runs."
    make_user
    make_settings "$here/companion.example.toml"
    [ "$panel" = yes ] || skip 'SPI, I2C and the overlay spi0-0cs (--no-panel)'
    [ "$panel" = no ] || set_up_pi
    if systemd_runs && runs "$release"; then
        install_files "$release"
        ask "$release" answers >/dev/null && say "The table runs already: $release" && return
    fi
    switch_to "$release" install_files
}

go_back() {
    [ -L "$PREVIOUS" ] || refuse "$CANNOT" 'there is no earlier version here.'
    switch_to "$(release_of "$PREVIOUS")" install_files
}

uninstall() {
    cd /
    state=$STATE
    [ ! -e "$CURRENT" ] || state=$(ask "$(current_release)" state) || state=$STATE
    if systemd_runs; then systemctl stop "$SERVICE" 2>/dev/null || true; fi
    systemctl disable --quiet "$SERVICE" 2>/dev/null || true
    rm -f "$UNIT" "$RULES" /etc/avahi/services/companion.service
    [ "$(readlink "$COMMAND" 2>/dev/null)" != "$CURRENT/bin/companion" ] || rm -f "$COMMAND"
    rm -rf "$HOME_FOLDER"
    ! systemd_runs || systemctl daemon-reload
    reload_udev
    if [ "$purge" = yes ]; then
        rm -rf "${SETTINGS%/*}" "$STATE"
        ! getent passwd "$OWNER" >/dev/null || userdel "$OWNER"
        [ "$state" = "$STATE" ] || say "Games in $state are left."
        say 'The table companion is gone, with its settings and games.'
    else
        say "The table companion is gone. Settings and games are kept: $SETTINGS, $state"
    fi
    config=$(boot_config)
    [ -z "$config" ] || say "Left in $config: dtoverlay=spi0-0cs, SPI and I2C. Take out what nothing else needs."
}

read_options "$@"
check_machine
case $what in
install) install_release ;;
rollback) go_back ;;
uninstall) uninstall && exit 0 ;;
esac
[ "$REBOOT" = no ] || say 'Please restart once, so that SPI and I2C are there:  sudo reboot'
say 'What is wrong here, if anything:  sudo companion doctor'
