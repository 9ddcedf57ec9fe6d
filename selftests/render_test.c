// SPDX-License-Identifier: GPL-2.0-only
/*
 * The render node as libdrm_amdgpu meets it: version, the three
 * queries that it makes, the errno of everything else.  S0.4, S0.18, S0.40.
 *
 * vm: timeout=600
 */
#include "kfd_harness.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define PAGE	4096ul

/* As in the kernel's drm.h and amdgpu_drm.h, whose packages need not be installed. */
struct drm_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

struct drm_info {
	uint64_t pointer;
	uint32_t size;
	uint32_t query;
	uint32_t arg[4];
};

#define DRM_VERSION		_IOWR('d', 0x00, struct drm_version)
#define DRM_AMDGPU(nr, size)	_IOC(_IOC_WRITE, 'd', 0x40 + (nr), size)
#define AMDGPU_INFO		DRM_AMDGPU(0x05, sizeof(struct drm_info))

#define INFO_ACCEL_WORKING	0x00
#define INFO_VRAM_USAGE		0x10
#define INFO_GTT_USAGE		0x11
#define INFO_VRAM_GTT		0x14
#define INFO_READ_MMR_REG	0x15
#define INFO_DEV_INFO		0x16
#define INFO_VIS_VRAM_USAGE	0x17
#define DEV_INFO_SIZE		368
/* Dwords of the device query. */
#define DEV_DEVICE_ID		0
#define DEV_FAMILY		4
#define DEV_VA_OFFSET		36
#define DEV_VA_MAX		38
#define DEV_VA_ALIGNMENT	40

static int info(int fd, uint32_t query, void *out, uint32_t size, const uint32_t *arg)
{
	struct drm_info i = { .pointer = (uintptr_t)out, .size = size, .query = query };

	if (arg)
		memcpy(i.arg, arg, sizeof(i.arg));
	return kfd_ioctl(fd, AMDGPU_INFO, &i);
}

TEST_F(kfd, version)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	ASSERT_EQ(0, kfd_ioctl(self->c.drm, DRM_VERSION, &v));
	EXPECT_EQ(3, v.major);
	EXPECT_TRUE(!strcmp(name, "carillon") || !strcmp(name, "amdgpu"));
}

TEST_F(kfd, accel_working)
{
	uint32_t v[2] = { 7, 7 };

	ASSERT_EQ(0, info(self->c.drm, INFO_ACCEL_WORKING, v, sizeof(v), NULL));
	EXPECT_EQ(1, v[0]);
	EXPECT_EQ(7, v[1]);
}

TEST_F(kfd, device_info)
{
	uint64_t offset, max;
	uint32_t d[DEV_INFO_SIZE / 4 + 1];

	memset(d, 0xff, sizeof(d));
	ASSERT_EQ(0, info(self->c.drm, INFO_DEV_INFO, d, DEV_INFO_SIZE, NULL));
	memcpy(&offset, &d[DEV_VA_OFFSET], 8);
	memcpy(&max, &d[DEV_VA_MAX], 8);
	EXPECT_EQ(0x6860, d[DEV_DEVICE_ID]);
	EXPECT_EQ(141, d[DEV_FAMILY]);
	EXPECT_LT(0, offset);
	EXPECT_EQ(1ull << 47, max);
	EXPECT_EQ(PAGE, d[DEV_VA_ALIGNMENT]);
	EXPECT_EQ(0xffffffff, d[DEV_INFO_SIZE / 4]);
	/* A short answer is cut, not refused. */
	memset(d, 0xff, sizeof(d));
	ASSERT_EQ(0, info(self->c.drm, INFO_DEV_INFO, d, 4, NULL));
	EXPECT_EQ(0x6860, d[0]);
	EXPECT_EQ(0xffffffff, d[1]);
}

/* Dwords 0x263e and 0x2004 (idle: it reads 0) and no other; instance bits as amdgpu checks them. */
TEST_F(kfd, registers)
{
	static const struct {
		uint32_t arg[4];
		int want;
		uint32_t value;
	} rows[] = {
		{ { 0x263e, 1, 0xffffffff }, 0, 0x2a114042 },
		{ { 0x263e, 1, 0 }, 0, 0x2a114042 },
		{ { 0x2004, 1, 0xffffffff }, 0, 0 },
		{ { 0x263e, 1, 4 }, -EINVAL },
		{ { 0x263e, 1, 0x200 }, -EINVAL },
		{ { 0x263e, 129, 0xffffffff }, -EINVAL },
		{ { 0x263e, 2, 0xffffffff }, -EFAULT },
		{ { 0x263d, 1, 0xffffffff }, -EFAULT },
		{ { 0x2003, 2, 0xffffffff }, -EFAULT },
		{ { 0x0000, 1, 0xffffffff }, -EFAULT },
		{ { 0xffffffff, 1, 0xffffffff }, -EFAULT },
	}, *row;
	uint32_t v[128];

	for (row = rows; row < (&rows)[1]; row++) {
		v[0] = 7;
		EXPECT_EQ(row->want, info(self->c.drm, INFO_READ_MMR_REG, v, sizeof(v), row->arg))
			TH_LOG("row %u", (unsigned int)(row - rows));
		EXPECT_EQ(row->want ? 7 : row->value, v[0]);
	}
}

