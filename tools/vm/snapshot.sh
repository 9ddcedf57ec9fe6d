# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by run.sh, whose $job and $here it uses: snapshots of booted VMs. A VM without KVM boots for many seconds, so
# the first one of a kind is booted up to where the guest waits for its job, and
# written to the cache; those of the same kind start from there. The first
# process of the guest (initramfs-init.sh) loads what it needs for its job, says that
# it is ready and waits for as long as port 0xe9 reads `w`, which QEMU was told. Nothing
# of the job, of the host's files or of the time of day is in a snapshot: all of that
# comes after the wait.
#
# A kind is all that QEMU is given but the paths on the host: processors, memory, devices,
# kernel, initramfs, command line, and QEMU itself. CARILLON_SNAPSHOT=no does without.

# shellcheck disable=SC2154 # $job and $here are run.sh's
SNAPSHOT_BYTES=$((4 << 30))

# snapshot_file OPTION...: where the snapshot for these options is or would be; empty if
# there is no use for one
snapshot_file()
{
	[ "${CARILLON_SNAPSHOT:-yes}" = yes ] || return 0
	case " $* " in
	*" -accel tcg"*) ;;
	*) return 0 ;;
	esac
	key=$({
		printf '%s\n' "$@" | sed "s|$job||g; s/path=[^,]*/path=/"
		ls -lL --time-style=+%s "$(command -v qemu-system-x86_64)"
	} | sha256sum | cut -c 1-16)
	echo "$CACHE/snapshot/$key"
}

# snapshot_prune: the oldest go when all together are too large
snapshot_prune()
{
	total=0
	find "$CACHE/snapshot" -name '*.tmp.*' -mmin +60 -delete
	find "$CACHE/snapshot" -type f ! -name '*.*' -printf '%T@ %f\n' | sort -rn | while read -r _ old; do
		total=$((total + $(stat -c %s "$CACHE/snapshot/$old")))
		[ "$total" -le "$SNAPSHOT_BYTES" ] ||
			rm -f "$CACHE/snapshot/$old" "$CACHE/snapshot/$old.log" "$CACHE/snapshot/$old.lock"
	done
}

# snapshot_commands FILE: for QEMU's monitor, once the guest is ready. They end QEMU.
snapshot_commands()
{
	until grep -q 'carillon-vm: ready' "$job/console.log" 2>/dev/null; do
		sleep 0.2
	done
	echo "migrate_set_parameter max-bandwidth 4G"
	echo "migrate \"exec:cat >'$1'\""
	echo quit
}

# snapshot_make FILE: boots a VM and saves it; uses run_qemu of run.sh. What the boot said
# is kept beside it.
snapshot_make()
(
	mkdir -p "${1%/*}"
	exec 9>"$1.lock"
	flock 9
	[ ! -s "$1" ] || exit 0
	tmp=$1.tmp.$$
	rm -f "$job/console.log"
	mkfifo "$job/monitor"
	snapshot_commands "$tmp" >"$job/monitor" 9>&- &
	commands=$!
	run_qemu 0x77 $(null_chardevs) -monitor stdio <"$job/monitor" >"$job/qemu.log" 2>&1 9>&- &
	vm=$!
	trap 'kill $vm $commands 2>/dev/null; rm -f "$tmp"; exit 130' INT TERM HUP
	wait "$vm"
	ended=$?
	kill "$commands" 2>/dev/null
	rm -f "$job/monitor" "$1.lock"
	[ "$ended" = 0 ] && [ -s "$tmp" ] && ! grep -qi 'error' "$job/qemu.log" &&
		"$here/check-log.sh" "$job/console.log" >/dev/null || {
		rm -f "$tmp"
		exit 1
	}
	mv "$job/console.log" "$1.log"
	mv "$tmp" "$1"
	snapshot_prune
)

# snapshot_take FILE: what a start from it needs, in the job folder. A link, so that
# pruning takes nothing away; false if there is none.
snapshot_take()
{
	rm -f "$job/snapshot"
	touch -c "$1"
	ln "$1" "$job/snapshot" 2>/dev/null || ln -s "$1" "$job/snapshot"
	[ -s "$job/snapshot" ] || return
	cp "$1.log" "$job/boot.log" 2>/dev/null
	# The guest reads the time off this folder, and stirs this into its random numbers.
	head -c 256 /dev/urandom >"$job/seed"
	: >"$job/restored"
}
