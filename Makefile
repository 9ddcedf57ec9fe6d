# SPDX-License-Identifier: GPL-2.0-only
# Forwards to the scripts and makefiles that do the work; ./carillon calls it
# after it has seen to the packages. Everything built goes below build/.

# Debian kernel to build for and to boot: a release, a series, or empty for
# the release of the installed linux-headers-amd64.
KERNEL ?=
release = $(shell tools/vm/kernel.sh --release $(KERNEL))
build := $(CURDIR)/build

all: modules lib samples selftests

modules:
	@tools/build-modules.sh $(release)

# Its own tests may be building it too.
lib:
	@mkdir -p $(build)
	@flock $(build)/libthunk.lock $(MAKE) -s -C libthunk O=$(build)/libthunk

samples:
	@$(MAKE) -s -C samples O=$(build)/samples

tools:
	@$(MAKE) -s -C tools/trace O=$(build)/tools

selftests: lib tools
	@$(MAKE) -s -C selftests O=$(build)/selftests

demo: all
	@tools/demo.sh $(KERNEL)

bench: all
	@tools/bench.sh $(if $(WRITE),--write) $(KERNEL)

# All suites of a level (fast, full), then the line that adds them up.
LEVEL ?= full
check:
	@tools/check/all.sh $(LEVEL) $(KERNEL)

# Single suites.
suite-checks := $(addprefix check-,abi analyze build coverage docs fuzz harness harness-debug kernels \
	kunit-debug kunit-uml style thunk tools vm vm-debug)
$(suite-checks):
	@tools/check/one.sh $(@:check-%=%) $(KERNEL)

check-pure:
	@tools/check/pure.sh

clean:
	rm -rf build

.PHONY: all modules lib samples tools selftests demo bench clean
.PHONY: check check-pure $(suite-checks)
