package erasure

import (
	"os"
	"strings"
	"testing"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func TestCheck(t *testing.T) {
	m := record.Machine{Memory: 1 << 30, CPU: record.CPU{Sockets: 1, Allowed: []int{0, 1, 2, 3}}}
	two := m
	two.CPU.Sockets = 2
	for name, c := range map[string]struct {
		set     record.Params
		machine record.Machine
		want    string
	}{
		"defaults":                {record.Params{}, m, ""},
		"no data":                 {record.Params{"data": "0"}, m, "0 data and 4 parity"},
		"no parity":               {record.Params{"parity": "0"}, m, "12 data and 0 parity"},
		"256":                     {record.Params{"data": "252"}, m, ""},
		"257":                     {record.Params{"data": "253"}, m, "are 257"},
		"too many lost":           {record.Params{"op": opReconstruct, "lost": "5"}, m, "5 lost shards"},
		"as many lost as may be":  {record.Params{"op": opReconstruct, "lost": "4"}, m, ""},
		"lost, but not asked for": {record.Params{"lost": "5"}, m, ""},
		"beyond memory":           {record.Params{"shard": "25MB", "cpus": "all"}, m, "4 CPUs need 1600000000 bytes"},
		"verify needs more":       {record.Params{"shard": "60MiB", "op": opVerify}, m, "need 1258291200 bytes"},
		"one socket of one":       {record.Params{"sockets": "one"}, m, "untestable here"},
		"one socket of two":       {record.Params{"sockets": "one"}, two, ""},
		"unknown machine":         {record.Params{"sockets": "one", "shard": "100MB"}, record.Machine{}, ""},
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
	cpus, err := host.AllowedCPUs()
	if err != nil {
		t.Fatal(err)
	}
	n, err := host.Sockets(host.System(), cpus)
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
