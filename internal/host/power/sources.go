// Package power lists the counters and sensors from which a machine's energy can be metered.
package power

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

// powerSource is a file with the energy that a part has used, or the power that it draws.
type powerSource struct {
	domain record.Power
	path   string
}

func powerSources(root hostfs.Root) []powerSource { return append(rapl(root), sensors(root)...) }

// rapl lists the counters of powercap, which Intel's CPUs and AMD's since Zen
// have. Those of intel-rapl-mmio are the same packages by another way.
func rapl(root hostfs.Root) []powerSource {
	dirs, _ := filepath.Glob(root.SysPath("class/powercap/intel-rapl:*"))
	var out []powerSource
	for _, dir := range dirs {
		name, err := hostfs.ReadText(filepath.Join(dir, "name"))
		if err != nil {
			continue
		}
		out = append(out, powerSource{
			domain: record.Power{Name: raplName(dir, name), Scope: powerScope(name), Source: record.PowerRAPL},
			path:   filepath.Join(dir, "energy_uj"),
		})
	}
	return out
}

// raplName distinguishes the parts of several packages: "dram" of intel-rapl:1:0 becomes "package-1
// dram".
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

// sensors lists those of hwmon that measure energy or power: AMD's energy driver,
// the power meters of Arm servers and of ACPI. Of a sensor with both, the energy
// is taken. Cores are left out: a machine has hundreds, and their socket holds
// them.
func sensors(root hostfs.Root) []powerSource {
	var out []powerSource
	for _, kind := range []struct{ pattern, source string }{
		{"energy*_input", record.PowerEnergy}, {"power*_average", record.PowerWatts}, {"power*_input", record.PowerWatts},
	} {
		paths, _ := filepath.Glob(root.SysPath("class/hwmon/hwmon*", kind.pattern))
		for _, path := range paths {
			s := powerSource{domain: record.Power{Name: sensorName(path), Source: kind.source}, path: path}
			if s.domain.Scope = powerScope(s.domain.Name); s.domain.Scope != "core" && !metered(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// metered reports whether the sensor is there already, by a better file.
func metered(have []powerSource, s powerSource) bool {
	for _, h := range have {
		if h.domain.Name == s.domain.Name && filepath.Dir(h.path) == filepath.Dir(s.path) {
			return true
		}
	}
	return false
}

// sensorName returns a sensor's label, else its driver's name and its number.
func sensorName(path string) string {
	dir, file := filepath.Split(path)
	sensor, _, _ := strings.Cut(file, "_")
	for _, suffix := range []string{"_label", "_oem_info"} {
		if label, err := hostfs.ReadText(filepath.Join(dir, sensor+suffix)); err == nil && label != "" {
			return label
		}
	}
	driver, _ := hostfs.ReadText(filepath.Join(dir, "name"))
	return strings.TrimSpace(driver + " " + sensor)
}

// powerScope derives from a domain's name the part that it covers: "package-0", "Esocket0",
// "Ecore017", "CPU Power Socket 1", "Module Power Socket 0".
func powerScope(name string) string {
	lower := strings.ToLower(name)
	for _, scope := range []string{"uncore", "core", "dram", "psys", "package", "module"} {
		if strings.Contains(lower, scope) {
			return scope
		}
	}
	if strings.Contains(lower, "socket") || strings.HasPrefix(lower, "cpu power") {
		return "socket"
	}
	return ""
}

// Domains lists the parts that could be metered here, and whether this user may.
func Domains(root hostfs.Root) []record.Power {
	var out []record.Power
	for _, s := range powerSources(root) {
		f, err := os.Open(s.path)
		if s.domain.Readable = err == nil; err == nil {
			f.Close()
		}
		if !slices.Contains(out, s.domain) {
			out = append(out, s.domain)
		}
	}
	return out
}
