package knob

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/owed"
	"plimsoll/internal/record"
)

// machine is a recorded tree of a machine with two disks, a network card, cpufreq and two NUMA nodes.
func machine(t *testing.T) hostfs.Root {
	t.Helper()
	root := hosttest.Tree(t, map[string]string{
		"devices/pci0/0000:00:04.0/nvme/nvme0/nvme0n1/queue/scheduler":   "[none] mq-deadline kyber",
		"devices/pci0/0000:00:04.0/nvme/nvme0/nvme0n1/queue/nomerges":    "0",
		"devices/pci0/0000:00:04.0/msi_irqs/40":                          "msix",
		"devices/pci0/0000:00:04.0/msi_irqs/41":                          "msix",
		"devices/pci0/0000:00:05.0/virtio1/block/vda/queue/scheduler":    "none [mq-deadline]",
		"devices/pci0/0000:00:05.0/virtio1/block/vda/queue/nomerges":     "0",
		"devices/pci0/0000:00:05.0/msi_irqs/50":                          "msix",
		"devices/pci0/0000:00:06.0/virtio2/net/eth0/mtu":                 "1500",
		"devices/pci0/0000:00:06.0/msi_irqs/60":                          "msix",
		"devices/virtual/block/zram0/size":                               "8",
		"kernel/mm/transparent_hugepage/enabled":                         "always [madvise] never",
		"devices/system/cpu/online":                                      "0-3",
		"devices/system/node/online":                                     "0-2",
		"devices/system/node/has_memory":                                 "0-1",
		"devices/system/node/node0/cpulist":                              "0-1",
		"devices/system/node/node1/cpulist":                              "2-3",
		"devices/system/node/node2/cpulist":                              "",
		"devices/system/cpu/cpufreq/policy0/scaling_governor":            "powersave",
		"devices/system/cpu/cpufreq/policy1/scaling_governor":            "schedutil",
		"devices/system/cpu/cpufreq/policy0/scaling_available_governors": "performance powersave schedutil",
		"devices/system/cpu/cpufreq/policy1/scaling_available_governors": "performance powersave schedutil",
	})
	for link, to := range map[string]string{
		"block/nvme0n1":  "../devices/pci0/0000:00:04.0/nvme/nvme0/nvme0n1",
		"block/vda":      "../devices/pci0/0000:00:05.0/virtio1/block/vda",
		"block/zram0":    "../devices/virtual/block/zram0",
		"class/net/eth0": "../../devices/pci0/0000:00:06.0/virtio2/net/eth0",
		"devices/pci0/0000:00:06.0/virtio2/net/eth0/device": "../..",
	} {
		path := root.SysPath(link)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.Symlink(to, path)); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{"sys/kernel/random/boot_id": "b007", "sys/vm/nr_hugepages": "0",
		"sys/vm/swappiness": "60", "irq/40/smp_affinity_list": "0-3", "irq/41/smp_affinity_list": "0-3",
		"irq/50/smp_affinity_list": "0-3", "irq/60/smp_affinity_list": "2"} {
		full := root.ProcPath(path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		hosttest.Write(t, full, text+"\n")
	}
	return root
}

func onDisks(disks string, pairs ...string) record.Params {
	p := record.Params{}
	if disks != "" {
		p[record.ParamTuneDisks] = disks
	}
	for i := 0; i < len(pairs); i += 2 {
		p[record.TunePrefix+pairs[i]] = pairs[i+1]
	}
	return p
}

// state returns the text of every file of a tree.
func state(t *testing.T, root hostfs.Root) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, tree := range []string{root.Sys, root.Proc} {
		if !hostfs.IsDir(tree) {
			continue
		}
		err := filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				var b []byte
				b, err = os.ReadFile(path)
				out[strings.TrimPrefix(path, tree)] = one(string(b))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestEachSettingIsChangedAndPutBack: of every row that this machine has, the files that are to change do, to what is
// asked for, and no others; afterwards all are as they were.
func TestEachSettingIsChangedAndPutBack(t *testing.T) {
	for name, c := range map[string]struct {
		params record.Params
		want   map[string]string // by a part of the path
		found  string            // of the first setting
	}{
		"scheduler": {onDisks("vda", "scheduler", "none"), map[string]string{"vda/queue/scheduler": "none"},
			"vda mq-deadline"},
		"of two disks": {onDisks("vda,/dev/nvme0n1", "nomerges", "2"), map[string]string{"vda/queue/nomerges": "2",
			"nvme0n1/queue/nomerges": "2"}, "nvme0n1 0, vda 0"},
		"thp":        {onDisks("", "thp", "never"), map[string]string{"transparent_hugepage/enabled": "never"}, "madvise"},
		"hugepages":  {onDisks("", "hugepages", "512"), map[string]string{"nr_hugepages": "512"}, "0"},
		"swappiness": {onDisks("", "swappiness", "1"), map[string]string{"swappiness": "1"}, "60"},
		"governor": {onDisks("", "governor", "performance"), map[string]string{"policy0/scaling_governor": "performance",
			"policy1/scaling_governor": "performance"}, "powersave/schedutil"},
		"one that is there": {onDisks("", "governor", "schedutil"), map[string]string{
			"policy0/scaling_governor": "schedutil"}, "powersave/schedutil"},
		"interrupts": {onDisks("nvme0n1", "disk_irqs", "1,2"), map[string]string{"irq/40/smp_affinity_list": "1-2",
			"irq/41/smp_affinity_list": "1-2"}, "nvme0n1 0-3"},
		"spread": {onDisks("nvme0n1 vda", "disk_irqs", Spread), map[string]string{"irq/40/smp_affinity_list": "0",
			"irq/41/smp_affinity_list": "1", "irq/50/smp_affinity_list": "2"}, "nvme0n1 0-3, vda 0-3"},
		"of cards":        {onDisks("", "net_irqs", "3"), map[string]string{"irq/60/smp_affinity_list": "3"}, "eth0 2"},
		"nothing":         {onDisks("vda", "scheduler", record.AsFound), map[string]string{}, "vda mq-deadline"},
		"nothing to do":   {onDisks("", "thp", "madvise"), map[string]string{}, "madvise"},
		"nothing is here": {onDisks("zram0", "scheduler", record.AsFound), map[string]string{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root, base := machine(t), filepath.Join(t.TempDir(), "run")
			before := state(t, root)
			settings, refused := Find(At{Root: root}, c.params)
			if len(refused) > 0 {
				t.Fatal(refused)
			}
			h, err := Take(t.Context(), root, base, "s", settings)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if err := errors.Join(h.Keep(), h.Change(), h.Verify()); err != nil {
				t.Fatal(err)
			}
			after := state(t, root)
			for path, was := range before {
				want := was
				for part, value := range c.want {
					if strings.HasSuffix(path, part) {
						want = value
					}
				}
				if after[path] != want {
					t.Errorf("%s is %s, not %s", path, after[path], want)
				}
			}
			if got := strings.Join(slices.Collect(maps.Values(h.Found())), "; "); got != c.found {
				t.Errorf("found %q, not %q", got, c.found)
			}
			if (len(h.Owed()) > 0) != (len(c.want) > 0) {
				t.Errorf("owed: %v", h.Owed())
			}
			if err := h.PutBack(); err != nil {
				t.Fatal(err)
			}
			if now := state(t, root); !maps.Equal(now, before) {
				t.Errorf("it was %v, and is %v", before, now)
			}
			if left, _ := owed.All(filepath.Join(base, "b007")); len(left) > 0 {
				t.Errorf("%v is still owed", left)
			}
		})
	}
}

// TestWhatIsNotToBeHad: each value that a machine cannot have is named with the reason, all of them at once, and
// nothing is changed.
func TestWhatIsNotToBeHad(t *testing.T) {
	root := machine(t)
	bare := hosttest.Tree(t, map[string]string{"devices/system/cpu/online": "0", "devices/system/node/online": "0",
		"devices/system/node/has_memory": "0", "devices/system/node/node0/cpulist": "0"})
	for _, c := range []struct {
		root   hostfs.Root
		params record.Params
		want   string
	}{
		{root, onDisks("vda", "scheduler", "kyber"), "vda is mq-deadline, of none, mq-deadline"},
		{root, onDisks("vda", "scheduler", "no\nne"), "of none, mq-deadline"},
		{root, onDisks("zram0", "scheduler", "none"), "zram0 does not have it here"},
		{root, onDisks("sdz", "scheduler", "none"), `"sdz" is no disk here: /sys/block has nvme0n1, vda, zram0`},
		{root, onDisks("../vda", "nomerges", "2"), `"../vda" is no disk here`},
		{root, onDisks("..", "nomerges", "2"), `".." is no disk here`},
		{root, onDisks("zram0", "disk_irqs", "0"), "zram0 has no interrupts of its own"},
		{root, onDisks("vda", "disk_irqs", "9"), "CPU 9 is not here: 0-3 are"},
		{root, onDisks("vda", "disk_irqs", "all"), "neither spread nor a list of CPUs"},
		{root, onDisks("vda", "disk_irqs", ""), "neither spread nor a list of CPUs"},
		{root, onDisks("", "governor", "ondemand"), "of performance, powersave, schedutil"},
		{root, onDisks("", "numa", "7"), "no such NUMA node here: 0-2 are"},
		{root, onDisks("", "numa", "2"), "node 2 lacks CPUs or memory of its own"},
		{root, onDisks("", "numa", "../0"), "not the number of a node"},
		{root, onDisks("", "scheduler", "none"), "not known here where the data lie"},
		{root, onDisks("", "clocksource", "tsc"), "the kernel does not have it here"},
		{bare, onDisks("", "governor", "performance"), "there is no cpufreq"},
		{bare, onDisks("", "thp", "never"), "the kernel does not have it here"},
		{bare, onDisks("", "numa", "1"), "no such NUMA node here: 0 is the only one"},
		{bare, onDisks("", "net_irqs", Spread), "there is no network card"},
		{bare, onDisks("", "cpu_limit", "1"), "cpu_limit=1"},
	} {
		before := state(t, c.root)
		_, refused := Find(At{Root: c.root}, c.params)
		if len(refused) == 0 || !strings.Contains(errors.Join(refused...).Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.params, refused, c.want)
		}
		if now := state(t, c.root); !maps.Equal(now, before) {
			t.Errorf("%v: it was changed", c.params)
		}
	}
	if _, refused := Find(At{Root: bare}, onDisks("", "governor", "performance", "thp", "never", "numa", "1",
		"hugepages", record.AsFound)); len(refused) != 3 {
		t.Errorf("of three values that are not to be had, %d are named: %v", len(refused), refused)
	}
}

// TestKernelThatDoesNotKeepAValue: one that rounds or ignores a value, or another program that sets it again.
func TestKernelThatDoesNotKeepAValue(t *testing.T) {
	root, base := machine(t), filepath.Join(t.TempDir(), "run")
	settings, _ := Find(At{Root: root}, onDisks("", "hugepages", "512", "swappiness", record.AsFound))
	h, err := Take(t.Context(), root, base, "s", settings)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := errors.Join(h.Keep(), h.Change()); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"sys/vm/nr_hugepages": "100", "sys/vm/swappiness": "10"} {
		was, _ := os.ReadFile(root.ProcPath(path))
		hosttest.Write(t, root.ProcPath(path), text+"\n")
		if err := h.Verify(); err == nil || !strings.Contains(err.Error(), "is "+text+" and not ") {
			t.Errorf("%s: %v", path, err)
		}
		hosttest.Write(t, root.ProcPath(path), string(was))
	}
	hosttest.Write(t, root.ProcPath("sys/vm/nr_hugepages"), "100\n") // neither as found nor as asked for
	if err := h.PutBack(); err != nil {
		t.Fatal(err)
	}
	if is, _ := read(root.ProcPath("sys/vm/nr_hugepages")); is != "0" {
		t.Errorf("it was put back to %s", is)
	}
}

