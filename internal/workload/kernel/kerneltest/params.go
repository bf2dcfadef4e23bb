// Package kerneltest holds helpers for the tests of workloads built on package kernel.
package kerneltest

import (
	"maps"
	"os"
	"testing"

	"golang.org/x/mod/modfile"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Params returns the workload's defaults overridden by set, whose values may be in any text form.
func Params(t testing.TB, spec workload.Spec, set record.Params) workload.Params {
	t.Helper()
	vals := spec.Defaults()
	maps.Copy(vals, set)
	for name, text := range vals {
		p, ok := spec.Param(name)
		if !ok {
			t.Fatalf("no parameter %s", name)
		}
		canonical, err := p.Canonical(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		vals[name] = canonical
	}
	return workload.NewParams(spec.Workload, vals)
}

// ModuleVersion checks that a workload states the same version of a module as go.mod.
func ModuleVersion(t *testing.T, module, stated string) {
	t.Helper()
	const path = "../../../go.mod"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(path, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		if r.Mod.Path == module {
			if r.Mod.Version != stated {
				t.Errorf("go.mod has %s %s, the workload states %s", module, r.Mod.Version, stated)
			}
			return
		}
	}
	t.Errorf("go.mod has no %s", module)
}
