#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vm: modules=none timeout=600
#
# topology_oracle_test.sh in the VM that most tests share: two CPUs, one NUMA node. (S0.83)
exec /bin/sh "$(dirname "$0")/topology_oracle_test.sh"