// TestDeadAreRestored: what a killed process and its watchdog left is put back by the next command, unless somebody
// lives who will; another boot's is left alone.
func TestDeadAreRestored(t *testing.T) {
	root, base := machine(t), filepath.Join(t.TempDir(), "run")
	before := state(t, root)
	if done, err := PutBackDead(root, base); err != nil || len(done) > 0 {
		t.Errorf("before anything: %v, %v", done, err)
	}
	settings, _ := Find(At{Root: root}, onDisks("vda", "scheduler", "none"))
	h, err := Take(t.Context(), root, base, "s", settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Keep(), h.Change()); err != nil {
		t.Fatal(err)
	}
	if done, err := PutBackDead(root, base); err != nil || len(done) > 0 || maps.Equal(state(t, root), before) {
		t.Errorf("of one that lives: %v, %v", done, err)
	}
	h.Close() // as the kernel does for one that was killed
	old := filepath.Join(base, "another-boot")
	if err := errors.Join(os.Mkdir(old, 0o755),
		owed.In(old, "x").Keep(map[string]string{root.ProcPath("sys/vm/swappiness"): "5"})); err != nil {
		t.Fatal(err)
	}
	done, err := PutBackDead(root, base)
	if err != nil || len(done) != 1 || !strings.Contains(done[0], "tune.scheduler:vda was put back") {
		t.Errorf("%q, %v", done, err)
	}
	if now := state(t, root); !maps.Equal(now, before) {
		t.Errorf("it was %v, and is %v", before, now)
	}
	if left, err := owed.All(old); err != nil || len(left) != 1 {
		t.Errorf("of another boot %v are left, %v", left, err)
	}
}

