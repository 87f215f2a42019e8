# shellcheck shell=dash
# What the machine is and has: system, user, groups, buses. Sourced after say.sh.

REBOOT=no # whether the boot configuration was changed
export REBOOT

# check_system OS_RELEASE: refuse a system that this was not made for.
check_system() {
    [ -r "$1" ] || refuse "$CANNOT" "$1 is missing: this is no Debian. Nothing was changed."
    # shellcheck disable=SC1090 # the system's own file
    system=$(. "$1" && printf '%s %s' "${ID:-unknown}" "${VERSION_CODENAME:-unknown}")
    case $system in
    debian\ bookworm | debian\ trixie | raspbian\ bookworm | raspbian\ trixie) ;;
    *)
        refuse "$CANNOT" "this system is '$system'; the installer is for Raspberry Pi OS and Debian, 12 (bookworm)" \
            "or 13 (trixie). Nothing was changed. Elsewhere 'make play' may still do."
        ;;
    esac
}

is_raspberry_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }

# Add the companion's user where it is missing, and have it in those groups that this machine has.
make_user() {
    if ! getent passwd "$OWNER" >/dev/null; then
        useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin \
            --comment 'Table companion' "$OWNER"
        say "User $OWNER added."
    fi
    for group in gpio spi i2c dialout plugdev; do
        if ! getent group "$group" >/dev/null; then
            skip "group $group (this machine has none)"
        elif ! id -nG "$OWNER" | tr ' ' '\n' | grep -qx "$group"; then
            usermod --append --groups "$group" "$OWNER"
        fi
    done
}

# make_settings EXAMPLE: the settings file, made from the example where there is none; one that is there is not touched.
make_settings() {
    if [ -e "$SETTINGS" ]; then
        say "Settings: $SETTINGS is kept as it is."
        return
    fi
    mkdir -p "${SETTINGS%/*}"
    # The example shows one of everything; a table begins without a reader, which is for its owner to name.
    awk -v state="$STATE" '
        /^\[/ { reader = ($0 == "[[readers]]") }
        reader && /^[^#]/ { print "# " $0; next }
        /^state = / { print "state = \"" state "\""; next }
        { print }' "$1" >"$SETTINGS.new"
    chmod 0640 "$SETTINGS.new"
    chgrp "$OWNER" "$SETTINGS.new"
    mv "$SETTINGS.new" "$SETTINGS"
    say "Settings: $SETTINGS is new; say there which reader you have."
}

# The boot configuration of a Raspberry Pi; nothing where there is none.
boot_config() {
    for config in /boot/firmware/config.txt /boot/config.txt; do
        [ ! -f "$config" ] || { printf '%s\n' "$config" && return; }
    done
}

# has_line CONFIG LINE: whether a line stands there, whatever section it is in.
has_line() { grep -qE "^[[:space:]]*$2([[:space:],]|\$)" "$1"; }

# add_line CONFIG LINE: add a line for every model of Pi, once.
add_line() {
    has_line "$1" "$2" && return
    last=$(grep -E '^[[:space:]]*\[' "$1" | tail -n 1)
    [ -e "$1.before-table-companion" ] || cp "$1" "$1.before-table-companion"
    {
        cat "$1"
        [ -z "$(tail -c 1 "$1")" ] || echo
        case $last in '' | '[all]') ;; *) echo '[all]' ;; esac
        echo "$2"
    } >"$1.new"
    mv "$1.new" "$1"
    sync "$1"
    say "Boot: $2 added to $1."
    REBOOT=yes
}

# switch_on_buses CONFIG: SPI and I2C for the panel, and its chip select left to the panel's own driver.
switch_on_buses() {
    if has_line "$1" 'dtoverlay=spi0-[12]cs'; then
        warn "$1 has an overlay spi0-1cs or spi0-2cs for something else. An Inky panel needs dtoverlay=spi0-0cs:" \
            "change that line if there is a panel. It was left as it is."
    else
        add_line "$1" dtoverlay=spi0-0cs
    fi
    for bus in 'do_spi dtparam=spi=on' 'do_i2c dtparam=i2c_arm=on'; do
        has_line "$1" "${bus#* }" && continue
        if command -v raspi-config >/dev/null && raspi-config nonint "${bus% *}" 0; then
            say "Boot: ${bus#* } (raspi-config)."
            REBOOT=yes
        else
            add_line "$1" "${bus#* }"
        fi
    done
}

# Buses and consoles of a Raspberry Pi; skipped by name elsewhere.
set_up_pi() {
    config=$(boot_config)
    if ! is_raspberry_pi || [ -z "$config" ]; then
        skip 'SPI, I2C and the overlay spi0-0cs (this is no Raspberry Pi)'
        return
    fi
    switch_on_buses "$config"
    if grep -qs 'console=\(serial0\|ttyAMA\|ttyS\)' "${config%/*}/cmdline.txt"; then
        say 'Note: the serial pins 14 and 15 carry a console. A reader on them (not one on USB) needs it off:'
        say '      sudo raspi-config nonint do_serial_cons 1'
    fi
}

# Have the rules for readers take hold at once.
reload_udev() {
    if [ -S /run/udev/control ]; then
        udevadm control --reload
        udevadm trigger --subsystem-match=tty --subsystem-match=usb --action=change
    else
        skip 'reloading udev (it does not run here)'
    fi
}

# set_up_avahi TEMPLATE PORT: announce the page, at the port of the settings.
set_up_avahi() {
    if [ ! -d /etc/avahi/services ]; then
        skip 'announcing the page as _http._tcp (avahi-daemon is not installed)'
        return
    fi
    sed "s|<port>[0-9]*</port>|<port>$2</port>|" "$1" >/etc/avahi/services/companion.service
}
