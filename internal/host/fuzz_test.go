package host

import (
	"bytes"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
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
	seed(f, []string{"/proc/cpuinfo", "testdata/processors.txtar"}, "processor\t: 0\nFeatures\t: aes sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n")
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
	kernels := regexp.MustCompile(`^\d+ \d+ \d+\n?$`)
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseSchedstat(b); err == nil && kernels.Match(b) && s != float64(secondNumber(b))/1e9 {
			t.Errorf("%q: %g, and the watchdog reads %d ns", b, s, secondNumber(b))
		}
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

func FuzzChoice(f *testing.F) {
	seed(f, []string{"/sys/kernel/mm/transparent_hugepage/enabled"}, "[none] mq-deadline\n", "none", "[]", "[[a]]")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseChoice(b)
		if (err == nil) != (got != "") || !bytes.Contains(b, []byte(got)) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func FuzzSVELength(f *testing.F) {
	seed(f, nil, "32\n", "16", "-16", "9223372036854775807", "576460752303423488")
	f.Fuzz(func(t *testing.T, b []byte) {
		if bits, err := parseSVELength(b); err != nil && bits != 0 || err == nil && (bits < sveGrain || bits > maxSVEBits || bits%sveGrain != 0) {
			t.Errorf("%d bits, %v", bits, err)
		}
	})
}

func FuzzDriver(f *testing.F) {
	seed(f, []string{"/sys/class/net/eth0/device/uevent"}, "DRIVER=ena\nPCI_CLASS=20000\n", "DRIVER=", "\nDRIVER")
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := parseDriver(b); strings.ContainsAny(got, "\n") || !bytes.Contains(b, []byte(got)) {
			t.Errorf("%q", got)
		}
	})
}

func FuzzMicro(f *testing.F) {
	seed(f, nil, "262143328850\n", "-1", "18446744073709551615", "")
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := parseMicro(b)
		if n > math.MaxInt64 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
		if used, ok := energyBetween(n, 0, n/2); ok && used > n {
			t.Errorf("%d used of %d", used, n)
		}
	})
}

func FuzzAzure(f *testing.F) {
	seed(f, nil, `{"vmSize":"Standard_D8s_v5","location":"westeurope","zone":"2"}`, `{"vmSize":"a b"}`, `{}`, `[`)
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseAzure(b)
		if (err == nil) != (got.Type != "") {
			t.Errorf("%+v, %v", got, err)
		}
		for _, text := range []string{got.Type, got.Region, got.Zone} {
			if strings.ContainsAny(text, "\x1b\n <>") {
				t.Errorf("%q is no name", text)
			}
		}
	})
}

func FuzzPageSize(f *testing.F) {
	seed(f, nil, "hugepages-2048kB", "hugepages-kB", "hugepages-99999999999999kB", "x")
	f.Fuzz(func(t *testing.T, b []byte) {
		if kib, err := pageSize(string(b)); err == nil && (kib <= 0 || kib<<10 <= 0) {
			t.Errorf("%d KiB of %q", kib, b)
		}
	})
}
