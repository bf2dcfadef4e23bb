package cpuinfo

import (
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

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
	captures := hosttest.Sections(t, "processors.txtar")
	if len(captures) != len(want) {
		t.Errorf("%d captures, %d expected", len(captures), len(want))
	}
	for name, w := range want {
		all, err := Parse(captures[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := Summarise(all)
		if got.Vendor != w.vendor || got.Model != w.model || got.Core != w.core {
			t.Errorf("%s: %q, %q, %q; want %q", name, got.Vendor, got.Model, got.Core, w)
		}
	}
}

func TestFeaturesOfRealMachines(t *testing.T) {
	captures := hosttest.Sections(t, "processors.txtar")
	for name, c := range map[string]struct{ has, lacks []string }{
		"graviton":      {[]string{"aes", "pmull"}, []string{"atomics", "sve"}},
		"graviton2":     {[]string{"aes", "atomics", "asimddp"}, []string{"sha3", "sve"}},
		"graviton3":     {[]string{"sha3", "sve", "sm4"}, []string{"sve2"}},
		"neoverse-n2":   {[]string{"sve2", "sveaes", "i8mm"}, []string{"sm4"}},
		"neoverse-v3ae": {[]string{"sve2", "svesha3"}, []string{"sme"}},
		"ampere1a":      {[]string{"sha3", "rng"}, []string{"sve"}},
		"cascade-lake":  {[]string{"avx512f", "avx512vl"}, []string{"avx512_vnni", "vaes"}},
	} {
		all, err := Parse(captures[name])
		if err != nil {
			t.Fatal(err)
		}
		got := Summarise(all).Features
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

func TestUnknownArmCoreKeepsItsNumbers(t *testing.T) {
	all, err := Parse([]byte("processor: 0\nCPU implementer: 0x99\nCPU part: 0x00f\nCPU variant: 0x2\nCPU revision: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := Summarise(all)
	if got.Vendor != "implementer 0x99" || got.Model != "implementer 0x99 part 0x00f r2p3" {
		t.Errorf("%q %q", got.Vendor, got.Model)
	}
	for _, in := range []string{"", "CPU part: 1\n", "processor: 0\nCPU part: 0xfffff\n",
		"processor: 0\ncpu MHz: fast\n"} {
		if _, err := Parse([]byte(in)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}
