package host

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// parseFlat reads the kernel's flat keyed format, a "name value" per line, as
// in /proc/vmstat and a cgroup's cpu.stat.
func parseFlat(b []byte) (map[string]uint64, error) {
	out := make(map[string]uint64)
	for line := range bytes.Lines(b) {
		name, value, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if name == "" {
			continue
		}
		n, err := strconv.ParseUint(value, 10, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("%.60q is not a name and a number", line)
		}
		out[name] = n
	}
	return out, nil
}
