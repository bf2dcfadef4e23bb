package export

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/session"
)

// bencherMetric is a value with its interval, in Bencher's words.
type bencherMetric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// The longest names that Bencher takes.
const (
	maxBenchmark = 1024
	maxMeasure   = 64
)

// writeBencher writes the estimates of all cells in Bencher Metric Format: an object by the names of cells and metrics.
// Values are in SI units, which belong to a measure of Bencher's.
func writeBencher(w io.Writer, log *session.Log) (left int, err error) {
	cells, left := cellsOf(log)
	machines := map[string]bool{}
	for _, c := range cells {
		machines[c.key.Machine] = true
	}
	out := map[string]map[string]bencherMetric{}
	for _, c := range cells {
		name := c.key.String() // one machine is Bencher's testbed
		if len(machines) > 1 {
			name = finding.IDOf(c.key)
		}
		of := map[string]bencherMetric{}
		for _, m := range c.metrics() {
			of[atMost(m.Name, maxMeasure)] = bencherMetric{m.Value, m.Lo, m.Hi}
		}
		out[atMost(name, maxBenchmark)] = of
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return left, enc.Encode(out)
}

// atMost returns a name of so many bytes at most; what is cut off stays told apart by a digest.
func atMost(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := fmt.Sprintf("~%x", sha256.Sum256([]byte(name)))[:9]
	cut := []rune(name)
	for len(string(cut)) > most-len(sum) {
		cut = cut[:len(cut)-1]
	}
	return string(cut) + sum
}
