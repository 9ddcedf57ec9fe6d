/* SPDX-License-Identifier: MIT */
#ifndef NODE_PROPS_H
#define NODE_PROPS_H

#include <stdint.h>

#include "hsakmt/hsakmttypes.h"

/**
 * DOC: names in sysfs and members of structs
 *
 * One table per kind of properties file: which name goes to which member, and
 * how much of it is kept. Unknown names are passed over, absent ones leave the
 * member alone, so that newer and older drivers both work.
 */

/**
 * struct node_links - counts that a node's properties give for links
 * @io: io_links_count
 * @p2p: p2p_links_count
 */
struct node_links {
	uint32_t io;
	uint32_t p2p;
};

void node_props_parse(const char *text, HsaNodeProperties *props, struct node_links *links);
void bank_props_parse(const char *text, HsaMemoryProperties *props);
void cache_props_parse(const char *text, HsaCacheProperties *props);
void link_props_parse(const char *text, HsaIoLinkProperties *props);
void system_props_parse(const char *text, HsaSystemProperties *props);

/**
 * node_props_apply_gfx() - what follows from the graphics version
 * @props: the node; its EngineId and register file sizes are set
 * @gfx_version: gfx_target_version, major * 10000 + minor * 100 + stepping
 *
 * HSA_OVERRIDE_GFX_VERSION=major.minor.stepping wins over @gfx_version.
 *
 * Return: 0 or -EINVAL for an override that cannot be read.
 */
int node_props_apply_gfx(HsaNodeProperties *props, uint32_t gfx_version);

/* The value of gfx_target_version in @text, 0 when absent. */
uint32_t node_props_gfx_version(const char *text);

#endif
