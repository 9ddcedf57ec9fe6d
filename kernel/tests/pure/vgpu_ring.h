/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: rings for tests of the model's SDMA
 *
 * Sets up queues in the order of the public driver's register writes, puts packets
 * into rings by hand and steps the engine.  Kernel rings lie in the GART (VMID 0),
 * user rings in VMID 8 or 9.
 */
#ifndef CARILLON_TESTS_VGPU_RING_H
#define CARILLON_TESTS_VGPU_RING_H

#include "vgpu_fake.h"

/* Places in system memory; VMID 8 and 9 see all of it at USER. */
#define RING		0x10000		/* one of 64 KiB for each queue */
#define RPTR		0x1000		/* one cell of 64 bytes for each queue */
#define DATA		0x100000
#define USER		0x700000000000ULL
#define VRAM_VA		0x600000000000ULL	/* and the first 16 MiB of VRAM here */
#define VRAM_MC		0xf400000000ULL
#define MIB		(1u << 20)

struct ring {
	struct fake *f;
	unsigned int instance, queue;
	u32 regs;	/* first register */
	u64 base;	/* of the ring, as its VMID sees it */
	u64 view;	/* where its VMID sees system memory */
	u32 *cpu;
	u64 size;
	u64 wptr;
	u32 doorbell;
	unsigned int vmid;
};

static inline u32 qreg(const struct ring *r, u32 offset)
{
	return r->regs + offset;
}

static inline struct fake *start_chip(const char *name)
{
	struct fake *f = fake_create_chip(name);
	unsigned int i;

	fake_enable_gart(f);
	for (i = 8; i <= 9; i++) {
		fake_enable_vmid(f, i);
		fake_map_sys(f, i, USER, 0, FAKE_SYS);
		fake_map_vram(f, i, VRAM_VA, 0, 16 * MIB);
	}
	for (i = 0; i < 2; i++) {
		fake_reg_write(f, f->sdma_base[i] + SDMA4_F32_CNTL, 0);
		fake_reg_write(f, f->sdma_base[i] + SDMA4_CNTL,
			       SDMA4_CNTL__TRAP_ENABLE | SDMA4_CNTL__UTC_L1_ENABLE);
	}
	return f;
}

static inline struct fake *start(void)
{
	return start_chip("vega10");
}

/* The order in which amdkfd and amdgpu load a queue. */
static inline void load(struct ring *r, u64 rptr, u64 wptr)
{
	u32 cntl = (unsigned int)__builtin_ctzll(r->size / 4) << 1 | 1u << 12 | r->vmid << 24;
	u64 writeback = r->view + RPTR + r->queue * 64 + r->instance * 256;
	struct fake *f = r->f;

	fake_reg_write(f, qreg(r, SDMA4_Q_RB_CNTL), cntl);
	fake_reg_write(f, qreg(r, SDMA4_Q_DOORBELL_OFFSET), r->doorbell);
	fake_reg_write(f, qreg(r, SDMA4_Q_DOORBELL), 1u << 28);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_RPTR), (u32)rptr);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_RPTR_HI), rptr >> 32);
	fake_reg_write(f, qreg(r, SDMA4_Q_MINOR_PTR_UPDATE), 1);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_WPTR), (u32)wptr);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_WPTR_HI), wptr >> 32);
	fake_reg_write(f, qreg(r, SDMA4_Q_MINOR_PTR_UPDATE), 0);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_BASE), (u32)(r->base >> 8));
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_BASE_HI), r->base >> 40);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_RPTR_ADDR_LO), (u32)writeback);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_RPTR_ADDR_HI), writeback >> 32);
	fake_reg_write(f, qreg(r, SDMA4_Q_IB_CNTL), 0x101);
	fake_reg_write(f, qreg(r, SDMA4_Q_RB_CNTL), cntl | 1);
}

static inline void unload(struct ring *r)
{
	u32 cntl = fake_reg_read(r->f, qreg(r, SDMA4_Q_RB_CNTL));

	fake_reg_write(r->f, qreg(r, SDMA4_Q_RB_CNTL), cntl & ~1u);
}

