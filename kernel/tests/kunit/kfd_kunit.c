// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes, events, doorbells and queues, through /dev/kfd as a client of this kernel
 * thread: PASIDs (B014), who may call (B092), ids that run out (B041), each refusal of a
 * queue beside a queue that is loaded into the hardware (B040), what SMI clients are told of
 * stops, the end of a process and of a device.  The counts are back at 0 after each test
 * (S0.32, S0.36, S0.42, S0.61).
 */
#include <drm/drm_file.h>
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/mmu_notifier.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "../../kfd_debugfs.h"
#include "../../kfd_doorbell.h"
#include "../../kfd_ioctl.h"
#include "../../kfd_process.h"
#include "kunit_gpu.h"

#define USER_BYTES	SZ_64K

/**
 * struct client - this thread as a process with /dev/kfd open
 * @test: whose
 * @gpu: the one GPU, NULL once it has gone
 * @gpu_id: its id
 * @file: /dev/kfd
 * @p: what that made, referenced
 * @user: memory of the process
 * @drm_fd: render node, or less than 0
 */
struct client {
	struct kunit *test;
	struct kunit_gpu *gpu;
	u32 gpu_id;
	struct file *file;
	struct kfd_process *p;
	unsigned long user;
	int drm_fd;
};

static bool client_open(struct client *c)
{
	c->file = filp_open("/dev/kfd", O_RDWR, 0);
	if (IS_ERR(c->file))
		return false;
	c->p = c->file->private_data;
	kfd_process_get(c->p);
	c->user = vm_mmap(NULL, 0, USER_BYTES, PROT_READ | PROT_WRITE,
			  MAP_ANONYMOUS | MAP_PRIVATE, 0);
	c->drm_fd = -1;
	return !IS_ERR_VALUE(c->user);
}

/* What the end of the address space does, and then the last descriptor's. */
static void client_close(struct client *c)
{
	struct kfd_process *p = c->p;

	if (IS_ERR(c->file))
		return;
	p->mn.ops->release(&p->mn, kunit_mm);
	mmu_notifier_synchronize();
	flush_work(&p->gone);
	filp_close(c->file, NULL);
	if (c->drm_fd >= 0)
		close_fd(c->drm_fd);
	flush_delayed_fput();
	kfd_process_put(p);
	if (!IS_ERR_VALUE(c->user))
		vm_munmap(c->user, USER_BYTES);
}

static void expect_no_counts(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < KFD_COUNTS; i++)
		KUNIT_EXPECT_EQ_MSG(test, atomic_read(&kfd_counts[i]), 0, "count %u", i);
}

/* No test function may give up in the middle: the thread has borrowed an address space. */
static void as_client(struct kunit *test, void (*fn)(struct client *c))
{
	struct client c = { .test = test, .gpu = kunit_gpu(test, KUNIT_GPU) };

	c.gpu_id = c.gpu->dev->node[0].gpu_id;
	kthread_use_mm(kunit_mm);
	if (client_open(&c))
		fn(&c);
	else
		KUNIT_FAIL(test, "no /dev/kfd: %ld", PTR_ERR(c.file));
	client_close(&c);
	kthread_unuse_mm(kunit_mm);
	if (c.gpu)
		kunit_gpu_remove(test, c.gpu);
	expect_no_counts(test);
}

/* An ioctl whose argument goes through user memory. */
static long call(struct client *c, unsigned int cmd, void *args)
{
	void __user *at = (void __user *)c->user;
	long ret;

	if (copy_to_user(at, args, _IOC_SIZE(cmd)))
		return -EFAULT;
	ret = kfd_ioctl(c->file, cmd, c->user);
	if (copy_from_user(args, at, _IOC_SIZE(cmd)))
		return -EFAULT;
	return ret;
}

/* ---- processes ---- */

