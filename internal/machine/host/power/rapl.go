package power

import (
	"path/filepath"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// rapl lists the counters of powercap, which Intel's CPUs and AMD's since Zen have. Those of intel-rapl-mmio are the
// same packages by another way. A counter restarts at 0 after max_energy_range_uj (the kernel's powercap.rst).
func rapl(root hostfs.Root) []source {
	dirs, _ := filepath.Glob(root.SysPath("class/powercap/intel-rapl:*"))
	var out []source
	for _, dir := range dirs {
		name, err := hostfs.ReadText(filepath.Join(dir, "name"))
		if err != nil {
			continue
		}
		wraps, _ := hostfs.ReadNumber(filepath.Join(dir, "max_energy_range_uj")) // 0 without that file
		out = append(out, source{
			domain: record.Power{Name: raplName(dir, name), Scope: scopeOf(name), Source: record.PowerRAPL},
			path:   filepath.Join(dir, "energy_uj"), wraps: uint64(max(0, wraps)),
		})
	}
	return out
}

// raplName distinguishes the parts of several packages: "dram" of intel-rapl:1:0 becomes "package-1 dram".
func raplName(dir, name string) string {
	parts := strings.Split(filepath.Base(dir), ":")
	if len(parts) < 3 {
		return name
	}
	if parent, err := hostfs.ReadText(filepath.Join(filepath.Dir(dir), strings.Join(parts[:2], ":"), "name")); err == nil {
		return parent + " " + name
	}
	return name
}
