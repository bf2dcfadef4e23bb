package ownplans

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// TestPlanDigest is of the whole plan as it is read again.
func TestPlanDigest(t *testing.T) {
	p := record.Plan{Name: "a", Cells: []record.Cell{{Workload: "exec", Params: record.Params{"command": "true"}}},
		Hosts: []string{""}}
	was, err := Digest(p)
	if err != nil || plan.Hash(p) == "" {
		t.Fatal(err)
	}
	p.Cells[0].Params["dir"] = "/"
	if is, _ := Digest(p); is == was {
		t.Error("another directory has the same digest")
	}
}

// TestOldPlansAreForgotten: by age and by number, the oldest first; nothing else in the directory.
func TestOldPlansAreForgotten(t *testing.T) {
	dir := t.TempDir()
	for i := range keptPlans + 5 {
		path := filepath.Join(dir, fmt.Sprintf("%064d", i))
		at := time.Now().Add(-time.Duration(keptPlans+5-i) * time.Minute)
		if i == keptPlans {
			at = time.Now().Add(-2 * keptFor)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	forget(dir)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != keptPlans {
		t.Errorf("%d are left, %v", len(left), err)
	}
	own := Dir(func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] })
	p := record.Plan{Name: "p"}
	digest, _ := Digest(p)
	if Has(own, digest) || Remember(own, p) != nil || !Has(own, digest) {
		t.Errorf("the plan %s is not in %s", digest, own)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if err := Remember("/dev/null/plans", p); err == nil {
		t.Error("a plan is remembered below a file that is no directory")
	}
}
