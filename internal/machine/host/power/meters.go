// Package power measures the energy of a machine's parts by the meters that the machine has.
package power

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// Meter is a kind of meter: a file of this package, and a line of Meters.
type Meter struct {
	Name string
	find func(hostfs.Root) []source
}

// Meters lists the kinds of meters that a machine can have. The user's own command is one more: see New.
func Meters() []Meter {
	return []Meter{{"RAPL", rapl}, {"hwmon", sensors}, {"IPMI", ipmi}}
}

// source is a place to read the energy that a part has used, or the power that it draws.
type source struct {
	domain record.Power
	path   string // of its file; "": the output of argv
	argv   []string
	device string // file that argv needs to open; "": none is known
	wraps  uint64 // µJ after which its counter restarts at 0; 0: never
}

// newTally returns a tally of the source's readings.
func (s source) newTally() *tally { return &tally{watts: s.watts(), wraps: s.wraps} }

// watts reports whether the source is read as power.
func (s source) watts() bool { return s.domain.Source == record.PowerWatts }

func sources(root hostfs.Root) []source {
	var out []source
	for _, m := range Meters() {
		out = append(out, m.find(root)...)
	}
	return out
}

// readable reports whether this user may read the source.
func (s source) readable() bool {
	path := s.path
	if path == "" {
		path = s.device
	}
	f, err := os.Open(path)
	if err == nil {
		f.Close()
	}
	return err == nil || s.path == "" && !errors.Is(err, fs.ErrPermission)
}

// Domains lists the parts that could be metered here, and whether this user may.
func Domains(root hostfs.Root) []record.Power {
	var out []record.Power
	for _, s := range sources(root) {
		s.domain.Readable = s.readable()
		if !slices.Contains(out, s.domain) {
			out = append(out, s.domain)
		}
	}
	return out
}

// scopeOf derives from a domain's name the part that it covers: "package-0", "Esocket0", "Module Power Socket 0", "DIMM
// VRD1 power". NVIDIA's "CPU Power Socket 0" and "SysIO Power Socket 0" are parts of "Grace Power Socket 0".
func scopeOf(name string) string {
	lower := strings.ToLower(name)
	for _, scope := range []string{"uncore", "core", "dram", "psys", "package", "module"} {
		if strings.Contains(lower, scope) {
			return scope
		}
	}
	switch {
	case strings.HasPrefix(lower, "cpu power socket"), strings.HasPrefix(lower, "sysio"):
		return ""
	case strings.Contains(lower, "socket") || strings.HasPrefix(lower, "cpu power"):
		return "socket"
	case strings.HasPrefix(lower, "dimm"):
		return "dram"
	case strings.HasPrefix(lower, "soc "):
		return "soc"
	}
	return ""
}
