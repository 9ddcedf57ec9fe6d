/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: NBIO, HDP and ATHUB of the model
 *
 * NBIO 6.1 or 7.4 tells how much VRAM there is, opens the doorbell aperture, routes
 * doorbells to engines and takes HDP flush requests.  HDP 4.0 and ATHUB 1.0 are
 * small enough to live beside it.  Pure: compiles in user space.
 *
 * Routing: a doorbell range is a window of dword slots inside every 4 KiB page of
 * BAR2, so that the same slots of each process's doorbell slice reach the engine.
 */
#ifndef CARILLON_VGPU_NBIO_H
#define CARILLON_VGPU_NBIO_H

#include <linux/types.h>

#include "vgpu_block.h"
#include "vgpu_bus.h"
#include "vgpu_config.h"
#include "vgpu_regfile.h"

#define VGPU_NBIO_REGS		32
#define VGPU_HDP_REGS		8
#define VGPU_ATHUB_REGS		40

/** enum vgpu_route - who listens at a doorbell slot */
enum vgpu_route {
	VGPU_ROUTE_SDMA0,
	VGPU_ROUTE_IH = VGPU_MAX_SDMA,	/* the SDMA instances come before it */
	VGPU_ROUTE_NONE,
};

/**
 * struct vgpu_nbio - the three blocks and the movable copies of the flush registers
 * @config: what the device is
 * @bus: for HDP flushes
 * @nbio: register block of NBIO
 * @hdp: of HDP
 * @athub: of ATHUB
 * @remap: the HDP flush registers at the place that the REMAP registers name
 * @nbio_file: register file of NBIO
 * @hdp_file: of HDP
 * @athub_file: of ATHUB
 * @nbio_rows: registers of NBIO on this chip
 * @nbio_values: values of @nbio_file; under the register lock
 * @hdp_values: of @hdp_file; likewise
 * @athub_values: of @athub_file; likewise
 * @doorbell_range: in @nbio_values, by &enum vgpu_route; NULL where the chip has none
 * @doorbell_aperture: in @nbio_values
 */
struct vgpu_nbio {
	const struct vgpu_config *config;
	const struct vgpu_bus *bus;
	struct vgpu_block nbio, hdp, athub;
	struct vgpu_block remap[2];
	struct vgpu_regfile nbio_file, hdp_file, athub_file;
	struct vgpu_reg nbio_rows[VGPU_NBIO_REGS];
	u32 nbio_values[VGPU_NBIO_REGS];
	u32 hdp_values[VGPU_HDP_REGS];
	u32 athub_values[VGPU_ATHUB_REGS];
	const u32 *doorbell_range[VGPU_ROUTE_NONE];
	const u32 *doorbell_aperture;
};

void vgpu_nbio_init(struct vgpu_nbio *nbio, const struct vgpu_config *config,
		    const struct vgpu_bus *bus);
bool vgpu_nbio_doorbells_open(const struct vgpu_nbio *nbio);
enum vgpu_route vgpu_nbio_route(const struct vgpu_nbio *nbio, u32 offset);

#endif /* CARILLON_VGPU_NBIO_H */
