package database

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

// needServer skips tests that start servers. Their data are in memory if there is enough, to be independent of other
// writers to the disk.
func needServer(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	const memory = "/dev/shm"
	if room(memory, 4*clusterBytes, "") == nil && unix.Access(memory, unix.W_OK) == nil {
		t.Setenv("TMPDIR", memory)
	}
}

func TestConformance(t *testing.T) {
	needServer(t)
	workloadtest.Run(t, tinySpec(),
		workloadtest.Case{Name: "closed", Load: record.LoadPoint{Kind: record.Closed, Level: 2, Unit: record.ParamClients},
			Lanes: 2, For: 200 * time.Millisecond},
	)
}
