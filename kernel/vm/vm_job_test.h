/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CARILLON_VM_JOB_TEST_H
#define CARILLON_VM_JOB_TEST_H

#include "../sdma/sdma_test.h"

struct vm_device;

/* Most jobs of one run. */
#define VM_TEST_MAX_JOBS	4096

int vm_test_jobs(struct vm_device *vmd, unsigned int jobs, struct sdma_test_result *res);

#endif /* CARILLON_VM_JOB_TEST_H */
