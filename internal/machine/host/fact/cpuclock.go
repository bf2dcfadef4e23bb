package fact

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// The sources of Clocks: the kernel's cpufreq, and /proc/cpuinfo, which on a virtual machine has the nominal clock.
const (
	FromCPUFreq = "cpufreq"
	FromCPUInfo = "cpuinfo"
)

func cpuClock() Fact {
	return Value{
		Key: "cpu_clock", Group: State, Moving: true,
		Doc: "clock of the mean and the slowest CPU: by cpufreq, else `/proc/cpuinfo` (nominal on a virtual machine)",
		Read: func(fsys fs.FS) (record.Fact, error) {
			mhz, source, err := Clocks(fsys, nil)
			if err != nil {
				return record.Fact{}, err
			}
			sum := 0.0
			for _, f := range mhz {
				sum += f
			}
			return record.Fact{
				Number: sum / float64(len(mhz)), Unit: "MHz",
				Text: fmt.Sprintf("the slowest CPU %.0f MHz (%s)", slices.Min(mhz), source),
			}, nil
		},
	}.Fact()
}

// Clocks returns the present clock of the given CPUs, or of all if none is given, in MHz and in their order, and its
// source: FromCPUFreq or FromCPUInfo. The error wraps fs.ErrNotExist if neither has it.
func Clocks(fsys fs.FS, cpus []int) (mhz []float64, source string, err error) {
	if cpus == nil {
		b, err := fs.ReadFile(fsys, "sys/devices/system/cpu/online")
		if err != nil {
			return nil, "", err
		}
		if cpus, err = kernfmt.List(b); err != nil {
			return nil, "", err
		}
	}
	for _, cpu := range cpus {
		khz, err := number(fsys, fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu))
		if err != nil {
			mhz, err = cpuinfoClocks(fsys, cpus)
			return mhz, FromCPUInfo, err
		}
		mhz = append(mhz, float64(khz)/1e3)
	}
	if len(mhz) == 0 {
		return nil, "", fmt.Errorf("clock of no CPU: %w", fs.ErrNotExist)
	}
	return mhz, FromCPUFreq, nil
}

// cpuinfoClocks reads the clocks out of /proc/cpuinfo, which has them on x86 alone.
func cpuinfoClocks(fsys fs.FS, cpus []int) ([]float64, error) {
	b, err := fs.ReadFile(fsys, "proc/cpuinfo")
	if err != nil {
		return nil, err
	}
	all := parseClocks(b)
	var out []float64
	for _, cpu := range cpus {
		mhz, ok := all[cpu]
		if !ok {
			return nil, fmt.Errorf("clock of cpu %d in /proc/cpuinfo: %w", cpu, fs.ErrNotExist)
		}
		out = append(out, mhz)
	}
	return out, nil
}

// maxMHz bounds a clock that is believed.
const maxMHz = 1e5

// parseClocks returns the lines "cpu MHz" of /proc/cpuinfo by CPU.
func parseClocks(b []byte) map[int]float64 {
	out := map[int]float64{}
	cpu := -1
	for line := range bytes.Lines(b) {
		key, value, _ := strings.Cut(string(line), ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "processor":
			cpu = -1
			if n, err := strconv.Atoi(value); err == nil {
				cpu = n
			}
		case "cpu MHz":
			if mhz, err := strconv.ParseFloat(value, 64); err == nil && cpu >= 0 && mhz > 0 && mhz < maxMHz {
				out[cpu] = mhz
			}
		}
	}
	return out
}
