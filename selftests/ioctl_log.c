// SPDX-License-Identifier: GPL-2.0-only
/**
 * DOC: ioctl_log, an observer for tests
 *
 * A preloaded library that lets every ioctl through and writes a line for each
 * KFD call that a test judges, to the file named by KFD_IOCTL_LOG:
 *
 *   create_queue type T ret R
 *   wait_events n N all A timeout MS ids I,J,... result W ret R
 *
 * and, before a queue is destroyed, the words that the client wrote into its ring
 * (from the start to the write pointer, at most the ring's size) to a file named
 * KFD_RING_DUMP.ID.
 *
 * The thunk under test is unmodified: it calls libc's ioctl(), which this stands
 * in front of.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_QUEUES	16

static struct {
	uint32_t id;
	uint64_t ring, wptr, size;
} queues[MAX_QUEUES];
static unsigned int num_queues;

static int (*next_ioctl)(int, unsigned long, ...);
static int log_fd = -1;

static void __attribute__((constructor)) log_open(void)
{
	const char *path = getenv("KFD_IOCTL_LOG");

	next_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	if (path)
		log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void log_create_queue(const struct kfd_ioctl_create_queue_args *a, int ret)
{
	dprintf(log_fd, "create_queue type %u ret %d\n", a->queue_type, ret);
	if (ret || num_queues == MAX_QUEUES)
		return;
	queues[num_queues].id = a->queue_id;
	queues[num_queues].ring = a->ring_base_address;
	queues[num_queues].wptr = a->write_pointer_address;
	queues[num_queues].size = a->ring_size;
	num_queues++;
}

static void dump_ring(const struct kfd_ioctl_destroy_queue_args *a)
{
	const char *prefix = getenv("KFD_RING_DUMP");
	char path[256];
	unsigned int i;

	for (i = 0; prefix && i < num_queues; i++) {
		uint64_t bytes;
		int fd;

		if (queues[i].id != a->queue_id)
			continue;
		bytes = *(uint64_t *)(uintptr_t)queues[i].wptr;
		if (bytes > queues[i].size)
			bytes = queues[i].size;
		snprintf(path, sizeof(path), "%s.%u", prefix, a->queue_id);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (fd < 0 || write(fd, (void *)(uintptr_t)queues[i].ring, bytes) != (ssize_t)bytes)
			dprintf(log_fd, "dump_failed queue %u\n", a->queue_id);
		close(fd);
	}
}

/* The ids are copied before the call: the driver may write into the array. */
static void ids_text(const struct kfd_ioctl_wait_events_args *a, char *text, size_t size)
{
	const struct kfd_event_data *data = (const void *)(uintptr_t)a->events_ptr;
	size_t used = 0;
	uint32_t i;

	text[0] = 0;
	for (i = 0; i < a->num_events && used + 12 < size; i++)
		used += snprintf(text + used, size - used, "%s%u", i ? "," : "", data[i].event_id);
}

static void log_wait(const struct kfd_ioctl_wait_events_args *a, const char *ids, int ret)
{
	dprintf(log_fd, "wait_events n %u all %u timeout %u ids %s result %u ret %d\n",
		a->num_events, a->wait_for_all, a->timeout, ids, a->wait_result, ret);
}

int ioctl(int fd, unsigned long request, ...)
{
	char ids[512];
	int ret, saved;
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (log_fd >= 0 && request == AMDKFD_IOC_WAIT_EVENTS)
		ids_text(arg, ids, sizeof(ids));
	else if (log_fd >= 0 && request == AMDKFD_IOC_DESTROY_QUEUE)
		dump_ring(arg);
	ret = next_ioctl(fd, request, arg);
	saved = errno;
	if (log_fd >= 0 && request == AMDKFD_IOC_CREATE_QUEUE)
		log_create_queue(arg, ret < 0 ? -saved : ret);
	else if (log_fd >= 0 && request == AMDKFD_IOC_WAIT_EVENTS)
		log_wait(arg, ids, ret < 0 ? -saved : ret);
	errno = saved;
	return ret;
}
