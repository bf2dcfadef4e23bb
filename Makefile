# make build         bin/plimsoll for this machine
# make test          installs what the tests need (Debian, Ubuntu), then runs all that decides whether the product works on amd64
# make test-fast     the tests that need nothing installed, under a minute
# make test-night    the rest, in parts of at most 25 minutes: race detector, arm64, fleets, Kubernetes, simulations, true sizes, fuzzing
# make lint          gofmt, golangci-lint (vet, staticcheck and what .golangci.yml lists), vet for arm64, shellcheck, subjects of commits, licences, vulnerabilities
# make lint-prose    vale over the pages by the rules in .vale/styles; it needs a C compiler
# make bench         Plimsoll against its peers, interleaved, with intervals: bench/EVIDENCE.md
# make shape         how large the tree is and how it is cut, a report; SINCE=COMMIT adds the change of each figure
# make release       static binaries, packages, a container image and what belongs to them, in dist/
# make try-release   the release, built twice, installed as its users do, and the five tasks of the README with it
# make fuzz          every fuzz target for FUZZTIME
export CGO_ENABLED := 0
# As a release is built, so that what tests and linters compile serves it too.
export GOFLAGS := -trimpath
FUZZTIME ?= 20s
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
VALE     := github.com/vale-cli/vale/v3/cmd/vale@v3.22.0
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
LDFLAGS  := -s -w -X main.version=$(VERSION)

.PHONY: build setup linter test test-fast test-night test-race test-arm64 test-sizes test-simulations test-programs test-long \
	test-guides test-alone test-fleet test-kubernetes test-fuzz test-ci reruns bench fuzz lint lint-prose shape release try-release clean
build:
	go build -ldflags '$(LDFLAGS)' -o bin/plimsoll ./cmd/plimsoll

setup:
	./scripts/setup-tests
	go run ./cmd/plimsoll setup kafka kafka@3.9.1 async-profiler

# Tests that run real servers can fail for a machine that stalled. Each that fails runs twice more by itself; it must pass, and
# scripts/reruns lists it with its cause: it is a debt, of which there may be five. What vet finds, lint has found before.
# TESTFLAGS=-count=1 runs tests again whose packages did not change.
RERUNS = .tools/reruns
RERUN  = mkdir -p $(RERUNS) && rm -f $(RERUNS)/$@ && "$$(GOARCH= go tool -n gotestsum)" --format pkgname-and-test-fails --rerun-fails=2 \
	--rerun-fails-max-failures=12 --rerun-fails-report $(RERUNS)/$@
test: setup
	$(RERUN) --jsonfile .tools/test.json --packages ./... -- -vet=off -p 3 -timeout 25m $(TESTFLAGS)
	@./scripts/reruns $(RERUNS)/$@

# What make test leaves out. Each part takes at most 25 minutes; what has passed at a commit is not run again.
NIGHT ?= test-race test-arm64 test-sizes test-simulations test-programs test-long test-guides test-alone test-fleet test-kubernetes try-release test-fuzz
test-night: setup
	./scripts/night $(NIGHT)

# Packages whose goroutines share most state, under the race detector, which needs a C compiler. Not internal/run/agent, whose tests
# meter CPU time that the detector changes. A race is not run again: it is there, whether or not another run sees it.
RACE_PACKAGES := ./internal/run/agent/kept ./internal/run/carry ./internal/present/folder ./internal/machine/host/noise ./internal/machine/host/pulse \
	./internal/client/httpload ./internal/client/pgload ./internal/base/process ./internal/run ./internal/present/site
test-race:
	export CGO_ENABLED=1; $(RERUN) --rerun-fails-abort-on-data-race --packages "$(RACE_PACKAGES)" -- -race -vet=off -short -timeout 10m

# The pure packages, the kernels and the fingerprint, on an emulated arm64.
ARM64_PACKAGES := ./internal/record ./internal/record/stat ./internal/analysis/claims ./internal/analysis/category ./internal/record/estimate ./internal/analysis/trialset \
	./internal/analysis/sequential ./internal/analysis/loadline ./internal/analysis/finding/... ./internal/analysis/judge ./internal/plan ./internal/record/session \
	./internal/exchange/convert ./internal/present/render ./internal/machine/host/... ./internal/workload/kernel ./internal/workload/aesgcm \
	./internal/workload/erasure ./internal/workload/highwayhash ./internal/workload/memory
test-arm64:
	export GOARCH=arm64 PLIMSOLL_EMULATED=1; $(RERUN) --packages "$(ARM64_PACKAGES)" -- -vet=off -short -timeout 5m -exec qemu-aarch64-static

