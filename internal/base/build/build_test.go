package build

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"testing"
)

func settings(pairs ...string) *debug.BuildInfo {
	info := &debug.BuildInfo{}
	for i := 0; i < len(pairs); i += 2 {
		info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
	}
	return info
}

func TestBuild(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	platform := "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for _, c := range []struct {
		released string
		info     *debug.BuildInfo
		want     string
	}{
		{"", nil, "plimsoll version dev\ncommit unknown"},
		{"v1.2.3", nil, "plimsoll version v1.2.3\ncommit unknown"},
		{"", settings("vcs.revision", commit), "plimsoll version dev-0123456789ab\ncommit " + commit},
		{"v1.2.3", settings("vcs.revision", commit, "vcs.time", "2026-11-24T01:00:00Z", "vcs.modified", "true"),
			"plimsoll version v1.2.3\ncommit " + commit + " of 2026-11-24T01:00:00Z, modified"},
		{"", settings("vcs.revision", "short", "vcs.modified", "false"), "plimsoll version dev\ncommit short"},
	} {
		if got := of(c.released, c.info).String(); got != c.want+platform {
			t.Errorf("%q, %v: %q, want %q", c.released, c.info, got, c.want+platform)
		}
	}
}

func TestDocument(t *testing.T) {
	text, err := json.Marshal(of("v1", settings("vcs.revision", "c", "vcs.modified", "true")))
	want := `{"version":"v1","commit":"c","modified":true,"go":"` + runtime.Version() + `","os":"` + runtime.GOOS +
		`","arch":"` + runtime.GOARCH + `"}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}
