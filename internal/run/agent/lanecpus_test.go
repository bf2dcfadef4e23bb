package agent

import (
	"fmt"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestLaneCPUs takes two sockets of two cores with two threads each, numbered as Linux does.
func TestLaneCPUs(t *testing.T) {
	m := record.Machine{CPU: record.CPU{Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7},
		SocketCPUs: []string{"0-1,4-5", "2-3,6-7"}}}
	decl := record.Workload{Params: []record.Param{
		{Name: record.ParamSockets, Kind: record.Enum, Choices: []string{record.SocketsAll, record.SocketsOne}}}}
	for _, c := range []struct {
		sockets string
		lanes   int
		want    string
	}{
		{record.SocketsAll, 3, "[0 2 1]"},
		{record.SocketsAll, 8, "[0 2 1 3 4 6 5 7]"},
		{record.SocketsOne, 3, "[0 1 4]"},
		{record.SocketsOne, 5, "kernel needs 5 CPUs, only 4 are usable here\nhint: set kernel.cpus=all, or to fewer"},
		{record.SocketsAll, 0, "kernel needs 0 CPUs, only 8 are usable here\nhint: set kernel.cpus=all, or to fewer"},
	} {
		tr := &trial{machine: m, agent: Agent{Root: hostfs.Root{Sys: t.TempDir()}}}
		cpus, err := tr.laneCPUs("kernel", workload.NewParams(decl, record.Params{record.ParamSockets: c.sockets}), c.lanes,
			nil)
		got := fmt.Sprint(cpus)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
