#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# run.sh [OPTION...] -- COMMAND [ARGUMENT...]
# Boots a stock Debian kernel, or the debug kernel, in QEMU on the host's own root file system
# (read-only underneath, changes are lost), loads modules, and runs COMMAND as
# root in the current directory, which is shared read-write (unless it is /).
# Without KVM the VM starts from a snapshot of one that has booted (snapshot.sh).
# The user-mode kernel needs no QEMU: it is a process of the host that does the same.
#
#   --kernel VERSION   release or series (kernel.sh), debug, kcsan or uml; default:
#                      the headers' one
#   --smp N            processors (2)
#   --numa N           NUMA nodes, dividing processors and memory (1; the debug
#                      kernel has one)
#   --mem SIZE         memory (2G)
#   --timeout SECONDS  bound on everything, boot included (120); making a snapshot, when
#                      there is none yet, may take as long once more
#   --modules DIR      folder of the built .ko files
#   --load "NAME P=V"  load this module (repeatable, in order); its stock
#                      dependencies come first
#   --share DIR        share DIR read-write at the same path (repeatable)
#   --copy DIR         put a copy of DIR into the guest's memory, at the same path: quicker
#                      than the shared folder that it may lie in (repeatable)
#   --env NAME=VALUE   environment of COMMAND (repeatable)
#   --append WORDS     more kernel command line
#   --qemu WORDS       more options for QEMU, behind all others
#   --out DIR          keep console.log, status, tainted, kmsg there
#   --stdin            give COMMAND the standard input, read whole first
#   --interactive      COMMAND gets a terminal, the kernel log does not show
#   --no-log-check     do not look at the kernel log
#
# Exit status: COMMAND's; 123 if that was 0 and the kernel complained
# (check-log.sh); 124 if the time ran out; 125 if the VM did not get to run
# COMMAND to its end (the log is shown).
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cache.sh"
. "$here/snapshot.sh"

begin=$(date +%s)
kernel='' uml='' smp=2 numa=1 mem=2G timeout=120 modules='' append='' qemu='' out='' interactive='' stdin=''
log_check=1

