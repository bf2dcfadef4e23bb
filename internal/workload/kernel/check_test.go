package kernel

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// asked returns values of the parameters common to all kernels, over their defaults.
func asked(set record.Params) workload.Params {
	decl := Spec(Declaration{Name: "x"}).Workload
	vals := decl.Defaults()
	for name, v := range set {
		vals[name] = v
	}
	return workload.NewParams(decl, vals)
}

func TestCheck(t *testing.T) {
	m := record.Machine{Memory: 1000, CPU: record.CPU{Sockets: 2, Allowed: []int{0, 1, 2, 3, 8},
		SocketCPUs: []string{"0-2", "3-9"}}}
	limited, roomy, one := m, m, m
	limited.Cgroup.MemoryLimit = 100
	roomy.Cgroup.MemoryLimit = 1 << 40
	quota := m
	quota.Cgroup.CPUQuota = 1.5
	fraction := m
	fraction.Cgroup.CPUQuota = 0.9
	busy := m
	busy.State.Available = 500
	one.CPU.Sockets, one.CPU.SocketCPUs = 1, []string{"0-9"}
	for name, c := range map[string]struct {
		set  record.Params
		m    record.Machine
		need int64
		want string // "" fits
	}{
		"all of memory": {nil, m, 1000, ""},
		"a byte too much": {nil, m, 1001, "buffers of 1001 bytes on each of 1 CPUs exceed the 1000 bytes of " +
			"memory that this machine has\nhint: use a smaller x.size or fewer x.cpus"},
		"all lanes count":          {record.Params{"cpus": "all"}, m, 201, "buffers of 201 bytes on each of 5 CPUs"},
		"all lanes fit":            {record.Params{"cpus": "all"}, m, 200, ""},
		"one socket's lanes count": {record.Params{"cpus": "all", "sockets": "one"}, m, 333, ""},
		"beyond any number":        {record.Params{"cpus": "5"}, m, math.MaxInt64, "on each of 5 CPUs"},
		"a cgroup limits":          {nil, limited, 101, "100 bytes of memory that its cgroup allows\nhint: "},
		"a quota limits": {record.Params{"cpus": "2"}, quota, 1,
			"2 CPUs requested, the cgroup's quota is 1.5\nhint: "},
		"less than one CPU":       {record.Params{"cpus": "1"}, fraction, 1, ""},
		"a quota limits nothing":  {record.Params{"cpus": "1"}, quota, 1, ""},
		"all under a quota":       {record.Params{"cpus": "all"}, quota, 1, ""},
		"others have the memory":  {nil, busy, 501, "500 bytes of memory that this machine has free now"},
		"a cgroup limits nothing": {nil, roomy, 1001, "1000 bytes of memory that this machine has\nhint: "},
		"memory is unknown":       {record.Params{"cpus": "all"}, record.Machine{}, 1 << 50, ""},
		"as many CPUs as there":   {record.Params{"cpus": "5"}, m, 1, ""},
		"a CPU too many": {record.Params{"cpus": "6"}, m, 1,
			"x: 6 CPUs requested, 5 available (0-3,8)\nhint: set x.cpus=all, or to 5 at most"},
		"a CPU too many of one": {record.Params{"cpus": "4", "sockets": "one"}, m, 1,
			"4 CPUs requested, 3 available (0-2)\nhint: "},
		"CPUs are unknown": {record.Params{"cpus": "4096"}, record.Machine{}, 1, ""},
		"one socket of one": {record.Params{"sockets": "one"}, one, 1,
			"cannot be tested here: this machine has one socket\nhint: "},
	} {
		spec := Spec(Declaration{Name: "x", Grows: "size", Buffers: func(workload.Params, record.Machine) int64 {
			return c.need
		}})
		err := spec.Check(asked(c.set), c.m)
		if c.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestOnSockets(t *testing.T) {
	caches := []record.Cache{{Level: 2, Bytes: 1, Instances: 36}, {Level: 3, Bytes: 1, Instances: 2}}
	for _, c := range []struct{ used, all, second, third int }{{1, 2, 18, 1}, {2, 2, 36, 2}, {1, 1, 36, 2}} {
		got := onSockets(caches, c.used, c.all)
		if got[0].Instances != c.second || got[1].Instances != c.third {
			t.Errorf("%d of %d sockets: %+v", c.used, c.all, got)
		}
	}
	if caches[0].Instances != 36 {
		t.Error("the caller's caches were changed")
	}
}
