package fact

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"plimsoll/internal/machine/host/hosttest"
)

const cpuinfo = "processor\t: 0\ncpu MHz\t\t: 2596.132\n\nprocessor\t: 2\ncpu MHz\t\t: 1200.000\n"

func TestClocks(t *testing.T) {
	files := func(of map[string]string) fs.FS {
		out := fstest.MapFS{}
		for name, text := range of {
			out[name] = &fstest.MapFile{Data: []byte(text + "\n")}
		}
		return out
	}
	const cur0, cur2 = "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
		"sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq"
	for name, c := range map[string]struct {
		files  map[string]string
		want   []float64
		source string
	}{
		"cpufreq": {map[string]string{cur0: "3100000", cur2: "800000", "proc/cpuinfo": cpuinfo},
			[]float64{3100, 800}, FromCPUFreq},
		"cpufreq of one": {map[string]string{cur0: "3100000", "proc/cpuinfo": cpuinfo}, []float64{2596.132, 1200},
			FromCPUInfo},
		"a virtual machine":      {map[string]string{"proc/cpuinfo": cpuinfo}, []float64{2596.132, 1200}, FromCPUInfo},
		"arm64 without cpufreq":  {map[string]string{"proc/cpuinfo": "processor\t: 0\nBogoMIPS\t: 2100.00\n"}, nil, ""},
		"neither of the sources": {nil, nil, ""},
	} {
		if c.files != nil {
			c.files["sys/devices/system/cpu/online"] = "0,2"
		}
		got, source, err := Clocks(files(c.files), nil)
		if !slices.Equal(got, c.want) || c.want != nil && source != c.source ||
			errors.Is(err, fs.ErrNotExist) != (c.want == nil) {
			t.Errorf("%s: %v of %q, %v; want %v of %q", name, got, source, err, c.want, c.source)
		}
	}
}

func FuzzClocks(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/cpuinfo"}, cpuinfo, "processor: x\ncpu MHz: NaN\n", "cpu MHz: 1\n",
		"processor: 1\ncpu MHz: Inf\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		for cpu, mhz := range parseClocks(b) {
			if cpu < 0 || !(mhz > 0) || math.IsInf(mhz, 0) {
				t.Errorf("cpu %d: %g MHz", cpu, mhz)
			}
		}
	})
}
