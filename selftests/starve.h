/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: choose which allocation of a thread fails
 *
 * The side of the tests of kmod/starve.c.  The functions that are spared are named here,
 * each with what is wrong with it; the addresses come from /proc/kallsyms.
 */
#ifndef CARILLON_STARVE_H
#define CARILLON_STARVE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STARVE_FILE	"/sys/kernel/debug/starve"

/**
 * struct starve_spared - what never fails
 * @function: asks for memory
 * @caller: if this one has called it, or NULL: whoever has
 */
struct starve_spared {
	const char *function, *caller;
};

/*
 * Faults of Linux 6.1 itself, none of them in reach of a driver, and what would make a sweep
 * depend on chance.
 */
static const struct starve_spared starve_spared[] = {
	/* Its pdev_sort_resources(): no memory for a list of what has no place: panic(). */
	{ "__dev_sort_resources" },
	/* A device that could not be added stays on its bus: WARN_ON(), later a crash. */
	{ "device_add", "pci_device_add" },
	{ "dev_set_name", "pci_setup_device" },
	/* pci_remove_resource_files() frees twice what was there when one failed. */
	{ "pci_create_attr" },
	/* drm_minor_alloc() leaves an error where the release expects a device. */
	{ "drm_sysfs_minor_alloc" },
	/* What a module's loader needs for itself is no matter of the module. */
	{ "load_module" },
	/* Both say so with a stack trace, which is as good as a complaint in the log. */
	{ "__vmalloc_node_range" },
	{ "pcpu_alloc" },
	/* Whether a slab has to grow for an object is chance; the object itself may fail. */
	{ "allocate_slab" },
};

/* Lines of /proc/kallsyms that belong to the kernel, in order of their addresses. */
struct starve_symbol {
	unsigned long address;
	char name[64];
};

struct starve_symbols {
	struct starve_symbol *list;
	unsigned int count;
};

static inline bool starve_read_symbols(struct starve_symbols *symbols)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned int room = 0;
	char line[256], type;

	*symbols = (struct starve_symbols){ };
	while (f && fgets(line, sizeof(line), f) && !strchr(line, '[')) {
		struct starve_symbol *s;

		if (symbols->count == room) {
			room = room ? 2 * room : 65536;
			symbols->list = realloc(symbols->list, room * sizeof(*symbols->list));
			if (!symbols->list)
				break;
		}
		s = &symbols->list[symbols->count];
		if (sscanf(line, "%lx %c %63s", &s->address, &type, s->name) == 3 &&
		    (type == 't' || type == 'T'))
			symbols->count++;
	}
	if (f)
		fclose(f);
	return symbols->list && symbols->count;
}

/* The compiler's variants of a function have a suffix. */
static inline bool starve_is_function(const struct starve_symbol *symbol, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(symbol->name, name, n) && (!symbol->name[n] || symbol->name[n] == '.');
}

static inline int starve_print_range(char *out, size_t size, const struct starve_symbols *symbols,
				     unsigned int i)
{
	unsigned int next = i + 1;

	while (next < symbols->count && symbols->list[next].address == symbols->list[i].address)
		next++;
	return snprintf(out, size, "%lx-%lx", symbols->list[i].address,
			next < symbols->count ? symbols->list[next].address : ~0UL);
}

static inline int starve_print_pair(char *out, size_t size, const struct starve_symbols *symbols,
				    unsigned int i, const char *caller)
{
	int n = 0, by = 0;
	unsigned int j;

	if (!caller) {
		n = starve_print_range(out, size, symbols, i);
		return n + snprintf(out + n, size - n, ",");
	}
	for (j = 0; j < symbols->count; j++) {
		if (!starve_is_function(&symbols->list[j], caller))
			continue;
		n += starve_print_range(out + n, size - n, symbols, i);
		n += snprintf(out + n, size - n, "<");
		by = starve_print_range(out + n, size - n, symbols, j);
		n += by + snprintf(out + n + by, size - n - by, ",");
	}
	return n;
}

/* The parameter spare; false if this kernel lacks one of the functions. */
static inline bool starve_print_spare(char *out, size_t size)
{
	const unsigned int rows = sizeof(starve_spared) / sizeof(starve_spared[0]);
	struct starve_symbols symbols;
	unsigned int row, i;
	int n, before;

	if (!starve_read_symbols(&symbols))
		return false;
	n = snprintf(out, size, "spare=");
	for (row = 0; row < rows; row++) {
		before = n;
		for (i = 0; i < symbols.count; i++)
			if (starve_is_function(&symbols.list[i], starve_spared[row].function))
				n += starve_print_pair(out + n, size - n, &symbols, i,
						       starve_spared[row].caller);
		if (n == before) {
			printf("# this kernel has no %s\n", starve_spared[row].function);
			break;
		}
	}
	free(symbols.list);
	return row == rows;
}

/* Load the module; @times: how often each chain of callers is to fail. */
static inline bool starve_load(unsigned int times)
{
	char path[256], spare[2048], parameters[2100];
	bool ok;
	int fd;

	snprintf(path, sizeof(path), "%s/kmod/starve.ko", getenv("CARILLON_MODULES_DIR"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ok = starve_print_spare(spare, sizeof(spare));
	snprintf(parameters, sizeof(parameters), "times=%u %s", times, ok ? spare : "");
	ok = ok && !syscall(SYS_finit_module, fd, parameters, 0);
	if (!ok)
		perror("# starve");
	close(fd);
	return ok;
}

static inline void starve_unload(void)
{
	syscall(SYS_delete_module, "starve", O_NONBLOCK);
}

/* Forget which have failed. */
static inline bool starve_forget(void)
{
	int fd = open(STARVE_FILE, O_RDWR | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, "forget", 6) == 6;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* From now on this thread's allocations may fail; a descriptor for starve_end(), or -1. */
static inline int starve_begin(void)
{
	int fd = open(STARVE_FILE, O_RDWR | O_CLOEXEC);

	if (fd >= 0 && write(fd, "begin", 5) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * Until here.  1: something failed, 0: nothing did, -1: no injection; @chain: who asked for
 * it, from the inside out.
 */
static inline int starve_end(int fd, char *chain, size_t size)
{
	ssize_t n = write(fd, "end", 3) < 0 ? -1 : read(fd, chain, size - 1);

	close(fd);
	if (n <= 0)
		return -1;
	chain[n - 1] = 0;
	return atoi(chain);
}

#endif /* CARILLON_STARVE_H */
