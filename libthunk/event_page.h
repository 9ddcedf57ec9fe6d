/* SPDX-License-Identifier: MIT */
#ifndef EVENT_PAGE_H
#define EVENT_PAGE_H

#include <stdint.h>

/**
 * DOC: the event page
 *
 * A process has one page of 64-bit slots, one for each signal event; a GPU
 * writes an event's slot and then interrupts. With a GPU the page is GTT memory
 * of ours, mapped on every GPU and handed to the KFD with the first event, which
 * keeps it until the process ends, over closes as well. Without a GPU the page is
 * the KFD's own and mapped from it.
 */

/* Before the first event: make the page. @handle: what to hand over, else 0. */
int event_page_prepare(uint64_t *handle);
/* After an event's creation: where its slot is, 0 for an event without one. */
int event_page_slot(uint64_t offset, uint32_t index, uint64_t *slot);
/* In a child: the page is not there. */
void event_page_forget(void);

#endif
