package storage

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/pulse"
)

// Lines of three kernels: 3.x with 11 counters, 4.18 with discards, 6.18 with flushes; the last two captured here.
const diskLines = "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n" +
	" 259       1 nvme0n1p1 11 0 88 1 22 0 176 2 0 3 3 0 0 0 0\n" +
	" 254       0 vda 99051 28628 3812266 24613 19434 56078 4658320 16052 30 14968 42429 12907 25 1052600 " +
	"1394 1905 369\n" +
	" 253       0 zram0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

func TestParseDiskstats(t *testing.T) {
	got := make([]Counters, 3)
	if err := parseDiskstats([]byte(diskLines), []string{"vda", "sda", "gone"}, got); err != nil {
		t.Fatal(err)
	}
	want := []Counters{
		{Reads: 99051, ReadMerges: 28628, ReadSectors: 3812266, Writes: 19434, WriteMerges: 56078, WriteSectors: 4658320,
			InFlight: 30, BusyMs: 14968, RequestMs: 24613 + 16052, QueueMs: 42429},
		{Reads: 1, ReadMerges: 2, ReadSectors: 3, Writes: 5, WriteMerges: 6, WriteSectors: 7, InFlight: 9, BusyMs: 10,
			RequestMs: 4 + 8, QueueMs: 11},
		{},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, in := range []string{"\n", "8 0 sda 1 2 3\n", "8 0 sda 1 2 3 4 5 6 7 8 9 x\n", "8 0 sda 1 2 3 4 5 6 7 8 9 10\n",
		"8 0 sda 1 2 3 4 5 6 7 8 -1 10\n", "a 0 sda 1 2 3 4 5 6 7 8 9 10\n",
		"8 0 sda 1 2 3 4 5 6 7 8 9 999999999999999999999\n"} {
		if err := parseDiskstats([]byte(in), []string{"sda"}, make([]Counters, 1)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}

func TestParseCPULine(t *testing.T) {
	got, err := parseCPULine([]byte("cpu  10 20 30 400 50 6 7 8 9 0\ncpu0 1 1 1\n"))
	if err != nil || got != (cpuTicks{iowait: 50, total: 531}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, in := range []string{"", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3 4\n", "intr 1\n"} {
		if got, err := parseCPULine([]byte(in)); err == nil {
			t.Errorf("%q: %+v, want an error", in, got)
		}
	}
}

func FuzzDiskstats(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/diskstats"}, diskLines, "8 0 sda", "8 0  1 2 3 4 5 6 7 8 9 10")
	f.Fuzz(func(t *testing.T, b []byte) {
		for len(b) > 0 {
			name, c, rest, err := nextDisk(b)
			if len(rest) >= len(b) {
				t.Fatalf("nothing of %q was read", b)
			}
			if err != nil && c != (Counters{}) || err == nil && (len(name) == 0 || strings.ContainsAny(string(name), " \n")) {
				t.Errorf("%q: %q, %+v, %v", b, name, c, err)
			}
			b = rest
		}
	})
}

func FuzzCPULine(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/stat"}, "cpu  1 2 3 4 5 6 7 8\n", "cpu")
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := parseCPULine(b); err != nil && got != (cpuTicks{}) {
			t.Errorf("%q: %+v, %v", b, got, err)
		}
	})
}

// disky is a machine with one disk, vda.
func disky(t *testing.T) hostfs.Root {
	t.Helper()
	dir := t.TempDir()
	root := hostfs.Root{Proc: filepath.Join(dir, "proc"), Sys: filepath.Join(dir, "sys")}
	for _, d := range []string{root.Proc, root.SysPath("block/vda/device"), root.SysPath("block/zram0")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hosttest.Write(t, root.ProcPath("diskstats"), diskLines)
	hosttest.Write(t, root.ProcPath("stat"), "cpu  10 20 30 400 50 6 7 8 0 0\n")
	return root
}

// TestDiskSampler: counters stand as they were read, and what lies on top of a disk is not a disk.
func TestDiskSampler(t *testing.T) {
	root, beats := disky(t), pulse.Start(pulse.Beat)
	defer beats.Stop()
	s, err := NewSampler(root, Step, time.Second, "")
	if err != nil {
		t.Fatal(err)
	}
	s.sample()
	hosttest.Write(t, root.ProcPath("diskstats"), strings.Replace(diskLines, "99051", "99151", 1))
	hosttest.Write(t, root.ProcPath("stat"), "cpu  10 20 30 410 60 6 7 8 0 0\n")
	s.Start(beats)
	tl, err := s.Stop()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tl.Devices, []string{"vda"}) || len(tl.AtNs) < 2 || !slices.IsSorted(tl.AtNs) {
		t.Fatalf("%+v", tl)
	}
	last := len(tl.AtNs) - 1
	if tl.Disks[0][last].Reads-tl.Disks[0][0].Reads != 100 || tl.Iowait[last]-tl.Iowait[0] != 10 ||
		tl.CPU[last]-tl.CPU[0] != 20 {
		t.Errorf("%+v", tl)
	}
	if len(tl.Disks[0]) != len(tl.AtNs) || len(tl.Iowait) != len(tl.AtNs) || len(tl.CPU) != len(tl.AtNs) {
		t.Errorf("columns are not as long as each other: %+v", tl)
	}
}

// TestDiskSamplerOfALoopDevice: data on a loop device are sampled there, and not in the drive below its file as well.
func TestDiskSamplerOfALoopDevice(t *testing.T) {
	root, data, file := disky(t), t.TempDir(), "/proc/version"
	for _, dir := range []string{root.ProcPath("self"), root.SysPath("block/loop0/loop"),
		root.SysPath("block/nvme0n1/device"), root.SysPath("dev/block")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hosttest.Write(t, root.ProcPath("self/mountinfo"), "")
	hosttest.Write(t, root.SysPath("block/loop0/loop/backing_file"), file+"\n")
	for path, name := range map[string]string{data: "loop0", file: "vda"} {
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			t.Fatal(err)
		}
		hosttest.Link(t, "../../"+name, root.SysPath("dev/block",
			fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev))))
	}
	for path, want := range map[string][]string{data: {"loop0", "nvme0n1"}, file: {"nvme0n1", "vda"},
		"": {"nvme0n1", "vda"}} {
		s, err := NewSampler(root, Step, 0, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Stop(); err != nil || !slices.Equal(s.names, want) {
			t.Errorf("of data in %q: %v, want %v", path, s.names, want)
		}
	}
}

func TestDiskSamplerSaysWhatIsBroken(t *testing.T) {
	root, beats := disky(t), pulse.Start(pulse.Beat)
	defer beats.Stop()
	if err := os.Remove(root.ProcPath("diskstats")); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSampler(root, Step, 0, ""); !hostfs.NotHere(err) {
		t.Errorf("without diskstats: %v", err)
	}
	hosttest.Write(t, root.ProcPath("diskstats"), "8 0 vda 1\n")
	s, err := NewSampler(root, Step, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	s.Start(beats)
	if tl, err := s.Stop(); err == nil || !strings.Contains(err.Error(), "diskstats") || len(tl.AtNs) != 0 {
		t.Errorf("%+v, %v", tl, err)
	}
	bare := hostfs.Root{Proc: root.Proc, Sys: t.TempDir()}
	if _, err := NewSampler(bare, Step, 0, ""); !hostfs.NotHere(err) {
		t.Errorf("without disks: %v", err)
	}
}

// TestDiskSamplerReadsLongFiles: more lines than its first buffer holds.
func TestDiskSamplerReadsLongFiles(t *testing.T) {
	root := disky(t)
	hosttest.Write(t, root.ProcPath("diskstats"),
		strings.Repeat(" 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n", diskBuf/16)+diskLines)
	s, err := NewSampler(root, Step, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = s.Stop() }()
	if s.sample(); s.broken != nil || s.tl.Disks[0][0].Reads != 99051 {
		t.Errorf("%+v, %v", s.tl, s.broken)
	}
}

// live is a sampler of this machine, with room for n samples.
func live(tb testing.TB, n int) *Sampler {
	s, err := NewSampler(hostfs.System(), Step, time.Duration(n)*Step, "")
	if hostfs.NotHere(err) {
		tb.Skipf("no disks here: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _, _ = s.Stop() })
	return s
}

func TestDiskSamplerAllocatesNothing(t *testing.T) {
	const runs = 100
	runtime.LockOSThread() // as the sampler's own loop does: its cost is its thread's time
	defer runtime.UnlockOSThread()
	s := live(t, 2*runs)
	if n := testing.AllocsPerRun(runs, s.sample); n > 0 || s.broken != nil {
		t.Errorf("%v allocations a sample, %v", n, s.broken)
	}
	if s.tl.CostS <= 0 || math.IsInf(s.tl.CostS, 0) {
		t.Errorf("sampling cost %v s", s.tl.CostS)
	}
}

func BenchmarkDiskSample(b *testing.B) {
	s := live(b, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		if len(s.tl.AtNs) == cap(s.tl.AtNs) {
			b.StopTimer()
			s = live(b, 1<<20)
			b.StartTimer()
		}
		s.sample()
	}
	b.ReportMetric(s.tl.CostS/float64(len(s.tl.AtNs))*1e6, "cpu-us/sample")
}
