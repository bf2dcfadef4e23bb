package asyncprofiler

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/record"
)

const spin = `public class Spin {
	static long spin(long until) { long n = 0; while (System.nanoTime() < until) n++; return n; }
	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> { while (true) spin(System.nanoTime() + 1000000); }, "the spinner");
		t.setDaemon(true);
		t.start();
		System.out.println("spins");
		System.in.read();
	}
}`

// java starts a Java program that spins in a thread, until the test ends.
func java(t *testing.T, flags ...string) (pid int) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "Spin.java")
	if err := os.WriteFile(file, []byte(spin), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("java", append(flags, "-XX:TieredStopAtLevel=1", "-Xshare:auto", file)...)
	cmd.Dir = dir
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Fatal(errIn, errOut)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "spins\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd.Process.Pid
}

// TestJavaIsSampled: twice in one runtime, as two trials of one server would.
func TestJavaIsSampled(t *testing.T) {
	simtest.Long(t)
	if _, err := exec.LookPath("java"); err != nil {
		t.Fatalf("%v\nscripts/setup-tests installs what the tests need", err)
	}
	var p Profiler
	enginetest.SetUp(t, p)
	in, err := p.Find(t.Context(), engine.Params{})
	if err != nil {
		t.Fatal(err)
	}
	pid := java(t)
	for range 2 {
		r, err := p.Attach(t.Context(), in, engine.Sampling{Pids: []int{pid}, PeriodNs: 2e6, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Begin(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		if err := r.End(); err != nil {
			t.Fatal(err)
		}
		got, err := r.Samples(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all, named := int64(0), int64(0)
		for _, k := range got.Stacks {
			all += k.N
			if k.Thread == "the spinner" && k.Pid == pid && k.Tid > 0 &&
				slices.ContainsFunc(k.Frames, func(f record.Frame) bool {
					return f.Function == "Spin.spin" && f.Module == record.ModuleJava
				}) {
				named += k.N
			}
		}
		if all == 0 || all > 400 || 2*named < all || got.Clock != record.ClockCPU && got.Clock != record.ClockTimer {
			t.Errorf("%d samples, %d of what spins: %+v", all, named, got)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(fmt.Sprintf("/tmp/.java_pid%d", pid)); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	}
}

// TestARuntimeThatLetsNobodyAttach is not harmed.
func TestARuntimeThatLetsNobodyAttach(t *testing.T) {
	pid := java(t, "-XX:+DisableAttachMechanism")
	_, err := Profiler{}.Attach(t.Context(), engine.Install{Path: "/nowhere"},
		engine.Sampling{Pids: []int{pid}, PeriodNs: 2e6, Scratch: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "started with -XX:+DisableAttachMechanism\nhint: leave that out") {
		t.Errorf("%v", err)
	}
	if _, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)); err != nil {
		t.Errorf("it has ended: %v", err)
	}
}
