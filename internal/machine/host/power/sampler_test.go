package power

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
)

// The trees are made after the kernel's powercap.rst, amd_energy.rst and smpro-hwmon.rst.

func intel(t *testing.T) hostfs.Root {
	return hosttest.Tree(t, map[string]string{
		"class/powercap/intel-rapl:0/name":                  "package-0\n",
		"class/powercap/intel-rapl:0/energy_uj":             "262143000000\n",
		"class/powercap/intel-rapl:0/max_energy_range_uj":   "262143328850\n",
		"class/powercap/intel-rapl:0:0/name":                "dram\n",
		"class/powercap/intel-rapl:0:0/energy_uj":           "5000000\n",
		"class/powercap/intel-rapl:0:0/max_energy_range_uj": "65712999613\n",
	})
}

func amd(t *testing.T) hostfs.Root {
	return hosttest.Tree(t, map[string]string{
		"class/hwmon/hwmon0/name":          "amd_energy\n",
		"class/hwmon/hwmon0/energy1_label": "Ecore000\n",
		"class/hwmon/hwmon0/energy1_input": "1\n",
		"class/hwmon/hwmon0/energy2_label": "Esocket0\n",
		"class/hwmon/hwmon0/energy2_input": "9000000\n",
	})
}

func ampere(t *testing.T) hostfs.Root {
	tree := map[string]string{"class/hwmon/hwmon3/name": "smpro_hwmon\n"}
	for i, label := range []string{"core VRD power", "soc VRD power", "DIMM VRD1 power", "DIMM VRD2 power",
		"RCA VRD power"} {
		tree["class/hwmon/hwmon3/power"+string(rune('1'+i))+"_label"] = label + "\n"
		tree["class/hwmon/hwmon3/power"+string(rune('1'+i))+"_input"] = "19500000\n"
	}
	return hosttest.Tree(t, tree)
}

