// Package kernfmt parses the forms that many of the kernel's files share.
package kernfmt

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Choice reads a file in which the kernel lists the choices and brackets the present one: "always
// [madvise] never". A single word without brackets is chosen, as a disk's scheduler may be.
func Choice(b []byte) (string, error) {
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

// Flat reads the kernel's flat keyed format, a "name value" per line, as
// in /proc/vmstat and a cgroup's cpu.stat.
func Flat(b []byte) (map[string]uint64, error) {
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

// List reads a list of CPUs or nodes, "0-17,36-53".
func List(b []byte) ([]int, error) { return record.ParseCPUList(string(b)) }
