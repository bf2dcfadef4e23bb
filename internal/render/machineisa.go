package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/record"
)

// core is the microarchitecture, unless the model says it.
func core(c record.CPU) string {
	if strings.Contains(c.Model, c.Core) {
		return ""
	}
	return c.Core
}

// features lists the instruction sets in the kernel's names, each with the one
// that people know where that is another.
func features(c record.CPU) string {
	known := featureNames()
	var parts []string
	for _, f := range c.Features {
		name := known[f]
		if f == "sve" || f == "sve2" {
			name = vectorBits(c)
		}
		if name != "" {
			f += " (" + name + ")"
		}
		parts = append(parts, f)
	}
	return strings.Join(parts, " ")
}

func vectorBits(c record.CPU) string {
	if c.SVEBits == 0 {
		return ""
	}
	return fmt.Sprintf("%d bit", c.SVEBits)
}

// featureNames are the kernel's names that hide what matters. Linux reports sha3
// for FEAT_SHA3, whose EOR3 is what exclusive-or of parity wants.
func featureNames() map[string]string {
	return map[string]string{
		"atomics": "LSE", "sha3": "EOR3", "asimd": "NEON", "asimddp": "DOTPROD", "uscat": "LSE2", "ilrcpc": "RCPC2", "lrcpc": "RCPC",
		"sha_ni": "SHA-NI", "pclmulqdq": "CLMUL",
	}
}
