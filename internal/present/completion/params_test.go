package completion

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/workload/all"
)

// TestCompletedValuesAreAccepted holds that whatever --set completes is a parameter and one of its values.
func TestCompletedValuesAreAccepted(t *testing.T) {
	k := Known{Workloads: all.All()}
	set := k.assignments(settable, single)
	n := 0
	for _, s := range k.Workloads {
		keys, _ := set(nil, []string{s.Name}, "")
		if len(keys) != len(s.Params) {
			t.Errorf("%s: %d keys of %d parameters", s.Name, len(keys), len(s.Params))
		}
		for _, c := range keys {
			key, _, _ := strings.Cut(c, "\t")
			p, ok := s.Param(strings.TrimSuffix(key, "="))
			if !ok {
				t.Errorf("%s has no parameter %s", s.Name, key)
			}
			values, _ := set(nil, []string{s.Name}, key)
			full, _ := set(nil, nil, s.Name+"."+key)
			if !slices.Equal(full, prefixed(s.Name+".", values)) {
				t.Errorf("%s: %q with its workload's name, %q without", key, full, values)
			}
			for _, v := range values {
				v, _, _ = strings.Cut(strings.TrimPrefix(v, key), "\t")
				if _, err := p.Canonical(v); err != nil && v != p.Default {
					t.Errorf("%s.%s%s: %v", s.Name, key, v, err)
				}
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d values", n)
	}
}

func TestFurtherValues(t *testing.T) {
	for typed, want := range map[string]string{
		"":       "k=a k=b k=c",
		"b":      "k=a k=b k=c", // the shell drops those that begin otherwise
		"b,":     "k=b,a k=b,c",
		"b,a,x":  "k=b,a,c",
		"c,b,a,": "",
	} {
		if got := strings.Join(further("k=", typed, []string{"a\tfirst", "b", "c"}), " "); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	k := Known{Workloads: all.All()}
	for _, c := range []struct {
		args, typed, has, lacks string
	}{
		{"http", "", "clients=", "http.clients="},
		{"http", "http.", "http.clients=", "clients="},
		{"http disk", "", "disk.", "clients="},
		{"http disk", "disk.", "disk.block=", "http.clients="},
		{"quick", "", "aes-gcm.", "kafka."},
		{"", "", "http.", "clients="},
		{"", "kafka.", "kafka.brokers=", "http.clients="},
		{"nothing.yaml", "", "http.", "clients="},
	} {
		var got []string
		for _, key := range keys(k.measured(strings.Fields(c.args)), c.typed, settable) {
			key, _, _ = strings.Cut(key, "\t")
			got = append(got, key)
		}
		if !slices.Contains(got, c.has) || slices.Contains(got, c.lacks) {
			t.Errorf("%q, %q: %q, want %s and not %s", c.args, c.typed, got, c.has, c.lacks)
		}
	}
}
