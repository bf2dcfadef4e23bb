package redpanda

import (
	"slices"
	"testing"
)

// FuzzSettings reads anything as settings: none of them is one that plimsoll sets.
func FuzzSettings(f *testing.F) {
	f.Add("log_segment_size: 1048576\naggregate_metrics: true")
	f.Add("a: &a [*a]")
	f.Add("<<: {data_directory: /x}")
	f.Add("? [a]\n: b")
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parseSettings(text)
		if err != nil {
			return
		}
		for name := range settings {
			if slices.Contains(kept(), name) {
				t.Fatalf("%s is set", name)
			}
		}
	})
}
