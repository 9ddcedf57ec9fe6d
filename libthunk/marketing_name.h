/* SPDX-License-Identifier: MIT */
#ifndef MARKETING_NAME_H
#define MARKETING_NAME_H

#include <stddef.h>

/**
 * marketing_name() - the name a card is sold under
 * @render_fd: open render node
 * @name: out: the name, terminated; empty when there is none
 * @size: room
 *
 * libdrm_amdgpu has the list of names and asks the driver for the ids. It is
 * loaded for this question only and may be absent: a name is a nicety.
 */
void marketing_name(int render_fd, char *name, size_t size);

#endif
