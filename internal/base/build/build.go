// Package build describes how the program was built.
package build

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Info is the document of `version --json`.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"commit_time,omitempty"` // RFC 3339
	Modified bool   `json:"modified,omitempty"`    // built from a tree that differs from Commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// shortCommit is the number of digits of a commit in the version of a build without a release.
const shortCommit = 12

// Of returns how this program was built; released is the version that the release's linker flags set, "" if there is
// none.
func Of(released string) Info {
	info, _ := debug.ReadBuildInfo()
	return of(released, info)
}

func of(released string, info *debug.BuildInfo) Info {
	i := Info{Version: "dev", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info != nil {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				i.Commit = s.Value
			case "vcs.time":
				i.Time = s.Value
			case "vcs.modified":
				i.Modified = s.Value == "true"
			}
		}
	}
	if len(i.Commit) >= shortCommit {
		i.Version = "dev-" + i.Commit[:shortCommit]
	}
	i.Version = cmp.Or(released, i.Version)
	return i
}

// String returns a line for the version, one for the commit and one for the platform.
func (i Info) String() string {
	commit := cmp.Or(i.Commit, "unknown")
	if i.Time != "" {
		commit += " of " + i.Time
	}
	if i.Modified {
		commit += ", modified"
	}
	return fmt.Sprintf("plimsoll version %s\ncommit %s\n%s %s/%s\n", i.Version, commit, i.Go, i.OS, i.Arch)
}
