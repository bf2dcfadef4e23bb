package speed

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestOf: a speed of this host, and of a directory that is yet to be made; nothing is left behind.
func TestOf(t *testing.T) {
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
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, 2, []string{""}, t.TempDir()); err == nil {
		t.Error("it went on")
	}
}
