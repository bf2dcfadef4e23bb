package hostlist

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const answered = `clock 1764060000.250000000
arch aarch64
boot 855b2249-1255-478b-9d86-664813b11189
vendor Amazon EC2
product m7g.large
plimsoll /usr/local/bin/plimsoll
version { "version": "v1.2.3", "go": "go1.26" }
sudo yes
perf missing
path /data
total 1024
free 512
fs xfs
raid raid0
disk nvme1n1
disk nvme2n1
disk nvme1n1
reflink yes
path /none
missing
surprise 42
end
`

func TestReadProbe(t *testing.T) {
	got, err := ReadProbe([]byte(answered))
	want := Probe{
		Arch: "aarch64", Boot: "855b2249-1255-478b-9d86-664813b11189", Firmware: "m7g.large",
		Plimsoll: "/usr/local/bin/plimsoll", Version: "v1.2.3",
		Sudo: "yes", Perf: "missing", Clock: 1764060000.25,
		Paths: []Volume{
			{Path: "/data", FS: "xfs", Total: 1 << 20, Free: 512 << 10, Reflink: "yes", RAID: "raid0",
				Disks: []string{"nvme1n1", "nvme2n1"}},
			{Path: "/none", Problem: "missing"},
		},
	}
	for i := range got.Paths {
		got.Paths[i].mentions = 0
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := ReadProbe([]byte(strings.TrimSuffix(answered, "end\n"))); err == nil {
		t.Error("an answer that broke off is taken")
	}
	if p, _ := ReadProbe([]byte("clock 1764060000.%N\nend\n")); p.Clock != 1764060000 {
		t.Errorf("a date without fractions of a second: %v", p.Clock)
	}
}

func FuzzReadProbe(f *testing.F) {
	f.Add([]byte(answered))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, _ := ReadProbe(text)
		for _, v := range p.Paths {
			if v.Free < 0 || v.Total < 0 || len(v.Disks) > maxMention {
				t.Fatalf("%+v", v)
			}
		}
	})
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Checked)
		says   string
		carry  bool
	}{
		"as it should be": {func(*Checked) {}, "", false},
		"another version": {func(c *Checked) { c.Version = "v2" }, "plimsoll v2 there, v1 here", false},
		"nothing":         {func(c *Checked) { c.Plimsoll = "" }, "not in the PATH there (aarch64)", false},
		"another type": {func(c *Checked) { c.Firmware = "m7i.large" },
			"the list says m7g.large, its firmware m7i.large", false},
		"a clock off":      {func(c *Checked) { c.ClockOffset = -90 }, "its clock is off by -90.0 s", false},
		"an uncertain one": {func(c *Checked) { c.ClockOffset, c.ClockError = 2, 3 }, "", false},
		"no directory": {func(c *Checked) { c.Paths = []Volume{{Path: "/d", Problem: "missing"}} },
			"/d is not there", false},
		"one not for us": {func(c *Checked) { c.Paths = []Volume{{Path: "/d", Problem: "unwritable"}} },
			"/d cannot be written", false},
		"nothing, to be carried":         {func(c *Checked) { c.Plimsoll = "" }, "", true},
		"another version, to be carried": {func(c *Checked) { c.Version = "v2" }, "", true},
		"nothing to carry": {func(c *Checked) { c.Plimsoll, c.Arch = "", "riscv64" },
			"there is no program for it (riscv64)", true},
	} {
		h := Checked{Host: Host{Name: "a", Type: "m7g.large"}, Reached: true,
			Probe: Probe{Arch: "aarch64", Plimsoll: "/p", Version: "v1"}}
		c.change(&h)
		h.Judge("v1", c.carry)
		if h.Usable() != (h.Carried || h.Plimsoll != "") || h.Carried != (c.carry && c.says == "") {
			t.Errorf("%s: usable %t, carried %t", name, h.Usable(), h.Carried)
		}
		if got := strings.Join(h.Problems, "|"); c.says == "" && got != "" || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", name, got, c.says)
		}
	}
	typed := Checked{Reached: true, Probe: Probe{Firmware: "m7g.large"}}
	if typed.Judge("v1", false); typed.Type != "m7g.large" {
		t.Errorf("the firmware's type is not taken: %+v", typed)
	}
}

func TestSharedAndUnusable(t *testing.T) {
	of := func(name, boot, plimsoll string) Checked {
		return Checked{Host: Host{Name: name}, Reached: true, Probe: Probe{Boot: boot, Plimsoll: plimsoll}}
	}
	hosts := []Checked{of("a", "1", "/p"), of("b", "2", "/p"), of("c", "1", ""), of("d", "", "/p"), of("e", "", "/p")}
	got := Shared(hosts)
	if len(got) != 1 || !strings.HasPrefix(got[0], "a, c run on one kernel") {
		t.Errorf("%q", got)
	}
	if err := Unusable(hosts); err == nil ||
		!strings.HasPrefix(err.Error(), "on 1 of 5 hosts nothing can be measured: c\n") {
		t.Error(err)
	}
	if err := Unusable(hosts[:2]); err != nil {
		t.Error(err)
	}
}

// TestScript carries the script out by each shell that is here: on a directory whose name a shell would take apart, and
// one that is missing.
func TestScript(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b$(id)*'\"\\é")
	if out, err := exec.Command("mkdir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ran := 0
	for _, shell := range [][]string{{"sh"}, {"bash"}, {"dash"}, {"busybox", "sh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			continue
		}
		ran++
		cmd := exec.Command(shell[0], append(slices.Clone(shell[1:]), "-s")...)
		cmd.Stdin = strings.NewReader(Script([]string{dir, "/no/such/directory"}) + "go\n")
		out, err := cmd.Output()
		greeting, rest, _ := strings.Cut(string(out), "\n")
		if err != nil || greeting != Greeting {
			t.Fatalf("%s: %v: %q", shell, err, out)
		}
		p, err := ReadProbe([]byte(rest))
		if err != nil || p.Arch == "" || p.Boot == "" || p.Clock < 1e9 || p.Sudo == "" || p.Perf == "" || len(p.Paths) != 2 {
			t.Fatalf("%s: %+v, %v", shell, p, err)
		}
		if v := p.Paths[0]; v.Path != dir || v.Problem != "" || v.FS == "" || v.Free <= 0 || v.Free > v.Total ||
			v.Reflink == "" {
			t.Errorf("%s: %+v", shell, v)
		}
		if v := p.Paths[1]; v.Problem != "missing" || v.FS != "" {
			t.Errorf("%s: %+v", shell, v)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", ".plimsoll*")); left != nil {
			t.Errorf("%s left %q", shell, left)
		}
	}
	if ran == 0 {
		t.Error("no shell is here")
	}
}
