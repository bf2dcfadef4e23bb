package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/ownplans"
)

// ownPlan is a session of a plan that a user has begun, and the environment of that user.
func ownPlan(t *testing.T) (dir string, env []string, line record.PlanLine, m record.Machine) {
	t.Helper()
	dir = t.TempDir()
	env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME=")
	cmd := exec.Command("plimsoll", "run", "exec", "--set", "exec.command=true", "--replicates", "1", "-o",
		"own.plimsoll.jsonl")
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	log, err := session.ReadContext(t.Context(), filepath.Join(dir, "own.plimsoll.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, env, log.Plans[0], log.Machines[0]
}

// TestResumeRunsNothingOutOfAForgedFile: a file with the hash of a plan that is the user's own and other commands is
// not that plan.
func TestResumeRunsNothingOutOfAForgedFile(t *testing.T) {
	simtest.Long(t)
	dir, env, own, m := ownPlan(t)
	for name, forge := range map[string]func(*record.Plan){
		"hosts":      func(p *record.Plan) { p.Hosts = []string{"touch pwned;"}; p.Cells[0].Host = p.Hosts[0] },
		"generators": func(p *record.Plan) { p.Generators = []string{"touch pwned;"} },
		"commands": func(p *record.Plan) {
			p.Cells[0].Params["command"], p.Cells[0].Params["shell"] = "touch pwned", "true"
		},
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			line := own
			text, _ := json.Marshal(own.Plan)
			line.Plan = record.Plan{}
			if err := json.Unmarshal(text, &line.Plan); err != nil {
				t.Fatal(err)
			}
			if forge != nil {
				forge(&line.Plan)
			}
			file := name + ".plimsoll.jsonl"
			w, err := session.Create(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Machine(m); err != nil {
				t.Fatal(err)
			}
			if err := w.Plan(line); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			resume := func(args ...string) (int, string) {
				cmd := exec.Command("plimsoll", append([]string{"run", "--resume", file}, args...)...)
				cmd.Dir, cmd.Env = dir, env
				out, _ := cmd.CombinedOutput()
				return cmd.ProcessState.ExitCode(), string(out)
			}
			code, said := resume()
			if forge == nil {
				if code != exitDone {
					t.Errorf("the user's own plan: %d, %s", code, said)
				}
				return
			}
			digest, _ := ownplans.Digest(line.Plan)
			if code != exitUsage || !strings.Contains(said, "touch pwned") ||
				!strings.Contains(said, "hint: --trust-plan="+digest[:ownplans.MinTrust]) {
				t.Errorf("%d, %s", code, said)
			}
			if code, said = resume("--trust-plan=" + digest[:ownplans.MinTrust-1]); code != exitUsage {
				t.Errorf("a shorter digest: %d, %s", code, said)
			}
			if code, said = resume("--trust-plan=000000000000"); code != exitUsage {
				t.Errorf("another digest: %d, %s", code, said)
			}
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
				t.Fatal("it was run")
			}
			resume("--trust-plan=" + digest[:ownplans.MinTrust])
			if _, err := os.Stat(filepath.Join(dir, "pwned")); err != nil && name != "generators" {
				t.Error("what is trusted was not run")
			}
			_ = os.Remove(filepath.Join(dir, "pwned"))
		})
	}
}

// TestPlanThatCannotBeRemembered: the run goes on, and says that resuming will ask.
func TestPlanThatCannotBeRemembered(t *testing.T) {
	var b bytes.Buffer
	a := &app{stderr: &b, env: func(name string) string { return map[string]string{"XDG_STATE_HOME": "/dev/null"}[name] }}
	if a.rememberPlan(record.Plan{}); !strings.Contains(b.String(), "--resume will ask") {
		t.Errorf("it says %q", b.String())
	}
}