static void open_and_pasid(struct client *c)
{
	struct kfd_process *p = kfd_process_get_by_pasid(c->p->pasid);
	struct file *again = filp_open("/dev/kfd", O_RDWR, 0);
	u32 pasid = 0;

	KUNIT_EXPECT_NE(c->test, c->p->pasid, 0);
	KUNIT_EXPECT_LE(c->test, c->p->pasid, KFD_MAX_PASID);
	KUNIT_EXPECT_PTR_EQ(c->test, p, c->p);
	if (p)
		kfd_process_put(p);
	KUNIT_EXPECT_NULL(c->test, kfd_process_get_by_pasid(0));
	KUNIT_EXPECT_NULL(c->test, kfd_process_get_by_pasid(c->p->pasid + 1));
	p = kfd_process_get_next(&pasid);
	KUNIT_EXPECT_PTR_EQ(c->test, p, c->p);
	KUNIT_EXPECT_EQ(c->test, pasid, c->p->pasid);
	if (p)
		kfd_process_put(p);
	KUNIT_EXPECT_NULL(c->test, kfd_process_get_next(&pasid));
	/* One address space, one process. */
	KUNIT_EXPECT_FALSE(c->test, IS_ERR(again));
	if (IS_ERR(again))
		return;
	KUNIT_EXPECT_PTR_EQ(c->test, again->private_data, (void *)c->p);
	KUNIT_EXPECT_EQ(c->test, c->p->files, 2);
	filp_close(again, NULL);
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(c->test, c->p->files, 1);
}

static void process_opens(struct kunit *test)
{
	as_client(test, open_and_pasid);
}

static u32 last_pasid;

static void note_pasid(struct client *c)
{
	KUNIT_EXPECT_NE(c->test, c->p->pasid, last_pasid);
	KUNIT_EXPECT_NULL(c->test, kfd_process_get_by_pasid(last_pasid));
	last_pasid = c->p->pasid;
}

/* B014: a number is not given to the next process. */
static void pasids_are_cyclic(struct kunit *test)
{
	as_client(test, note_pasid);
	as_client(test, note_pasid);
}

static void only_the_opener(struct client *c)
{
	struct kfd_ioctl_get_version_args args = { };
	struct mm_struct *mm = c->p->mm;
	struct pid *tgid = c->p->tgid;

	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_GET_VERSION, &args), 0);
	KUNIT_EXPECT_EQ(c->test, args.major_version, KFD_IOCTL_MAJOR_VERSION);
	c->p->mm = NULL;
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_GET_VERSION, &args), -EBADF);
	c->p->mm = mm;
	c->p->tgid = NULL;
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_GET_VERSION, &args), -EBADF);
	c->p->tgid = tgid;
	KUNIT_EXPECT_EQ(c->test, kfd_ioctl(c->file, AMDKFD_IOC_GET_VERSION, 0), -EFAULT);
	KUNIT_EXPECT_EQ(c->test, kfd_ioctl(c->file, _IO('T', 1), 0), -ENOTTY);
	KUNIT_EXPECT_EQ(c->test, kfd_ioctl(c->file, _IO(AMDKFD_IOCTL_BASE, 0), 0), -ENOTTY);
	KUNIT_EXPECT_EQ(c->test, kfd_ioctl(c->file, _IO(AMDKFD_IOCTL_BASE, 0xff), 0), -ENOTTY);
}

static void strangers_are_refused(struct kunit *test)
{
	as_client(test, only_the_opener);
}

/* ---- events ---- */

static long create_event(struct client *c, u32 type, u32 auto_reset, u32 *id)
{
	struct kfd_ioctl_create_event_args args = { .event_type = type, .auto_reset = auto_reset };
	long ret = call(c, AMDKFD_IOC_CREATE_EVENT, &args);

	*id = args.event_id;
	return ret;
}

static long destroy_event(struct client *c, u32 id)
{
	struct kfd_ioctl_destroy_event_args args = { .event_id = id };

	return call(c, AMDKFD_IOC_DESTROY_EVENT, &args);
}

