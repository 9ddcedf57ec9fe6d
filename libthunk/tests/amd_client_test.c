// SPDX-License-Identifier: MIT
/* DOC: runs the client of AMD's headers on our library. */
#include "fake_kfd.h"
#include "fixture.h"
#include "thunk_test.h"

int amd_client(void);

TEST(amd_client, "a program built against AMD's headers runs on this library")
{
	fake_kfd_install(fixture_load("vega10"), 1);
	CHECK_EQ(0, amd_client());
}