func put(t *testing.T, root hostfs.Root, name, text string) {
	t.Helper()
	if err := os.WriteFile(root.SysPath(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func sampled(t *testing.T, root hostfs.Root, between func()) []Used {
	t.Helper()
	s, err := New(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	beats := pulse.Start(time.Hour) // only the first and the last reading
	defer beats.Stop()
	s.Start(beats)
	time.Sleep(20 * time.Millisecond)
	between()
	return s.Stop()
}

func TestIntelWraps(t *testing.T) {
	root := intel(t)
	got := sampled(t, root, func() {
		put(t, root, "class/powercap/intel-rapl:0/energy_uj", "671150\n")
		put(t, root, "class/powercap/intel-rapl:0:0/energy_uj", "7000000\n")
	})
	if len(got) != 2 || got[0].Err != nil || got[0].Joules != 1 || got[1].Joules != 2 || got[1].Scope != "dram" ||
		got[0].Seconds < .02 {
		t.Errorf("%+v", got)
	}
}

// TestTurns: each side has the joules of its own turns, also if the counter wraps. Those between turns have no side.
func TestTurns(t *testing.T) {
	root := intel(t)
	s, err := New(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.TakeTurns(2)
	counter := uint64(262143000000)
	use := func(joules float64) {
		counter = (counter + uint64(joules*1e6)) % 262143328850
		put(t, root, "class/powercap/intel-rapl:0/energy_uj", strconv.FormatUint(counter, 10)+"\n")
		time.Sleep(2 * time.Millisecond)
	}
	use(5) // before the window
	for _, turn := range []struct {
		side   int
		joules float64
	}{{0, 1}, {1, 20}, {1, 10}, {0, 2}, {-1, 7}, {0, 4}, {1, 30}} {
		s.Turn(turn.side)
		use(turn.joules)
	}
	s.Turn(-1)
	use(9)
	if cost, programs := s.CostS(); cost <= 0 || programs != 0 {
		t.Errorf("%v s, of programs %v", cost, programs)
	}
	for side, want := range []float64{7, 60} {
		got := s.Turns(side)
		if len(got) != 2 || got[0].Err != nil || math.Abs(got[0].Joules-want) > 1e-9 || got[0].Seconds < .006 ||
			got[0].Seconds > 5 {
			t.Errorf("side %d: %+v", side, got)
		}
		if got[1].Err == nil || !strings.Contains(got[1].Err.Error(), "did not move") {
			t.Errorf("side %d: %+v", side, got)
		}
	}
	allocates := testing.AllocsPerRun(20, func() { s.Turn(0) })
	if allocates != 0 {
		t.Errorf("a turn allocates %v times", allocates)
	}
}

// TestTurnsWithoutAReading: a reading that fails ends one turn and begins another, and neither is known.
func TestTurnsWithoutAReading(t *testing.T) {
	root := intel(t)
	s, err := New(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.TakeTurns(3)
	turn := func(side int, counter string) {
		put(t, root, "class/powercap/intel-rapl:0:0/energy_uj", counter)
		time.Sleep(2 * time.Millisecond)
		s.Turn(side)
	}
	for _, side := range []int{0, 1, 2} { // each has a turn that is known
		turn(side, strconv.Itoa(6000000+side*1000000)+"\n")
	}
	turn(0, "9000000\n")
	turn(1, "")
	turn(-1, "20000000\n")
	for side, known := range []bool{false, false, true} {
		if got := s.Turns(side)[1]; (got.Err == nil) != known {
			t.Errorf("side %d: %+v", side, got)
		}
	}
}

// TestTurnsNeedRAPL: power, and counters that change seldom, do not distinguish turns of milliseconds.
func TestTurnsNeedRAPL(t *testing.T) {
	for _, root := range []hostfs.Root{amd(t), ampere(t)} {
		s, err := New(context.Background(), root, "")
		if err != nil {
			t.Fatal(err)
		}
		s.TakeTurns(2)
		if s.Any() || s.Programs() || len(s.Turns(1)) > 0 {
			t.Error("it has a meter")
		}
		s.Turn(0)
		s.Close()
	}
}

// TestIntelGoesBack: one domain is unknown, the other is not.
func TestIntelGoesBack(t *testing.T) {
	root := intel(t)
	got := sampled(t, root, func() {
		put(t, root, "class/powercap/intel-rapl:0/energy_uj", "262143000000\n")
		put(t, root, "class/powercap/intel-rapl:0:0/energy_uj", "4000000\n")
	})
	if len(got) != 2 || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), "did not move") ||
		got[1].Err == nil || !strings.Contains(got[1].Err.Error(), "from 5.000000 J to 4.000000 J") {
		t.Errorf("%+v", got)
	}
}

// TestVanishes: a driver that is unloaded takes its file with it, or its content.
func TestVanishes(t *testing.T) {
	root := intel(t)
	if err := os.Remove(root.SysPath("class/powercap/intel-rapl:0/energy_uj")); err != nil {
		t.Fatal(err)
	}
	got := sampled(t, root, func() { put(t, root, "class/powercap/intel-rapl:0:0/energy_uj", "") })
	if len(got) != 1 || got[0].Scope != "dram" || got[0].Err == nil {
		t.Errorf("%+v", got)
	}
	if got := sampled(t, hostfs.Root{Sys: t.TempDir()}, func() {}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAMD(t *testing.T) {
	root := amd(t)
	got := sampled(t, root, func() { put(t, root, "class/hwmon/hwmon0/energy2_input", "10000000\n") })
	if len(got) != 1 || got[0].Name != "Esocket0" || got[0].Joules != 1 || got[0].Err != nil {
		t.Errorf("%+v", got)
	}
}

func TestAmpere(t *testing.T) {
	got := sampled(t, ampere(t), func() {})
	var use record.EnergyUse
	for _, u := range got {
		if u.Err != nil {
			t.Errorf("%s: %v", u.Name, u.Err)
			continue
		}
		use.Parts = append(use.Parts, record.EnergyOf{Scope: u.Scope, Joules: u.Joules, Seconds: u.Seconds, IdleWatts: 1,
			IdleS: 1})
	}
	total, ok := use.Total()
	if len(got) != 5 || !ok || total.Scope != "core+soc+dram" || total.Watts < 77.9 || total.Watts > 78.1 {
		t.Errorf("%+v of %+v", total, got)
	}
}

// TestNeedsRoot: a counter that this user may not read is left out of runs, and listed as such.
func TestNeedsRoot(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read all")
	}
	root := intel(t)
	if err := os.Chmod(root.SysPath("class/powercap/intel-rapl:0/energy_uj"), 0); err != nil {
		t.Fatal(err)
	}
	if got := Domains(root); len(got) != 2 || got[0].Readable || !got[1].Readable {
		t.Errorf("%+v", got)
	}
	if got := sampled(t, root, func() {}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestCommands: a command of the user's is run until it was read twice; its failures do not quote it.
func TestCommands(t *testing.T) {
	simtest.Forks(t)
	for command, want := range map[string]string{
		"exit 3 # hunter2": "exited with status 3", "kill -9 $$": "killed by signal 9", "echo hunter2": "not one number",
		"echo 5 W; echo 6 W": "not one number", "nothing-of-this-name": "exited with status 127",
	} {
		_, err := New(context.Background(), hostfs.Root{Sys: t.TempDir()}, command)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "# hunter2") ||
			!strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s: %v", command, err)
		}
	}
}

func TestCommandCounts(t *testing.T) {
	simtest.Forks(t)
	file := filepath.Join(t.TempDir(), "joules")
	// Each run reads a joule more than the one before.
	s, err := New(context.Background(), hostfs.Root{}, "echo >> "+file+"; echo $(wc -l < "+file+") J")
	if err != nil {
		t.Fatal(err)
	}
	beats := pulse.Start(pulse.Beat)
	defer beats.Stop()
	s.Start(beats)
	for deadline := time.Now().Add(time.Minute); lines(file) < 4 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	got := s.Stop()
	if len(got) != 1 || got[0].Err != nil || got[0].Joules < 1 || got[0].Scope != record.ScopeBoard ||
		got[0].Seconds <= 0 {
		t.Fatalf("%+v", got)
	}
	if all, programs := s.CostS(); programs <= 0 || all < programs {
		t.Errorf("cost %v s, of programs %v s", all, programs)
	}
}

func lines(file string) int {
	b, _ := os.ReadFile(file)
	return strings.Count(string(b), "\n")
}

// TestIPMI: the controller is asked only if the kernel has a driver for it, and ipmitool is installed.
func TestIPMI(t *testing.T) {
	simtest.Forks(t)
	bin := t.TempDir()
	script := "#!/bin/sh\necho '    Instantaneous power reading:    212 Watts'\n"
	if err := os.WriteFile(filepath.Join(bin, "ipmitool"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	root := hosttest.Tree(t, map[string]string{"class/ipmi/ipmi0/uevent": ""})
	if got := Domains(root); len(got) != 1 || got[0].Scope != record.ScopeBoard || got[0].Source != record.PowerIPMI {
		t.Errorf("%+v", got)
	}
	if got := Domains(hosttest.Tree(t, map[string]string{"class/net/lo/mtu": "1"})); len(got) != 0 {
		t.Errorf("%+v without a controller", got)
	}
	s, err := New(context.Background(), root, "")
	if err != nil || !s.Programs() || !s.Any() {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestNoAllocation: files are read on the pulse's thread while the garbage collector is off.
func TestNoAllocation(t *testing.T) {
	s, err := New(context.Background(), intel(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := testing.AllocsPerRun(100, s.sample); n != 0 {
		t.Errorf("%v allocations a sample", n)
	}
}
