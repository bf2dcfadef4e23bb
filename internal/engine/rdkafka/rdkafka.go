// Package rdkafka is the engine `rdkafka`: rdkafka_performance, the load generator of librdkafka, built from the
// operating system's source package. It is no server, but a peer of the workload kafka.
package rdkafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/mod/semver"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const (
	name = "rdkafka"
	// program is the result of the build.
	program = "rdkafka_performance"
	// source is the source package.
	source = "librdkafka"
)

// Engine is the engine `rdkafka`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "rdkafka_performance, the load generator of librdkafka, built from the operating system's source " +
		"package, to compare the workload kafka with"
}

// Params implements engine.Engine.
func (Engine) Params() []record.Param { return nil }

// Find implements engine.Engine: it returns the newest build. The path is the program's.
func (Engine) Find(context.Context, engine.Params) (engine.Install, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return engine.Install{}, err
	}
	found, err := filepath.Glob(filepath.Join(cache, "[0-9]*", program))
	if err != nil || len(found) == 0 {
		return engine.Install{}, &engine.Missing{Engine: name, What: program, Looked: cache}
	}
	path := slices.MaxFunc(found, newer)
	return engine.Install{Name: name, Path: path, Version: versionOf(path), From: "cache"}, nil
}

// versionOf returns the version of a built program: the name of its directory.
func versionOf(path string) string { return filepath.Base(filepath.Dir(path)) }

// Start implements engine.Engine: there is nothing to start.
func (Engine) Start(context.Context, engine.Install, engine.Settings) (engine.Instance, error) {
	return nil, errors.New("rdkafka: this is a client, not a server\nhint: plimsoll run exec --set " +
		"exec.preset=rdkafka_performance runs it against a broker")
}

// Setup implements engine.Setup.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return nil, err
	}
	from := engine.AptSource{Engine: name, Package: source, Work: engine.Partial(filepath.Join(cache, "source"))}
	fetch, err := from.Steps()
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: build librdkafka's %s, and put it into %s",
			err, program, filepath.Join(cache, "VERSION"))
	}
	steps, err := toolSteps()
	if err != nil {
		return nil, err
	}
	in := func(command string) []string { return []string{"sh", "-c", "cd tree/" + source + "-* && " + command} }
	steps = append(steps, fetch...)
	return append(steps,
		engine.Step{Does: "configure it for the installed libraries", Command: in("./configure"), Dir: from.Work},
		engine.Step{Does: "build the library", Command: in(fmt.Sprintf("make -s -j%d -C src librdkafka.a", runtime.NumCPU())),
			Dir: from.Work},
		engine.Step{Does: "build " + program, Command: in("make -s -C examples " + program), Dir: from.Work},
		engine.Step{Does: "move it to " + cache, Do: func(context.Context) error { return publish(from, cache) }},
	), nil
}

// toolSteps returns the steps that install a missing C compiler or make.
func toolSteps() ([]engine.Step, error) {
	var packages []engine.Package
	for _, tool := range []struct {
		program string
		engine.Package
	}{
		{"gcc", engine.Package{Apt: "gcc", Dnf: "gcc", Apk: "gcc"}},
		{"g++", engine.Package{Apt: "g++", Dnf: "gcc-c++", Apk: "g++"}}, // its configure requires one
		{"make", engine.Package{Apt: "make", Dnf: "make", Apk: "make"}},
	} {
		var missing *engine.Missing
		if _, _, err := engine.Program(name, tool.program, ""); errors.As(err, &missing) {
			packages = append(packages, tool.Package)
		} else if err != nil {
			return nil, err
		}
	}
	if len(packages) == 0 {
		return nil, nil
	}
	// The headers that a compiler needs.
	return engine.InstallPackages(name,
		append(packages, engine.Package{Apt: "libc6-dev", Dnf: "glibc-devel", Apk: "musl-dev"})...)
}

// publish moves the built program into place, for Find, and removes its sources. It is standalone: the library is
// linked statically.
func publish(from engine.AptSource, cache string) error {
	tree, err := from.Tree()
	if err != nil {
		return err
	}
	header, err := os.ReadFile(filepath.Join(tree, "src", "rdkafka.h"))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	version, err := versionIn(string(header))
	if err != nil {
		return fmt.Errorf("%s: %s: %w", name, filepath.Base(tree), err)
	}
	dir := filepath.Join(cache, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := os.Rename(filepath.Join(tree, "examples", program), filepath.Join(dir, program)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.RemoveAll(from.Work)
}

// versionIn parses the library's version in its header, rdkafka.h: #define RD_KAFKA_VERSION 0xMMmmrrpp; pp is 0xff
// for a release.
func versionIn(header string) (string, error) {
	m := regexp.MustCompile(`(?m)^#define\s+RD_KAFKA_VERSION\s+0x([0-9a-fA-F]{8})\b`).FindStringSubmatch(header)
	if m == nil {
		return "", errors.New("its header does not contain its version")
	}
	n, err := strconv.ParseUint(m[1], 16, 32)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d.%d.%d", n>>24, n>>16&0xff, n>>8&0xff)
	if pre := n & 0xff; pre != 0xff {
		text += fmt.Sprintf("-pre%d", pre)
	}
	return text, nil
}

// newer orders the paths of programs by their versions, the older first.
func newer(a, b string) int { return semver.Compare("v"+versionOf(a), "v"+versionOf(b)) }
