package execload

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plimsoll/internal/workload"
)

func TestOnceFails(t *testing.T) {
	dir := t.TempDir()
	files := map[string]os.FileMode{"plain": 0o644, "broken": 0o755}
	for name, mode := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/no/such/interpreter\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "data"), []byte("\x01\x02"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		set  map[string]string
		want []string
	}{
		{"status", map[string]string{"command": `sh -c 'echo one >&2; echo two >&2; exit 3'`},
			[]string{"exited with status 3", "standard error ended:\n  one\n  two", "\nhint: "}},
		{"output instead of error", map[string]string{"command": `sh -c 'echo why; exit 1'`},
			[]string{"status 1; its standard output ended:\n  why"}},
		{"silent", map[string]string{"command": "false"}, []string{"status 1; it printed nothing"}},
		{"colours", map[string]string{"command": `printf '\033[31mred\n'; false`, "shell": "true"}, []string{"[31mred"}},
		{"shell syntax", map[string]string{"command": "ls /nonesuch | cat", "shell": "false"},
			[]string{"hint: | > < && and ; need a shell"}},
		{"signal", map[string]string{"command": `sh -c 'kill -9 $$'`},
			[]string{"killed by signal 9 (killed)", "lack of memory"}},
		{"not found", map[string]string{"command": "no-such-command-here"},
			[]string{`command "no-such-command-here" not found`, "hint: "}},
		{"not found by its path", map[string]string{"command": "./nonesuch", "dir": dir}, []string{`"./nonesuch" not found`}},
		{"not found by the shell", map[string]string{"command": "no-such-command-here", "shell": "true"},
			[]string{"status 127", "hint: the shell found no such command"}},
		{"interpreter", map[string]string{"command": "./broken", "dir": dir}, []string{`"./broken" not found`, "first line"}},
		{"not executable", map[string]string{"command": "./plain", "dir": dir}, []string{"may not be executed", "chmod +x"}},
		{"not a program", map[string]string{"command": "./data", "dir": dir}, []string{"not a program for this machine"}},
		{"directory", map[string]string{"command": "true", "dir": dir + "/none"}, []string{"is not a directory", "hint: "}},
		{"nothing to parse", map[string]string{"command": "echo hello", "parse": "regexp", "pattern": `(\d+)`,
			"better": "lower"},
			[]string{"parse=regexp", `"echo hello"`, `"hello\n"`}},
		{"printed elsewhere", map[string]string{"command": "echo 5 >&2", "shell": "true", "parse": "regexp",
			"pattern": `(\d+)`, "unit": "ms"}, []string{"in nothing", "hint: it printed on its standard error only"}},
		{"output over the limit", map[string]string{"command": "head -c 100000 /dev/zero", "output_limit": "4KiB",
			"parse": "regexp", "pattern": `(\d+)`, "unit": "op/s"},
			[]string{"printed 100000 bytes, but only 4096 are kept", "exec.output_limit"}},
		{"timeout", map[string]string{"command": "sleep 77.01", "timeout": "100ms"},
			[]string{"was stopped after 100ms", "exec.timeout"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := trial(t, t.Context(), workload.Env{}, tc.set)
			says(t, err, tc.want...)
			if strings.ContainsRune(err.Error(), '\033') || len(err.Error()) > 2000 {
				t.Errorf("an error of %d bytes: %q", len(err.Error()), err)
			}
			if m.values != nil {
				t.Errorf("values %v beside the error", m.values)
			}
		})
	}
}

// Output that is not parsed is not kept, however much it is.
func TestOutputIsBounded(t *testing.T) {
	prog, err := newProgram(workload.Env{}, params(t, map[string]string{"command": "seq 300000"}), places{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prog.Find(); err != nil {
		t.Fatal(err)
	}
	o, err := prog.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o.Out.Size != 1988895 || len(o.Out.Head) != 0 || len(o.Out.Tail) != 4096 ||
		!strings.HasSuffix(string(o.Out.Tail), "\n299999\n300000\n") {
		t.Errorf("%d bytes read, %d and %d kept, at the end %q", o.Out.Size, len(o.Out.Head), len(o.Out.Tail), o.Out.Plain())
	}
}

// However a run is ended, nothing of it stays: neither in the foreground nor in the background, nor processes that
// ignore SIGTERM.
func TestEndedRunsLeaveNothing(t *testing.T) {
	for _, tc := range []struct{ name, command string }{
		{"background", "sleep 77 & sleep 77"},
		{"deaf", `trap "" TERM; sleep 77; sleep 77`},
		{"deaf child of a polite leader", `(trap "" TERM; while :; do sleep 0.07; done) & wait`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, err := trial(t, t.Context(), workload.Env{},
				map[string]string{"command": tc.command, "shell": "true", "timeout": "200ms"})
			says(t, err, "was stopped after 200ms")
			gone(t, m)
		})
		t.Run(tc.name+" cancelled", func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, cancel)
			m, err := trial(t, ctx, workload.Env{}, map[string]string{"command": tc.command, "shell": "true"})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want a cancelled context", err)
			}
			gone(t, m)
		})
	}
}

// A leader that ends well but leaves others behind gives a value, and a doubt.
func TestBackgroundIsDoubted(t *testing.T) {
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{"command": "sleep 77.16 & exit 0", "shell": "true"})
	if err != nil {
		t.Fatal(err)
	}
	// Named sh until it has become sleep.
	if len(m.doubts) != 1 || !strings.Contains(m.doubts[0], "left processes running, which were killed: s") {
		t.Errorf("doubts %q", m.doubts)
	}
	gone(t, m)
}

// Processes that left the group are not killed, but must not block us.
func TestHeldOutputIsDoubted(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits until the output is given up")
	}
	need(t, "setsid")
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{"shell": "true",
		// It ends once the other has a session of its own: before that, it would be killed with the rest.
		"command": fmt.Sprintf("setsid sh -c 'touch %[1]s; exec sleep 3.17' & until [ -e %[1]s ]; do sleep 0.01; done",
			filepath.Join(t.TempDir(), "apart"))})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.doubts) != 1 || !strings.Contains(m.doubts[0], "holds its output open") || m.values[0].Value >= 3 {
		t.Errorf("doubts %q, values %v", m.doubts, m.values)
	}
}

// A command that was started, but could not be put into its account, must not
// run on unaccounted.
func TestUnaccountedIsEnded(t *testing.T) {
	env := workload.Env{Enter: func(_ *syscall.SysProcAttr, start func() (int, error)) error {
		_, err := start()
		return errors.Join(err, errors.New("the group is full"))
	}}
	m, err := trial(t, t.Context(), env, map[string]string{"command": "sleep 77.31"})
	says(t, err, `"sleep 77.31" could not be started: the group is full`)
	gone(t, m)
}
