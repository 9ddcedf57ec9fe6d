/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* User-space stand-in: what structures embed; no work runs here. */
#ifndef CARILLON_SHIM_WORKQUEUE_H
#define CARILLON_SHIM_WORKQUEUE_H

struct work_struct {
	void (*func)(struct work_struct *work);
};

#endif /* CARILLON_SHIM_WORKQUEUE_H */