static long set_event(struct client *c, u32 id)
{
	struct kfd_ioctl_set_event_args args = { .event_id = id };

	return call(c, AMDKFD_IOC_SET_EVENT, &args);
}

/* Look at one event; the result, or an errno. */
static long look_at(struct client *c, u32 id)
{
	struct kfd_event_data data = { .event_id = id };
	struct kfd_ioctl_wait_events_args args = {
		.events_ptr = c->user + SZ_4K, .num_events = 1,
	};
	long ret;

	if (copy_to_user((void __user *)(c->user + SZ_4K), &data, sizeof(data)))
		return -EFAULT;
	ret = call(c, AMDKFD_IOC_WAIT_EVENTS, &args);
	return ret ? ret : args.wait_result;
}

static void event_life(struct client *c)
{
	u32 id, sticky, other;

	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_MEMORY + 1, 0, &id), -EINVAL);
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_SIGNAL, 1, &id), 0);
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_SIGNAL, 0, &sticky), 0);
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_MEMORY, 0, &other), 0);
	KUNIT_EXPECT_NE(c->test, id, sticky);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_EVENTS]), 3);

	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_TIMEOUT);
	KUNIT_EXPECT_EQ(c->test, set_event(c, id), 0);
	KUNIT_EXPECT_EQ(c->test, set_event(c, sticky), 0);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_TIMEOUT);
	KUNIT_EXPECT_EQ(c->test, look_at(c, sticky), KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(c->test, look_at(c, sticky), KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(c->test, set_event(c, other), -EINVAL);

	/* An interrupt alone sets nothing, nor does an id that is nobody's. */
	kfd_event_deliver(c->p, id);
	kfd_event_deliver(c->p, ~0u);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_TIMEOUT);
	/* As a queue does it: the slot, then the interrupt, whose id may be wrong. */
	WRITE_ONCE(c->p->events.page.slot[id], 1);
	kfd_event_deliver(c->p, id);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_COMPLETE);
	WRITE_ONCE(c->p->events.page.slot[id], 1);
	kfd_event_deliver(c->p, ~0u);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_COMPLETE);
	KUNIT_EXPECT_EQ(c->test, look_at(c, id), KFD_IOC_WAIT_RESULT_TIMEOUT);

	KUNIT_EXPECT_EQ(c->test, destroy_event(c, id), 0);
	KUNIT_EXPECT_EQ(c->test, destroy_event(c, id), -EINVAL);
	KUNIT_EXPECT_EQ(c->test, set_event(c, id), -EINVAL);
	KUNIT_EXPECT_EQ(c->test, destroy_event(c, 0), -EINVAL);
	/* The rest goes with the process. */
}

static void events(struct kunit *test)
{
	as_client(test, event_life);
}

/* B041: all slots but the first, and not one more; what was given back is good again. */
static void event_ids_end(struct client *c)
{
	unsigned int n = 0;
	u32 id, last = 0;
	long ret;

	while (!(ret = create_event(c, KFD_IOC_EVENT_SIGNAL, 0, &id)) &&
	       n < KFD_SIGNAL_EVENT_LIMIT + 1) {
		last = id;
		n++;
	}
	KUNIT_EXPECT_EQ(c->test, ret, -ENOSPC);
	KUNIT_EXPECT_EQ(c->test, n, c->p->events.page.slots - 1);
	KUNIT_EXPECT_EQ(c->test, destroy_event(c, last), 0);
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_SIGNAL, 0, &id), 0);
	KUNIT_EXPECT_EQ(c->test, id, last);
	/* Events without a slot have ids of their own. */
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_MEMORY, 0, &id), 0);
}

static void event_ids(struct kunit *test)
{
	as_client(test, event_ids_end);
}

/* ---- doorbells ---- */

