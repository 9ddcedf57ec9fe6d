// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: test of the IP table's rows
 *
 * What the layers above take for granted of every row, and the facts of each chip that
 * a client can see, worked out by hand from vega10_reg_init.c, vega20_reg_init.c,
 * vega20_ip_offset.h, aldebaran_ip_offset.h, amdgpu_doorbell.h, sdma_v4_0.c, gfx_v9_0.c,
 * hdp_v4_0.c, nbio_v7_4.c and kfd_crat.c of Linux 6.1.
 */
/* pure: kernel/hw/hw_ip_table.c */
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/hw/hw_ip_table.h"
#include "pure_test.h"

static bool row_is_sane(const struct hw_chip *c)
{
	unsigned int i;
	bool ok = c->sdma_instances && c->sdma_instances <= HW_MAX_SDMA_INSTANCES;

	if (!c->sdma)
		return false;
	ok &= c->mmhub && c->mmhub->hubs && c->sdma->queue_stride && c->reg_strap;
	ok &= c->hdp && c->hdp->version;
	ok &= c->sdma->user_queues && c->sdma->user_queues <= 8 && c->sdma->xgmi_from;

	ok &= c->shader_engines && c->shader_engines <= HW_MAX_SHADER_ENGINES;
	ok &= c->cu_per_array && c->cu_per_array <= 32 && c->simd_per_cu && c->wave_size;
	ok &= c->clock_khz && c->va_bits <= 64 && c->name && c->name[0];
	for (i = 0; i < c->sdma_instances; i++) {
		/* SDMA doorbells lie where compute queues may not. */
		ok &= c->sdma_doorbell[i] >= c->non_cp_doorbell_first;
		ok &= c->sdma_doorbell[i] <= c->non_cp_doorbell_last;
		ok &= c->sdma_doorbell[i] + c->sdma->doorbell_range / 2 - 1 <=
		      c->non_cp_doorbell_last;
		/* Two doorbell pages: one bell for each RLC queue and one for GFX and page. */
		ok &= c->sdma->doorbell_range >= c->sdma->user_queues;
		ok &= c->sdma_ih_client[i] && c->sdma_ih_client[i] < 32 && c->sdma_base[i];
	}
	for (i = 0; i < c->num_caches; i++) {
		ok &= c->caches[i].level >= 1 && c->caches[i].level <= 3;
		ok &= c->caches[i].size_kib && (c->caches[i].type & 8);
	}
	return ok;
}

static void vega20(void)
{
	const struct hw_chip *c = hw_chip_find(0x66a1);

	pure_ok(c && !strcmp(c->name, "vega20") && PURE_EQ(c->gfx_target_version, 90006) &&
		PURE_EQ(c->ip_gc, 0x090400) && PURE_EQ(c->sdma->version, 0x040200) &&
		PURE_EQ(c->ip_nbio, 0x070400), "Vega20: gfx906, GC 9.4.0, SDMA 4.2, NBIO 7.4");
	pure_ok(c && PURE_EQ(c->sdma_instances, 2) && PURE_EQ(c->sdma->user_queues, 8) &&
		PURE_EQ(c->sdma->ih_ring_page, 1) && PURE_EQ(c->sdma->doorbell_range, 20) &&
		PURE_EQ(c->sdma_base[0], 0x1260 * 4) && PURE_EQ(c->sdma_base[1], 0x1860 * 4) &&
		PURE_EQ(c->sdma_doorbell[0], 0x100) && PURE_EQ(c->sdma_doorbell[1], 0x10a),
		"Vega20: two SDMA instances with eight user queues each");
	pure_ok(c && PURE_EQ(c->num_caches, 4) && PURE_EQ(c->caches[3].size_kib, 8192) &&
		PURE_EQ(c->caches[3].level, 2), "S0.85 Vega20: 8 MiB of L2");
}

static void arcturus(void)
{
	const struct hw_chip *c = hw_chip_find(0x738c);

	pure_ok(c && !strcmp(c->name, "arcturus") && PURE_EQ(c->gfx_target_version, 90008) &&
		PURE_EQ(c->ip_gc, 0x090401) && PURE_EQ(c->sdma->version, 0x040202) &&
		PURE_EQ(c->ip_nbio, 0x070401) && PURE_EQ(c->shader_engines * c->cu_per_array, 128),
		"Arcturus: gfx908, GC 9.4.1, SDMA 4.2.2, NBIO 7.4.1, 8 engines of 16 CUs");
	pure_ok(c && PURE_EQ(c->sdma_instances, 8) && PURE_EQ(c->sdma->user_queues, 8) &&
		PURE_EQ(c->sdma->queue_stride, 0x58 * 4) && PURE_EQ(c->sdma->page_queue_fw, 0) &&
		PURE_EQ(c->sdma_base[7], 0x1f400 * 4) && PURE_EQ(c->sdma_doorbell[7], 0x146) &&
		PURE_EQ(c->sdma_ih_client[2], 1) && PURE_EQ(c->sdma_ih_client[7], 0x18),
		"Arcturus: eight SDMA instances without page rings");
	pure_ok(c && PURE_EQ(c->mmhub->hubs, 2) && PURE_EQ(c->mmhub->stride, 0x3000 * 4) &&
		PURE_EQ(c->sdma_hub[4], 0) && PURE_EQ(c->sdma_hub[5], 1),
		"Arcturus: SDMA 5 to 7 on a second memory hub");
}

