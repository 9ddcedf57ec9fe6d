#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel ring that hangs: the wait is bounded, one report names ring, RPTR, WPTR
# and the packet there, the ring is taken out of use and the other instance goes on
# (S0.101). A dead ring comes back with the driver: the test loads the modules itself.
# vm: modules=none timeout=600
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/check/tap.sh"
. "$here/scale.sh"
modload=$here/../tools/vm/modload

load()
{
	"$modload" carillon_vgpu && "$modload" carillon fence_timeout=500
}

# reload: takes the dead ring away
reload()
{
	rmmod carillon && rmmod carillon_vgpu && load
}

# copy WORD...: through the kernel's rings; the result file's verdict
copy()
{
	echo "copy 4096" >"$gpu/sdma_test"
	cat "$gpu/sdma_test"
	grep -q ' result 0 ' "$gpu/sdma_test"
}

fails()
{
	! copy
}

ring_state()
{
	awk '$1 == 0 && $2 == "gfx" { print $NF }' "$gpu/rings"
}

dead()
{
	[ "$(ring_state)" != live ] || {
		cat "$gpu/rings"
		return 1
	}
}

reported()
{
	dmesg | grep -i "instance 0" | grep -i gfx | grep -i rptr | grep -i wptr | grep -qi packet || {
		dmesg | tail -n 20
		return 1
	}
}

# halts: how often instance 0 was given up since the modules were loaded first
halts()
{
	dmesg | awk -v mark="$mark" '
		index($0, mark) { n = 0 }
		/SDMA instance 0 halted/ { n++ }
		END { print n + 0 }'
}

# halted N: it has been, N times since the test began; who asks for a copy is told before that
halted()
{
	tries=$(scaled 300)
	while [ "$(halts)" -lt "$1" ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			dmesg | tail -n 20
			return 1
		}
		sleep 0.1
	done
}

mark="ring_hang_test $$ begins"
echo "$mark" >/dev/kmsg
load || exit 1
gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)
tap_run "a copy before" copy
echo "halt 0 gfx" >"$model/control"
tap_run "a copy on the halted ring fails, bounded" fails
tap_run "the report names ring, RPTR, WPTR and packet" reported
tap_run "the ring is out of use" dead
tap_run "and the instance is halted" halted 1
tap_run "the other instance goes on" copy
tap_run "user queues go on" "$SELFTESTS_DIR/smoke"
tap_run "the driver is unloaded with its dead ring and loaded again" reload
tap_run "all rings are live again" copy
gpu=$(echo /sys/kernel/debug/carillon/*:*:*)
model=$(echo /sys/kernel/debug/carillon_vgpu/*:*:*)
echo "fail hang:instance=0,queue=gfx+reset_fail:instance=0,rate=1" >"$model/control"
tap_run "an instance that hangs at a packet and cannot be reset: the copy fails, bounded" fails
tap_run "the instance is halted for good" halted 2
tap_run "the other instance goes on" copy
tap_run "user queues go on there" "$SELFTESTS_DIR/smoke"
tap_run "loaded again" reload
tap_run "all rings are live once more" copy
rmmod carillon && rmmod carillon_vgpu
tap_done
