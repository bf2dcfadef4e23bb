package erasure

import (
	"fmt"
	"maps"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel/kerneltest"
)

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
	t.Cleanup(func() { l.Free() })
	if err := l.Run(1); err != nil {
		t.Fatal(err)
	}
	return l
}

// every gives all combinations of op and path for these shards.
func every(data, parity int, shard string) map[string]record.Params {
	all := map[string]record.Params{}
	for _, op := range []string{opEncode, opVerify, opReconstruct} {
		for _, path := range []string{pathAsMinIO, pathBest} {
			all[fmt.Sprintf("%d+%d %s %s %s", data, parity, shard, op, path)] = record.Params{
				"data": fmt.Sprint(data), "parity": fmt.Sprint(parity), "shard": shard, "op": op, "path": path,
				"lost": fmt.Sprint(min(parity, 2)),
			}
		}
	}
	return all
}

// shapes returns shapes on both sides of the limits of the library's generated code; at night larger ones, too.
func shapes() [][2]int {
	few := [][2]int{{1, 1}, {2, 2}, {10, 4}, {11, 4}, {12, 4}, {5, 11}, {13, 12}}
	if !simtest.Night() {
		return few
	}
	return append(few, [][2]int{{8, 8}, {10, 10}, {24, 3}, {200, 21}}...)
}

func merged(sets ...map[string]record.Params) map[string]record.Params {
	out := map[string]record.Params{}
	for _, s := range sets {
		maps.Copy(out, s)
	}
	return out
}
