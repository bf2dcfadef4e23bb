package host

import (
	"os"
	"slices"
	"testing"
)

// seed gives a target what the kernel really writes, and what it might.
func seed(f *testing.F, paths []string, texts ...string) {
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil {
			f.Add(b)
		}
	}
	for _, s := range texts {
		f.Add([]byte(s))
	}
}

func FuzzCPUInfo(f *testing.F) {
	seed(f, []string{"/proc/cpuinfo"}, "processor\t: 0\nFeatures\t: aes sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := parseCPUInfo(b)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d processors, %v", len(all), err)
		}
		if cpu := summarise(all); !slices.IsSorted(cpu.Features) {
			t.Errorf("features %q", cpu.Features)
		}
	})
}

func FuzzList(f *testing.F) {
	seed(f, nil, "0-3,8\n", "", "5,1-1", "0-65535,1")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseList(b)
		if err == nil && (!slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got)) {
			t.Errorf("%v has repeats or no order", got)
		}
		for _, n := range got {
			if n < 0 || n >= maxListed {
				t.Errorf("%d is no CPU", n)
			}
		}
	})
}

func FuzzKernelSize(f *testing.F) {
	seed(f, nil, "32K\n", "1M", "7", "9223372036854775807G")
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := parseKernelSize(b); n < 0 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func FuzzFlat(f *testing.F) {
	seed(f, []string{"/proc/vmstat"}, "usage_usec 1\n\nnr_periods 0\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseFlat(b)
		if _, empty := got[""]; empty || err != nil && got != nil {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func FuzzMembership(f *testing.F) {
	seed(f, []string{"/proc/self/cgroup"}, "0::/\n", "2:cpu,cpuacct:/a:b\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseMembership(b)
		for _, m := range got {
			if err != nil || m.path == "" || m.path[0] != '/' {
				t.Errorf("%+v, %v", m, err)
			}
		}
	})
}

func FuzzOSRelease(f *testing.F) {
	seed(f, []string{"/etc/os-release"}, `PRETTY_NAME="a\`, `PRETTY_NAME='`, `PRETTY_NAME="\""`)
	f.Fuzz(func(t *testing.T, b []byte) {
		if name, err := parseOSRelease(b); len(name) > len(b) || err != nil && name != "" {
			t.Errorf("%q, %v", name, err)
		}
	})
}

func FuzzSchedstat(f *testing.F) {
	seed(f, []string{"/proc/self/schedstat"}, "1 2 3", "0 18446744073709551615 0")
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseSchedstat(b); s < 0 || err != nil && s != 0 {
			t.Errorf("%v s, %v", s, err)
		}
	})
}

func FuzzLimits(f *testing.F) {
	seed(f, nil, "max 100000\n", "150000 100000", "max", "9223372036854771712", "-1 1")
	f.Fuzz(func(t *testing.T, b []byte) {
		if cpus, err := parseCPUMax(b); !(cpus >= 0) || err != nil && cpus != 0 {
			t.Errorf("%v CPUs, %v", cpus, err)
		}
		if n, err := parseMemoryMax(b); n < 0 || err != nil && n != 0 {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}