static void aldebaran(void)
{
	const struct hw_chip *c = hw_chip_find(0x740f);

	pure_ok(c && !strcmp(c->name, "aldebaran") && PURE_EQ(c->gfx_target_version, 90010) &&
		PURE_EQ(c->ip_gc, 0x090402) && PURE_EQ(c->sdma->version, 0x040400) &&
		PURE_EQ(c->ip_nbio, 0x070404) && PURE_EQ(c->reg_strap, 0x0d35 * 4) &&
		PURE_EQ(c->external_rev_base, 0x3c) &&
		PURE_EQ(c->shader_engines * c->cu_per_array, 112),
		"Aldebaran: gfx90a, GC 9.4.2, SDMA 4.4, NBIO 7.4.4, 8 engines of 14 CUs");
	pure_ok(c && PURE_EQ(c->sdma_instances, 5) && PURE_EQ(c->sdma->user_queues, 8) &&
		PURE_EQ(c->sdma->queue_stride, 0x58 * 4) && PURE_EQ(c->sdma->page_queue_fw, 0) &&
		PURE_EQ(c->sdma_base[1], 0x1860 * 4) && PURE_EQ(c->sdma_base[4], 0x1e800 * 4) &&
		PURE_EQ(c->sdma_doorbell[4], 0x128) && PURE_EQ(c->sdma_ih_client[4], 5) &&
		PURE_EQ(c->sdma_cid_read[4], 260),
		"Aldebaran: five SDMA instances without page rings");
	pure_ok(c && PURE_EQ(c->mmhub->hubs, 1) && PURE_EQ(c->mmhub->no_semaphore, 1) &&
		PURE_EQ(c->hdp->read_cache, 0) && PURE_EQ(c->hdp->read_watermark, 2) &&
		PURE_EQ(c->reg_ih_chicken, (0x10a0 + 0x18d) * 4),
		"Aldebaran: one memory hub, no semaphores, no read cache of the HDP");
	pure_ok(c && PURE_EQ(c->num_caches, 4) && PURE_EQ(c->caches[1].cus_shared, 2) &&
		PURE_EQ(c->caches[2].cus_shared, 2) && PURE_EQ(c->caches[2].size_kib, 16) &&
		PURE_EQ(c->caches[3].size_kib, 8192),
		"S0.85 Aldebaran: two CUs share the first caches, 8 MiB of L2");
}

int main(void)
{
	const struct hw_chip *c = hw_chip_find(0x6860);
	unsigned int id, rows = 0;
	bool sane = true;

	for (id = 0; id <= 0xffff; id++) {
		const struct hw_chip *row = hw_chip_find(id);

		if (!row)
			continue;
		rows++;
		sane &= PURE_EQ(row->device_id, id) && row_is_sane(row);
	}
	pure_ok(sane && rows, "every row holds what the layers above expect");
	pure_ok(!hw_chip_find(0) && !hw_chip_find(0xffff) && !hw_chip_find(0x6861),
		"devices without a row are not known");
	pure_ok(c && !strcmp(c->name, "vega10") && PURE_EQ(c->gfx_target_version, 90000) &&
		PURE_EQ(c->ip_gc, 0x090001) && PURE_EQ(c->sdma->version, 0x040000) &&
		PURE_EQ(c->ip_nbio, 0x060100), "Vega10: gfx900, GC 9.0.1, SDMA 4.0, NBIO 6.1");
	pure_ok(c && PURE_EQ(c->shader_engines * c->arrays_per_engine * c->cu_per_array, 64) &&
		PURE_EQ(c->sdma_instances, 2) && PURE_EQ(c->sdma->user_queues, 2),
		"Vega10: 64 CUs, two SDMA instances with two user queues each");
	/* Dwords 0x1e0 and 0x1e4 of a slice. */
	pure_ok(c && PURE_EQ(c->sdma_doorbell[0], 0xf0) && PURE_EQ(c->sdma_doorbell[1], 0xf2),
		"Vega10: doorbells of the SDMA instances");
	vega20();
	arcturus();
	aldebaran();
	return pure_done();
}
