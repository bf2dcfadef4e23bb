package power

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// sensors lists hwmon's sensors of energy and power: AMD's energy driver, the power meters of Arm servers and
// of ACPI. If a sensor has both, the energy is taken. The counters of AMD's single cores are left out: a machine has
// hundreds, and their socket includes them.
func sensors(root hostfs.Root) []source {
	var out []source
	for _, kind := range []struct{ pattern, source string }{
		{"energy*_input", record.PowerEnergy}, {"power*_average", record.PowerWatts}, {"power*_input", record.PowerWatts},
	} {
		paths, _ := filepath.Glob(root.SysPath("class/hwmon/hwmon*", kind.pattern))
		for _, path := range paths {
			s := source{domain: record.Power{Name: sensorName(path), Source: kind.source}, path: path}
			if s.domain.Scope = scopeOf(s.domain.Name); s.domain.Scope == "" && wholeBoard(path) {
				s.domain.Scope = record.ScopeBoard
			}
			if !strings.HasPrefix(s.domain.Name, "Ecore") && !metered(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// wholeBoard reports whether an ACPI power meter names no devices that it is limited to (acpi_power_meter.rst:
// "measures").
func wholeBoard(path string) bool {
	dir := filepath.Dir(path)
	driver, _ := hostfs.ReadText(filepath.Join(dir, "name"))
	parts, _ := os.ReadDir(filepath.Join(dir, "measures"))
	return driver == "power_meter" && len(parts) == 0
}

// metered reports whether the sensor is there already, by a better file.
func metered(have []source, s source) bool {
	return slices.ContainsFunc(have, func(h source) bool {
		return h.domain.Name == s.domain.Name && filepath.Dir(h.path) == filepath.Dir(s.path)
	})
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
