/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: who pays for memory behind VRAM
 *
 * An owner is the memory cgroup of the process that a part of VRAM was allocated for.
 * Pages are charged to it by whichever thread they are populated: the process itself,
 * an engine's thread, a work item.  NULL is nobody in particular: then the task that
 * allocates pays, and a kernel thread does not.
 */
#ifndef CARILLON_VGPU_OWNER_H
#define CARILLON_VGPU_OWNER_H

#include <linux/memcontrol.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>

/* Memory cgroup of the caller, referenced, or NULL. */
static inline struct mem_cgroup *vgpu_owner_get_current(void)
{
	return get_mem_cgroup_from_mm(current->mm);
}

#ifdef CONFIG_MEMCG

/* @count more references to an owner that the caller knows to be alive. */
static inline void vgpu_owner_get(struct mem_cgroup *owner, unsigned int count)
{
	if (owner)
		css_get_many(&owner->css, count);
}

/* Drop @count references. */
static inline void vgpu_owner_put(struct mem_cgroup *owner, unsigned int count)
{
	if (owner)
		css_put_many(&owner->css, count);
}

/* A reference, if there are others; under RCU, if the caller holds none. */
static inline bool vgpu_owner_tryget(struct mem_cgroup *owner)
{
	return !owner || css_tryget(&owner->css);
}

#else

static inline void vgpu_owner_get(struct mem_cgroup *owner, unsigned int count)
{
}

static inline void vgpu_owner_put(struct mem_cgroup *owner, unsigned int count)
{
}

static inline bool vgpu_owner_tryget(struct mem_cgroup *owner)
{
	return true;
}

#endif /* CONFIG_MEMCG */

/* A page that is charged to the owner. */
static inline struct page *vgpu_owner_alloc_page(struct mem_cgroup *owner, gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(owner);
	struct page *page = alloc_page(gfp | __GFP_ACCOUNT);

	set_active_memcg(before);
	return page;
}

#endif /* CARILLON_VGPU_OWNER_H */
