// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: GPUs for the KUnit suites
 *
 * See kunit_gpu.h.
 */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../irq/irq.h"
#include "../../vgpu/vgpu_config.h"
#include "../../vgpu/vgpu_pci.h"
#include "kunit_gpu.h"

/* More steps than any work of a test takes. */
#define MAX_STEPS	100000

static struct pci_dev *find_function(void)
{
	return pci_get_device(PCI_VENDOR_ID_ATI, 0x6860, NULL);
}

static void gpu_destroy(struct kunit_gpu *gpu)
{
	unsigned int i;
	char name[16];

	/* The driver's way down waits for engines. */
	for (i = 0; gpu->held && i < gpu->model->config.instances; i++) {
		snprintf(name, sizeof(name), "kunit-sdma%u", i);
		if (vgpu_worker_start(&gpu->model->worker[i], name))
			pr_err("carillon_kunit: no thread for engine %u\n", i);
	}
	pci_dev_put(gpu->pdev);
	if (!IS_ERR_OR_NULL(gpu->host))
		vgpu_pci_destroy(gpu->host);
	kfree(gpu);
}

static int gpu_create(struct kunit_gpu *gpu, const char *gpus)
{
	const struct hw_backend *backend;
	struct vgpu_config config;
	unsigned int where;
	int ret;

	ret = vgpu_config_parse(gpus, &config, 1, &where);
	if (ret < 0)
		return ret;
	gpu->host = vgpu_pci_create(&config, 1, ~0ULL);
	if (IS_ERR(gpu->host))
		return PTR_ERR(gpu->host);
	gpu->pdev = find_function();
	if (!gpu->pdev)
		return -ENODEV;
	backend = dev_get_platdata(&gpu->pdev->dev);
	gpu->model = backend->model;
	gpu->dev = pci_get_drvdata(gpu->pdev);
	return 0;
}

static int gpu_resource_init(struct kunit_resource *res, void *context)
{
	const char *gpus = context;
	struct kunit_gpu *gpu;
	int ret;

	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return -ENOMEM;
	ret = gpu_create(gpu, gpus);
	if (ret)
		gpu_destroy(gpu);
	else
		res->data = gpu;
	return ret;
}

static void gpu_resource_free(struct kunit_resource *res)
{
	gpu_destroy(res->data);
}

/**
 * kunit_gpu - a GPU with the driver bound
 * @test: whose; ends if there is none
 * @gpus: as in the model's module parameter
 *
 * Return: the GPU; it goes with the test.
 */
struct kunit_gpu *kunit_gpu(struct kunit *test, const char *gpus)
{
	struct kunit_gpu *gpu = kunit_alloc_resource(test, gpu_resource_init, gpu_resource_free,
						     GFP_KERNEL, (void *)gpus);

	KUNIT_ASSERT_NOT_NULL_MSG(test, gpu, "no GPU '%s'", gpus);
	KUNIT_ASSERT_NOT_NULL_MSG(test, gpu->pdev->driver, "the driver did not bind");
	return gpu;
}

/**
 * kunit_gpu_bare - a GPU that no driver has bound
 * @test: whose; ends if there is none
 * @gpus: as in the model's module parameter
 *
 * Return: the GPU; it goes with the test.
 */
struct kunit_gpu *kunit_gpu_bare(struct kunit *test, const char *gpus)
{
	struct kunit_gpu *gpu = kunit_gpu(test, gpus);

	device_release_driver(&gpu->pdev->dev);
	gpu->dev = NULL;
	return gpu;
}

static bool is_gpu(struct kunit *test, struct kunit_resource *res, void *gpu)
{
	return res->data == gpu;
}

/**
 * kunit_gpu_remove - take a GPU away before its test ends
 * @test: whose
 * @gpu: gone afterwards
 */
void kunit_gpu_remove(struct kunit *test, struct kunit_gpu *gpu)
{
	KUNIT_EXPECT_EQ(test, kunit_destroy_resource(test, is_gpu, gpu), 0);
}

/* The engines' threads end; from here on the test steps. */
void kunit_gpu_hold(struct kunit_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < gpu->model->config.instances; i++)
		vgpu_worker_stop(&gpu->model->worker[i]);
	gpu->held = true;
}

/* Undo kunit_gpu_hold(). */
void kunit_gpu_release(struct kunit *test, struct kunit_gpu *gpu)
{
	unsigned int i;

	gpu->held = false;
	for (i = 0; i < gpu->model->config.instances; i++) {
		struct vgpu_worker *worker = &gpu->model->worker[i];

		KUNIT_ASSERT_EQ(test, vgpu_worker_start(worker, "kunit-sdma"), 0);
		vgpu_worker_kick(worker);
	}
}

/**
 * kunit_gpu_step - one step of a held engine
 * @gpu: held
 * @instance: engine
 *
 * Return: what the engine said.
 */
enum vgpu_step kunit_gpu_step(struct kunit_gpu *gpu, unsigned int instance)
{
	struct vgpu_worker *worker = &gpu->model->worker[instance];
	enum vgpu_step ret;

	mutex_lock(&worker->step_lock);
	ret = worker->engine->step(worker->engine);
	mutex_unlock(&worker->step_lock);
	return ret;
}

/**
 * kunit_irq_drain - deliver what is in the interrupt ring
 * @irq: interrupts of a function
 *
 * In the context of the driver's own fallback, a timer: where preemption is not
 * counted, fences cannot tell a raw spinlock's section from a place that may sleep.
 *
 * Return: entries handled.
 */
unsigned int kunit_irq_drain(struct irq_device *irq)
{
	unsigned int n, sum = 0;

	local_bh_disable();
	while ((n = irq_poll(irq)))
		sum += n;
	local_bh_enable();
	return sum;
}

/**
 * kunit_gpu_run - let held engines do what there is to do, and deliver what they raise
 * @gpu: held
 *
 * Return: steps that did work.
 */
unsigned int kunit_gpu_run(struct kunit_gpu *gpu)
{
	unsigned int i, steps = 0, before;

	do {
		before = steps;
		for (i = 0; i < gpu->model->config.instances; i++)
			while (steps < MAX_STEPS && kunit_gpu_step(gpu, i) == VGPU_STEP_BUSY)
				steps++;
		if (gpu->dev)
			kunit_irq_drain(&gpu->dev->irq);
	} while (steps != before && steps < MAX_STEPS);
	return steps;
}
