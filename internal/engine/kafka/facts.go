package kafka

import (
	"fmt"
	"os"
	"strings"
)

// factsFile is the file in which a broker's runtime reports its properties.
const factsFile = "facts"

// Facts are the properties that a broker's runtime reports before it begins.
type Facts struct {
	Cipher   string   // provider of AES-GCM, and its version
	SelfTest string   // result of the provider's own tests; "" if it has none
	GC       []string // its collectors
	Heap     string   // bytes, of the parts that are not always free for objects
	CPUs     string   // number of CPUs that it assumes
	Archive  bool     // it loads its classes from the archive made at setup
}

func readFacts(path string) (Facts, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Facts{}, fmt.Errorf("read the facts of the broker's runtime: %w", err)
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