static void doorbell_slices(struct client *c)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	struct kfd_node *node = pn->node;
	unsigned long *saved;
	unsigned int slice;

	saved = bitmap_alloc(node->doorbell_slices, GFP_KERNEL);
	KUNIT_EXPECT_NOT_NULL(c->test, saved);
	if (!saved)
		return;
	bitmap_copy(saved, node->doorbell_used, node->doorbell_slices);
	bitmap_fill(node->doorbell_used, node->doorbell_slices);
	KUNIT_EXPECT_EQ(c->test, kfd_doorbell_take(pn), -ENOMEM);
	bitmap_copy(node->doorbell_used, saved, node->doorbell_slices);
	bitmap_free(saved);

	KUNIT_EXPECT_EQ(c->test, kfd_doorbell_take(pn), 0);
	slice = pn->doorbell_slice;
	KUNIT_EXPECT_NE(c->test, slice, 0);
	KUNIT_EXPECT_EQ(c->test, kfd_doorbell_take(pn), 0);
	KUNIT_EXPECT_EQ(c->test, pn->doorbell_slice, slice);
	KUNIT_EXPECT_EQ(c->test, kfd_doorbell_base(pn), slice * KFD_DOORBELL_SLICE);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_DOORBELL_SLICES]), 1);
	kfd_doorbell_release(pn);
	KUNIT_EXPECT_FALSE(c->test, test_bit(slice, node->doorbell_used));
	KUNIT_EXPECT_EQ(c->test, kfd_doorbell_take(pn), -ENODEV);
}

static void doorbells(struct kunit *test)
{
	as_client(test, doorbell_slices);
}

/* No two queues of a process share a doorbell, and all lie in the slice. */
static void doorbells_differ(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct kfd_node *node = &gpu->dev->node[0];
	unsigned int instance, number, numbers = kfd_doorbell_numbers(node);
	unsigned long *seen = kunit_kzalloc(test, KFD_DOORBELL_SLOTS / 8, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, seen);
	KUNIT_EXPECT_GT(test, numbers, 0);
	for (instance = 0; instance < 2; instance++)
		for (number = 0; number < numbers; number++) {
			u32 offset = kfd_doorbell_offset(node, instance, number);

			KUNIT_ASSERT_LT(test, offset, KFD_DOORBELL_SLICE);
			KUNIT_EXPECT_EQ(test, offset % 8, 0);
			KUNIT_EXPECT_FALSE(test, __test_and_set_bit(offset / 8, seen));
		}
}

/* ---- queues ---- */

static long acquire(struct client *c)
{
	struct kfd_ioctl_acquire_vm_args args = { .gpu_id = c->gpu_id };
	struct file *file;
	char path[32];

	snprintf(path, sizeof(path), "/dev/dri/renderD%d", c->gpu->dev->drm.render->index);
	c->drm_fd = get_unused_fd_flags(O_CLOEXEC);
	if (c->drm_fd < 0)
		return c->drm_fd;
	file = filp_open(path, O_RDWR, 0);
	if (IS_ERR(file)) {
		put_unused_fd(c->drm_fd);
		c->drm_fd = -1;
		return PTR_ERR(file);
	}
	fd_install(c->drm_fd, file);
	args.drm_fd = c->drm_fd;
	return call(c, AMDKFD_IOC_ACQUIRE_VM, &args);
}

/* A buffer for ring and pointers at the address of our own memory. */
static long ring_memory(struct client *c)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args alloc = {
		.va_addr = c->user + SZ_32K, .size = SZ_16K, .gpu_id = c->gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	struct kfd_ioctl_map_memory_to_gpu_args map = {
		.device_ids_array_ptr = c->user + SZ_4K, .n_devices = 1,
	};
	long ret = call(c, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &alloc);

	if (ret)
		return ret;
	map.handle = alloc.handle;
	if (put_user(c->gpu_id, (u32 __user *)(c->user + SZ_4K)))
		return -EFAULT;
	return call(c, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &map);
}

static struct kfd_ioctl_create_queue_args good_queue(struct client *c)
{
	return (struct kfd_ioctl_create_queue_args){
		.ring_base_address = c->user + SZ_32K,
		.ring_size = SZ_4K,
		.read_pointer_address = c->user + SZ_32K + SZ_8K,
		.write_pointer_address = c->user + SZ_32K + SZ_8K + 64,
		.gpu_id = c->gpu_id,
		.queue_type = KFD_IOC_QUEUE_TYPE_SDMA,
		.queue_percentage = 100,
		.queue_priority = 7,
	};
}

