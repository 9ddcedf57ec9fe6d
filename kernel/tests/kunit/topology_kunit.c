// SPDX-License-Identifier: GPL-2.0-only
/*
 * The topology as GPUs come and go: ids, numbers of nodes, generations, and what the
 * files say, read as a client reads them.  Proves S0.32 for the tree.
 */
#include <drm/drm_file.h>
#include <linux/fs.h>
#include <linux/string.h>

#include "../../topology/topology.h"
#include "../../topology/topology_list.h"
#include "kunit_gpu.h"

#define TREE	"/sys/class/kfd/kfd/topology/"

/* A file of the tree; its text, or an errno. */
static int text_of(struct kunit *test, const char *name, char **text)
{
	char *path = kunit_kzalloc(test, 128, GFP_KERNEL);
	struct file *file;
	loff_t pos = 0;
	ssize_t n;

	*text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, path);
	KUNIT_ASSERT_NOT_NULL(test, *text);
	snprintf(path, 128, TREE "%s", name);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	n = kernel_read(file, *text, PAGE_SIZE - 1, &pos);
	filp_close(file, NULL);
	return n < 0 ? (int)n : 0;
}

static u32 number_in(struct kunit *test, const char *name)
{
	char *text;
	u32 n = 0;

	KUNIT_EXPECT_EQ(test, text_of(test, name, &text), 0);
	KUNIT_EXPECT_EQ(test, kstrtou32(text, 10, &n), 0);
	return n;
}

/* Does a file have this line? */
static bool has_line(struct kunit *test, const char *name, const char *line)
{
	char *text, *word;

	if (text_of(test, name, &text))
		return false;
	while ((word = strsep(&text, "\n")))
		if (!strcmp(word, line))
			return true;
	return false;
}

static void gpu_comes_and_goes(struct kunit *test)
{
	unsigned int nodes = topology_num_nodes();
	u32 generation = number_in(test, "generation_id");
	char *text, name[48], line[32];
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	u32 id = gpu->dev->node[0].gpu_id;

	KUNIT_EXPECT_GT(test, nodes, 0);
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes + 1);
	KUNIT_EXPECT_GT(test, number_in(test, "generation_id"), generation);
	generation = number_in(test, "generation_id");
	snprintf(name, sizeof(name), "nodes/%u/gpu_id", nodes);
	KUNIT_EXPECT_EQ(test, number_in(test, name), id);
	KUNIT_EXPECT_NE(test, id, 0);
	KUNIT_EXPECT_LE(test, id, 0xffff);
	snprintf(name, sizeof(name), "nodes/%u/properties", nodes);
	KUNIT_EXPECT_TRUE(test, has_line(test, name, "vendor_id 4098"));
	KUNIT_EXPECT_TRUE(test, has_line(test, name, "device_id 26720"));
	KUNIT_EXPECT_TRUE(test, has_line(test, name, "simd_count 16"));
	KUNIT_EXPECT_TRUE(test, has_line(test, name, "gfx_target_version 90000"));
	KUNIT_EXPECT_TRUE(test, has_line(test, name, "cpu_cores_count 0"));
	snprintf(line, sizeof(line), "drm_render_minor %d", gpu->dev->drm.render->index);
	KUNIT_EXPECT_TRUE(test, has_line(test, name, line));
	snprintf(line, sizeof(line), "unique_id %llu", pci_get_dsn(gpu->pdev));
	KUNIT_EXPECT_TRUE(test, has_line(test, name, line));
	KUNIT_EXPECT_NE(test, pci_get_dsn(gpu->pdev), 0);
	KUNIT_EXPECT_TRUE(test, has_line(test, "nodes/0/properties", "simd_count 0"));

	kunit_gpu_remove(test, gpu);
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes);
	KUNIT_EXPECT_EQ(test, text_of(test, name, &text), -ENOENT);
	KUNIT_EXPECT_GT(test, number_in(test, "generation_id"), generation);
}

/* The id is made from where and what the GPU is: the same GPU gets it again. */
static void id_is_stable(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	u32 id = gpu->dev->node[0].gpu_id;

	kunit_gpu_remove(test, gpu);
	gpu = kunit_gpu(test, KUNIT_GPU);
	KUNIT_EXPECT_EQ(test, gpu->dev->node[0].gpu_id, id);
}

/* Equal facts, different ids; nodes are numbered without gaps. */
static void ids_are_unique(struct kunit *test)
{
	struct kunit_gpu *gpu = kunit_gpu(test, KUNIT_GPU);
	struct topology_gpu more = {
		.hw = &gpu->dev->hw,
		.render_minor = gpu->dev->drm.render->index,
		.vram_usable = 1 << 20,
		.num_sdma = 2,
		.capability = 0x2280,
	};
	unsigned int nodes = topology_num_nodes(), i, j;
	u32 id[3] = { gpu->dev->node[0].gpu_id };
	char name[48];

	for (i = 1; i < 3; i++)
		KUNIT_ASSERT_EQ(test, topology_add_gpu(&more, &id[i]), 0);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_NE(test, id[i], 0);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, id[i], id[j]);
	}
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes + 2);
	/* The one in the middle goes: the last moves up. */
	topology_remove_gpu(id[1]);
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes + 1);
	snprintf(name, sizeof(name), "nodes/%u/gpu_id", nodes);
	KUNIT_EXPECT_EQ(test, number_in(test, name), id[2]);
	topology_remove_gpu(id[2]);
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes);
}

static void unknown_id_is_nothing(struct kunit *test)
{
	unsigned int nodes = topology_num_nodes();

	topology_remove_gpu(0);
	topology_remove_gpu(0xffffffff);
	KUNIT_EXPECT_EQ(test, topology_num_nodes(), nodes);
	KUNIT_EXPECT_EQ(test, number_in(test, "nodes/0/gpu_id"), 0);
}

static struct kunit_case topology_cases[] = {
	KUNIT_CASE(gpu_comes_and_goes),
	KUNIT_CASE(id_is_stable),
	KUNIT_CASE(ids_are_unique),
	KUNIT_CASE(unknown_id_is_nothing),
	{ }
};

struct kunit_suite topology_suite = {
	.name = "topology",
	.test_cases = topology_cases,
};
