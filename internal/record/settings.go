package record

import (
	"maps"
	"slices"
	"strings"
)

// Settings are facts that an administrator can change without changing the machine. They are not part of Machine.ID; an
// empty field could not be read.
type Settings struct {
	Governor string `json:"governor,omitempty"` // of all CPUs, or "190x performance, 2x powersave"
	// Driver of the clock frequency, such as "intel_pstate".
	Driver       string      `json:"scaling_driver,omitempty"`
	Boost        string      `json:"boost,omitempty"` // "on" or "off": clocks above the nominal one
	SMT          string      `json:"smt,omitempty"`   // "on", "off", "forceoff", "notsupported", "notimplemented"
	THP          string      `json:"thp,omitempty"`   // transparent huge pages: "always", "madvise", "never"
	THPDefrag    string      `json:"thp_defrag,omitempty"`
	HugePages    []HugePages `json:"huge_pages,omitempty"`   // non-empty pools
	ClockSource  string      `json:"clocksource,omitempty"`  // such as "tsc"
	ClockSources []string    `json:"clocksources,omitempty"` // available ones
	// The kernel's status of each vulnerability of this CPU.
	Mitigations map[string]string `json:"mitigations,omitempty"`
	Swap        int64             `json:"swap_bytes,omitempty"` // bytes of all swap areas in use
}

// HugePages is one pool of huge pages.
type HugePages struct {
	PageBytes int64 `json:"page_bytes"`
	Pages     int64 `json:"pages"`
	Free      int64 `json:"free"`
}

// Unmitigated returns the vulnerabilities that the kernel calls vulnerable, sorted by name.
func (s Settings) Unmitigated() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.Mitigations)) {
		if strings.HasPrefix(s.Mitigations[name], "Vulnerable") {
			out = append(out, name)
		}
	}
	return out
}
