// Package power lists the counters of energy and the sensors of power that a machine has.
package power

import (
	"os"
	"slices"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

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