static long long device_number(const struct kfd_client *c, const char *name)
{
	long long value = -1;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/drm/renderD%u/device/%s", c->minor, name);
	f = fopen(path, "r");
	if (f && fscanf(f, "%lld", &value) != 1)
		value = -1;
	if (f)
		fclose(f);
	return value;
}

/* The same numbers as in sysfs. */
TEST_F(kfd, memory)
{
	static const struct {
		uint32_t query;
		const char *name;
	} rows[] = {
		{ INFO_VRAM_USAGE, "mem_info_vram_used" },
		{ INFO_VIS_VRAM_USAGE, "mem_info_vis_vram_used" },
		{ INFO_GTT_USAGE, "mem_info_gtt_used" },
	}, *row;
	struct kfd_bo vram, gtt;
	uint64_t v[4] = { };

	ASSERT_EQ(0, kfd_bo_vram(&self->c, 16 * PAGE, &vram));
	ASSERT_EQ(0, kfd_bo_gtt(&self->c, 16 * PAGE, &gtt));
	for (row = rows; row < (&rows)[1]; row++) {
		ASSERT_EQ(0, info(self->c.drm, row->query, v, 8, NULL));
		EXPECT_LT(0, v[0]);
		EXPECT_EQ(device_number(&self->c, row->name), (long long)v[0])
			TH_LOG("%s", row->name);
	}
	ASSERT_EQ(0, info(self->c.drm, INFO_VRAM_GTT, v, sizeof(v), NULL));
	EXPECT_EQ(device_number(&self->c, "mem_info_vram_total"), (long long)v[0]);
	EXPECT_EQ(device_number(&self->c, "mem_info_vis_vram_total"), (long long)v[1]);
	EXPECT_EQ(device_number(&self->c, "mem_info_gtt_total"), (long long)v[2]);
	EXPECT_EQ(0, v[3]);
}

TEST_F(kfd, bad_arguments)
{
	uint32_t v;

	EXPECT_EQ(-EINVAL, info(self->c.drm, INFO_ACCEL_WORKING, NULL, 4, NULL));
	EXPECT_EQ(-EINVAL, info(self->c.drm, INFO_ACCEL_WORKING, &v, 0, NULL));
	EXPECT_EQ(-EFAULT, info(self->c.drm, INFO_ACCEL_WORKING, (void *)8, 4, NULL));
	EXPECT_EQ(-EFAULT, info(self->c.drm, INFO_DEV_INFO, (void *)8, 4, NULL));
	EXPECT_EQ(-EINVAL, info(self->c.drm, 0x3f, &v, 4, NULL));
	EXPECT_EQ(-EINVAL, info(self->c.drm, 0xffffffff, &v, 4, NULL));
}

/* No other command of amdgpu exists. */
TEST_F(kfd, other_commands)
{
	char buffer[512];
	unsigned int nr;

	for (nr = 0; nr < 0x60; nr++) {
		if (nr == 0x05)
			continue;
		memset(buffer, 0, sizeof(buffer));
		EXPECT_EQ(-EINVAL, kfd_ioctl(self->c.drm, DRM_AMDGPU(nr, 64), buffer))
			TH_LOG("command 0x%02x", nr);
	}
}

/* Offsets of a descriptor's own buffers work there alone. */
TEST_F(kfd, offsets_belong_to_a_descriptor)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args a = {
		.va_addr = (uintptr_t)kfd_va_reserve(PAGE),
		.size = PAGE,
		.gpu_id = self->c.gpu_id,
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC |
			 KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	char path[64];
	void *p;
	int fd;

	ASSERT_EQ(0, kfd_ioctl(self->c.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &a));
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", self->c.minor);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, a.mmap_offset));
	EXPECT_EQ(EACCES, errno);
	close(fd);
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->c.drm, a.mmap_offset);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(0, *(uint8_t *)p);
	munmap(p, PAGE);
}

KFD_COUNTS_TEST

TEST_HARNESS_MAIN
