// SPDX-License-Identifier: MIT
/* DOC: user queues, doorbells, save areas. */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "queue_save_area.h"
#include "thunk_test.h"

#define MMAP		0x100
#define RING_SIZE	(1 << 20)

static void *ring;
static uint32_t base_bos;

static void start(void)
{
	HsaMemFlags host = { .ui32 = { .HostAccess = 1 } };
	HsaSystemProperties system;

	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtAllocMemory(0, RING_SIZE, host, &ring));
	CHECK_EQ(0, hsaKmtMapMemoryToGPU(ring, RING_SIZE, NULL));
	base_bos = fake.bos;
}

static HSAKMT_STATUS create(HSA_QUEUE_TYPE type, HsaQueueResource *resource)
{
	return hsaKmtCreateQueue(1, type, 100, HSA_QUEUE_PRIORITY_NORMAL, ring, RING_SIZE, NULL,
				 resource);
}

TEST(sdma_queue, "sequence of a first and a second SDMA queue; pointers; doorbell in the slice")
{
	HsaQueueResource first = { 0 }, second = { 0 };
	unsigned int from;

	start();
	from = fake.log_len;
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &first));
	CHECK(fake_log_is(from, 0x16, 0x18, 0x02, 0x16, MMAP, 0x18, 0));
	from = fake.log_len;
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &second));
	CHECK(fake_log_is(from, 0x16, 0x18, 0x02, 0));
	CHECK_EQ(7, fake.last_priority);
	CHECK_EQ(8, (uintptr_t)second.Queue_DoorBell_aql - (uintptr_t)first.Queue_DoorBell_aql);
	CHECK_EQ(0xf0 * 8, (uintptr_t)first.Queue_DoorBell_aql % 8192);
	CHECK_EQ(0, *first.Queue_write_ptr_aql);
	CHECK_EQ(0, *first.Queue_read_ptr_aql);
	CHECK(first.Queue_write_ptr_aql != first.Queue_read_ptr_aql);
	CHECK(first.QueueId != second.QueueId && first.QueueId != INVALID_QUEUEID);
	*first.Queue_DoorBell_aql = 64;
	CHECK_EQ(0, hsaKmtDestroyQueue(first.QueueId));
	CHECK_EQ(0, hsaKmtDestroyQueue(second.QueueId));
	/* the doorbell slice stays until the close */
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(0, fake.bos);
}

TEST(aql_queue, "the program's pointers, end-of-pipe buffer, save area with its head")
{
	static HSAuint64 pointers[2];
	HsaQueueResource resource = { 0 };
	HsaEvent event = { .EventId = 77 };
	HSAint64 reason = 0;
	unsigned int from;

	start();
	from = fake.log_len;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, create(HSA_QUEUE_COMPUTE_AQL, &resource));
	CHECK_EQ(from, fake.log_len);
	resource.Queue_write_ptr_aql = &pointers[0];
	resource.Queue_read_ptr_aql = &pointers[1];
	resource.ErrorReason = &reason;
	CHECK_EQ(0, hsaKmtCreateQueue(1, HSA_QUEUE_COMPUTE_AQL, 100, HSA_QUEUE_PRIORITY_MAXIMUM,
				      ring, RING_SIZE, &event, &resource));
	CHECK(fake_log_is(from, 0x16, MMAP, 0x18, 0x16, 0x18, 0x02, 0x16, MMAP, 0x18, 0));
	CHECK_EQ(15, fake.last_priority);
	CHECK(resource.Queue_write_ptr_aql == &pointers[0]);
	CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(save_area_sizes, "gfx9 with 64 and 4 CUs as in the public driver; zeroes")
{
	HsaNodeProperties props = {
		.NumFComputeCores = 256, .NumSIMDPerCU = 4, .NumShaderBanks = 4, .NumArrays = 1,
		.VGPRSizePerCU = 0x40000, .SGPRSizePerCU = 0x4000,
		.EngineId.ui32 = { .Major = 9 },
	};
	struct save_area_layout layout;

	CHECK(save_area_plan(&props, 4096, &layout));
	CHECK_EQ(0x5000, layout.control_stack_size);
	CHECK_EQ(0x1545000, layout.save_size);
	CHECK_EQ(0x10000, layout.debug_size);
	props.NumFComputeCores = 16;
	CHECK(save_area_plan(&props, 4096, &layout));
	CHECK_EQ(0x1000, layout.control_stack_size);
	CHECK_EQ(0x155000, layout.save_size);
	props.NumArrays = 0;
	CHECK(save_area_plan(&props, 4096, &layout));
	props.NumSIMDPerCU = 0;
	CHECK(!save_area_plan(&props, 4096, &layout));
}

