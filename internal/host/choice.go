package host

import (
	"fmt"
	"strings"
)

// parseChoice reads a file in which the kernel lists what can be chosen and
// brackets what is: "always [madvise] never". A single word without brackets
// is chosen, as a disk's scheduler may be.
func parseChoice(b []byte) (string, error) {
	words := strings.Fields(string(b))
	for _, word := range words {
		if inner, ok := strings.CutPrefix(word, "["); ok {
			if inner, ok = strings.CutSuffix(inner, "]"); ok && inner != "" {
				return inner, nil
			}
		}
	}
	if len(words) == 1 && !strings.ContainsAny(words[0], "[]") {
		return words[0], nil
	}
	return "", fmt.Errorf("%.60q brackets no choice", b)
}
