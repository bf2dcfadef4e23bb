package aesgcm

import (
	"maps"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// resolved gives the workload's parameters with set over the defaults.
func resolved(t testing.TB, set record.Params) workload.Params {
	t.Helper()
	decl := Spec().Workload
	vals := record.Params{}
	for _, p := range decl.Params {
		vals[p.Name] = p.Default
	}
	maps.Copy(vals, set)
	for name, text := range vals {
		p, ok := decl.Param(name)
		if !ok {
			t.Fatalf("no parameter %s", name)
		}
		canonical, err := p.Canonical(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		vals[name] = canonical
	}
	return workload.NewParams(decl, vals)
}

// made gives lane 0 of these parameters after its first operation.
func made(t testing.TB, set record.Params) *lane {
	t.Helper()
	l, err := newLane(resolved(t, set), 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.buffers.free() })
	if err := l.run(1); err != nil {
		t.Fatal(err)
	}
	return l
}

// every gives all combinations of library and op.
func every() map[string]record.Params {
	all := map[string]record.Params{}
	for _, library := range []string{libraryGCM, librarySIO} {
		for _, op := range []string{opSeal, opOpen} {
			all[library+" "+op] = record.Params{"library": library, "op": op}
		}
	}
	return all
}

func with(p record.Params, name, value string) record.Params {
	out := maps.Clone(p)
	out[name] = value
	return out
}