# Tests that have more to do at night: hostile input at its true size, every shape, every mutant, simulations as long as the whole certificate's.
AT_NIGHT = $(shell grep -rlE --include='*_test.go' 'simtest\.(Night|Times|Tenth|Stride)' internal bench | xargs -n 1 dirname | sort -u | sed 's,^,./,')
SIMULATE := ./internal/selftest ./internal/record/stat ./internal/analysis/sequential ./internal/analysis/loadline
test-sizes:
	export PLIMSOLL_NIGHT=1; $(RERUN) --packages "$(filter-out $(SIMULATE),$(AT_NIGHT))" -- -vet=off -timeout 20m
test-simulations:
	export PLIMSOLL_NIGHT=1; $(RERUN) --packages "$(filter $(SIMULATE),$(AT_NIGHT))" -- -vet=off -timeout 20m
# The tests of the program that are no scripts.
test-programs:
	export PLIMSOLL_NIGHT=1; $(RERUN) --packages ./cmd/plimsoll -- -vet=off -timeout 20m -parallel 3 -skip '^TestScripts$$'

# Scripts. What compares machines or searches a load line needs the CPUs to itself; the others mostly wait.
FLEET      := carryarm64|eighthosts|eightnodes|perconahosts
KUBERNETES := kubelet|kubernetes
GUIDES     := guides|headroom|headroomguide|instaclustr|instaclustrcluster|loadedguides|minio|percona
ALONE      := articlesrun|helddisk|kafkaline|searchtruth|slurm|twobuilds
LONG        = $(shell cd cmd/plimsoll/testdata && grep -l '^\[!night\]' *.txtar | sed 's/\.txtar//' | grep -Evx '$(GUIDES)|$(ALONE)|$(FLEET)|$(KUBERNETES)' | \
	paste -s -d '|')
SCRIPTS     = export PLIMSOLL_NIGHT=1; $(RERUN) --packages ./cmd/plimsoll -- -vet=off -timeout 24m
test-long:
	$(SCRIPTS) -parallel 3 -run 'TestScripts/^($(LONG))$$'
test-guides:
	$(SCRIPTS) -parallel 3 -run 'TestScripts/^($(GUIDES))$$'
test-alone:
	$(SCRIPTS) -parallel 1 -run 'TestScripts/^($(ALONE))$$'
test-fleet:
	./scripts/arm64-busybox
	./scripts/kubernetes-tools
	$(SCRIPTS) -parallel 1 -run 'TestScripts/^($(FLEET))$$'
test-kubernetes:
	./scripts/kubernetes-tools
	$(SCRIPTS) -parallel 1 -run 'TestScripts/^($(KUBERNETES))$$'

# Ten minutes over all targets.
test-fuzz:
	./scripts/fuzz 5s

# Of the night's scripts those that cover what no shorter one does.
test-ci:
	$(SCRIPTS) -parallel 1 -run 'TestScripts/^(helddisk|kafkacluster|slurm|standby|twobuilds)$$'

# Tests that were run again, of all targets since the folder was removed.
reruns:
	@./scripts/reruns $(wildcard $(RERUNS)/*)

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
	./scripts/bench-network
	./scripts/bench-kafka
	./scripts/bench-s3
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
	./scripts/commit-subjects
	@command -v shellcheck >/dev/null || { echo "make lint: there is no shellcheck: ./scripts/setup-tests installs it" >&2; exit 1; }
	shellcheck -S warning $$(git ls-files -co --exclude-standard scripts bench release examples .ci | grep -E '\.sh$$|^(scripts|\.ci)/[^/.]+$$')
	modules=$$(GOARCH=amd64 go list -deps -json=Module,Dir ./cmd/plimsoll && GOARCH=arm64 go list -deps -json=Module,Dir ./cmd/plimsoll) && echo "$$modules" | go run ./release/notices "$$(go env GOROOT)" internal/present/media/html/assets/vendored >/dev/null
	@if command -v cc >/dev/null; then $(MAKE) -s lint-prose; else echo "vale: NOT RUN: it needs a C compiler; archtest applies the same rules"; fi
	./scripts/vulnerabilities

# A fresh machine may lack the C compiler that vale needs. internal/archtest/plain applies the same rules in make test.
lint-prose:
	CGO_ENABLED=1 go run $(VALE) README.md CONTRIBUTING.md DESIGN.md SECURITY.md bench docs examples changelog/unreleased

shape:
	@go run ./bench/shape $(if $(SINCE),--since '$(SINCE)')

release:
	./scripts/release dist

try-release: setup release
	./scripts/try-release dist

clean:
	rm -rf bin dist
