# Building and running need only Go. make deps installs what the full tests
# need.

GO ?= go
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)

# Debian's and Ubuntu's names.
PACKAGES = python3-numpy python3-torch python3-venv python3-h5py python3-netcdf4 libopenblas0-pthread libblis4-pthread libblas3 liblapack3 libmpfr6 gcc libc6-dev chromium \
	openmpi-bin mpich openjdk-17-jdk-headless qemu-user-static groff-base postgresql $(if $(shell command -v node),,nodejs)

# The interpreter that the environment of current Python libraries is made with.
PYTHON ?= python3

# Platforms for which everything has to build, tests included.
PLATFORMS = linux/amd64 linux/arm64 linux/s390x windows/amd64 darwin/arm64 js/wasm

BENCH ?= .
COUNT ?= 1

# The folder of the manual pages.
MAN ?= man

.PHONY: deps lib duckdb wheels release web lint golangci bench engines exhaustive generate lapack man numpy portable processors search stress gpu-record gpu/gpurecord parquet sweep variants

# deps leaves the choice of a libblas.so.3 among the installed ones alone. What
# it makes of Python's package index takes 7 GB, in the user's folder for caches.
deps:
	@if command -v apt-get >/dev/null; then \
		$(SUDO) apt-get update && \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(PACKAGES); \
	else \
		echo "make deps knows apt-get only. Install by hand, for every test to run:" >&2; \
		echo "  Python 3 with NumPy and PyTorch, OpenBLAS, BLIS and the reference BLAS as shared libraries," >&2; \
		echo "  Open MPI and MPICH with their mpirun.openmpi and mpirun.mpich, a C compiler called cc, a JDK, Chromium, qemu-user and Node.js." >&2; \
		echo "Without them the tests that need them are skipped." >&2; \
		exit 1; \
	fi
	$(GO) run ./internal/pyenv/create $(PYTHON)
	$(GO) list -C engines/beam -deps -test ./... >/dev/null

# lib builds the BLAS and LAPACK that lastbit run puts before a program's own. It
# needs a C compiler.
lib:
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared -o liblastbit_blas.so ./cmd/liblastbit_blas

# duckdb builds the extension of DuckDB: see docs/use/engines.md. It needs a C
# compiler.
duckdb:
	$(GO) run ./engines/duckdb/build -o lastbit.duckdb_extension

# wheels builds the wheels of the Python package for all platforms. With Zig (pip
# install ziglang) the wheels of Linux for both processors have the library.
wheels:
	$(GO) run ./internal/wheel/create -o dist $(WHEELS)

# release builds the files of a release for all platforms, or those of RELEASE,
# in dist: some minutes on two cores.
release:
	$(GO) run ./internal/release/create -o dist $(RELEASE)

# web builds the page that runs in a browser, in dist/web.
web:
	$(GO) run ./cmd/lastbitweb/create -o dist/web

# numpy runs NumPy's own tests of arrays and linear algebra on the library, too,
# and NumPy's functions under every setting: some minutes on two cores.
numpy:
	LASTBIT_NUMPY=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 1h -run TestNumPy -v ./cmd/liblastbit_blas

# lint finds unused declarations with staticcheck, at the version of
# internal/_lint/go.mod: minutes the first time, seconds later.
lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt -w these:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run ./cmd/lastbit vet ./...
	$(GO) tool -modfile=internal/_lint/go.mod staticcheck -checks U1000 ./...
	$(GO) tool -C internal/_asm -modfile=../_lint/go.mod staticcheck -checks U1000 ./...
	$(GO) vet -C engines/beam ./...
	@bin=$$(mktemp -d) && $(GO) build -o $$bin ./cmd/lastbit && \
		$(GO) vet -C engines/beam -vettool=$$bin/lastbit ./...; code=$$?; rm -r $$bin; exit $$code
	$(GO) tool -C engines/beam -modfile=../../internal/_lint/go.mod staticcheck -checks U1000 ./...
	$(GO) test ./internal/layering ./internal/references ./internal/style
	@set -e; for p in $(PLATFORMS); do echo "vet $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) vet ./...; done

# golangci builds a golangci-lint with the plugin of vet/plugin and runs it:
# minutes on two cores.
golangci:
	LASTBIT_GOLANGCI=v2.15.0 LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 1h -run TestGolangciLint -v ./vet/plugin

# bench compares portable Go with the processor's FMA where it has one: see
# lastbit bench blas --help.
bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -count $(COUNT) ./...
	$(if $(shell grep -qw avx2 /proc/cpuinfo && echo v3),GOAMD64=v3) $(GO) test -tags noasm,purego -run '^$$' -bench '$(if $(filter .,$(BENCH)),BLAS,$(BENCH))' -count $(COUNT) ./cmd/lastbit/internal/bench/...

# exhaustive tries all 2^32 arguments of each function of one float32 argument, with MPFR and with float64: some 70 minutes on two cores.
exhaustive:
	$(GO) test -tags exhaustive -count 1 -timeout 5h -v -run TestExhaustive ./crmath/f32

generate:
	$(GO) generate ./...