#define EXPECT_QUEUE(c, error, member, value) do {						\
	struct kfd_ioctl_create_queue_args args_ = good_queue(c);				\
	args_.member = (value);									\
	KUNIT_EXPECT_EQ((c)->test, call(c, AMDKFD_IOC_CREATE_QUEUE, &args_), error);		\
} while (0)

static void queue_rows(struct client *c)
{
	EXPECT_QUEUE(c, -EINVAL, queue_percentage, 101);
	EXPECT_QUEUE(c, -EINVAL, queue_priority, 16);
	EXPECT_QUEUE(c, -EINVAL, ring_size, 4095);
	EXPECT_QUEUE(c, -EINVAL, ring_base_address, c->user + SZ_32K + 8);
	EXPECT_QUEUE(c, -EFAULT, ring_base_address, PAGE_OFFSET | 1ULL << 63);
	EXPECT_QUEUE(c, -EFAULT, read_pointer_address, PAGE_OFFSET | 1ULL << 63);
	EXPECT_QUEUE(c, -EINVAL, write_pointer_address, c->user + 4);
	EXPECT_QUEUE(c, -ENOTSUPP, queue_type, KFD_IOC_QUEUE_TYPE_COMPUTE);
	EXPECT_QUEUE(c, -EINVAL, gpu_id, c->gpu_id ^ 1);
	/* No address space yet. */
	EXPECT_QUEUE(c, -ESRCH, queue_priority, 7);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_QUEUES]), 0);
}

static void queue_refusals(struct kunit *test)
{
	as_client(test, queue_rows);
}

static void queue_in_hardware(struct client *c)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	struct kfd_ioctl_destroy_queue_args destroy = { };
	struct kfd_ioctl_create_queue_args args;
	struct kfd_ioctl_update_queue_args update;
	struct kfd_queue *q;

	KUNIT_EXPECT_EQ(c->test, acquire(c), 0);
	KUNIT_EXPECT_EQ(c->test, ring_memory(c), 0);
	/* vega10 has no engine for it. */
	EXPECT_QUEUE(c, -ENOMEM, queue_type, KFD_IOC_QUEUE_TYPE_SDMA_XGMI);
	args = good_queue(c);
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_CREATE_QUEUE, &args), 0);
	q = xa_load(&c->p->queues, args.queue_id);
	KUNIT_EXPECT_NOT_NULL(c->test, q);
	if (!q)
		return;
	KUNIT_EXPECT_NE(c->test, q->slot, KFD_NO_SLOT);
	KUNIT_EXPECT_GE(c->test, pn->vmid, KFD_VMID_FIRST);
	KUNIT_EXPECT_LE(c->test, pn->vmid, KFD_VMID_LAST);
	KUNIT_EXPECT_EQ(c->test, pn->loaded, 1);

	/* Two reasons: the queue comes back after the second has ended. */
	kfd_queue_stop(q, KFD_STOP_DEBUG);
	KUNIT_EXPECT_EQ(c->test, q->slot, KFD_NO_SLOT);
	KUNIT_EXPECT_EQ(c->test, pn->vmid, 0);
	kfd_queue_stop_all(pn, KFD_STOP_USERPTR);
	kfd_queue_start(q, KFD_STOP_DEBUG);
	KUNIT_EXPECT_EQ(c->test, q->slot, KFD_NO_SLOT);
	kfd_queue_start_all(pn, KFD_STOP_USERPTR);
	KUNIT_EXPECT_NE(c->test, q->slot, KFD_NO_SLOT);
	KUNIT_EXPECT_EQ(c->test, q->loads, 2);

	/* B040: percentage 0 takes it out of the hardware. */
	update = (struct kfd_ioctl_update_queue_args){
		.ring_base_address = args.ring_base_address, .queue_id = args.queue_id,
		.ring_size = args.ring_size, .queue_percentage = 0, .queue_priority = 7,
	};
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_UPDATE_QUEUE, &update), 0);
	KUNIT_EXPECT_EQ(c->test, q->slot, KFD_NO_SLOT);
	update.queue_id++;
	KUNIT_EXPECT_LT(c->test, call(c, AMDKFD_IOC_UPDATE_QUEUE, &update), 0);

	destroy.queue_id = args.queue_id;
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_DESTROY_QUEUE, &destroy), 0);
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_DESTROY_QUEUE, &destroy), -EINVAL);
	KUNIT_EXPECT_EQ(c->test, pn->num_queues, 0);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_SLOTS]), 0);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_VMIDS]), 0);
}

