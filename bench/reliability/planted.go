package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bug is planted into a build, to be found by a part.
type bug struct {
	name          string
	file, old, by string // by takes the place of old, which is once in file
	part          string
	shows         string // what the part says of it, and of nothing else
}

func bugs() []bug {
	return []bug{
		{"no fsync", "internal/session/writer.go", "err = w.f.Sync()\n\t}\n\tif err != nil {\n\t\treturn w.fail(err, n)",
			"err = nil\n\t}\n\tif err != nil {\n\t\treturn w.fail(err, n)", "power-cut", "runs were reported, and "},
		{"a torn line stays", "internal/session/writer.go", "if w.cut(n) != nil {", "if n < 0 {", "full-disk", "the last one torn: true"},
		{"a read that fails is the end", "internal/session/scan.go", "case errors.Is(err, io.EOF):\n\t\treturn s.finish()",
			"case err != nil:\n\t\treturn s.finish()", "read-error", "the exit code is 0"},
		{"the next start cleans nothing up", "internal/agent/kept/scratch.go", "\taccount.RemoveStale(hostfs.System())\n\tremoveUnused()",
			"\tif ctx != nil {\n\t\treturn\n\t}\n\taccount.RemoveStale(hostfs.System())\n\tremoveUnused()", "kill", "are left in TMPDIR"},
	}
}

// findPlanted builds the program with each bug, and reports whether one was not found.
func findPlanted(ctx context.Context, o options, to io.Writer) (bool, error) {
	work, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	missed := false
	for i, b := range bugs() {
		program := filepath.Join(work, fmt.Sprintf("plimsoll-%d", i))
		if err := b.build(ctx, program, work); err != nil {
			return false, fmt.Errorf("planting %q: %w", b.name, err)
		}
		own := o
		own.program, own.only, own.short = program, b.part, true
		var said strings.Builder
		c := &campaign{options: own, work: filepath.Join(work, fmt.Sprint(i)), to: &said}
		if _, err := c.run(ctx); err != nil {
			return false, err
		}
		found := strings.Contains(said.String(), b.shows)
		fmt.Fprintf(to, "planted: %-30s %s: %s\n", b.name, b.part, map[bool]string{true: "found", false: "MISSED"}[found])
		missed = missed || !found
	}
	return missed, nil
}

// build builds the program with the bug; the tree is left alone.
func (b bug) build(ctx context.Context, to, work string) error {
	source, err := os.ReadFile(b.file)
	if err != nil {
		return err
	}
	if strings.Count(string(source), b.old) != 1 {
		return fmt.Errorf("%s has %d times what it replaces: it must follow the source", b.file, strings.Count(string(source), b.old))
	}
	spoilt, overlay := filepath.Join(work, "spoilt.go"), filepath.Join(work, "overlay.json")
	at, err := filepath.Abs(b.file)
	if err != nil {
		return err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {at: spoilt}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(spoilt, []byte(strings.Replace(string(source), b.old, b.by, 1)), 0o600), os.WriteFile(overlay, list, 0o600)); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", to, "./cmd/plimsoll").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