# lapack runs all of gonum's tests of a LAPACK on the fastest kernels, without
# AVX-512, and on the portable ones: some minutes on two cores for each.
lapack:
	LASTBIT_LAPACK=all $(GO) test -count 1 -timeout 1h ./blas ./blas/lapack
	LASTBIT_LAPACK=all GODEBUG=cpu.avx512f=off $(GO) test -count 1 -timeout 1h ./blas/lapack
	LASTBIT_LAPACK=all $(GO) test -tags purego -count 1 -timeout 1h ./blas/lapack

# man writes the manual pages; man -l man/lastbit.1 shows one.
man:
	$(GO) run ./cmd/lastbit man $(MAN)

# portable runs the golden tests of every library and example on every
# architecture, most of them emulated: half an hour on two cores.
portable:
	LASTBIT_PORTABLE=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 3h ./internal/portable/...
	LASTBIT_PORTABLE=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 1h -run TestNothingIsFused ./crmath/internal/f64

# processors runs the tests that call other libraries as on other processors:
# with other kernels of OpenBLAS, and without instructions in lastbit. These
# kernels need AVX-512, as the processor does.
PROCESSORS = OPENBLAS_CORETYPE=Prescott OPENBLAS_CORETYPE=Haswell OPENBLAS_CORETYPE=Zen \
	OPENBLAS_CORETYPE=SkylakeX GODEBUG=cpu.avx512f=off GODEBUG=cpu.avx2=off
FOREIGN = ./blas/... ./cmd/... ./explain ./lockfile ./probe/... ./reveal/...
processors:
	@set -e; for setting in $(PROCESSORS); do echo "$$setting"; \
		env $$setting LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 1h $(FOREIGN); done

# Each elementary function in each direction on 1e8 arguments against MPFR: a
# quarter of a minute to four minutes for each. It counts the wrong results by
# function and direction as it goes. Then its slices, and others, against its
# calls on 1e7. Another SEED takes other arguments. With a file PROGRESS, an
# absolute path, a run that was stopped goes on where it was.
STRESS = LASTBIT_STRESS=$(or $(ARGUMENTS),1e8) LASTBIT_SEED=$(SEED) LASTBIT_PROGRESS=$(PROGRESS) LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 0 -v
stress:
	$(STRESS) ./crmath/directed
	$(STRESS) -run 'TestCalls$$|TestPairCalls|TestSlices|TestPairSlices|TestOdd' ./crmath/internal/f64 ./crmath/f32

# search runs the searches of internal/hardest again, by the call in the first
# line of each list: hours on one core, most of them for cbrt and rec_sqrt.
search:
	cd crmath && for f in ../internal/hardest/*.txt; do \
		$$(sed -n '1s|^# go|$(GO)|p' $$f) >$$f.new && mv $$f.new $$f || exit; \
	done

# sweep reveals every Python function in every operation, format and size, and
# replays what is verified on inputs of other kinds. It runs all sizes of the
# other tests of reveal, too: an hour on two cores.
sweep:
	LASTBIT_SWEEP=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 0 -v ./reveal/libraries
	LASTBIT_SWEEP=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 0 -v -run 'TestEveryAlgorithm|TestSquares|TestFamilies' ./reveal
	LASTBIT_SWEEP=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 0 -v -run TestPairs ./cmd/lastbit/internal/explainfiles
	LASTBIT_SWEEP=all LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 0 -v -run TestRevealed ./blas

# variants reveals 1,000 sums that deviate in one way at a random place, compares
# as many pairs of such sums, and tells all pairs of arithmetics of up to six
# summands apart: some twenty minutes on two cores.
variants:
	LASTBIT_VARIANTS=1000 LASTBIT_PAIRS=1000 $(GO) test -count 1 -timeout 2h -v -run 'TestVariants|TestPairs' ./reveal
	LASTBIT_RIVALS=all $(GO) test -count 1 -timeout 2h -v -run TestRivals ./reveal/internal/proof

# parquet reads every combination of options of the programs that write parquet
# files, and 1,000 files of random ones: some minutes on two cores.
parquet:
	LASTBIT_PARQUET=all LASTBIT_PARQUET_FILES=1000 LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 1h -v -run TestParquet ./dataset

# engines sums one Parquet file of 10^7 rows in every engine, ten times each, and
# prints a table, in 50 to 67 minutes on two cores that other programs used, too.
# ROWS=1e6 makes a smaller file, and ENGINES="duckdb beam" asks these alone.
engines:
	$(GO) list -C engines/beam -deps -test -tags prism ./... >/dev/null
	LASTBIT_ENGINES=$(or $(ROWS),1e7) LASTBIT_ENGINES_ONLY='$(ENGINES)' LASTBIT_REQUIRE=all $(GO) test -count 1 -timeout 3h -v -run TestOneFile ./engines

# gpu-record records how the GPU of this machine adds, in at most 10 minutes: see docs/develop/gpu.md.
gpu-record: gpu/gpurecord
	gpu/record.sh

gpu/gpurecord:
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -o $@ ./cmd/gpurecord