static void queue_life(struct kunit *test)
{
	as_client(test, queue_in_hardware);
}

static bool nobody_waits(struct kfd_node *node)
{
	unsigned int ms, waiting = 1;

	for (ms = 0; waiting && ms < 20000; ms += 20) {
		msleep(20);
		mutex_lock(&node->lock);
		waiting = node->waiting;
		mutex_unlock(&node->lock);
	}
	return !waiting;
}

static struct kfd_queue *parked_queue(struct kfd_process_node *pn)
{
	struct kfd_queue *q, *found = NULL;

	mutex_lock(&pn->node->lock);
	list_for_each_entry(q, &pn->queues, link)
		if (q->parked)
			found = q;
	mutex_unlock(&pn->node->lock);
	return found;
}

/* B038: one more than there are slots is parked, and is loaded when its doorbells are touched. */
static void queue_is_parked(struct client *c)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	struct kfd_ioctl_create_queue_args args;
	struct kfd_node *node = pn->node;
	unsigned int slots = node->rlc_slots * hweight16(node->sdma_mask), n;
	struct kfd_queue *q;
	u64 loads;

	KUNIT_EXPECT_EQ(c->test, acquire(c), 0);
	KUNIT_EXPECT_EQ(c->test, ring_memory(c), 0);
	for (n = 0; n <= slots; n++) {
		args = good_queue(c);
		KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_CREATE_QUEUE, &args), 0);
	}
	KUNIT_EXPECT_TRUE(c->test, nobody_waits(node));
	KUNIT_EXPECT_EQ(c->test, pn->loaded, slots);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_SLOTS]), slots);
	q = parked_queue(pn);
	KUNIT_EXPECT_NOT_NULL(c->test, q);
	if (!q)
		return;
	KUNIT_EXPECT_STREQ(c->test, kfd_queue_state(q), "parked");
	loads = q->loads;
	kfd_queue_doorbells_open(pn, (q->hw.doorbell - kfd_doorbell_base(pn)) >> PAGE_SHIFT);
	KUNIT_EXPECT_TRUE(c->test, nobody_waits(node));
	KUNIT_EXPECT_EQ(c->test, q->loads, loads + 1);
	/* A stop of one that waits or is parked, and its end, leave nothing behind. */
	kfd_queue_stop_all(pn, KFD_STOP_USERPTR);
	KUNIT_EXPECT_EQ(c->test, node->waiting, 0);
	KUNIT_EXPECT_EQ(c->test, pn->vmid, 0);
	kfd_queue_start_all(pn, KFD_STOP_USERPTR);
	KUNIT_EXPECT_EQ(c->test, pn->loaded, slots);
	/* They end with the process. */
}

static void queue_parked(struct kunit *test)
{
	as_client(test, queue_is_parked);
}

