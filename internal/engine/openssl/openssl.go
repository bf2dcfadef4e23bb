// Package openssl is the engine `openssl`: the source tree of OpenSSL as the operating system has it, which
// the workload compile builds. It is no server.
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

// Name is as engine.Engine has it.
func (Engine) Name() string { return name }

// Doc is as engine.Engine has it.
func (Engine) Doc() string {
	return "the source of OpenSSL from the operating system's packages, for the workload compile"
}

// Params is as engine.Engine has it.
func (Engine) Params() []record.Param { return nil }

// Find is as engine.Engine has it: the newest tree that was set up.
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
	return engine.Install{Name: name, Path: dir, Version: strings.TrimPrefix(filepath.Base(dir), "openssl-"), From: "cache"}, nil
}

// Start is as engine.Engine has it: there is nothing to start.
func (Engine) Start(context.Context, engine.Install, engine.Settings) (engine.Instance, error) {
	return nil, errors.New("openssl: this is a source tree, and no server\nhint: plimsoll run compile builds it")
}

// Setup is as engine.Setup has it: Debian's and Ubuntu's package of the source, by a list of sources of our
// own, so that the system's stays as it is.
func (Engine) Setup(context.Context) ([]engine.Step, error) {
	cache, err := engine.CacheDir(name)
	if err != nil {
		return nil, err
	}
	if _, _, err := engine.Program(name, "apt-get", ""); err != nil {
		return nil, fmt.Errorf("openssl: the source is fetched with apt-get only, which is not here\nhint: unpack OpenSSL's source into %s", filepath.Join(cache, "openssl-VERSION"))
	}
	work := filepath.Join(cache, "partial")
	apt := func(args ...string) []string {
		return append([]string{"apt-get", "-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o", "Dir::Etc::SourceParts=" + filepath.Join(work, "parts"),
			"-o", "Dir::State::Lists=" + filepath.Join(work, "lists"), "-o", "Dir::Cache=" + filepath.Join(work, "cache"), "-o", "APT::Sandbox::User=" + owner()}, args...)
	}
	return []engine.Step{
		{Does: "list where this system's sources are, in " + work, Do: func(context.Context) error { return prepare(work, "/etc/apt") }},
		{Does: "read what sources there are", Command: apt("update")},
		{Does: "fetch the source of openssl", Command: apt("source", "--download-only", "--tar-only", name), Dir: work},
		{Does: "unpack it", Command: []string{"sh", "-c", "mkdir tree && tar -xf openssl_*.orig.tar.*[zx2] -C tree --no-same-owner"}, Dir: work},
		{Does: "move it to " + cache, Do: func(context.Context) error { return publish(work, cache) }},
	}, nil
}

func owner() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return ""
}

// prepare writes the system's lists of sources as lists of source packages.
func prepare(work, etc string) error {
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("openssl: remove what an earlier try left: %w", err)
	}
	for _, dir := range []string{"parts", filepath.Join("lists", "partial"), filepath.Join("cache", "archives", "partial")} {
		if err := os.MkdirAll(filepath.Join(work, dir), 0o755); err != nil {
			return fmt.Errorf("openssl: %w\nhint: XDG_CACHE_HOME puts it elsewhere", err)
		}
	}
	lists, _ := filepath.Glob(filepath.Join(etc, "sources.list.d", "*"))
	written := 0
	for _, list := range append(lists, filepath.Join(etc, "sources.list")) {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // one that is not there names no source
		}
		source, ok := asSource(filepath.Base(list), string(text))
		if !ok {
			continue
		}
		if err := os.WriteFile(filepath.Join(work, "parts", filepath.Base(list)), []byte(source), 0o644); err != nil {
			return fmt.Errorf("openssl: %w", err)
		}
		written++
	}
	if written == 0 {
		return fmt.Errorf("openssl: %s names no source of packages\nhint: /etc/apt/sources.list is where they are listed", etc)
	}
	return nil
}

// asSource turns a list of binary packages into one of source packages, in either of apt's two forms
// (sources.list(5)).
func asSource(file, text string) (string, bool) {
	var out []string
	found := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch fields := strings.Fields(line); {
		case strings.HasSuffix(file, ".sources") && strings.HasPrefix(line, "Types:"):
			line, found = "Types: deb-src", true
		case strings.HasSuffix(file, ".list") && len(fields) > 0 && fields[0] == "deb":
			line, found = "deb-src"+strings.TrimPrefix(strings.TrimSpace(line), "deb"), true
		case strings.HasSuffix(file, ".list") && len(fields) > 0 && fields[0] == "deb-src":
			continue // it is there once already
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n", found
}