// TestNothingElseIsWritten: a file of what is owed that names something else, or of another user, is not believed.
func TestNothingElseIsWritten(t *testing.T) {
	root, base := machine(t), filepath.Join(t.TempDir(), "run")
	dir, err := stateDir(root, base)
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "passwd")
	hosttest.Write(t, target, "root\n")
	if err := owed.In(dir, "x").Keep(map[string]string{target: "nobody"}); err != nil {
		t.Fatal(err)
	}
	if _, err := PutBackDead(root, base); err == nil || !strings.Contains(err.Error(), "which is no setting") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(target); string(text) != "root\n" {
		t.Errorf("it holds %q", text)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Take(t.Context(), root, base, "s", nil); err == nil ||
		!strings.Contains(err.Error(), "nobody else can write") {
		t.Errorf("a directory that all can write to was taken: %v", err)
	}
}

// TestTwoSessions: the second that would change a setting is refused while the first measures, and between two of its
// runs; once that has ended, or was killed and restored, it is free.
func TestTwoSessions(t *testing.T) {
	root, base := machine(t), filepath.Join(t.TempDir(), "run")
	settings, _ := Find(At{Root: root}, onDisks("vda", "scheduler", record.AsFound))
	others, _ := Find(At{Root: root}, onDisks("nvme0n1", "scheduler", "none"))
	first, err := Take(t.Context(), root, base, "one", settings)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range []string{"two", ""} {
		if _, err := Take(t.Context(), root, base, session, settings); !errors.As(err, new(InUse)) ||
			!strings.Contains(err.Error(), "tune.scheduler of vda is in use by another session of plimsoll (one)") {
			t.Errorf("while the first measures: %v", err)
		}
	}
	second, err := Take(t.Context(), root, base, "two", others)
	if err != nil {
		t.Fatalf("another disk: %v", err)
	}
	second.Close()
	first.Close()
	late := time.Now().Add(lease - time.Second) // for a machine that stands still meanwhile
	if err := os.Chtimes(filepath.Join(base, "b007", lockPrefix+nameOf(settings[0])), late, late); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Take(ctx, root, base, "two", settings); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("between two runs of the first: %v", err)
	}
	again, err := Take(t.Context(), root, base, "one", settings)
	if err != nil {
		t.Fatalf("the first, again: %v", err)
	}
	again.Close()
	Release(root, base, "one")
	if second, err = Take(t.Context(), root, base, "two", settings); err != nil {
		t.Fatalf("after the end of the first: %v", err)
	}
	second.Close()
}

