package pgbench

import (
	"slices"
	"testing"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// TestReplicaDoesTheWork: a replica on its primary's host is metered too, and one elsewhere doesn't hide the primary.
func TestReplicaDoesTheWork(t *testing.T) {
	for _, c := range []struct {
		replica string
		want    []string
	}{
		{"", []string{"127.0.0.1:5432"}},
		{"postgres://u@127.0.0.1:5433/d", []string{"127.0.0.1:5432", "127.0.0.1:5433"}},
		{"postgres://u@127.0.0.1:5432/d", []string{"127.0.0.1:5432"}},
		{"postgres://u@192.0.2.1:5433/d", []string{"127.0.0.1:5432"}},
		{"postgres://u@127.0.0.1:no/d", []string{"127.0.0.1:5432"}},
	} {
		p := workload.NewParams(Spec().Workload, map[string]string{database.ParamServer: database.ServerDSN,
			database.ParamDSN: "postgres://u@127.0.0.1:5432/d", paramReplica: c.replica})
		at, ok := Spec().There(p)
		if !ok || !slices.Equal(at.Addresses, c.want) {
			t.Errorf("%q: %v, %v", c.replica, at.Addresses, ok)
		}
	}
}
