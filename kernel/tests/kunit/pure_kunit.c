// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of pure files (kernel/tests/pure) once more, with the kernel's compiler flags,
 * headers and sanitizers instead of user space's.  The list is the one in Kbuild.
 */
#include <kunit/test.h>

#define PURE(name)						\
int pure_##name##_main(void);					\
static void name(struct kunit *test)				\
{								\
	KUNIT_EXPECT_EQ(test, pure_##name##_main(), 0);		\
}

PURE(irq_entry)
PURE(irq_ring)
PURE(kfd_sched)
PURE(sdma_emit)
PURE(sdma_ring_math)
PURE(topology_cache)
PURE(vm_walk)

static struct kunit_case pure_cases[] = {
	KUNIT_CASE(irq_entry),
	KUNIT_CASE(irq_ring),
	KUNIT_CASE(kfd_sched),
	KUNIT_CASE(sdma_emit),
	KUNIT_CASE(sdma_ring_math),
	KUNIT_CASE(topology_cache),
	KUNIT_CASE(vm_walk),
	{ }
};

struct kunit_suite pure_suite = {
	.name = "pure",
	.test_cases = pure_cases,
};