// TestExplained: what an errno means here.
func TestExplained(t *testing.T) {
	for err, want := range map[error]string{unix.EROFS: "container", unix.EACCES: "root's", unix.EPERM: "root's",
		unix.EIO: "manages it"} {
		if got := Explained(err); !strings.Contains(got.Error(), want) || !errors.Is(got, err) {
			t.Errorf("%v", got)
		}
	}
	if got := Explained(unix.EINVAL); got != unix.EINVAL {
		t.Errorf("%v", got)
	}
}

// TestManagedInterrupts: older kernels refuse to move one with EIO, newer ones with EPERM. EPERM means something else
// of another file, and of one that could not be opened.
func TestManagedInterrupts(t *testing.T) {
	const irq, other = "/proc/irq/36/smp_affinity_list", "/sys/block/vda/queue/scheduler"
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&fs.PathError{Op: "write", Path: irq, Err: unix.EIO}, true},
		{&fs.PathError{Op: "write", Path: irq, Err: unix.EPERM}, true},
		{errors.Join(&fs.PathError{Op: "write", Path: irq, Err: unix.EPERM}), true},
		{&fs.PathError{Op: "open", Path: irq, Err: unix.EPERM}, false},
		{&fs.PathError{Op: "open", Path: irq, Err: unix.EACCES}, false},
		{&fs.PathError{Op: "write", Path: other, Err: unix.EPERM}, false},
		{nil, false},
	} {
		if got := Kept(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
		if c.err != nil && strings.Contains(Explained(c.err).Error(), "manages it") != c.want {
			t.Errorf("%v", Explained(c.err))
		}
	}
}

// TestDeclaration: each row says what it is of and whom it affects, and presets name rows with values that they take.
func TestDeclaration(t *testing.T) {
	rows := map[string]Knob{}
	for _, k := range All() {
		rows[k.Name] = k
		if !record.IsSetting(k.Name) || !k.Tunes || !k.Minor || k.Whom == "" || k.Doc == "" ||
			k.where == nil && k.own == nil {
			t.Errorf("%+v", k.Param)
		}
	}
	for _, p := range Presets() {
		for name, value := range p.Set {
			k, ok := rows[name]
			if _, err := k.Canonical(value); !ok || err != nil {
				t.Errorf("preset %s: %s=%s: %v", p.Name, name, value, err)
			}
		}
	}
}
