#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# plant.sh DIR NAME: puts one fault back into the copy of the sources in DIR, to see
# that the fuzzers find it, and prints the files that it changed. Never used on the tree
# itself: `tools/build-modules.sh --plant NAME` builds modules with a fault.
# plant.sh --list: those that need a kernel, and what the kernel or a fuzzer then says;
# --list-user: those that a libFuzzer target finds, and which.

# change FILE EXPRESSION: a sed that must change something
change()
{
	cp "$dir/$1" "$dir/$1.orig"
	sed -i -e "$2" "$dir/$1"
	if cmp -s "$dir/$1" "$dir/$1.orig"; then
		echo "$0: $name: nothing to change in $1" >&2
		exit 1
	fi
	rm "$dir/$1.orig"
	echo "$1"
}

if [ "$1" = --list ]; then
	while read -r fault fuzzer says; do
		printf '%s\t%s\t%s\n' "$fault" "$fuzzer" "$says"
	done <<-END
	aperture_count ioctl_fuzz WARNING:|KASAN:|BUG:
	ring_size ioctl_fuzz fuzz: (CREATE|UPDATE)_QUEUE|WARNING:|KASAN:|BUG:|UBSAN:
	event_waiters ioctl_fuzz KASAN: .*use-after-free
	update_unlock ioctl_fuzz WARNING: lock held when returning to user space
	buffer_size ioctl_fuzz WARNING:|KASAN:|BUG:|fuzz:
	stale_doorbell ring_fuzz fuzz: (a packet ran that was not rung|the neighbour)
	slot_early ring_fuzz fuzz: |WARNING:|BUG:
	unrung_packets ring_fuzz fuzz: a packet ran that was not rung
	rect_length ring_fuzz KASAN: .*out-of-bounds
	window_count ring_fuzz KASAN: .*(out-of-bounds|memory-access)|UBSAN: array-index-out-of-bounds
	END
	exit
fi
if [ "$1" = --list-user ]; then
	cat <<-END
	rect_length sdma_fuzz
	guard_end sdma_fuzz
	ring_wrap ih_fuzz
	list_room config_fuzz
	key_end failure_fuzz
	text_room sysfs_fuzz
	link_end topology_fuzz
	line_edge mmu_fuzz
	END
	exit
fi
dir=$1
name=$2
case $name in
nothing) ;;
aperture_count)	# B001: a count from user space reaches the allocator
	change kernel/kfd_process_ioctl.c '/num_of_nodes > topology_num_nodes/,+1d'
	;;
window_count)	# B001: a packet's length says how much of an array is used
	change kernel/vgpu/vgpu_sdma_exec.c \
		's/min_t(u64, VGPU_MMU_LINE - page % VGPU_MMU_LINE,/max_t(u64, 1,/'
	;;
ring_size)	# B010: sizes that are not checked
	change kernel/kfd_queue.c 's/if (\*size && !is_power_of_2(\*size))/if (0)/'
	;;
stale_doorbell)	# B028: the slot keeps what its last queue rang
	change kernel/kfd_queue_hw.c '/hw_doorbell_reset(/d'
	;;
slot_early)	# B050: the producer takes back what the engine has not read yet
	change kernel/sdma/sdma_job.c 's/if (dma_fence_add_callback(fence, /if (fence || dma_fence_add_callback(fence, /'
	;;
unrung_packets)	# B061: the engine runs ahead of the doorbell
	change kernel/vgpu/vgpu_sdma_queue.c \
		's/^\t\tq->wptr = value;/\t\tq->wptr = value + (q - sdma->queue >= VGPU_SDMA_RLC0 ? 32 : 0);/'
	;;
event_waiters)	# B047: waits keep a pointer to a destroyed event
	change kernel/kfd_event_wait.c 's/if (wait->waiter\[i\].event == event) {/if (!event) {/'
	;;
update_unlock)	# B037: an error path that keeps the lock
	change kernel/kfd_queue.c \
		'/^int kfd_queue_update(/,/^}/ s/^unlock:$/unlock:\n\tif (ret)\n\t\treturn ret;/'
	;;
buffer_size)	# B023: address and size are not checked together
	change kernel/kfd_buffer.c 's/ || size > VM_VA_END - args->va_addr)/)/'
	change kernel/kfd_buffer.c 's/args->va_addr >= VM_VA_END\()\?\)/args->va_addr == VM_VA_END\1/'
	;;
rect_length)	# B010: a packet longer than what it is read into
	change kernel/vgpu/vgpu_sdma_packet.c 's/{ 1, 4, 13, decode_rect }/{ 1, 4, 16, decode_rect }/'
	;;
guard_end)	# B010: what a condition guards need not have been rung
	change kernel/vgpu/vgpu_sdma_queue.c \
		's/x->packet.dwords + x->packet.guarded > dwords/x->packet.dwords > dwords/'
	;;
ring_wrap)	# B010: an index that does not wrap
	change kernel/irq/irq_entry.h 's/(at + IRQ_ENTRY_BYTES) & (size - 1)/at + IRQ_ENTRY_BYTES/'
	;;
list_room)	# B001: one more than there is room for
	change kernel/vgpu/vgpu_config.c 's/ret = n < max ?/ret = n <= max ?/'
	;;
key_end)	# B001: one key more than there are
	change kernel/vgpu/vgpu_failure.c 's/for (key = 0; key < KEYS; key++)/for (key = 0; key <= KEYS; key++)/'
	;;
text_room)	# B010: the terminator behind the end
	change libthunk/sysfs_file.c \
		'/^int sysfs_read_text(/,/^}/ s/if (len == (ssize_t)size)/if (!size)/'
	;;
link_end)	# B076: a link that leads to a node that is not shown
	change libthunk/topology.c \
		's/return user_node(\(.*\)) ? 0 : 1;/user_node(\1); return 0;/'
	;;
line_edge)	# B061: more than was asked for counts
	change kernel/vgpu/vgpu_mmu.c 's/min(min(VGPU_MMU_LINE - 1 - at, ctx->last - page), /min(VGPU_MMU_LINE - 1 - at, /'
	;;
*)
	echo "$0: no fault $name" >&2
	exit 1
	;;
esac
