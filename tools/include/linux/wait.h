/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: what structures embed; nobody sleeps here. */
#ifndef CARILLON_SHIM_WAIT_H
#define CARILLON_SHIM_WAIT_H

typedef struct {
	int sleepers;
} wait_queue_head_t;

#endif /* CARILLON_SHIM_WAIT_H */
