package integrity

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func ran(machine, plan string, keys ...string) record.Trial {
	t := record.Trial{Slot: record.Slot{Plan: plan}, Keys: map[string]string{record.KeyMachine: machine,
		record.KeyWorkload: "pgbench"}}
	for i := 0; i < len(keys); i += 2 {
		t.Keys[keys[i]] = keys[i+1]
	}
	return t
}

func TestUnlikeEngines(t *testing.T) {
	const postgres, java, digest, settings = "engine.postgres", "engine.java", record.KeySettingsDigest, record.KeySettings
	void := ran("c", "p", postgres, "14.1")
	void.Void = "it failed"
	for name, c := range map[string]struct {
		trials []record.Trial
		want   []string
	}{
		"equal": {[]record.Trial{ran("a", "p", postgres, "15.1"), ran("b", "p", postgres, "15.1")}, nil},
		"on machines": {[]record.Trial{ran("a", "p", postgres, "15.1"), ran("b", "p", postgres, "15.1"),
			ran("c", "p", postgres, "16.2"), void},
			[]string{"in pgbench, postgres differs between machines or sessions: 15.1 on a, b; 16.2 on c"}},
		"in sessions": {[]record.Trial{ran("a", "p", java, "17"), ran("a", "q", java, "21")},
			[]string{"in pgbench, java differs between machines or sessions: 17 on a; 21 on a"}},
		"by a factor": {[]record.Trial{ran("a", "p", postgres, "15.1"), ran("a", "p", postgres, "16.2"),
			ran("b", "p", postgres, "16.2"), ran("b", "p", postgres, "15.1")}, nil},
		"settings": {[]record.Trial{ran("a", "p", digest, "01", settings, "fsync=on jit=off and 3 more"),
			ran("b", "p", digest, "02", settings, "fsync=on jit=on and 3 more")},
			[]string{"in pgbench, the server differs between machines or sessions: jit=off on a; jit=on on b"}},
		"settings past the text": {[]record.Trial{ran("a", "p", digest, "01", settings, "fsync=on"),
			ran("b", "p", digest, "02", settings, "fsync=on")},
			[]string{"in pgbench, the server differs between machines or sessions: settings 01 on a; " +
				"settings 02 on b"}},
		"what is no version": {[]record.Trial{ran("a", "p", "engine.build", "x86_64"),
			ran("b", "p", "engine.build", "aarch64")}, nil},
	} {
		if got := note.Texts(unlikeEngines(c.trials)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
