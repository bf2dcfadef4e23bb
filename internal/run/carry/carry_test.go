package carry

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// bench is a host that a command reaches: this one, with a HOME and a TMPDIR of its own, and a program to be carried.
type bench struct {
	t    *testing.T
	dir  string
	self string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir()}
	b.self = filepath.Join(b.dir, "self")
	b.write("self", "#!/bin/sh\necho plimsoll dev\n#"+strings.Repeat("x", 300<<10)+"\n")
	for _, d := range []string{"home", "tmp", "bin"} {
		if err := os.Mkdir(filepath.Join(b.dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(b.dir, "home"))
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("TMPDIR", filepath.Join(b.dir, "tmp"))
	t.Setenv("PATH", filepath.Join(b.dir, "bin")+":"+os.Getenv("PATH"))
	return b
}

func (b *bench) write(name, text string) string {
	b.t.Helper()
	at := filepath.Join(b.dir, name)
	if err := os.WriteFile(at, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
	return at
}

func (b *bench) bring(on string) (Brought, error) {
	return Bring(b.t.Context(), on, nil, Of(b.self, ""))
}

// TestBring: through commands that keep their words, through one that has a shell parse them again, as ssh does, and
// through one that holds its streams open. What is there already is not sent.
func TestBring(t *testing.T) {
	simtest.Long(t)
	for name, script := range map[string]string{
		"keeps words":        `exec "$@"`,
		"parses them again":  `exec sh -c "$*"`,
		"never ends streams": `sleep 1000 & cat | "$@"; sleep 1000`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			on := "sh " + b.write("carrier", script)
			first, err := b.bring(on)
			if err != nil || first.Sent == 0 || first.Arch != runtime.GOARCH ||
				!strings.HasPrefix(first.Program, filepath.Join(b.dir, "home", ".cache", "plimsoll")+"/") {
				t.Fatalf("%+v, %v", first, err)
			}
			want, _ := os.ReadFile(b.self)
			if got, err := os.ReadFile(first.Program); err != nil || string(got) != string(want) {
				t.Errorf("%d bytes arrived of %d, %v", len(got), len(want), err)
			}
			if again, err := b.bring(on); err != nil || again.Sent != 0 || again.Program != first.Program {
				t.Errorf("again: %+v, %v", again, err)
			}
		})
	}
}

