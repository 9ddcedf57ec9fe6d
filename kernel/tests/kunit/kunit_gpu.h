/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: fixtures of the KUnit suites
 *
 * A GPU is a function of the model on a PCI bus of its own, bound by the driver's own
 * probe, or left without a driver for the suites of single layers.  It goes when its
 * test ends, also when that test gives up in the middle.
 *
 * A *held* GPU has no engine threads: the test steps the engines and drains the
 * interrupt ring, so that nothing happens before it says so.
 */
#ifndef CARILLON_KUNIT_GPU_H
#define CARILLON_KUNIT_GPU_H

#include <kunit/test.h>
#include <linux/types.h>

#include "../../kfd_device.h"
#include "../../vgpu/vgpu_device.h"
#include "../../vgpu/vgpu_sdma.h"

struct file;
struct kfd_process;
struct vgpu_host;

/* Module parameter: one case is to fail. */
extern bool kunit_planted;
/* Address space of insmod; tests that need one borrow it. */
extern struct mm_struct *kunit_mm;

/* The GPU of most tests: small and quick to make. */
#define KUNIT_GPU	"vega10:cu=4,vram=256m"

/**
 * struct kunit_gpu - a GPU of the model
 * @host: its bus
 * @pdev: its function, referenced
 * @model: what the function is made of
 * @dev: the driver's device, NULL if none is bound
 * @held: the engines have no threads
 */
struct kunit_gpu {
	struct vgpu_host *host;
	struct pci_dev *pdev;
	struct vgpu_device *model;
	struct kfd_device *dev;
	bool held;
};

/* A GPU with the driver bound. @gpus: as in the model's module parameter, one GPU. */
struct kunit_gpu *kunit_gpu(struct kunit *test, const char *gpus);
/* A GPU that no driver has bound; the function is off, as after power-on. */
struct kunit_gpu *kunit_gpu_bare(struct kunit *test, const char *gpus);
/* Pull it out before the test ends. */
void kunit_gpu_remove(struct kunit *test, struct kunit_gpu *gpu);

void kunit_gpu_hold(struct kunit_gpu *gpu);
void kunit_gpu_release(struct kunit *test, struct kunit_gpu *gpu);
/* One step of a held engine. */
enum vgpu_step kunit_gpu_step(struct kunit_gpu *gpu, unsigned int instance);
/* Everything in the interrupt ring is delivered; entries handled. */
unsigned int kunit_irq_drain(struct irq_device *irq);
/* Steps until held engines are idle or blocked, then the interrupt ring; steps with work. */
unsigned int kunit_gpu_run(struct kunit_gpu *gpu);

#endif /* CARILLON_KUNIT_GPU_H */
