# make build         bin/plimsoll for this machine
# make test          installs what the tests need (Debian, Ubuntu), then runs all but the long ones
# make test-long     the scripts that make test leaves out: they are long, or need idle cores; the race detector
# make test-fleet    the scripts that .ci/run has no time for, within its hour: an evaluation on eight hosts and on eight nodes, one with generators, an arm64 host
# make test-fast     the tests that need nothing installed, under a minute
# make bench         Plimsoll against its peers, interleaved, with intervals: docs/bench.md
# make fuzz          every fuzz target for FUZZTIME
# make lint          gofmt, golangci-lint (vet, staticcheck and what .golangci.yml lists), vet for arm64, licences, vulnerabilities
# make release       static binaries, packages, a container image and what belongs to them, in dist/
# make try-release   the release, installed as its users do, and the five tasks of the README with it
export CGO_ENABLED := 0
# As a release is built, so that what tests and linters compile serves it too.
export GOFLAGS := -trimpath
FUZZTIME ?= 20s
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
LDFLAGS  := -s -w -X main.version=$(VERSION)

.PHONY: build setup linter test test-long test-fleet test-fast test-arm64 test-race reruns bench fuzz lint release try-release clean
build:
	go build -ldflags '$(LDFLAGS)' -o bin/plimsoll ./cmd/plimsoll

setup:
	./scripts/setup-tests
	go run ./cmd/plimsoll setup kafka kafka@3.9.1 async-profiler

# Tests that run real servers can fail for a machine that stood still. Each that fails runs twice more by itself,
# a summary names it, and it must pass; more than ten at once are no accident. What vet finds, lint has found before.
GOTESTSUM := go tool gotestsum --format pkgname-and-test-fails
RERUNS    := .tools/reruns
RERUN      = mkdir -p $(RERUNS) && rm -f $(RERUNS)/$@ && $(GOTESTSUM) --rerun-fails=2 --rerun-fails-max-failures=10 --rerun-fails-report $(RERUNS)/$@
test: setup lint
	$(RERUN) --packages ./... -- -vet=off -parallel 3 -timeout 40m
	$(MAKE) test-arm64

# The pure packages, the kernels and the fingerprint, on an emulated arm64.
ARM64_PACKAGES := ./internal/record ./internal/stat ./internal/claims ./internal/category ./internal/estimate ./internal/trialset ./internal/sequential ./internal/loadline ./internal/finding/... ./internal/judge ./internal/plan ./internal/session \
	./internal/convert ./internal/render ./internal/host/... ./internal/workload/kernel ./internal/workload/aesgcm \
	./internal/workload/erasure ./internal/workload/highwayhash ./internal/workload/memory
test-arm64:
	mkdir -p $(RERUNS) && rm -f $(RERUNS)/$@
	GOARCH=arm64 PLIMSOLL_EMULATED=1 "$$(go tool -n gotestsum)" --format pkgname-and-test-fails --rerun-fails=2 --rerun-fails-max-failures=3 \
		--rerun-fails-report $(RERUNS)/$@ --packages "$(ARM64_PACKAGES)" \
		-- -vet=off -short -timeout 5m -exec qemu-aarch64-static

# What compares machines or searches a load line needs the CPUs to itself; the others mostly wait.
ALONE := helddisk|kafkaline|searchtruth|slurm|twobuilds
LONG   = $(shell cd cmd/plimsoll/testdata && grep -lE '^\[!(night|long)\]' *.txtar | sed 's/\.txtar//' | grep -Evx '$(ALONE)|$(FLEET)' | paste -s -d '|')
test-long: setup
	$(MAKE) test-race
	./scripts/kubernetes-tools
	export PLIMSOLL_NIGHT=1; $(RERUN)-alone --packages ./cmd/plimsoll -- -vet=off -timeout 20m -parallel 1 -run 'TestScripts/^($(ALONE))$$'
	export PLIMSOLL_NIGHT=1; $(RERUN) --packages ./cmd/plimsoll -- -vet=off -timeout 40m -parallel 3 -run 'TestScripts/^($(LONG))$$'

# Packages whose goroutines share most state, under the race detector, which needs a C compiler. Not internal/agent, whose tests
# meter CPU time that the detector changes. A race is not run again: it is there, whether or not another run sees it.
RACE_PACKAGES := ./internal/agent/kept ./internal/carry ./internal/detached ./internal/folder ./internal/host/noise ./internal/host/pulse ./internal/httpload ./internal/pgload ./internal/process ./internal/run ./internal/site
test-race:
	export CGO_ENABLED=1; $(RERUN) --rerun-fails-abort-on-data-race --packages "$(RACE_PACKAGES)" -- -race -vet=off -short -timeout 10m

# What the summaries named, of all targets since the folder was removed.
reruns:
	@grep -Hs . $(RERUNS)/* || echo "no test was run again"

FLEET := carryarm64|eighthosts|eightnodes|perconahosts
test-fleet: setup
	./scripts/arm64-busybox
	./scripts/kubernetes-tools
	PLIMSOLL_NIGHT=1 go test ./cmd/plimsoll -timeout 40m -count=1 -parallel 1 -run 'TestScripts/^($(FLEET))$$'

# The minute is that of all tests together, after they are compiled.
test-fast:
	go test -vet=off -short -run '^$$' ./... >/dev/null
	@timeout --foreground 60 go test -vet=off -short -p 4 -timeout 60s ./... || { code=$$?; \
	[ $$code != 124 ] || echo "make test-fast: over a minute: other programs had the CPUs, or a test that takes seconds lacks testing.Short()" >&2; exit $$code; }

bench:
	./scripts/bench
	./scripts/bench-http
	./scripts/bench-growth
	./scripts/bench-verdict
	./scripts/bench-disk
	./scripts/bench-kafka
	./scripts/bench-pgbench
	./scripts/bench-tpcc
	./scripts/bench-forecast
	./scripts/bench-loadline

fuzz:
	./scripts/fuzz $(FUZZTIME)

# Go builds the linter at the first use (two minutes on two CPUs) and keeps it in its build cache.
linter:
	@go run $(GOLANGCI) version

lint:
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-formatted: $$unformatted"; exit 1; fi
	go run $(GOLANGCI) run ./...
	GOARCH=arm64 go vet ./...
	modules=$$(GOARCH=amd64 go list -deps -json=Module,Dir ./cmd/plimsoll && GOARCH=arm64 go list -deps -json=Module,Dir ./cmd/plimsoll) && echo "$$modules" | go run ./release/notices "$$(go env GOROOT)" internal/media/html/assets/vendored >/dev/null
	./scripts/vulnerabilities

release:
	./scripts/release dist

try-release: setup release
	./scripts/try-release dist

clean:
	rm -rf bin dist
