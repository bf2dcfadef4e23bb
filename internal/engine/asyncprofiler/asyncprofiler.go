// Package asyncprofiler is the profiler `async-profiler` of Java virtual machines: it knows the names of Java's methods, whether they are
// interpreted or compiled, with the runtime's and the kernel's part of their stacks.
package asyncprofiler

import (
	"archive/zip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

const (
	name    = "async-profiler"
	library = "libasyncProfiler.so"
)

// pom says which version it is.
//
//go:embed source/pom.xml
var pom []byte

// pins are the SHA-256 of what is fetched.
//
//go:embed source/sha256sums
var pins []byte

// Profiler is the profiler `async-profiler`.
type Profiler struct{}

// Name is as engine.Findable has it.
func (Profiler) Name() string { return name }

// Doc is as engine.Findable has it.
func (Profiler) Doc() string {
	return "the profiler of Java virtual machines, which knows Java's methods, for plimsoll run --profile"
}

// Params is as engine.Findable has it.
func (Profiler) Params() []record.Param { return nil }

// release is what is fetched.
func release() jvm.Build {
	version := jvm.Property(pom, "asyncprofiler")
	return jvm.Build{Home: jvm.Home{Engine: name}, Pom: pom, Pins: pins, Version: version, Fetches: name + " " + version, After: unpack}
}

// Find is as engine.Findable has it.
func (Profiler) Find(context.Context, engine.Params) (engine.Install, error) {
	r := release()
	dir, err := r.Here()
	if err != nil {
		return engine.Install{}, err
	}
	return engine.Install{Name: name, Path: filepath.Join(dir, library), Version: r.Version, From: "cache"}, nil
}

// Setup is as engine.Setup has it.
func (Profiler) Setup(context.Context) ([]engine.Step, error) { return release().Steps() }

// Able is as engine.Profiler has it: where the kernel permits no sampling, the runtime's own timers do.
func (Profiler) Able(engine.Install) error { return nil }

// unpack takes this machine's library out of the jar.
func unpack(dir string) error {
	from, ok := map[string]string{"amd64": "linux-x64", "arm64": "linux-arm64"}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there is no library for %s", runtime.GOARCH)
	}
	jars, err := filepath.Glob(filepath.Join(dir, jvm.LibDir, name+"-*.jar"))
	if err != nil || len(jars) != 1 {
		return errors.Join(err, fmt.Errorf("%d jars where one was to be fetched", len(jars)))
	}
	jar, err := zip.OpenReader(jars[0])
	if err != nil {
		return err
	}
	defer jar.Close()
	in, err := jar.Open(from + "/" + library)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(jars[0]), err)
	}
	defer in.Close()
	// A Java runtime of another user must be able to read it.
	out, err := os.OpenFile(filepath.Join(dir, library), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
