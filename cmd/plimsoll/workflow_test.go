package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is what a runner reads of examples/ci/workflow.yml.
type workflow struct {
	Jobs map[string]struct {
		Env   map[string]string `yaml:"env"`
		Steps []struct {
			Name string `yaml:"name"`
			Run  string `yaml:"run"`
			Uses string `yaml:"uses"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// TestWorkflow runs the steps of the workflow that docs/ci.md offers in a repository of two commits: of a program that
// became slower the last step fails with exit code 4, and of one that became faster all pass.
func TestWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and measures programs")
	}
	if !has("git") || !has("go") {
		t.Skip("no git or no go")
	}
	t.Parallel()
	text, err := os.ReadFile("../../examples/ci/workflow.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, base, head string // milliseconds of work
		exit             int
		said             string
	}{
		{"slower", "30", "150", exitHolds, `--fail-if "time > 5%" holds: exec at once changes by +`},
		{"faster", "150", "30", exitDone, "plimsoll: passed: time -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			summary := filepath.Join(t.TempDir(), "summary.md")
			values := map[string]string{"github.event.pull_request.base.sha": twoCommits(t, dir, c.base, c.head)}
			code, said := runWorkflow(t, w, dir, values, "GITHUB_STEP_SUMMARY="+summary)
			if code != c.exit || !strings.Contains(said, c.said) {
				t.Errorf("exit code %d, want %d with %q:\n%s", code, c.exit, c.said, said)
			}
			if posted, err := os.ReadFile(summary); err != nil ||
				!strings.Contains(string(posted), "| metric | change | 95% CI | base | head | unit |") ||
				!strings.Contains(string(posted), "head") {
				t.Errorf("%v: the summary is\n%s", err, posted)
			}
		})
	}
}

// twoCommits makes a repository with a program that waits for so many milliseconds at its base and at its head, and
// returns the base.
func twoCommits(t *testing.T, dir, base, head string) string {
	t.Helper()
	git := func(args ...string) string {
		cmd := exec.Command("git",
			append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(ms string) string {
		for name, text := range map[string]string{
			"go.mod":  "module tiny\n\ngo 1.21\n",
			"main.go": "package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(" + ms + " * time.Millisecond) }\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", ms)
		return git("rev-parse", "HEAD")
	}
	git("init", "-q")
	at := commit(base)
	commit(head)
	return at
}

// runWorkflow runs the steps of a workflow that are commands, as a runner does: each in a shell that ends at the first
// command that fails, and none after a step that failed. It returns the last exit code and what was printed.
func runWorkflow(t *testing.T, w workflow, dir string, values map[string]string, env ...string) (code int,
	said string) {
	t.Helper()
	ran := 0
	for _, job := range w.Jobs {
		for name, v := range job.Env {
			env = append(env, name+"="+expanded(t, v, values))
		}
		for _, step := range job.Steps {
			if (step.Run == "") == (step.Uses == "") {
				t.Fatalf("step %q runs nothing, or two things", step.Name)
			}
			if step.Run == "" || code != 0 {
				continue
			}
			ran++
			cmd := exec.Command("sh", "-e", "-c", expanded(t, step.Run, values))
			cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod -trimpath", "GOWORK=off",
				"XDG_CACHE_HOME="+dir), env...)
			if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
				cmd.Env = append(cmd.Env, "GOCACHE="+strings.TrimSpace(string(cache)))
			}
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			said += string(out)
			code = cmd.ProcessState.ExitCode()
		}
	}
	if ran < 3 {
		t.Fatalf("%d steps ran, of three that build, measure and compare:\n%s", ran, said)
	}
	return code, said
}

// expanded puts the values of a runner's expressions into a text. One that is not known is an error.
func expanded(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	return regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`).ReplaceAllStringFunc(text, func(e string) string {
		name := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(e, "${{"), "}}"))
		v, known := values[name]
		if !known {
			t.Errorf("the expression %q is not known here", e)
		}
		return v
	})
}
