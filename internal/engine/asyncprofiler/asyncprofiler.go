// Package asyncprofiler is the profiler `async-profiler` of Java virtual machines: it resolves Java's methods,
// whether interpreted or compiled, together with the runtime's and the kernel's part of their stacks.
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

// pom pins the version.
//
//go:embed source/pom.xml
var pom []byte

// pins are the SHA-256 of the downloads.
//
//go:embed source/sha256sums
var pins []byte

// Profiler is the profiler `async-profiler`.
type Profiler struct{}

// Name implements engine.Findable.
func (Profiler) Name() string { return name }

// Doc implements engine.Findable.
func (Profiler) Doc() string {
	return "profiler of Java virtual machines that resolves Java methods, for plimsoll run --profile"
}

// Params implements engine.Findable.
func (Profiler) Params() []record.Param { return nil }

// release returns the download.
func release() jvm.Build {
	version := jvm.Property(pom, "asyncprofiler")
	return jvm.Build{Home: jvm.Home{Engine: name}, Pom: pom, Pins: pins, Version: version, Fetches: name + " " + version,
		After: unpack}
}

// Find implements engine.Findable.
func (Profiler) Find(context.Context, engine.Params) (engine.Install, error) {
	r := release()
	dir, err := r.Here()
	if err != nil {
		return engine.Install{}, err
	}
	return engine.Install{Name: name, Path: filepath.Join(dir, library), Version: r.Version, From: "cache"}, nil
}

// Setup implements engine.Setup.
func (Profiler) Setup(context.Context) ([]engine.Step, error) { return release().Steps() }

// Able implements engine.Profiler: if the kernel forbids sampling, the runtime's own timers still work.
func (Profiler) Able(engine.Install) error { return nil }

// unpack extracts this machine's library from the jar.
func unpack(dir string) error {
	from, ok := map[string]string{"amd64": "linux-x64", "arm64": "linux-arm64"}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there is no library for %s", runtime.GOARCH)
	}
	jars, err := filepath.Glob(filepath.Join(dir, jvm.LibDir, name+"-*.jar"))
	if err != nil || len(jars) != 1 {
		return errors.Join(err, fmt.Errorf("%d jars fetched, expected one", len(jars)))
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
