package host

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"plimsoll/internal/record"
)

// sections reads an archive of published captures by name.
func sections(t *testing.T, name string) map[string][]byte {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range archive.Files {
		out[f.Name] = f.Data
	}
	return out
}

func TestProcessorsOfRealMachines(t *testing.T) {
	want := map[string]struct{ vendor, model, core string }{
		"graviton":        {"ARM", "Cortex-A72 r0p3", "Cortex-A72"},
		"graviton2":       {"ARM", "Neoverse N1 r3p1", "Neoverse N1"},
		"altra":           {"ARM", "Neoverse N1 r3p1", "Neoverse N1"},
		"graviton3":       {"ARM", "Neoverse V1 r1p1", "Neoverse V1"},
		"neoverse-n2":     {"ARM", "Neoverse N2 r0p0", "Neoverse N2"},
		"neoverse-v3ae":   {"ARM", "Neoverse V3AE r0p0", "Neoverse V3AE"},
		"ampere1a":        {"Ampere", "AmpereOne A r0p0", "AmpereOne A"},
		"skylake-sp":      {"GenuineIntel", "Intel(R) Xeon(R) Gold 6126 CPU @ 2.60GHz", "Skylake-SP"},
		"cascade-lake":    {"GenuineIntel", "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", "Cascade Lake"},
		"ice-lake-sp":     {"GenuineIntel", "Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz", "Ice Lake-SP"},
		"sapphire-rapids": {"GenuineIntel", "Intel(R) Xeon(R) Platinum 8488C", "Sapphire Rapids"},
		"naples":          {"AuthenticAMD", "AMD EPYC 7451 24-Core Processor", "Zen (Naples)"},
		"rome":            {"AuthenticAMD", "AMD EPYC 7R32", "Zen 2 (Rome)"},
		"milan":           {"AuthenticAMD", "AMD EPYC 7453 28-Core Processor", "Zen 3 (Milan)"},
		"vermeer":         {"AuthenticAMD", "AMD Ryzen 9 5950X 16-Core Processor", "Zen 3"},
		"genoa":           {"AuthenticAMD", "AMD EPYC 9R14 96-Core Processor", "Zen 4 (Genoa)"},
		"siena":           {"AuthenticAMD", "AMD EPYC 8434P 48-Core Processor", "Zen 4c (Bergamo, Siena)"},
		"turin":           {"AuthenticAMD", "AMD EPYC 9275F 24-Core Processor", "Zen 5 (Turin)"},
	}
	captures := sections(t, "processors.txtar")
	if len(captures) != len(want) {
		t.Errorf("%d captures, %d expected", len(captures), len(want))
	}
	for name, w := range want {
		all, err := parseCPUInfo(captures[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := summarise(all)
		if got.Vendor != w.vendor || got.Model != w.model || got.Core != w.core {
			t.Errorf("%s: %q, %q, %q; want %q", name, got.Vendor, got.Model, got.Core, w)
		}
	}
}

func TestFeaturesOfRealMachines(t *testing.T) {
	captures := sections(t, "processors.txtar")
	for name, c := range map[string]struct{ has, lacks []string }{
		"graviton":      {[]string{"aes", "pmull"}, []string{"atomics", "sve"}},
		"graviton2":     {[]string{"aes", "atomics", "asimddp"}, []string{"sha3", "sve"}},
		"graviton3":     {[]string{"sha3", "sve", "sm4"}, []string{"sve2"}},
		"neoverse-n2":   {[]string{"sve2", "sveaes", "i8mm"}, []string{"sm4"}},
		"neoverse-v3ae": {[]string{"sve2", "svesha3"}, []string{"sme"}},
		"ampere1a":      {[]string{"sha3", "rng"}, []string{"sve"}},
		"cascade-lake":  {[]string{"avx512f", "avx512vl"}, []string{"avx512_vnni", "vaes"}},
	} {
		all, err := parseCPUInfo(captures[name])
		if err != nil {
			t.Fatal(err)
		}
		got := summarise(all).Features
		for _, f := range c.has {
			if !slices.Contains(got, f) {
				t.Errorf("%s lacks %s: %v", name, f, got)
			}
		}
		for _, f := range c.lacks {
			if slices.Contains(got, f) {
				t.Errorf("%s has %s: %v", name, f, got)
			}
		}
	}
}

func TestTopologiesOfRealMachines(t *testing.T) {
	for name, b := range sections(t, "lscpu.txtar") {
		t.Run(name, func(t *testing.T) {
			l := parseLscpu(t, b)
			root := l.expand(t)
			got, err := readTopology(root)
			if err != nil {
				t.Fatal(err)
			}
			if got.threads != l.cpus || len(got.sockets) != l.sockets || len(got.cores) != l.sockets*l.coresPerSocket || got.threadsPerCore != l.threadsPerCore {
				t.Errorf("%d threads, %d sockets, %d cores, %d threads a core; want %+v",
					got.threads, len(got.sockets), len(got.cores), got.threadsPerCore, l)
			}
			nodes, err := onlineNodes(root)
			if err != nil {
				t.Fatal(err)
			}
			cpus, err := nodeCPUs(root, nodes)
			if err != nil || !reflect.DeepEqual(lists(cpus), l.nodes) {
				t.Errorf("nodes %q, %v; want %q", lists(cpus), err, l.nodes)
			}
		})
	}
}

func TestSocketCPUs(t *testing.T) {
	captures := sections(t, "lscpu.txtar")
	for name, want := range map[string][]string{
		"epyc-7451": {"0-23,48-71", "24-47,72-95"},
		"xeon-6240": {"0-17,36-53", "18-35,54-71"},
		"xeon-6254": {"0-17", "18-35"},
	} {
		got, err := SocketCPUs(parseLscpu(t, captures[name]).expand(t))
		if err != nil || !slices.Equal(lists(got), want) {
			t.Errorf("%s: %q, %v; want %q", name, lists(got), err, want)
		}
	}
	if got, err := SocketCPUs(Root{Sys: t.TempDir()}); !NotHere(err) {
		t.Errorf("without topology: %v, %v", got, err)
	}
}

func TestCachesOfRealMachine(t *testing.T) {
	got, err := Caches(parseLscpu(t, sections(t, "lscpu.txtar")["epyc-7451"]).expand(t))
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
