package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommitSubjects runs scripts/commit-subjects on commits, with each awk that is here.
func TestCommitSubjects(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	commitIn(t, dir, strings.Repeat("a base is exempt ", 9)+".")
	base := gitIn(t, dir, "rev-parse", "HEAD")
	const body = "\n\nA line of the body is as long as it likes, and ends as sentences do, with a full stop."
	for _, right := range []string{"Name the clock that jumped" + body, "Ask why?", strings.Repeat("a", 72),
		strings.Repeat("é", 72) + body, strings.Repeat("語", 72), strings.Repeat("a", 71) + "😀"} {
		commitIn(t, dir, right)
	}
	gitIn(t, dir, "checkout", "-q", "-b", "side", base)
	commitIn(t, dir, "Go another way")
	gitIn(t, dir, "checkout", "-q", "-")
	gitIn(t, dir, "merge", "-q", "--no-ff", "-m", strings.Repeat("a merge may say more ", 9)+".", "side")
	awks := awksHere(t)
	for awk, path := range awks {
		if said, code := subjects(t, dir, path, base); said != "" || code != 0 {
			t.Errorf("%s: exit code %d for right subjects: %s", awk, code, said)
		}
	}

	type offender struct{ subject, why string }
	var offenders []offender
	for _, o := range []offender{
		{strings.Repeat("a", 73), "73 characters, at most 72: " + strings.Repeat("a", 73)},
		{strings.Repeat("é", 73), "73 characters, at most 72: " + strings.Repeat("?", 73)},
		{"Two lines of the first paragraph\nare one subject, of which git shows all the words",
			"82 characters, at most 72: Two lines of the first paragraph are one subject, of which git shows all the words"},
		{"End with a full stop.", "a full stop at the end: End with a full stop."},
		{"", "no subject"},
	} {
		commitIn(t, dir, o.subject)
		offenders = append(offenders, offender{gitIn(t, dir, "rev-parse", "--short", "HEAD"), o.why})
	}
	for awk, path := range awks {
		said, code := subjects(t, dir, path, base)
		for _, o := range offenders {
			if !strings.Contains(said, "commit-subjects: "+o.subject+": "+o.why+"\n") {
				t.Errorf("%s does not name %v", awk, o)
			}
		}
		if n := strings.Count(said, "\n"); n != len(offenders) || code != 1 {
			t.Errorf("%s: exit code %d and %d lines, want 1 and %d:\n%s", awk, code, n, len(offenders), said)
		}
	}
	// The commit where the rule begins is no commit of this repository, and a folder may be no repository at all.
	for _, where := range []string{dir, t.TempDir()} {
		said, code := subjects(t, where, os.Getenv("PATH"))
		if !strings.HasPrefix(said, "commit-subjects: NOT CHECKED: ") || code != 0 {
			t.Errorf("exit code %d where the base is not there: %s", code, said)
		}
	}
}

// awksHere returns a PATH for each implementation of awk that this machine has, with which it is the only awk.
func awksHere(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"awk": os.Getenv("PATH")}
	for _, name := range []string{"mawk", "gawk", "busybox"} {
		at, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		dir := t.TempDir()
		if err := os.Symlink(at, filepath.Join(dir, "awk")); err != nil {
			t.Fatal(err)
		}
		out[name] = dir + ":" + os.Getenv("PATH")
	}
	return out
}

// subjects runs the script in a folder, and returns what it said and its exit code.
func subjects(t *testing.T, dir, path string, args ...string) (string, int) {
	t.Helper()
	script, err := filepath.Abs("../../scripts/commit-subjects")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+path, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func commitIn(t *testing.T, dir, message string) {
	t.Helper()
	gitIn(t, dir, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message)
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org",
		"-c", "commit.gpgsign=false"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
