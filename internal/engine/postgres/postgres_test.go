package postgres

import (
	"maps"
	"strings"
	"testing"
)

// TestSettingsOfOneLine: several of one line are several, and a list is one.
func TestSettingsOfOneLine(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"a=1,b=2, c = x":       {"a": "1", "b": "2", "c": "x"},
		"search_path=a, b":     {"search_path": "a, b"},
		"l = 'x, y = z'":       {"l": "x, y = z"},
		"a=1,b=2\nx.y=3,p,q=4": {"a": "1", "b": "2", "x.y": "3,p", "q": "4"},
	} {
		if got, err := Named(text); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestSettings(t *testing.T) {
	got, err := parseSettings("work_mem = '64MB'\n\n# a comment\nShared_Buffers=1GB # another\nsearch_path 'it''s'\n" +
		"application_name = ''\n")
	want := []setting{{"work_mem", "64MB"}, {"shared_buffers", "1GB"}, {"search_path", "it's"}, {"application_name", ""}}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
	for text, says := range map[string]string{
		"fsync":                "line 1",
		"a = 1\n= 2":           "line 2",
		"x = 'open":            "line 1",
		"port = 5432":          "port is set by plimsoll",
		"LISTEN_ADDRESSES='*'": "set by plimsoll",
	} {
		if _, err := parseSettings(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("work_mem = '64MB'\n# x\na b")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseSettings(text)
		if err != nil {
			return
		}
		for _, s := range got {
			if s.name == "" || strings.ContainsAny(s.name+s.value, "\n") {
				t.Errorf("%q: %+v", text, s)
			}
		}
	})
}

func TestVersion(t *testing.T) {
	for text, want := range map[string]string{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)": "15.18",
		"postgres (PostgreSQL) 18devel":                        "18devel",
		"postgres (PostgreSQL) 17beta2":                        "17beta2",
		"postgres (PostgreSQL) 13.1 (Ubuntu 13.1-1.pgdg20.04)": "13.1",
	} {
		if got, err := versionOf(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"postgres (PostgreSQL) 12.22", "postgres (PostgreSQL) 9.6.24", "mysqld 8", ""} {
		if got, err := versionOf(text); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestPercona: at its own machine's memory the preset is the article's; on a small one the least that the server takes.
func TestPercona(t *testing.T) {
	at := func(memory uint64, name string) string {
		for _, s := range percona(memory) {
			if s.name == name {
				return s.value
			}
		}
		return ""
	}
	for name, want := range map[string]string{"shared_buffers": "33554432kB", "max_wal_size": "100663296kB",
		"effective_cache_size": "83886080kB", "maintenance_work_mem": "2097152kB"} {
		if got := at(128<<30, name); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
	if got := at(256<<20, "shared_buffers"); got != "131072kB" {
		t.Errorf("shared_buffers of 256 MiB: %s", got)
	}
}
