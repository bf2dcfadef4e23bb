package minio

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"plimsoll/internal/engine"
)

const (
	program = "minio"
	module  = "github.com/minio/minio"
)

// goMod pins the versions of the build, and goSum the digests of their files. Their names keep them in our module.
//
//go:embed source/go.mod.txt
var goMod []byte

//go:embed source/go.sum.txt
var goSum []byte

// goFile makes the program's package a dependency of the build.
const goFile = "//go:build tools\n\npackage tools\n\nimport _ \"" + module + "\"\n"

// version returns the pinned version of the module.
func version() string {
	f, err := modfile.ParseLax("go.mod", goMod, nil)
	if err != nil {
		return ""
	}
	for _, r := range f.Require {
		if r.Mod.Path == module {
			return r.Mod.Version
		}
	}
	return ""
}

// Setup implements engine.Setup.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return nil, err
	}
	compiler, _, err := engine.Program(name, "go", "")
	var missing *engine.Missing
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("%s: its server is built from a Go module, and there is no go in %s\nhint: install Go from "+
			"https://go.dev/dl", name, missing.Looked)
	}
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, version())
	work := engine.Partial(dir)
	return []engine.Step{
		{Does: "pin the versions of " + module + " and of its dependencies", Do: func(context.Context) error {
			return unpack(work)
		}},
		{Does: "fetch " + module + " " + version() + " and build it, which takes some minutes of CPU time",
			Command: []string{compiler, "build", "-trimpath", "-ldflags", "-s -w", "-o", program, module}, Dir: work,
			Env: []string{"CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOTOOLCHAIN=auto"}},
		{Does: "move it to " + dir, Do: func(context.Context) error { return publish(work, dir) }},
	}, nil
}

// unpack writes the files of the build.
func unpack(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for file, text := range map[string][]byte{"go.mod": goMod, "go.sum": goSum, "tools.go": []byte(goFile)} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// publish moves the program into place, where Find finds it, and removes the rest.
func publish(work, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := os.Rename(filepath.Join(work, program), filepath.Join(dir, program)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.RemoveAll(work)
}