/* Queues end where doorbells do, and a queue that was refused left nothing. */
static void queue_numbers_end(struct client *c)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	struct kfd_ioctl_create_queue_args args;
	unsigned int n = 0;
	long ret;

	KUNIT_EXPECT_EQ(c->test, acquire(c), 0);
	KUNIT_EXPECT_EQ(c->test, ring_memory(c), 0);
	for (;;) {
		args = good_queue(c);
		ret = call(c, AMDKFD_IOC_CREATE_QUEUE, &args);
		if (ret || n > 1000)
			break;
		n++;
	}
	KUNIT_EXPECT_EQ(c->test, ret, -ENOMEM);
	KUNIT_EXPECT_GE(c->test, n, 1);
	KUNIT_EXPECT_EQ(c->test, pn->num_queues, n);
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_QUEUES]), n);
	/* They end with the process. */
}

static void queue_numbers(struct kunit *test)
{
	as_client(test, queue_numbers_end);
}

/* What is in an SMI descriptor now, as text; user memory is on the way. */
static const char *smi_text(struct client *c, struct file *file, char *buf, size_t size)
{
	void __user *at = (void __user *)c->user;
	loff_t pos = 0;
	ssize_t n = file->f_op->read(file, at, size - 1, &pos);

	if (n == -EAGAIN)
		return "";
	if (n < 0 || copy_from_user(buf, at, n))
		return "error";
	buf[n] = '\0';
	return buf;
}

static long smi_set_mask(struct client *c, struct file *file, u64 mask)
{
	u64 __user *at = (void __user *)c->user;
	loff_t pos = 0;

	return put_user(mask, at) ? -EFAULT : file->f_op->write(file, (void __user *)at, 8, &pos);
}

/* A reason is told when it begins to hold and when it ends, however often it is counted. */
static void smi_stops(struct client *c, struct file *file)
{
	static const struct {
		enum kfd_stop_reason why;
		const char *text;
	} rows[] = {
		{ KFD_STOP_USERPTR, " 1\n" }, { KFD_STOP_EVICTION, " 2\n" },
		{ KFD_STOP_CHECKPOINT, " 4\n" }, { KFD_STOP_RESTORE, " 5\n" },
		{ KFD_STOP_SUSPENDED, NULL }, { KFD_STOP_DEBUG, NULL }, { KFD_STOP_RESET, NULL },
	};
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	const char *text;
	char buf[512];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		kfd_queue_stop_all(pn, rows[i].why);
		text = smi_text(c, file, buf, sizeof(buf));
		if (rows[i].text)
			KUNIT_EXPECT_NOT_NULL(c->test, strstr(text, rows[i].text));
		else
			KUNIT_EXPECT_STREQ(c->test, text, "");
		kfd_queue_stop_all(pn, rows[i].why);
		kfd_queue_start_all(pn, rows[i].why);
		KUNIT_EXPECT_STREQ(c->test, smi_text(c, file, buf, sizeof(buf)), "");
		kfd_queue_start_all(pn, rows[i].why);
		text = smi_text(c, file, buf, sizeof(buf));
		KUNIT_EXPECT_EQ(c->test, !!rows[i].text, !!strstr(text, " 0\n"));
	}
}

/* Resets are counted whether somebody watches or not. */
static void smi_resets(struct client *c, struct file *file)
{
	struct kfd_node *node = kfd_process_find_node(c->p, c->gpu_id)->node;
	char buf[512];

	node->smi.resets = 0x1e;
	kfd_smi_reset_begin(node, 1);
	KUNIT_EXPECT_STREQ(c->test, smi_text(c, file, buf, sizeof(buf)), "3 1f sdma1\n");
	kfd_smi_reset_end(node);
	KUNIT_EXPECT_STREQ(c->test, smi_text(c, file, buf, sizeof(buf)), "4 1f \n");
	KUNIT_EXPECT_EQ(c->test, smi_set_mask(c, file, 0), 8);
	kfd_smi_reset_begin(node, 0);
	KUNIT_EXPECT_STREQ(c->test, smi_text(c, file, buf, sizeof(buf)), "");
	KUNIT_EXPECT_EQ(c->test, node->smi.resets, 0x20);
	KUNIT_EXPECT_EQ(c->test, smi_set_mask(c, file, ~0ULL), 8);
}