TEST(queue_ids, "B028: ids of destroyed queues and invented ids are refused, slots are used again")
{
	HsaQueueResource resource = { 0 };
	HSA_QUEUEID old;

	start();
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &resource));
	old = resource.QueueId;
	CHECK_EQ(0, hsaKmtUpdateQueue(old, 0, HSA_QUEUE_PRIORITY_LOW, ring, RING_SIZE, NULL));
	CHECK_EQ(0, fake.last_percent);
	CHECK_EQ(3, fake.last_priority);
	CHECK_EQ(0, hsaKmtDestroyQueue(old));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtDestroyQueue(old));
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &resource));
	CHECK(resource.QueueId != old);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtDestroyQueue(old));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtDestroyQueue(0));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtDestroyQueue(INVALID_QUEUEID));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtUpdateQueue(old, 0, HSA_QUEUE_PRIORITY_LOW, ring, RING_SIZE, NULL));
	CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_refusals, "kinds, priorities, sizes and nodes that are refused")
{
	HsaQueueResource resource = { 0 };
	unsigned int from;

	start();
	from = fake.log_len;
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, create(HSA_QUEUE_MULTIMEDIA_DECODE, &resource));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, create(HSA_QUEUE_SDMA, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 100, 4, ring, RING_SIZE, NULL, &resource));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 100, -4, ring, RING_SIZE, NULL, &resource));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 100, 0, ring, 1ULL << 32, NULL, &resource));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT,
		 hsaKmtCreateQueue(0, HSA_QUEUE_SDMA, 100, 0, ring, RING_SIZE, NULL, &resource));
	CHECK_EQ(from, fake.log_len);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER,
		 hsaKmtCreateQueue(1, HSA_QUEUE_SDMA, 101, 0, ring, RING_SIZE, NULL, &resource));
	CHECK_EQ(base_bos, fake.bos);
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_fails_anywhere, "each call of a queue's creation fails once: no queue, no memory left")
{
	static HSAuint64 pointers[2];
	int i;

	start();
	for (i = 1; i <= 9; i++) {
		HsaQueueResource resource = {
			.Queue_write_ptr_aql = &pointers[0], .Queue_read_ptr_aql = &pointers[1],
		};

		fake.calls = 0;
		fake.fail_call = i;
		fake.fail_errno = ENOMEM;
		CHECK_EQ(HSAKMT_STATUS_NO_MEMORY, create(HSA_QUEUE_COMPUTE_AQL, &resource));
		fake.fail_call = 0;
		CHECK_EQ(base_bos, fake.bos);
		CHECK_EQ(0, fake.queues);
	}
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_1000_times, "1000 rounds of create and destroy leave nothing")
{
	int i;

	start();
	for (i = 0; i < 1000; i++) {
		HsaQueueResource resource = { 0 };

		CHECK_EQ(0, create(HSA_QUEUE_SDMA, &resource));
		CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	}
	CHECK_EQ(base_bos + 1, fake.bos);
	CHECK_EQ(0, fake.queues);
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_over_close, "a queue lives over a close and can be destroyed after the next open")
{
	HsaQueueResource resource = { 0 };
	HsaSystemProperties system;

	start();
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &resource));
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtAcquireSystemProperties(&system));
	CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(0, fake.queues);
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(0, fake.bos);
}

