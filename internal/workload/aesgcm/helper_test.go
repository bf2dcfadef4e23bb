package aesgcm

import (
	"maps"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel/kerneltest"
)

// resolved gives the workload's parameters with set over the defaults.
func resolved(t testing.TB, set record.Params) workload.Params {
	t.Helper()
	return kerneltest.Params(t, Spec(), set)
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
