/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: control groups of a test
 *
 * Mounts the hierarchy somewhere of its own, makes one group in it, and takes both
 * away again.  Functions return 0 or a negative errno unless they say otherwise.
 */
#ifndef CARILLON_CGROUP_H
#define CARILLON_CGROUP_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * struct cgroup - a group
 * @top: where the hierarchy is mounted; "" if not
 * @dir: the group
 */
struct cgroup {
	char top[64];
	char dir[96];
};

static inline int cgroup_write_at(const char *dir, const char *file, const char *text)
{
	char path[256];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		ret = -errno;
	close(fd);
	return ret;
}

static inline int cgroup_write(const struct cgroup *g, const char *file, const char *text)
{
	return cgroup_write_at(g->dir, file, text);
}

/* Move a process in. */
static inline int cgroup_add(const struct cgroup *g, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return cgroup_write(g, "cgroup.procs", text);
}

/* A number; -1 on failure, and for "max". */
static inline long long cgroup_read(const struct cgroup *g, const char *file)
{
	char path[256];
	long long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", g->dir, file);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%lld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

/* The group is empty.  The kernel may take a moment to notice. */
static inline void cgroup_end(struct cgroup *g)
{
	unsigned int i;

	for (i = 0; g->dir[0] && rmdir(g->dir) && errno == EBUSY && i < 1000; i++)
		usleep(10000);
	if (g->top[0]) {
		umount2(g->top, MNT_DETACH);
		rmdir(g->top);
	}
	g->top[0] = 0;
	g->dir[0] = 0;
}

/*
 * @type: "cgroup" with the controller as @option, or "cgroup2", where @control is what
 * to write to the root's cgroup.subtree_control, or NULL.
 */
static inline int cgroup_begin(struct cgroup *g, const char *type, const char *option,
			       const char *control)
{
	int ret;

	memset(g, 0, sizeof(*g));
	snprintf(g->top, sizeof(g->top), "/tmp/carillon-cgroup-XXXXXX");
	if (!mkdtemp(g->top)) {
		ret = -errno;
		g->top[0] = 0;
		return ret;
	}
	if (mount("none", g->top, type, 0, option)) {
		ret = -errno;
		rmdir(g->top);
		g->top[0] = 0;
		return ret;
	}
	ret = control ? cgroup_write_at(g->top, "cgroup.subtree_control", control) : 0;
	if (!ret) {
		snprintf(g->dir, sizeof(g->dir), "%s/test%d", g->top, getpid());
		if (mkdir(g->dir, 0755)) {
			ret = -errno;
			g->dir[0] = 0;
		}
	}
	if (ret)
		cgroup_end(g);
	return ret;
}

#endif /* CARILLON_CGROUP_H */
