package topology

import (
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func TestTopologiesOfRealMachines(t *testing.T) {
	for name, b := range hosttest.Sections(t, "lscpu.txtar") {
		t.Run(name, func(t *testing.T) {
			l := parseLscpu(t, b)
			root := l.expand(t)
			got, err := Read(root)
			if err != nil {
				t.Fatal(err)
			}
			if got.Threads != l.cpus || len(got.Sockets) != l.sockets || len(got.Cores) != l.sockets*l.coresPerSocket ||
				got.ThreadsPerCore != l.threadsPerCore {
				t.Errorf("%d threads, %d sockets, %d cores, %d threads a core; want %+v",
					got.Threads, len(got.Sockets), len(got.Cores), got.ThreadsPerCore, l)
			}
			nodes, err := OnlineNodes(root)
			if err != nil {
				t.Fatal(err)
			}
			cpus, err := NodeCPUs(root, nodes)
			if err != nil || !reflect.DeepEqual(FormatLists(cpus), l.nodes) {
				t.Errorf("nodes %q, %v; want %q", FormatLists(cpus), err, l.nodes)
			}
		})
	}
}

func TestSocketCPUs(t *testing.T) {
	captures := hosttest.Sections(t, "lscpu.txtar")
	for name, want := range map[string][]string{
		"epyc-7451": {"0-23,48-71", "24-47,72-95"},
		"xeon-6240": {"0-17,36-53", "18-35,54-71"},
		"xeon-6254": {"0-17", "18-35"},
	} {
		got, err := BySocket(parseLscpu(t, captures[name]).expand(t))
		if err != nil || !slices.Equal(FormatLists(got), want) {
			t.Errorf("%s: %q, %v; want %q", name, FormatLists(got), err, want)
		}
	}
	if got, err := BySocket(hostfs.Root{Sys: t.TempDir()}); !hostfs.NotHere(err) {
		t.Errorf("without topology: %v, %v", got, err)
	}
}

func TestCachesOfRealMachine(t *testing.T) {
	got, err := Caches(parseLscpu(t, hosttest.Sections(t, "lscpu.txtar")["epyc-7451"]).expand(t))
	want := []record.Cache{
		{Level: 1, Type: "data", Bytes: 32 << 10, Instances: 48},
		{Level: 1, Type: "instruction", Bytes: 64 << 10, Instances: 48},
		{Level: 2, Type: "unified", Bytes: 512 << 10, Instances: 48},
		{Level: 3, Type: "unified", Bytes: 8 << 20, Instances: 16},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
