package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The figures of testdata/small were counted by hand.
func TestReport(t *testing.T) {
	got := reportOf(t, options{dir: "testdata/small", times: "testdata/test.json", names: true})
	const want = `
lines of Go by topic                                               code    tests
Method                                                               35        5
app                                                                  22        5
internal/odd                                                         21        0
sum                                                                  78       10

figures of the code, tests apart
packages                                                              3
files                                                                 5
lines of a file, median                                              21
functions                                                             9
lines of a function, median                                           3
lines of a function, p90                                              6
lines of a function, most                                             6
functions used exactly once                                           5
methods among them                                                    2
exported names, without methods                                       6
exported names that no other package uses                             1
exported names that only tests of others use                          1

largest packages                                                  lines
internal/stat                                                        35
app                                                                  22
internal/odd/deep                                                    21

exported names that no other package uses
  internal/stat.Unused

functions used exactly once
  (internal/odd/deep.box[T]).get
  (internal/stat.Tested).N
  internal/odd/deep.Single
  internal/stat.Used
  internal/stat.join

seconds of each package's tests, in testdata/test.json
      8.5  app
      0.1  packages below 0.1 s: 1
      8.6  all packages: 3
           packages from the cache of tests, without times: 1

seconds of the slowest tests, without their subtests
      4.0  app TestAll/parallel
      2.0  app TestAll
      1.5  app TestAgain
      0.5  app TestAll/one
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestSince: a package is moved, one is added and one removed since the commit.
func TestSince(t *testing.T) {
	dir, git := committed(t)
	git("mv", "internal/stat/stat_test.go", "internal/stat/renamed_test.go")
	git("rm", "-q", "-r", "app")
	write(t, filepath.Join(dir, "suites", "suites.go"),
		"package suites\n\nimport \"example.org/small/internal/stat\"\n\nconst Now = stat.Unused\n")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	got := reportOf(t, options{dir: dir, since: "HEAD", times: "none"})
	const want = `
lines of Go by topic, and the change since HEAD                    code             tests
Method                                                               35        =        5        =
internal/odd                                                         21        =        0        =
Plan and command line                                                 5       +5        0        =
app                                                                   0      -22        0       -5
sum                                                                  61      -17        5       -5

figures of the code, tests apart, and the change since HEAD
packages                                                              3        =
files                                                                 5        =
lines of a file, median                                               6      -15
functions                                                             7       -2
lines of a function, median                                           3        =
lines of a function, p90                                              6        =
lines of a function, most                                             6        =
functions used exactly once                                           3       -2
methods among them                                                    2        =
exported names, without methods                                       7       +1
exported names that no other package uses                             5       +4
exported names that only tests of others use                          0       -1

largest packages, and the change since HEAD                       lines
internal/stat                                                        35        =
internal/odd/deep                                                    21        =
suites                                                                5       +5
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v: the tree of the earlier commit is left: %v", err, left)
	}
}

// TestPartsThatCannotBeHad: the other parts are there.
func TestPartsThatCannotBeHad(t *testing.T) {
	dir, _ := committed(t)
	write(t, filepath.Join(dir, "app", "wrong.go"), "package main\n\nfunc wrong() int { return name }\n")
	write(t, filepath.Join(dir, "torn.json"),
		`{"Action":"pass","Package":"example.org/small/app","Elapsed":3}`+"\n"+`{"Action":"pa`)
	got := reportOf(t, options{dir: dir, since: "no-such-commit", times: filepath.Join(dir, "torn.json")})
	for _, want := range []string{
		"no change since no-such-commit: git archive: exit status 128: fatal: ",
		"functions used exactly once: not counted: app/wrong.go:3:27: undefined: name\n",
		"exported names that no other package uses                             1\n",
		"torn.json: unexpected end of JSON input\n",
		"      3.0  app\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
	if got := reportOf(t, options{dir: t.TempDir()}); !strings.HasPrefix(got, "shape: open ") {
		t.Errorf("of no module: %s", got)
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values  []int
		p, want int
	}{
		{nil, 50, 0},
		{[]int{7}, 90, 7},
		{[]int{3, 1, 2}, 50, 2},
		{[]int{4, 3, 2, 1}, 50, 2},
		{[]int{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 90, 9},
		{[]int{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 100, 10},
		{[]int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 90, 10},
	} {
		if got := quantile(c.values, c.p); got != c.want {
			t.Errorf("quantile %d of %v: %d, want %d", c.p, c.values, got, c.want)
		}
	}
}

func reportOf(t *testing.T, o options) string {
	t.Helper()
	var b strings.Builder
	report(t.Context(), &b, o)
	return b.String()
}

// committed returns a repository that has testdata/small, and git in it.
func committed(t *testing.T) (string, func(args ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/small")); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org",
			"-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	return dir, git
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