TEST(trap_handler, "addresses go to the driver; a CPU node has none")
{
	start();
	CHECK_EQ(0, hsaKmtSetTrapHandler(1, ring, 4096, ring, 4096));
	CHECK_EQ(1, fake.count[0x13]);
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtSetTrapHandler(0, ring, 4096, ring, 4096));
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_kinds, "each kind of queue gets the driver's number for it")
{
	static const HSA_QUEUE_TYPE kinds[] = {
		HSA_QUEUE_COMPUTE, HSA_QUEUE_SDMA, HSA_QUEUE_SDMA_XGMI,
	};
	unsigned int i;

	start();
	for (i = 0; i < 3; i++) {
		HsaQueueResource resource = { 0 };

		CHECK_EQ(0, create(kinds[i], &resource));
		CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	}
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_destroy_fails, "a driver that refuses to destroy: the queue stays, the next try works")
{
	HsaQueueResource resource = { 0 };

	start();
	CHECK_EQ(0, create(HSA_QUEUE_SDMA, &resource));
	fake.fail_nr = 0x03;
	fake.fail_errno = ETIME;
	CHECK_EQ(HSAKMT_STATUS_WAIT_TIMEOUT, hsaKmtDestroyQueue(resource.QueueId));
	fake.fail_nr = 0;
	CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(queue_in_child, "a fork with live queues: the child's records go, the parent's stay")
{
	HsaQueueResource resource = { 0 };
	HSAuint32 mask = 1;
	int status;
	pid_t pid;

	start();
	fake.extras = true;
	CHECK_EQ(0, create(HSA_QUEUE_COMPUTE, &resource));
	CHECK_EQ(0, hsaKmtSetQueueCUMask(resource.QueueId, 32, &mask));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		CHECK_EQ(0, hsaKmtOpenKFD());
		CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtDestroyQueue(resource.QueueId));
		CHECK_EQ(0, hsaKmtCloseKFD());
		test_child_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(0, status);
	CHECK_EQ(0, hsaKmtDestroyQueue(resource.QueueId));
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}

TEST(save_area_gfx10, "control stacks of gfx10 are bounded, waves counted by CU; gfx7 saves none")
{
	HsaNodeProperties props = {
		.NumFComputeCores = 160, .NumSIMDPerCU = 2, .NumShaderBanks = 4, .NumArrays = 2,
		.VGPRSizePerCU = 0x40000, .SGPRSizePerCU = 0x4000,
		.EngineId.ui32 = { .Major = 10, .Minor = 3 },
	};
	struct save_area_layout layout;

	CHECK(save_area_plan(&props, 4096, &layout));
	CHECK_EQ(0x7000, layout.control_stack_size);
	CHECK_EQ(80 * 32 * 32, layout.debug_size);
	props.EngineId.ui32.Major = 7;
	CHECK(!save_area_plan(&props, 4096, &layout));
}

TEST(tile_config, "tiling tables come from the driver; CPU nodes and NULL are refused")
{
	HsaGpuTileConfig config = { 0 };
	HSAuint32 tiles[33] = { 0 }, macro[4] = { 0 };

	start();
	CHECK_EQ(0, hsaKmtGetTileConfig(1, &config));
	CHECK_EQ(0x2a114042, config.GbAddrConfig);
	CHECK_EQ(0, config.NumTileConfigs);
	config.TileConfig = tiles;
	config.NumTileConfigs = 33;
	config.MacroTileConfig = macro;
	config.NumMacroTileConfigs = 3;
	CHECK_EQ(0, hsaKmtGetTileConfig(1, &config));
	CHECK_EQ(32, config.NumTileConfigs);
	CHECK_EQ(3, config.NumMacroTileConfigs);
	CHECK_EQ(131, tiles[31]);
	CHECK_EQ(0, tiles[32]);
	CHECK_EQ(202, macro[2]);
	CHECK_EQ(0, macro[3]);
	CHECK_EQ(3, config.NumBanks);
	CHECK_EQ(4, config.NumRanks);
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtGetTileConfig(1, NULL));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtGetTileConfig(0, &config));
	fake.fail_nr = 0x12;
	fake.fail_errno = EOPNOTSUPP;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtGetTileConfig(1, &config));
	fake.fail_nr = 0;
	CHECK_EQ(0, hsaKmtFreeMemory(ring, RING_SIZE));
	CHECK_EQ(0, hsaKmtCloseKFD());
}
