package kafka

import (
	"fmt"
	"os"
	"strings"
)

// factsFile is where a broker's runtime says what it is.
const factsFile = "facts"

// Facts are what a broker's runtime says of itself, before it begins.
type Facts struct {
	Cipher   string   // who encrypts with AES-GCM, and its version
	SelfTest string   // what the provider's own tests came to; "" where it has none
	GC       []string // its collectors
	Heap     string   // bytes, of what is not always free for objects
	CPUs     string   // that it counts on
	Archive  bool     // it takes its classes from the archive that was made at the set-up
}

func readFacts(path string) (Facts, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Facts{}, fmt.Errorf("what the broker's runtime says of itself: %w", err)
	}
	var f Facts
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "cipher":
			f.Cipher = value
		case "selftest":
			f.SelfTest = value
		case "gc":
			f.GC = append(f.GC, value)
		case "heap":
			f.Heap = value
		case "archive":
			f.Archive = value == "true"
		case "cpus":
			f.CPUs = value
		}
	}
	return f, nil
}
