/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/**
 * DOC: oracles
 *
 * An oracle is a program, kernel/tests/oracle/NAME_oracle.c, that is built at test
 * time against headers of the kernel source package (tools/ksrc.sh; nothing of them
 * is part of this tree) and prints a line a case: a name, then numbers in
 * hexadecimal.  Where the package is not installed the test is a skip.  Runs in the
 * top folder of the tree.
 */
#ifndef CARILLON_ORACLE_H
#define CARILLON_ORACLE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pure_test.h"

#define ORACLE_NUMBERS	32
#define ORACLE_PATH	1024
#define ORACLE_ENDS	"\n "

/* For oracle_open(): a header with the bits of entries alone, of one that needs a kernel. */
#define ORACLE_PTE_HEADER \
	"grep -E '^#define[[:space:]]+AMDGPU_(PTE|PDE|MTYPE)_' \"$amd/amdgpu/amdgpu_vm.h\" | " \
	"grep -v '\\\\$' >\"$dir/amdgpu_pte.h\";"

/**
 * struct oracle - one that runs
 * @dir: temporary folder with the program
 * @out: its output
 * @line: last line read; @name points into it
 * @name: of the case
 * @n: its numbers
 * @count: how many
 */
struct oracle {
	char dir[32];
	FILE *out;
	char line[1024];
	const char *name;
	unsigned long long n[ORACLE_NUMBERS];
	unsigned int count;
};

/* The folder of the AMD drivers in the source package; false if there is none. */
static inline bool oracle_amd(char *amd, size_t size, const char *header)
{
	char ksrc[ORACLE_PATH] = "", path[3 * ORACLE_PATH];
	FILE *script = popen("tools/ksrc.sh 2>/dev/null", "r");

	if (!script)
		return false;
	if (!fgets(ksrc, sizeof(ksrc), script))
		ksrc[0] = 0;
	pclose(script);
	ksrc[strcspn(ksrc, "\n")] = 0;
	snprintf(amd, size, "%s/drivers/gpu/drm/amd", ksrc);
	snprintf(path, sizeof(path), "%s/%s", amd, header);
	return ksrc[0] && !access(path, R_OK);
}

static inline void oracle_close(struct oracle *o)
{
	char command[2 * sizeof(o->dir)];

	if (o->out)
		pclose(o->out);
	snprintf(command, sizeof(command), "rm -r '%s'", o->dir);
	if (system(command))
		printf("# %s stays\n", o->dir);
}

/*
 * Builds and starts @name with @args.  @header is what it needs, below the folder of
 * the AMD drivers; @prepare are shell commands that see that folder as $amd and the
 * temporary one as $dir.  Ends the program with a skip where there is no header.
 */
static inline bool oracle_open(struct oracle *o, const char *name, const char *args,
			       const char *header, const char *prepare)
{
	char amd[2 * ORACLE_PATH], command[4 * ORACLE_PATH];
	bool built;

	memset(o, 0, sizeof(*o));
	if (!oracle_amd(amd, sizeof(amd), header)) {
		printf("1..0 # SKIP no %s (kernel source package not installed)\n", header);
		exit(0);
	}
	strcpy(o->dir, "/tmp/oracle.XXXXXX");
	if (!mkdtemp(o->dir))
		return false;
	snprintf(command, sizeof(command), "amd='%s' dir='%s'; %s gcc -w -o \"$dir/oracle\" "
		 "-I \"$dir\" -I \"$amd/amdgpu\" -I \"$amd/amdkfd\" -I \"$amd/include\" "
		 "-I tools/include -I . "
		 "kernel/tests/oracle/%s_oracle.c", amd, o->dir, prepare, name);
	built = !system(command);
	snprintf(command, sizeof(command), "%s/oracle %s", o->dir, args);
	if (built)
		o->out = popen(command, "r");
	pure_okf(o->out, "the oracle %s builds and runs", name);
	if (!o->out)
		oracle_close(o);
	return o->out;
}

/* The next case; false at the end. */
static inline bool oracle_next(struct oracle *o)
{
	char *word;

	if (!fgets(o->line, sizeof(o->line), o->out))
		return false;
	o->count = 0;
	o->name = strtok(o->line, ORACLE_ENDS);
	while ((word = strtok(NULL, ORACLE_ENDS)) && o->count < ORACLE_NUMBERS)
		o->n[o->count++] = strtoull(word, NULL, 16);
	return o->name;
}

#endif /* CARILLON_ORACLE_H */