/* As many lines as fit, no part of one more, and none before there is a mask. */
static void smi_room(struct client *c, struct file *file)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	static char buf[2048];
	const char *text;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		kfd_queue_stop_all(pn, KFD_STOP_USERPTR);
		kfd_queue_start_all(pn, KFD_STOP_USERPTR);
	}
	text = smi_text(c, file, buf, sizeof(buf));
	KUNIT_EXPECT_GT(c->test, strlen(text), 1024 - KFD_SMI_EVENT_MSG_SIZE);
	KUNIT_EXPECT_LE(c->test, strlen(text), 1024);
	KUNIT_EXPECT_TRUE(c->test, text[0] == '9' && text[strlen(text) - 1] == '\n');
	KUNIT_EXPECT_EQ(c->test, smi_set_mask(c, file, 0), 8);
	kfd_queue_stop_all(pn, KFD_STOP_USERPTR);
	kfd_queue_start_all(pn, KFD_STOP_USERPTR);
	KUNIT_EXPECT_STREQ(c->test, smi_text(c, file, buf, sizeof(buf)), "");
}

static void smi_descriptor(struct client *c)
{
	struct kfd_ioctl_smi_events_args args = { .gpuid = c->gpu_id ^ 1 };
	struct file *file;

	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_SMI_EVENTS, &args), -EINVAL);
	args.gpuid = c->gpu_id;
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_SMI_EVENTS, &args), 0);
	file = fget(args.anon_fd);
	KUNIT_EXPECT_NOT_NULL(c->test, file);
	if (!file)
		return;
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_SMI_CLIENTS]), 1);
	KUNIT_EXPECT_EQ(c->test, smi_set_mask(c, file, ~0ULL), 8);
	smi_stops(c, file);
	smi_resets(c, file);
	smi_room(c, file);
	close_fd(args.anon_fd);
	fput(file);
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(c->test, atomic_read(&kfd_counts[KFD_COUNT_SMI_CLIENTS]), 0);
}

static void smi_events(struct kunit *test)
{
	as_client(test, smi_descriptor);
}

static void gpu_goes_away(struct client *c)
{
	struct kfd_process_node *pn = kfd_process_find_node(c->p, c->gpu_id);
	struct kfd_ioctl_create_queue_args args;
	u32 id;

	KUNIT_EXPECT_EQ(c->test, acquire(c), 0);
	KUNIT_EXPECT_EQ(c->test, ring_memory(c), 0);
	args = good_queue(c);
	KUNIT_EXPECT_EQ(c->test, call(c, AMDKFD_IOC_CREATE_QUEUE, &args), 0);
	kunit_gpu_remove(c->test, c->gpu);
	c->gpu = NULL;
	KUNIT_EXPECT_FALSE(c->test, pn->attached);
	KUNIT_EXPECT_EQ(c->test, pn->num_queues, 0);
	EXPECT_QUEUE(c, -ESRCH, queue_priority, 7);
	/* The process itself is well. */
	KUNIT_EXPECT_EQ(c->test, create_event(c, KFD_IOC_EVENT_SIGNAL, 0, &id), 0);
}

static void device_goes_first(struct kunit *test)
{
	as_client(test, gpu_goes_away);
}

static struct kunit_case kfd_cases[] = {
	KUNIT_CASE(process_opens),
	KUNIT_CASE(pasids_are_cyclic),
	KUNIT_CASE(strangers_are_refused),
	KUNIT_CASE(events),
	KUNIT_CASE(event_ids),
	KUNIT_CASE(doorbells),
	KUNIT_CASE(doorbells_differ),
	KUNIT_CASE(queue_refusals),
	KUNIT_CASE(queue_life),
	KUNIT_CASE(queue_parked),
	KUNIT_CASE(queue_numbers),
	KUNIT_CASE(smi_events),
	KUNIT_CASE(device_goes_first),
	{ }
};

struct kunit_suite kfd_suite = {
	.name = "kfd",
	.test_cases = kfd_cases,
};
