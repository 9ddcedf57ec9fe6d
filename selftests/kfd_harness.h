/* SPDX-License-Identifier: GPL-2.0-only */
/**
 * DOC: fixtures of the KFD selftests
 *
 * Built on kselftest_harness.h of the kernel source package: each test runs in a
 * process of its own, so its KFD context is gone when it ends.  The driver's
 * object counts are recorded before the first test and must be the same after
 * the last (KFD_COUNTS_TEST, placed last in each file).
 */
#ifndef CARILLON_KFD_HARNESS_H
#define CARILLON_KFD_HARNESS_H

#include <unistd.h>

#include "kfd_client.h"

/* The harness bounds each test by an alarm; on a slow kernel it rings later. */
#define alarm(seconds)	alarm((seconds) * kfd_time_scale())
#include "kselftest_harness.h"
#undef alarm

/* Software emulation is slow, of a debug kernel slower still; a hang is found in the end. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 480

static char kfd_baseline[4096];

static void __attribute__((constructor)) kfd_record_baseline(void)
{
	if (kfd_counts_read(kfd_baseline, sizeof(kfd_baseline)))
		kfd_baseline[0] = 0;
}

FIXTURE(kfd) {
	struct kfd_client c;
};

FIXTURE_SETUP(kfd)
{
	if (access("/dev/kfd", F_OK))
		SKIP(return, "no /dev/kfd");
	ASSERT_EQ(0, kfd_client_init(&self->c, 0));
}

FIXTURE_TEARDOWN(kfd)
{
	kfd_client_close(&self->c);
}

/*
 * A fixture of its own, because the harness runs tests fixture by fixture, in the
 * order of their declarations: this comes last.
 */
#define KFD_COUNTS_TEST							\
	FIXTURE(counts) {						\
	};								\
	FIXTURE_SETUP(counts)						\
	{								\
	}								\
	FIXTURE_TEARDOWN(counts)					\
	{								\
	}								\
	TEST_F(counts, back_at_start)					\
	{								\
		if (!kfd_baseline[0])					\
			SKIP(return, "no debugfs counts");		\
		EXPECT_EQ(0, kfd_counts_settle(kfd_baseline));		\
	}

#endif /* CARILLON_KFD_HARNESS_H */
