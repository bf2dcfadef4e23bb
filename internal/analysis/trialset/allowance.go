package trialset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// allowanceNames are the allowances of Amazon's ENA by the part of a counter's name before "_allowance_exceeded".
func allowanceNames() map[string]string {
	return map[string]string{
		"bw_in": "inbound bandwidth", "bw_out": "outbound bandwidth", "pps": "packets/s", "conntrack": "tracked connections",
		"linklocal": "packets/s to local services",
	}
}

// ExceededText names the allowances of the instance that its network exceeded, with the packets that were queued or
// dropped; "" if it exceeded none.
func ExceededText(exceeded map[string]int64) string {
	var parts []string
	for _, counter := range slices.Sorted(maps.Keys(exceeded)) {
		name := strings.TrimSuffix(counter, "_allowance_exceeded")
		if known, ok := allowanceNames()[name]; ok {
			name = known
		}
		parts = append(parts, fmt.Sprintf("%s (packets queued or dropped: %d)", name, exceeded[counter]))
	}
	return strings.Join(parts, ", ")
}

// overAllowance returns a note if the network of a trial exceeded an allowance of the instance.
func overAllowance(t record.Trial) []note.Note {
	if t.Network == nil || len(t.Network.Exceeded) == 0 {
		return nil
	}
	return []note.Note{note.New("network-allowance", ExceededText(t.Network.Exceeded))}
}
