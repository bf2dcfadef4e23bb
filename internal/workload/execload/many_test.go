package execload

import (
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/workload"
)

func TestLoads(t *testing.T) {
	for _, tc := range []struct {
		name string
		set  map[string]string
	}{
		{"closed", map[string]string{"command": "true", "clients": "2"}},
		{"open", map[string]string{"command": "true", "rate": "20", "arrivals": "uniform"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := trial(t, t.Context(), workload.Env{}, tc.set)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := m.driver.(workload.Valuer); ok {
				t.Error("the driver states values, but the load generator's counts are wanted")
			}
			if r := m.result; r.Ops < 5 || len(r.Errors) > 0 || len(m.doubts) > 0 || r.Latency.Min() < 1e5 {
				t.Errorf("%d operations, errors %v, doubts %q, fastest %d ns", r.Ops, r.Errors, m.doubts, r.Latency.Min())
			}
		})
	}
}

func TestLoadWithFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("each of its loads runs for a second")
	}
	once := filepath.Join(t.TempDir(), "once")
	for _, tc := range []struct {
		name  string
		set   map[string]string
		err   string // "": none
		class load.Class
		doubt string
	}{
		{"all fail", map[string]string{"command": "false", "clients": "1"},
			"runs failed, the first with: exec: \"false\" exited with status 1", load.Status, ""},
		{"all time out", map[string]string{"command": "sleep 77.21", "clients": "2", "timeout": "300ms"},
			"was stopped after 300ms", load.Timeout, ""},
		{"one fails", map[string]string{"command": "mkdir " + once + " && exit 4; true", "shell": "true", "clients": "1"}, "",
			load.Status, "runs failed, the first with: "},
		{"some behind", map[string]string{"command": "sleep 77.22 & true", "shell": "true", "clients": "1"}, "", load.Other,
			"runs left something behind"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := trial(t, t.Context(), workload.Env{}, tc.set)
			if tc.err != "" {
				says(t, err, tc.err)
			} else if err != nil {
				t.Fatal(err)
			}
			if n := m.result.Errors[tc.class]; (n == 0) != (tc.class == load.Other) {
				t.Errorf("%d errors of class %v: %v", n, tc.class, m.result.Errors)
			}
			if got := strings.Join(m.doubts, "; "); !strings.Contains(got, tc.doubt) || tc.doubt == "" && got != "" {
				t.Errorf("doubts %q, want %q", got, tc.doubt)
			}
			gone(t, m)
		})
	}
}

// A command that vanishes before the trial ends it at once: a lane that spun
// through failing starts would measure nothing but that.
func TestLoadOfWhatCannotStart(t *testing.T) {
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{"command": "./none", "clients": "1"})
	says(t, err, `command "./none" not found`)
	if n := m.result.Errors[load.Other] + m.result.Ops; n != 0 {
		t.Errorf("%d operations", n)
	}
}
