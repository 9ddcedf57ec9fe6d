// SPDX-License-Identifier: MIT
/* DOC: trees for the tests; fixture.h has the format. */
#include "fixture.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thunk_test.h"

#define MARK	"=== "

static char root[128];
static pid_t owner;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void __attribute__((destructor)) remove_root(void)
{
	if (root[0] && owner == getpid())
		remove_tree(root);
}

static void make_folders(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			test_fail(__FILE__, __LINE__, path);
		*slash = '/';
	}
}

static FILE *start_file(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	make_folders(full);
	return full[strlen(full) - 1] == '/' ? NULL : fopen(full, "w");
}

/* Memory where there is some: a tree has more than a hundred files. */
static const char *tmp_dir(void)
{
	return access("/dev/shm", W_OK) ? P_tmpdir : "/dev/shm";
}

const char *fixture_load(const char *name)
{
	char path[512];
	char line[1024];
	FILE *out = NULL;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s.tree", FIXTURE_DIR, name);
	in = fopen(path, "r");
	if (!in)
		test_fail(__FILE__, __LINE__, path);
	snprintf(root, sizeof(root), "%s/thunk-XXXXXX", tmp_dir());
	owner = getpid();
	CHECK(mkdtemp(root));
	while (fgets(line, sizeof(line), in)) {
		if (strncmp(line, MARK, strlen(MARK))) {
			if (out)
				fputs(line, out);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (out)
			fclose(out);
		out = start_file(line + strlen(MARK));
	}
	if (out)
		fclose(out);
	fclose(in);
	return root;
}

void fixture_write(const char *path, const char *text)
{
	FILE *out = start_file(path);

	CHECK(out);
	fputs(text, out);
	fclose(out);
}

void fixture_remove(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	remove_tree(full);
}
