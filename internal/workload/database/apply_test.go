package database

import (
	"os"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestIs: a value is in force however it is written, and only that one.
func TestIs(t *testing.T) {
	pages := inForce{shown: "128MB", base: "16384", unit: "8kB", kind: "integer"}
	pause := inForce{shown: "5min", base: "300", unit: "s", kind: "integer"}
	for _, c := range []struct {
		s    inForce
		text string
		is   bool
	}{
		{pages, "128MB", true}, {pages, "131072kB", true}, {pages, "16384", true}, {pages, "0.125GB", true},
		{pages, "129MB", false}, {pages, "128", false}, {pages, "128s", false},
		{pause, "5min", true}, {pause, "300000ms", true}, {pause, "300", true}, {pause, "6min", false},
		{inForce{shown: "0.9", base: "0.9", kind: "real"}, "0.90", true},
		{inForce{shown: "2ms", base: "2", unit: "ms", kind: "real"}, "2000us", true},
		{inForce{shown: "-1", base: "-1", unit: "kB", kind: "integer"}, "-1", true},
		{inForce{shown: "on", base: "on", kind: "bool"}, "true", true},
		{inForce{shown: "on", base: "on", kind: "bool"}, "off", false},
		{inForce{shown: "off", base: "off", kind: "bool"}, "o", false},
		{inForce{shown: "off", base: "off", kind: "bool"}, "0", true},
		{inForce{shown: "replica", base: "replica", kind: "enum"}, "REPLICA", true},
		{inForce{shown: "a b", base: "a b", kind: "string"}, "a  b", false},
	} {
		if got := c.s.is(c.text); got != c.is {
			t.Errorf("%+v is %s: %t", c.s, c.text, got)
		}
	}
}

// TestFoundOutlivesAProcess: the settings found are read back unchanged, and each server has a file of its own.
func TestFoundOutlivesAProcess(t *testing.T) {
	dir := t.TempDir()
	of := func(dsn string) tuner {
		decl := record.Workload{Name: "x", Params: Params()}
		p := decl.Defaults()
		p[ParamDSN] = dsn
		return newTuner("x", workload.NewParams(decl, p), dir, nil)
	}
	a, b := of("postgres://a"), of("postgres://b")
	if err := a.state.Keep(map[string]string{"work_mem": "4MB", "cluster_name": "it's"}); err != nil {
		t.Fatal(err)
	}
	got, err := of("postgres://a").state.Found()
	if err != nil || lines(got) != "cluster_name = 'it''s'\nwork_mem = '4MB'" {
		t.Errorf("%v, %v", lines(got), err)
	}
	if got, err := b.state.Found(); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(string(b.state), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.state.Found(); err == nil || !strings.Contains(err.Error(), "settings found at the beginning") {
		t.Errorf("%v", err)
	}
}

// TestDiffers: the error names the setting and the way out.
func TestDiffers(t *testing.T) {
	now := map[string]inForce{
		"shared_buffers": {shown: "128MB", base: "16384", unit: "8kB", kind: "integer", context: "postmaster"},
		"work_mem":       {shown: "4MB", base: "4096", unit: "kB", kind: "integer", context: "user"},
	}
	for _, c := range []struct {
		all  map[string]string
		says string
	}{
		{map[string]string{"shared_buffers": "64MB", "work_mem": "4096kB"},
			"shared_buffers is 128MB, not 64MB\nhint: it takes a restart"},
		{map[string]string{"work_mem": "8MB"}, "work_mem is 4MB, not 8MB\nhint: the command has to change it"},
	} {
		if err := differs(c.all, now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c.all, err)
		}
	}
	if err := differs(map[string]string{"work_mem": "4MB"}, now); err != nil {
		t.Error(err)
	}
}
