package nearest

import (
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	known := []string{"erasure", "aes-gcm", "memory", "exec", "highwayhash"}
	for name, want := range map[string]string{
		"erasur":                   "erasure",
		"AES-GCM":                  "aes-gcm",
		"high":                     "highwayhash",
		"postgres":                 "",
		"exce":                     "exec", // two letters exchanged
		"mem":                      "memory",
		"exx":                      "",
		"":                         "",
		strings.Repeat("e", 1<<20): "",
	} {
		if got := Of(name, known); got != want {
			t.Errorf("nearest to %.20q: %q, want %q", name, got, want)
		}
	}
	if got := Of("x", nil); got != "" {
		t.Errorf("nearest of none: %q", got)
	}
}

func TestSorted(t *testing.T) {
	known := []string{"m5.large", "c6g.large", "c6i.large"}
	got := Sorted("c6i.larg", known)
	if !slices.Equal(got, []string{"c6i.large", "c6g.large", "m5.large"}) {
		t.Errorf("sorted: %v", got)
	}
	if known[0] != "m5.large" {
		t.Error("the names that were given were sorted")
	}
}
