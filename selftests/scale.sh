# SPDX-License-Identifier: GPL-2.0-only
#
# Sourced by shell tests: bounds for a slow kernel.

# scaled NUMBER: more where CARILLON_TIME_SCALE says that the kernel is slow
scaled()
{
	echo $(($1 * ${CARILLON_TIME_SCALE:-1}))
}