// TestSharedHome: hosts that have one home may be sent the program at the same time.
func TestSharedHome(t *testing.T) {
	b := newBench(t)
	on := "sh " + b.write("carrier", `exec "$@"`)
	var all errgroup.Group
	for range 6 {
		all.Go(func() error {
			_, err := b.bring(on)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(b.dir, "home", ".cache", "plimsoll", "*", "*")); len(left) != 1 {
		t.Errorf("there are %v, want one program", left)
	}
}

// TestEqualProgramInPath is used where it is; another version is not.
func TestEqualProgramInPath(t *testing.T) {
	b := newBench(t)
	text, _ := os.ReadFile(b.self)
	at := b.write("bin/plimsoll", string(text))
	if got, err := b.bring("env"); err != nil || got.Sent != 0 || got.Program != at {
		t.Errorf("%+v, %v", got, err)
	}
	b.write("bin/plimsoll", "#!/bin/sh\necho plimsoll 0.1\n")
	if got, err := b.bring("env"); err != nil || got.Sent == 0 || got.Program == at {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestNoHead: a host without the program that takes what is sent says so.
func TestNoHead(t *testing.T) {
	b := newBench(t)
	on := "sh " + b.write("carrier", `case "$*" in *"head -c"*) shift 2; exec sh -c "command() { [ \"\$2\" != head ]; `+
		`}; $*";; esac; exec "$@"`)
	if _, err := b.bring(on); err == nil || !strings.Contains(err.Error(), "it has no program head") {
		t.Errorf("%v", err)
	}
}

// TestEndlessOutput: a command that does not stop talking is ended, long before its patience.
func TestEndlessOutput(t *testing.T) {
	for script, want := range map[string]string{"yes": "its output exceeds 1 MiB",
		`yes | tr -d "\n"`: "reading its output: "} {
		b := newBench(t)
		on := "sh " + b.write("carrier", `if [ "$1" = echo ]; then exec "$@"; fi; `+script)
		if _, err := b.bring(on); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.300v", script, err)
		}
	}
}

// TestTornOnTheWay: a stream that loses bytes is found out and tried again, and nothing torn is left to be run.
func TestTornOnTheWay(t *testing.T) {
	b := newBench(t)
	on := "sh " + b.write("carrier", fmt.Sprintf(`n=$(cat %[1]s/n 2>/dev/null || echo 0); echo $((n+1)) >%[1]s/n
case "$*" in *"head -c"*) if [ $n -lt 4 ]; then head -c 100000 | "$@"; exit; fi;; esac
exec "$@"`, b.dir))
	if got, err := b.bring(on); err != nil || got.Sent == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	b = newBench(t)
	on = "sh " + b.write("carrier", `case "$*" in *"head -c"*) head -c 100000 | "$@"; exit;; esac; exec "$@"`)
	if _, err := b.bring(on); err == nil || !strings.Contains(err.Error(), "what arrived has the SHA-256") {
		t.Errorf("%v", err)
	}
	left, _ := filepath.Glob(filepath.Join(b.dir, "home", ".cache", "plimsoll", "*", "*"))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestArchitectures: the program for it is found beside this one, or is missing, which is the user's error.
func TestArchitectures(t *testing.T) {
	other := map[string]string{"amd64": "aarch64", "arm64": "x86_64"}[runtime.GOARCH]
	arch, _ := record.GoArch(other)
	b := newBench(t)
	b.write("bin/uname", "#!/bin/sh\necho "+other+"\n")
	if _, err := b.bring("env"); !usage.Is(err) || !strings.Contains(err.Error(), "there is no program for "+arch) ||
		!strings.Contains(err.Error(), "--binaries") {
		t.Errorf("missing: %v", err)
	}
	self, err := os.ReadFile("/proc/self/exe") // of the wrong architecture
	if err != nil {
		t.Fatal(err)
	}
	b.write("plimsoll-linux-"+arch, string(self))
	if _, err := b.bring("env"); !usage.Is(err) || !strings.Contains(err.Error(), "not for "+arch) ||
		!strings.Contains(err.Error(), "--binaries") {
		t.Errorf("of another architecture: %v", err)
	}
	for _, n := range []int{0, 3, len(self) / 2} {
		b.write("plimsoll-linux-"+arch, string(self[:n]))
		if _, err := b.bring("env"); !usage.Is(err) || !strings.Contains(err.Error(), "no whole program") ||
			!strings.Contains(err.Error(), "--binaries") {
			t.Errorf("%d bytes of one: %v", n, err)
		}
	}
	b.write("bin/uname", "#!/bin/sh\necho riscv64\n")
	if _, err := b.bring("env"); !usage.Is(err) || !strings.Contains(err.Error(), `architecture "riscv64"`) {
		t.Errorf("unknown: %v", err)
	}
}

// TestCarriersThatAreNone have an error with their cause.
func TestCarriersThatAreNone(t *testing.T) {
	b := newBench(t)
	for on, want := range map[string]string{
		"no-such-command there":               "not found",
		"echo Welcome; env":                   "instead of what it was told to echo",
		"sh -c 'echo no route >&2; exit 255'": "no route",
	} {
		if _, err := b.bring(on); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "carrying plimsoll through") {
			t.Errorf("%s: %v, want %q", on, err, want)
		}
	}
	b.write("self", "#!/bin/sh\nexit 3\n")
	if _, err := b.bring("env"); err == nil || !strings.Contains(err.Error(), "cannot run there") {
		t.Errorf("a program that cannot run: %v", err)
	}
}

func FuzzParseLook(f *testing.F) {
	f.Add("x86_64\n/home/x/.cache/plimsoll\n" + strings.Repeat("a", sumDigits) + "  /usr/bin/plimsoll\n")
	f.Add("aarch64\n\n")
	f.Add("x86_64\n/tmp/$(reboot)\n")
	f.Fuzz(func(t *testing.T, out string) {
		got, err := parseLook(out)
		if err != nil {
			return
		}
		for _, c := range append(got.programs, candidate{path: got.dir}) {
			if strings.ContainsAny(c.path, " $`'\"\\;&|<>()*?[]#~\n\t") || !strings.HasPrefix(c.path, "/") {
				t.Errorf("%q is taken for a path", c.path)
			}
		}
	})
}

// TestLinkInTMPDIR: whoever made it could lead it elsewhere once the program has been verified.
func TestLinkInTMPDIR(t *testing.T) {
	b := newBench(t)
	t.Setenv("HOME", b.write("file", ""))
	link := filepath.Join(b.dir, "tmp", fmt.Sprintf("plimsoll-carried-%d", os.Getuid()))
	if err := os.Symlink(filepath.Join(b.dir, "home"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := b.bring("env"); !usage.Is(err) ||
		!strings.Contains(err.Error(), "no directory there is this user's own") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(filepath.Join(b.dir, "home")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if there, err := b.bring("env"); err != nil || !strings.HasPrefix(there.Program, link+"/") {
		t.Errorf("%+v, %v", there, err)
	}
}
