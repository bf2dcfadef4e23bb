package erasure

import (
	"os"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func TestCheck(t *testing.T) {
	m := record.Machine{Memory: 1 << 30, CPU: record.CPU{Sockets: 1, Allowed: []int{0, 1, 2, 3}}}
	two, limited := m, m
	limited.Cgroup.MemoryLimit = 100 << 20
	two.CPU.Sockets = 2
	for name, c := range map[string]struct {
		set     record.Params
		machine record.Machine
		want    string
	}{
		"defaults":           {record.Params{}, m, ""},
		"no data":            {record.Params{"data": "0"}, m, "0 data and 4 parity"},
		"no parity":          {record.Params{"parity": "0"}, m, "12 data and 0 parity"},
		"256":                {record.Params{"data": "252"}, m, ""},
		"more than any code": {record.Params{"data": "9999"}, m, "use an erasure.data of at most 252;"},
		"more parity than any": {record.Params{"parity": "256"}, m,
			"use an erasure.parity of at most 255, and fewer data shards;"},
		"CPUs that are not there": {record.Params{"cpus": "5"}, m, "5 CPUs requested, 4 available (0-3)"},
		"257":                     {record.Params{"data": "253"}, m, "make 257, but the library supports 256 in all"},
		"too many lost":           {record.Params{"op": opReconstruct, "lost": "5"}, m, "5 lost shards"},
		"as many lost as may be":  {record.Params{"op": opReconstruct, "lost": "4"}, m, ""},
		"lost, but not asked for": {record.Params{"lost": "5"}, m, ""},
		"beyond a cgroup": {record.Params{"shard": "25MB"}, limited,
			"of 1 CPUs exceed the 104857600 bytes of memory that its cgroup allows"},
		"beyond memory": {record.Params{"shard": "25MB", "cpus": "all"}, m,
			"buffers of 400000000 bytes on each of 4 CPUs exceed the 1073741824 bytes of memory that this machine has"},
		"verify needs more": {record.Params{"shard": "60MiB", "op": opVerify}, m,
			"buffers of 1258291200 bytes on each of 1 CPUs"},
		"one socket of one": {record.Params{"sockets": "one"}, m, "cannot be tested here"},
		"one socket of two": {record.Params{"sockets": "one"}, two, ""},
		"unknown machine":   {record.Params{"sockets": "one", "shard": "100MB"}, record.Machine{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := Spec().Check(resolved(t, c.set), c.machine)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("got %v, want %q and a hint", err, c.want)
			}
		})
	}
}

func TestSocketsAreHeldTo(t *testing.T) {
	if _, err := os.Stat("/sys/devices/system/cpu/cpu0/topology/physical_package_id"); err != nil {
		t.Skip("this machine does not say where its sockets are")
	}
	cpus, err := topology.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	n, err := topology.CountSockets(hostfs.System(), cpus)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Spec().New(workload.Env{CPUs: cpus}, resolved(t, record.Params{"sockets": "one"}))
	if (err == nil) != (n == 1) {
		t.Errorf("CPUs %v of %d sockets: %v", cpus, n, err)
	}
	if _, err := Spec().New(workload.Env{CPUs: []int{1 << 20}}, resolved(t, record.Params{"sockets": "one"})); err == nil {
		t.Error("a CPU that is not there has a socket")
	}
}

func TestTraffic(t *testing.T) {
	for name, c := range map[string]struct {
		set  record.Params
		want float64
	}{
		"encode reads 12, writes 4":               {record.Params{}, 1 + 4.0/12},
		"8+8 writes as much as it reads":          {record.Params{"data": "8", "parity": "8"}, 2},
		"verify writes 4, and reads them and 4":   {record.Params{"op": opVerify}, 1 + 12.0/12},
		"reconstruct writes only what is lost":    {record.Params{"op": opReconstruct}, 1 + 1.0/12},
		"reconstruct of three":                    {record.Params{"op": opReconstruct, "lost": "3"}, 1 + 3.0/12},
		"the groups of best stay in the caches":   {record.Params{"path": pathBest}, 1 + 4.0/12},
		"encode of the widest code that there is": {record.Params{"data": "1", "parity": "255"}, 256},
	} {
		if got := traffic(resolved(t, c.set)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// An object of 8 KiB to 25 MB a shard.
func TestShardSizes(t *testing.T) {
	shard, _ := Spec().Param("shard")
	for text, want := range map[string]string{"8KiB": "8KiB", "87382B": "87382B", "1MB": "1MB", "25MB": "25MB",
		"25000000": "25MB"} {
		if got, err := shard.Canonical(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"8191B", "25m", "101MB", "0B"} {
		if got, err := shard.Canonical(text); err == nil {
			t.Errorf("%s was read as %s", text, got)
		}
	}
}
