// SPDX-License-Identifier: MIT
/**
 * DOC: attributes of shared virtual memory
 *
 * Where a range of the program's addresses should live and which GPUs may use it.
 * Users name nodes, the KFD GPU ids; "system memory" is any CPU node, "anywhere"
 * INVALID_NODEID. The KFD knows ranges since 1.5; one that was built without them
 * answers EPERM.
 */
#include <errno.h>
#include <linux/kfd_ioctl.h>
#include <stdlib.h>

#include "thunk_context.h"

#define FIRST_MINOR	5

/* The command's number of bytes tells the KFD how many attributes follow. */
#define ATTR_LIMIT	64

static bool is_location(uint32_t type)
{
	return type == HSA_SVM_ATTR_PREFERRED_LOC || type == HSA_SVM_ATTR_PREFETCH_LOC;
}

static bool is_access(uint32_t type)
{
	return type == HSA_SVM_ATTR_ACCESS || type == HSA_SVM_ATTR_ACCESS_IN_PLACE ||
	       type == HSA_SVM_ATTR_NO_ACCESS;
}

/* A user's value to the KFD's. */
static int attr_to_kfd(const HSA_SVM_ATTRIBUTE *from, struct kfd_ioctl_svm_attribute *to)
{
	int err = 0;

	to->type = from->type;
	to->value = from->value;
	if (is_location(from->type) && from->value == INVALID_NODEID)
		to->value = KFD_IOCTL_SVM_LOCATION_UNDEFINED;
	else if (is_location(from->type) || is_access(from->type))
		err = thunk_node_gpu_id(from->value, &to->value);
	/* Every CPU has access: only a GPU's can be changed. */
	if (!err && is_access(from->type) && !to->value)
		err = -ENODEV;
	return err;
}

static void attr_to_user(const struct kfd_ioctl_svm_attribute *from, HSA_SVM_ATTRIBUTE *to)
{
	to->type = from->type;
	to->value = from->value;
	if (is_location(from->type) && from->value == KFD_IOCTL_SVM_LOCATION_UNDEFINED)
		to->value = INVALID_NODEID;
	else if (is_location(from->type) && from->value == KFD_IOCTL_SVM_LOCATION_SYSMEM)
		to->value = thunk_cpu_node();
	else if (is_location(from->type) || is_access(from->type))
		to->value = thunk_gpu_node(from->value, INVALID_NODEID);
}

static int call(struct kfd_ioctl_svm_args *args, HSA_SVM_ATTRIBUTE *attrs)
{
	unsigned long more = args->nattr * sizeof(args->attrs[0]);
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < args->nattr; i++)
		err = attr_to_kfd(&attrs[i], &args->attrs[i]);
	if (!err)
		err = thunk_kfd(AMDKFD_IOC_SVM + (more << _IOC_SIZESHIFT), args);
	for (i = 0; !err && args->op == KFD_IOCTL_SVM_OP_GET_ATTR && i < args->nattr; i++)
		attr_to_user(&args->attrs[i], &attrs[i]);
	return err == -EPERM ? -EOPNOTSUPP : err;
}

static int svm(enum kfd_ioctl_svm_op op, const void *start, uint64_t size, uint32_t count,
	       HSA_SVM_ATTRIBUTE *attrs)
{
	uint64_t in_page = ((uintptr_t)start | size) & (thunk.page_size - 1);
	struct kfd_ioctl_svm_args *args;
	int err;

	if (thunk.version.KernelInterfaceMinorVersion < FIRST_MINOR)
		return -EOPNOTSUPP;
	if (!start || !size || in_page || !attrs || !count || count > ATTR_LIMIT)
		return -EINVAL;
	args = calloc(1, sizeof(*args) + count * sizeof(args->attrs[0]));
	if (!args)
		return -ENOMEM;
	args->start_addr = (uintptr_t)start;
	args->size = size;
	args->op = op;
	args->nattr = count;
	err = call(args, attrs);
	free(args);
	return err;
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSVMSetAttr(void *start_addr, HSAuint64 size, unsigned int nattr,
					 HSA_SVM_ATTRIBUTE *attrs)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	return thunk_leave(svm(KFD_IOCTL_SVM_OP_SET_ATTR, start_addr, size, nattr, attrs));
}

HSAKMT_STATUS HSAKMTAPI hsaKmtSVMGetAttr(void *start_addr, HSAuint64 size, unsigned int nattr,
					 HSA_SVM_ATTRIBUTE *attrs)
{
	HSAKMT_STATUS status = thunk_enter();

	if (status)
		return status;
	return thunk_leave(svm(KFD_IOCTL_SVM_OP_GET_ATTR, start_addr, size, nattr, attrs));
}
