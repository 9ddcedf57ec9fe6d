# SPDX-License-Identifier: GPL-2.0-only
#
# trace_order.awk -v who=gfx|client: do the nine steps of a transfer (S0.106) stand in
# this trace in their order? Reads the text of a trace that begins with an idle queue.
# Each step's first event must come after that of the step before. Prints the step
# and the line that show each; ends with 1 if one is missing or too early.

# step NUMBER: this line shows it
function step(n)
{
	if (n in first)
		return
	first[n] = NR
	line[n] = $0
}

BEGIN {
	queue = who == "gfx" ? "queue=gfx" : "queue=rlc[01]"
	split("written,WPTR in memory,doorbell,WPTR seen,packet begun,RPTR moved," \
		"RPTR in memory,trap in the IH ring,waiter woken", title, ",")
}

/^#/ { next }

who == "gfx" && /sdma_write:/ && $0 ~ queue { step(1) }
who == "gfx" && /sdma_commit:/ && $0 ~ queue { step(2) }
who == "gfx" && /sdma_doorbell:/ && /by=doorbell/ && $0 ~ queue { step(3) }
who == "client" && /carillon_client written/ { step(1) }
who == "client" && /carillon_client wptr/ { step(2) }
who == "client" && /carillon_client doorbell/ { step(3) }

# What comes before the transfer (set-up of the queue) is none of its steps.
!(3 in first) { next }

/vgpu_wptr:/ && /by=doorbell/ && $0 ~ queue { step(4) }
/vgpu_packet_start:/ && $0 ~ queue { step(5) }
/vgpu_packet_end:/ && /packet=COPY .*result=done/ && $0 ~ queue { copied = 1 }
/vgpu_rptr:/ && $0 ~ queue { step(6) }
/vgpu_writeback:/ && $0 ~ queue { step(7) }
/vgpu_ih_put:/ && /source=224 ring=0/ && who == "gfx" { step(8) }
/vgpu_ih_put:/ && /source=224 ring=[12]/ && who == "client" { step(8) }
/ih_entry:/ && /source=224/ && (8 in first) && !handled { handled = NR }
who == "gfx" && /sdma_trap:/ && $0 ~ queue && !trapped { trapped = NR }
who == "gfx" && /sdma_fence:/ && /error=0/ && $0 ~ queue { step(9) }
who == "client" && /sdma_user_trap:/ && !trapped { trapped = NR }
who == "client" && /carillon_client woken/ { step(9) }

END {
	for (n = 1; n <= 9; n++) {
		if (!(n in first)) {
			printf "step %d (%s) is missing\n", n, title[n]
			bad = 1
			continue
		}
		printf "step %d, %s: %s\n", n, title[n], line[n]
		if (n > 1 && (n - 1) in first && first[n] <= first[n - 1]) {
			printf "step %d comes before step %d\n", n, n - 1
			bad = 1
		}
	}
	if (!copied) {
		print "no COPY packet was done"
		bad = 1
	}
	if (!handled || trapped < handled || first[9] < trapped) {
		print "the driver handled no trap before the waiter woke"
		bad = 1
	}
	exit bad
}
