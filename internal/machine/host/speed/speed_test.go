package speed

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOf: a speed of this host, and of a directory that is yet to be made; nothing is left behind.
func TestOf(t *testing.T) {
	t.Setenv(variable, "")
	dir := t.TempDir()
	s, err := Of(t.Context(), 2, []string{filepath.Join(dir, "later/data"), "", "/proc"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", s)
	if s.Thread <= 0 || s.All < s.Thread || len(s.Disks) != 3 {
		t.Fatalf("%+v", s)
	}
	if d := s.Disks[0]; d.Path != filepath.Join(dir, "later/data") || d.Free <= 0 || d.Write <= 0 || d.SyncS <= 0 ||
		d.Mount == "" {
		t.Errorf("a directory: %+v", d)
	}
	if s.Disks[1].Mount != s.Disks[0].Mount {
		t.Errorf("the scratch lies elsewhere: %+v", s.Disks)
	}
	if d := s.Disks[2]; d.Write != 0 || d.Path != "/proc" {
		t.Errorf("no disk: %+v", d)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestCancelled(t *testing.T) {
	t.Setenv(variable, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, 2, []string{""}, t.TempDir()); err == nil {
		t.Error("it went on")
	}
}

// TestGiven: what tests give is taken as it stands, beside the host's own space; anything else is refused.
func TestGiven(t *testing.T) {
	t.Setenv(variable, "1.5,3,5e8,0.001")
	s, err := Of(t.Context(), 2, []string{""}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := s.Disks[0]
	if s.Thread != 1.5 || s.All != 3 || d.Write != 5e8 || d.SyncS != 0.001 || d.Free <= 0 || d.Mount == "" {
		t.Errorf("%+v", s)
	}
	for _, wrong := range []string{"1,2,3", "1,2,3,4,5", "1,2,3,x", "0,2,3,4", "1,2,NaN,4"} {
		t.Setenv(variable, wrong)
		_, err := Of(t.Context(), 2, nil, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), "hint: unset PLIMSOLL_SPEED") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