static inline struct ring ring_at(struct fake *f, unsigned int instance, unsigned int queue,
				  unsigned int vmid, u64 size)
{
	u64 offset = RING + (instance * 4 + queue) * 0x10000;
	struct ring r = {
		.f = f, .instance = instance, .queue = queue, .vmid = vmid, .size = size,
		.regs = f->sdma_base[instance] + 0x200 + queue * 0x180,
		.view = vmid ? USER : FAKE_GART,
		.cpu = (u32 *)(f->sys + offset),
		.doorbell = (instance * 4 + queue) * 8 + 0x100,
	};

	r.base = r.view + offset;
	load(&r, 0, 0);
	return r;
}

static inline struct ring gfx_ring(struct fake *f)
{
	return ring_at(f, 0, VGPU_SDMA_GFX, 0, 4096);
}

static inline struct ring user_ring(struct fake *f)
{
	return ring_at(f, 0, VGPU_SDMA_RLC0, 8, 4096);
}

static inline void put(struct ring *r, const u32 *words, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++, r->wptr += 4)
		r->cpu[r->wptr % r->size / 4] = words[i];
}

#define PUT(r, ...) do {						\
	const u32 words_[] = { __VA_ARGS__ };				\
	put(r, words_, ARRAY_SIZE(words_));				\
} while (0)

#define LO(x)	((u32)(x))
#define HI(x)	((u32)((u64)(x) >> 32))

/* The two words of an address. */
#define ADDR(...)		LO((__VA_ARGS__)), HI((__VA_ARGS__))

#define FENCE(addr, v)		0x00000005, ADDR(addr), (v)
#define TRAP(context)		0x00000006, (context)
#define COPY(src, dst, n)	0x00000001, (n) - 1, 0, ADDR(src), ADDR(dst)
#define FILL(dst, v, n)		0x8000000b, ADDR(dst), (v), (n) - 1
#define INDIRECT(vmid, a, n)	0x00000004 | (vmid) << 16, ADDR(a), (n), 0, 0
#define WREG(reg, v)		0xf000000e, (reg) / 4, (v)
#define POLL(a, v)		0xb0000008, ADDR(a), (v), 0xffffffff, 0x0fff0004
#define FLUSH_HDP		0x00000008, 0, 0x80000000, 0, 0, 0

static inline void ring_bell(struct ring *r)
{
	r->f->doorbell[r->doorbell / 8] = r->wptr;
}

static inline enum vgpu_step step(struct fake *f, unsigned int instance)
{
	struct vgpu_engine *engine = vgpu_sdma_engine(f->sdma[instance]);

	return engine->step(engine);
}

/* Until nothing is left or all wait; the number of steps that worked. */
static inline unsigned int run(struct fake *f, unsigned int instance)
{
	unsigned int n;

	for (n = 0; n < 100000; n++)
		if (step(f, instance) != VGPU_STEP_BUSY)
			return n;
	return n;
}

static inline unsigned int kick(struct ring *r)
{
	ring_bell(r);
	return run(r->f, r->instance);
}

static inline struct vgpu_sdma_queue_info info(struct ring *r)
{
	struct vgpu_sdma_queue_info i;

	assert(!vgpu_sdma_queue_info(r->f->sdma[r->instance], r->queue, &i));
	return i;
}

static inline bool state_is(struct ring *r, const char *prefix)
{
	struct vgpu_sdma_queue_info i = info(r);

	return !strncmp(i.state, prefix, strlen(prefix));
}

static inline u32 word(struct fake *f, u64 offset)
{
	return *(u32 *)(f->sys + offset);
}

static inline u64 rptr_cell(struct ring *r)
{
	return *(u64 *)(r->f->sys + RPTR + r->queue * 64 + r->instance * 256);
}

static inline bool idle(struct ring *r)
{
	return fake_reg_read(r->f, qreg(r, SDMA4_Q_CONTEXT_STATUS)) & (1u << 2);
}

static inline bool last_iv(struct fake *f, u8 client, u8 source, u8 ring, u8 vmid, u32 ctx)
{
	const struct vgpu_iv *iv = &f->iv[(f->irqs - 1) % FAKE_IRQS];

	return f->irqs && iv->client == client && iv->source == source && iv->ring == ring &&
	       iv->vmid == vmid && iv->ctx[0] == ctx;
}

/* Pattern of bytes that differ from place to place. */
static inline void scribble(u8 *p, size_t n, u64 seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = fake_random(&seed) >> 24;
}

#endif /* CARILLON_TESTS_VGPU_RING_H */
