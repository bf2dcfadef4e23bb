// Package openssl is the engine `openssl`: the operating system's source tree of OpenSSL, which the workload compile
// builds. It is no server.
package openssl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

const name = "openssl"

// Engine is the engine `openssl`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return name }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the source of OpenSSL from the operating system's packages, for the workload compile"
}

// Params implements engine.Engine.
func (Engine) Params() []record.Param { return nil }

// Find implements engine.Engine: it returns the newest tree.
func (Engine) Find(context.Context, engine.Params) (engine.Install, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return engine.Install{}, err
	}
	found, err := filepath.Glob(filepath.Join(cache, "openssl-*", "Configure"))
	if err != nil || len(found) == 0 {
		return engine.Install{}, &engine.Missing{Engine: name, What: "its source", Looked: cache}
	}
	dir := filepath.Dir(slices.Max(found))
	return engine.Install{Name: name, Path: dir, Version: strings.TrimPrefix(filepath.Base(dir), "openssl-"),
		From: "cache"}, nil
}

// Start implements engine.Engine: there is nothing to start.
func (Engine) Start(context.Context, engine.Install, engine.Settings) (engine.Instance, error) {
	return nil, errors.New("openssl: this is a source tree, not a server\nhint: plimsoll run compile builds it")
}

// Setup implements engine.Setup: Debian's and Ubuntu's source package, by a source list of our own, so that the
// system's stays as it is.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return nil, err
	}
	source := engine.AptSource{Engine: name, Package: name, Work: engine.Partial(filepath.Join(cache, "source"))}
	steps, err := source.Steps()
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: unpack OpenSSL's source into %s",
			err, filepath.Join(cache, "openssl-VERSION"))
	}
	return append(steps, engine.Step{Does: "move it to " + cache,
		Do: func(context.Context) error { return publish(source, cache) }}), nil
}

// publish moves the unpacked tree into place, for Find.
func publish(source engine.AptSource, cache string) error {
	tree, err := source.Tree()
	if err != nil {
		return err
	}
	dir := filepath.Join(cache, filepath.Base(tree))
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("openssl: remove an earlier tree: %w", err)
	}
	if err := os.Rename(tree, dir); err != nil {
		return fmt.Errorf("openssl: %w", err)
	}
	return os.RemoveAll(source.Work)
}
