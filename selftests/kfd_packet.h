/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: SDMA packets for the selftests
 *
 * Written down once more, so that a fault in the driver's encoder or the model's decoder
 * cannot hide one in the other.  Each function returns the packet's length in dwords.
 */
#ifndef CARILLON_KFD_PACKET_H
#define CARILLON_KFD_PACKET_H

#include <stdint.h>

unsigned int pkt_copy(uint32_t *w, const void *dst, const void *src, uint32_t bytes);
unsigned int pkt_fill(uint32_t *w, const void *dst, uint32_t value, uint32_t bytes);
unsigned int pkt_fence(uint32_t *w, const void *addr, uint32_t value);
unsigned int pkt_trap(uint32_t *w, uint32_t context);
unsigned int pkt_atomic_add(uint32_t *w, const void *addr, uint64_t value);
unsigned int pkt_poll_mem(uint32_t *w, const void *addr, uint32_t want, uint32_t mask);
unsigned int pkt_hdp_flush(uint32_t *w);
unsigned int pkt_timestamp(uint32_t *w, const void *addr);
unsigned int pkt_write(uint32_t *w, const void *addr, const uint32_t *data, unsigned int n);

#endif /* CARILLON_KFD_PACKET_H */