job=$(mktemp -d "${TMPDIR:-/tmp}/carillon-vm.XXXXXX") || exit 125
running=
cleanup()
{
	[ -n "$running" ] && kill $running 2>/dev/null
	rm -rf "$job"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

: >"$job/shares"
: >"$job/load"
: >"$job/copies"
: >"$job/env"
: >"$job/devices"

# quote WORD: WORD as one word for sh
quote()
{
	printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# share DIR: a 9p device and a line for the guest
share()
{
	case $1 in
	*[[:space:],]*) die "'$1' cannot be shared: its path has a space or a comma" ;;
	esac
	tag=share$(wc -l <"$job/shares")
	echo "$tag $1" >>"$job/shares"
	echo "-virtfs local,path=$1,mount_tag=$tag,security_model=none,multidevs=remap" \
		>>"$job/devices"
}

# copy DIR: not of a folder in which COMMAND's files are to come out
copy()
{
	case $(pwd -P)/ in
	"$1"/*) ;;
	*) echo "$1" >>"$job/copies" ;;
	esac
}

absolute()
{
	(cd "$1" && pwd -P) || die "no folder $1"
}

while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=$2; shift ;;
	--smp) smp=$2; shift ;;
	--numa) numa=$2; shift ;;
	--mem) mem=$2; shift ;;
	--timeout) timeout=$2; shift ;;
	--modules) modules=$(absolute "$2") || exit; shift ;;
	--load) echo "$2" >>"$job/load"; shift ;;
	--share) dir=$(absolute "$2") || exit; share "$dir"; shift ;;
	--copy) dir=$(absolute "$2") || exit; copy "$dir"; shift ;;
	--env) printf 'export %s=%s\n' "${2%%=*}" "$(quote "${2#*=}")" >>"$job/env"; shift ;;
	--append) append="$append $2"; shift ;;
	--qemu) qemu="$qemu $2"; shift ;;
	--out) mkdir -p "$2"; out=$(absolute "$2") || exit; shift ;;
	--stdin) stdin=1 ;;
	--interactive) interactive=1 ;;
	--no-log-check) log_check= ;;
	--) shift; break ;;
	*) die "unknown option $1" ;;
	esac
	shift
done
[ $# -gt 0 ] || die "no command"

workdir=$(pwd -P)
[ "$workdir" = / ] || share "$workdir"

kernel_dir=$("$here/kernel.sh" $kernel) || exit 125
# For want of ACPI, sockets are all that the debug kernel sees of processors, and it
# is always one node (an emulated node has all processors). It is slow, on a busy host
# very slow: its watchdogs are to notice a hang, not a delay. The mark on kmalloc's
# caches lets a test inject failures into these only.
sockets=$numa
case $(cat "$kernel_dir/release") in
*-uml) uml=1 ;;
*-debug | *-kcsan)
	sockets=$smp
	append="$append watchdog_thresh=60 workqueue.watchdog_thresh=120"
	append="$append rcupdate.rcu_cpu_stall_timeout=120 slub_debug=A,kmalloc-*"
	numa=1
	;;
esac
if [ -n "$uml" ]; then
	[ -z "$interactive" ] || die "the user-mode kernel has no terminal here"
	cp "$here/uml-init.sh" "$job/uml-init.sh"
else
	initramfs=$("$here/initramfs.sh" "$kernel_dir") || exit 125
	accel=$("$here/accel.sh" "$kernel_dir/vmlinux" "$initramfs") || exit 125
fi
ports="-device virtserialport,chardev=out,name=out -device virtserialport,chardev=err,name=err"
[ -z "$interactive" ] || ports="-device virtconsole,chardev=terminal"

# Archives of the folders to copy, by their line in copies; nobody runs object files.
number=0
while read -r dir; do
	tar -cf "$job/copy$number.tar" --exclude='*.o' -C "$dir" .
	number=$((number + 1))
done <"$job/copies"

cp "$(command -v busybox)" "$job/busybox"
cp "$here/guest-init.sh" "$job/guest-init.sh"
{
	echo "UML=$uml"
	echo "KVER=$(cat "$kernel_dir/release")"
	echo "MODULES=$(quote "$kernel_dir/modules")"
	echo "MODULES_DIR=$(quote "$modules")"
	echo "TOOLS=$(quote "$here")"
	echo "WORKDIR=$(quote "$workdir")"
	echo "INTERACTIVE=$interactive"
	echo "STDIN=${stdin:+/run/job/stdin}"
} >"$job/vars"
[ -n "$stdin" ] && cat >"$job/stdin"
{
	cat "$job/env"
	printf exec
	for word; do
		printf ' %s' "$(quote "$word")"
	done
	echo
} >"$job/command.sh"

# -numa options for $numa nodes
numa_options()
{
	[ "$numa" -gt 1 ] || return 0
	bytes=$(numfmt --from=iec "$mem")
	node=0
	while [ "$node" -lt "$numa" ]; do
		printf -- '-object memory-backend-ram,id=mem%d,size=%d ' "$node" "$((bytes / numa))"
		printf -- '-numa node,nodeid=%d,memdev=mem%d,cpus=%d-%d ' "$node" "$node" \
			"$((smp * node / numa))" "$((smp * (node + 1) / numa - 1))"
		node=$((node + 1))
	done
}

# left: seconds that are left of the time
left()
{
	left=$((begin + timeout - $(date +%s)))
	[ "$left" -gt 0 ] || left=1
	echo "$left"
}

# with_options COMMAND...: runs it with QEMU's options behind, all but those that are
# no matter to the guest. norandmaps: a program that is at other addresses each time is
# translated anew each time, which takes longer than to run it.
with_options()
{
	"$@" $accel -M pc -nodefaults -no-user-config -display none -no-reboot -m "$mem" \
		-smp "$smp,sockets=$sockets" $(numa_options) \
		-kernel "$kernel_dir/vmlinux" -initrd "$initramfs" \
		-append "console=ttyS0 ignore_loglevel panic=-1 oops=panic tsc=reliable mitigations=off norandmaps random.trust_cpu=on$append" \
		-serial "file:$job/console.log" \
		-device isa-debug-exit,iobase=0xf4,iosize=4 \
		-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
		-virtfs "local,path=$job,mount_tag=job,security_model=none" \
		$(cat "$job/devices") -device virtio-serial-pci $ports $qemu
}

# run_qemu CODE OPTION...: QEMU itself, bounded; the guest finds CODE at port 0xe9
run_qemu()
{
	code=$1
	shift
	with_options exec timeout ${interactive:+--foreground} -k 5 "$(left)" qemu-system-x86_64 "$@" \
		-chardev null,id=nothing -device "isa-debugcon,iobase=0xe9,readback=$code,chardev=nothing"
}

# null_chardevs: something behind $ports, for a VM that only boots
null_chardevs()
{
	for id in out err terminal; do
		echo "-chardev null,id=$id"
	done
}

# run_vm OPTION...: one VM to its end; its exit status is in $code
run_vm()
{
	if [ -n "$interactive" ]; then
		(run_qemu 0x67 -chardev stdio,id=terminal,signal=off "$@")
		code=$?
		return
	fi
	rm -f "$job/out" "$job/err"
	mkfifo "$job/out" "$job/err"
	# Both ends are held open until QEMU has gone, which may never open its own:
	# then the readers end all the same.
	exec 7<>"$job/out" 8<>"$job/err"
	cat "$job/out" 7<&- 8<&- &
	readers=$!
	cat "$job/err" >&2 7<&- 8<&- &
	readers="$readers $!"
	running=$readers
	# In the background, so that a signal to this script ends the VM at once.
	run_qemu 0x67 -chardev "file,id=out,path=$job/out" -chardev "file,id=err,path=$job/err" "$@" \
		</dev/null 2>"$job/qemu.log" 7<&- 8<&- &
	vm=$!
	running="$vm $running"
	wait "$vm"
	code=$?
	exec 7<&- 8<&-
	wait $readers
	running=
}

# boot: from a snapshot if that can be, else from the beginning
boot()
{
	snapshot=$(with_options snapshot_file)
	if [ -n "$snapshot" ] && [ ! -s "$snapshot" ]; then
		snapshot_make "$snapshot" &
		running=$!
		wait "$running" || say "no snapshot could be made"
		running=
		begin=$(date +%s)
	fi
	if [ -n "$snapshot" ] && snapshot_take "$snapshot"; then
		run_vm -incoming "exec:cat '$job/snapshot'"
		cat "$job/boot.log" "$job/console.log" >"$job/whole.log" 2>/dev/null
		mv "$job/whole.log" "$job/console.log"
		[ ! -e "$job/alive" ] || return
		rm -f "$snapshot" "$job/restored" "$job/console.log"
		[ "$code" != 124 ] || return
		say "the snapshot does not start, the VM boots: $(tail -n 1 "$job/qemu.log" 2>/dev/null)"
	fi
	run_vm
}

# run_uml: the user-mode kernel; one processor, whatever was asked for
run_uml()
{
	exec timeout -k 5 "$timeout" "$kernel_dir/vmlinux" "mem=$mem" root=/dev/root \
		rootfstype=hostfs rootflags=/ ro init=/bin/sh con0=null,fd:1 con=null ssl=null \
		ignore_loglevel panic=-1 oops=panic $append -- "$job/uml-init.sh" "$job" \
		>"$job/console.log" 2>"$job/qemu.log"
}

if [ -n "$uml" ]; then
	run_uml </dev/null &
	running=$!
	wait "$running"
	code=$?
	running=
	cat "$job/out" 2>/dev/null
	cat "$job/err" >&2 2>/dev/null
	# It is powered off, which is no failure; before the mark come complaints of its own.
	[ "$code" = 0 ] && code=33
	! grep -q 'carillon-vm: up' "$job/console.log" ||
		sed -i '1,/carillon-vm: up/d' "$job/console.log"
else
	boot
fi

if [ -n "$out" ]; then
	for file in console.log status tainted kmsg; do
		rm -f "$out/$file"
		[ -e "$job/$file" ] && cp "$job/$file" "$out/$file"
	done
fi
if [ "$code" = 124 ] || [ "$code" = 137 ]; then
	tail -n 15 "$job/console.log" >&2
	say "time ran out ($timeout s)"
	exit 124
fi
if [ "$code" != 33 ] || [ ! -e "$job/status" ]; then
	"$here/check-log.sh" "$job/console.log" >&2
	tail -n 15 "$job/console.log" >&2
	cat "$job/qemu.log" >&2
	die "the VM stopped before the command ended (exit status $code)"
fi
status=$(cat "$job/status")
if [ -n "$log_check" ] &&
	! "$here/check-log.sh" "$job/console.log" "$(cat "$job/tainted")" >&2; then
	say "the kernel complained"
	[ "$status" != 0 ] || status=123
fi
exit "$status"
