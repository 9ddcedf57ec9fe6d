/* SPDX-License-Identifier: MIT */
#ifndef FIXTURE_H
#define FIXTURE_H

/**
 * DOC: trees for the tests
 *
 * A fixture is one text file. "=== path" starts a file, whose content are the
 * lines up to the next such line; a path that ends with a slash is an empty
 * folder. fixture_load() unpacks it below a fresh directory, which goes when the
 * process does; tests change the copy.
 */

/* Unpack tests/fixtures/@name.tree. Return: the directory. */
const char *fixture_load(const char *name);

/* Write a file, with its folders. */
void fixture_write(const char *path, const char *text);
/* Remove a file or a folder with all that is in it. */
void fixture_remove(const char *path);

/* Where the KFD's topology is, and a node in it. */
#define TOPO	"sys/devices/virtual/kfd/kfd/topology"
#define NODE	TOPO "/nodes"

#endif
