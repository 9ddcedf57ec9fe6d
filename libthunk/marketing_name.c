// SPDX-License-Identifier: MIT
/**
 * DOC: marketing name
 *
 * The three functions of libdrm_amdgpu that are needed, found at run time, so
 * that the library neither needs libdrm to load nor fails without it.
 */
#include "marketing_name.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "thunk_log.h"

#define DRM_LIBRARY	"libdrm_amdgpu.so.1"

/**
 * struct drm_calls - libdrm_amdgpu
 * @library: handle of dlopen()
 * @initialize: fd, out major, out minor, out device
 * @deinitialize: device
 * @get_marketing_name: device
 */
struct drm_calls {
	void *library;
	int (*initialize)(int fd, uint32_t *major, uint32_t *minor, void **device);
	int (*deinitialize)(void *device);
	const char *(*get_marketing_name)(void *device);
};

static int drm_calls_load(struct drm_calls *drm)
{
	drm->library = dlopen(DRM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!drm->library)
		return -1;
	/* ISO C has no cast from void * to a function; POSIX promises this one. */
	*(void **)&drm->initialize = dlsym(drm->library, "amdgpu_device_initialize");
	*(void **)&drm->deinitialize = dlsym(drm->library, "amdgpu_device_deinitialize");
	*(void **)&drm->get_marketing_name = dlsym(drm->library, "amdgpu_get_marketing_name");
	if (drm->initialize && drm->deinitialize && drm->get_marketing_name)
		return 0;
	dlclose(drm->library);
	return -1;
}

static void ask(const struct drm_calls *drm, int render_fd, char *name, size_t size)
{
	uint32_t major, minor;
	const char *found;
	void *device;

	if (drm->initialize(render_fd, &major, &minor, &device))
		return;
	found = drm->get_marketing_name(device);
	if (found)
		snprintf(name, size, "%s", found);
	drm->deinitialize(device);
}

void marketing_name(int render_fd, char *name, size_t size)
{
	struct drm_calls drm;

	name[0] = '\0';
	if (drm_calls_load(&drm)) {
		thunk_info("no " DRM_LIBRARY ": cards have no marketing name");
		return;
	}
	ask(&drm, render_fd, name, size);
	dlclose(drm.library);
}
