// SPDX-License-Identifier: MIT
/* DOC: the descriptor for system management events. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fake_kfd.h"
#include "fixture.h"
#include "hsakmt/hsakmt.h"
#include "thunk_test.h"

TEST(smi_open, "a descriptor of one GPU, the caller's to close; bad nodes, a driver that refuses")
{
	int fd = -1, other = -1;

	fake_kfd_install(fixture_load("two_gpus"), 2);
	CHECK_EQ(0, hsaKmtOpenKFD());
	CHECK_EQ(0, hsaKmtOpenSMI(1, &fd));
	CHECK_EQ(0, hsaKmtOpenSMI(2, &other));
	CHECK(fd >= 0 && other >= 0 && fd != other);
	CHECK_EQ(2, fake.count[0x1f]);
	CHECK_EQ(0, close(fd));
	CHECK_EQ(0, hsaKmtCloseKFD());
	CHECK_EQ(0, close(other));
	CHECK_EQ(0, hsaKmtOpenKFD());
	fd = 77;
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtOpenSMI(0, &fd));
	CHECK_EQ(HSAKMT_STATUS_INVALID_NODE_UNIT, hsaKmtOpenSMI(9, &fd));
	CHECK_EQ(HSAKMT_STATUS_INVALID_PARAMETER, hsaKmtOpenSMI(1, NULL));
	CHECK_EQ(2, fake.count[0x1f]);
	fake.fail_nr = 0x1f;
	fake.fail_errno = EMFILE;
	CHECK_EQ(HSAKMT_STATUS_OUT_OF_RESOURCES, hsaKmtOpenSMI(1, &fd));
	fake.fail_errno = ENOTTY;
	CHECK_EQ(HSAKMT_STATUS_NOT_SUPPORTED, hsaKmtOpenSMI(1, &fd));
	CHECK_EQ(77, fd);
	fake.fail_nr = 0;
	CHECK_EQ(0, hsaKmtCloseKFD());
}
