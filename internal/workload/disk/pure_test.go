package disk

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// params are the defaults with some set, in any text form.
func params(t testing.TB, set record.Params) workload.Params {
	t.Helper()
	decl := Spec().Workload
	vals := decl.Defaults()
	maps.Copy(vals, set)
	for name, v := range set {
		p, ok := decl.Param(name)
		if !ok {
			t.Fatalf("no parameter %s", name)
		}
		c, err := p.Canonical(v)
		if err != nil {
			t.Fatal(err)
		}
		vals[name] = c
	}
	return workload.NewParams(decl, vals)
}

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		want string // "": nothing is wrong
	}{
		{nil, ""},
		{record.Params{"block": "5000"}, "5000 bytes is not a multiple of the 512-byte sector\nhint: --set disk.block=5KiB"},
		{record.Params{"block": "1MiB", "size": "512KiB", "depth": "2"},
			"a job of 512KiB is smaller than the blocks in flight, each of 1MiB\nhint: --set disk.size=2MiB"},
		{record.Params{"fsync": "1", "fdatasync": "1"}, "both fsync and fdatasync"},
		{record.Params{"rw": "randread", "fsync": "1"}, "randread writes nothing to sync"},
		{record.Params{"bandwidth": "1MB", "rate": "5"}, "a rate and a bandwidth"},
		{record.Params{"depth": "32768", "block": "512"}, "depth: 32768 operations in flight: a ring has 1 to 32767"},
		{record.Params{"clients": "200000", "block": "512"}, "depth: 50000 operations in flight"},
		{record.Params{"depth": "32767", "block": "512", "jobs": "1"}, ""},
		{record.Params{"depth": "1000", "block": "4MiB"}, "need more than 4GiB of memory"},
		{record.Params{"engine": "threads", "depth": "300"}, "1200 threads exceed the limit of 1024"},
		{record.Params{"engine": "threads", "clients": "1000"}, ""},
	} {
		err := Spec().Check(params(t, c.set), record.Machine{})
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "disk: ")) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

// Of small blocks the operations count, of large ones the bytes.
func TestPrimary(t *testing.T) {
	decl := Spec().Workload
	for block, want := range map[string]string{"512B": "iops", "4KiB": "iops", "16KiB": "iops", "65024B": "iops",
		"64KiB": "throughput", "1MiB": "throughput"} {
		params := decl.Defaults()
		params["block"] = block
		if got := decl.PrimaryAt(params); got != want {
			t.Errorf("blocks of %s: %s, want %s", block, got, want)
		}
	}
}

func TestFlights(t *testing.T) {
	for clients, want := range map[string][]int{"0": {128, 128, 128, 128}, "10": {2, 3, 2, 3}, "3": {1, 1, 1},
		"64": {16, 16, 16, 16}} {
		j := jobOf(params(t, record.Params{"clients": clients}))
		for i, n := range want {
			if j.jobs != len(want) || j.flights(i) != n {
				t.Errorf("%s clients: %d jobs, job %d has %d, want %v", clients, j.jobs, i, j.flights(i), want)
			}
		}
	}
	for depth, want := range map[int]int{1: 1, 63: 1, 64: 16, 128: 32, 4096: 32} {
		if got := batchOf(0, depth); got != want {
			t.Errorf("a batch of depth %d is %d, want %d", depth, got, want)
		}
	}
	for depth, want := range map[int]int{1: 1, 3: 1, 8: 2, 32: 8, 128: 32, 4096: 1024} {
		if got := mostOf(0, depth); got != want {
			t.Errorf("of depth %d at most %d are taken at a time, want %d", depth, got, want)
		}
	}
	if mostOf(50, 8) != 8 || mostOf(1, 32) != 8 {
		t.Error("a batch that is asked for is taken whole")
	}
	if batchOf(50, 8) != 8 || batchOf(3, 8) != 3 {
		t.Error("batches asked for")
	}
}

func TestPatterns(t *testing.T) {
	const seed = 9
	t.Logf("seed %d", seed)
	j := jobOf(params(t, record.Params{"block": "4KiB", "size": "40KiB"}))
	p := newPattern(&part{start: 8192}, &j, seed, 0)
	for i := range 25 {
		if at, write := p.next(); at != 8192+int64(i%10)*4096 || !write {
			t.Fatalf("write %d goes to %d", i, at)
		}
	}
	j = jobOf(params(t, record.Params{"block": "4KiB", "size": "40KiB", "rw": "randrw", "mix": "30"}))
	p = newPattern(&part{start: 8192}, &j, seed, 1)
	const n = 20_000
	seen, reads := map[int64]int{}, 0
	for range n {
		at, write := p.next()
		if seen[at]++; !write {
			reads++
		}
	}
	for at, times := range seen {
		// Six sigmas of a binomial.
		if at < 8192 || at >= 8192+40960 || at%4096 != 0 || math.Abs(float64(times)-n/10) > 6*math.Sqrt(n*.09) {
			t.Errorf("%d: %d times of %d", at, times, n)
		}
	}
	if len(seen) != 10 || math.Abs(float64(reads)-.3*n) > 6*math.Sqrt(n*.21) {
		t.Errorf("%d blocks, %d reads of %d", len(seen), reads, n)
	}
	j = jobOf(params(t, record.Params{"rw": "rw", "block": "4KiB", "size": "40KiB"}))
	p = newPattern(&part{}, &j, seed, 2)
	var next [2]int64
	for range 40 {
		at, write := p.next()
		k := 0
		if write {
			k = 1
		}
		if at != next[k]%10*4096 {
			t.Fatalf("reads and writes in order, each for itself: %d", at)
		}
		next[k]++
	}
}

func TestStamps(t *testing.T) {
	for _, block := range []int{512, 1536, 4096, 16384, 1 << 20} {
		unit := unitOf(block)
		if unit < 512 || unit > 4096 || block%unit != 0 {
			t.Errorf("blocks of %d have stamps every %d", block, unit)
		}
		b := make([]byte, block)
		stamp(b, unit, 77, 8192, 5)
		for at := 0; at < block; at += unit {
			if n, ok := stamped(b[at:], 77, int64(8192+at)); !ok || n != 5 {
				t.Errorf("block of %d: no stamp at %d", block, at)
			}
		}
		if _, ok := stamped(b, 77, 8192+512); ok {
			t.Error("a stamp fits another place")
		}
		if _, ok := stamped(b, 78, 8192); ok {
			t.Error("a stamp fits another file")
		}
	}
}

func TestClasses(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	last := -1
	for c := range classes {
		top := classTop(c)
		if classOf(top) != c || c > 0 && classOf(classTop(c-1)+1) != c {
			t.Fatalf("class %d ends at %d, which is in %d", c, top, classOf(top))
		}
	}
	for range 100_000 {
		v := rng.Int64N(1 << (1 + rng.Int64N(topBits)))
		c := classOf(v)
		if top := classTop(c); v > top || float64(top-v) > float64(v)/perOctave {
			t.Fatalf("%d is in class %d, which ends at %d", v, c, top)
		}
		last = max(last, c)
	}
	if classOf(-5) != 0 || classOf(math.MaxInt64) != classes-1 || last >= classes {
		t.Errorf("the ends: %d, %d, %d of %d", classOf(-5), classOf(math.MaxInt64), last, classes)
	}
}

// TestTimeline: everything that ended in the measured time stands in its own step, and the silence between too.
func TestTimeline(t *testing.T) {
	const start = int64(5e9)
	a, b := newTimeline(250*time.Millisecond), newTimeline(250*time.Millisecond)
	for _, e := range []struct {
		lane *timeline
		at   int64
		took int64
		n    int
	}{
		{a, start - 1, 1000, 9}, {a, start, 1000, 2}, {a, start + 999_999, 70_000, 1}, {b, start + 1e6, 1000, 3},
		{a, start + 120e6, 900e6, 1}, {b, start + 249_999_999, 1000, 4}, {a, start + 250e6, 1000, 9},
	} {
		e.lane.at(e.at, start)
		for range e.n {
			e.lane.add(e.took, 4096)
		}
	}
	got := tracks([]*timeline{a, nil, b})
	if len(got) != 3 || got[0].Name != "disk.bytes" || got[1].Name != "disk.ios" || got[0].StepNs != 1e6 ||
		got[1].StepNs != 1e6 || got[2].StepNs != 100e6 {
		t.Fatalf("%+v", got)
	}
	want := map[int]int64{0: 3, 1: 3, 120: 1, 249: 4}
	for i, n := range got[1].Values {
		if n != want[i] || got[0].Values[i] != 4096*n {
			t.Errorf("step %d: %d operations of %d bytes, want %d", i, n, got[0].Values[i], want[i])
		}
	}
	spreads := got[2].Spreads
	if len(got[1].Values) != 250 || len(spreads) != 3 || spreads[0].Total() != 6 || len(spreads[0]) != 2 ||
		spreads[1].Total() != 1 || spreads[2].Total() != 4 {
		t.Errorf("%d steps, spreads %v", len(got[1].Values), spreads)
	}
	if p := spreads[1].Quantile(.99); p < 900e6 || p > 900e6*33/32 {
		t.Errorf("the stall of 900 ms is %d ns", p)
	}
	if tracks(nil) != nil || tracks([]*timeline{nil}) != nil {
		t.Error("tracks of nothing")
	}
}

func TestTimelineOfLongLoads(t *testing.T) {
	for d, want := range map[time.Duration]int64{time.Second: 1e6, time.Hour: 1e6, time.Hour + time.Second: 10e6,
		24 * time.Hour: 100e6} {
		if got := stepOf(d); got != want {
			t.Errorf("steps of %v are %d, want %d", d, got, want)
		}
	}
}

func TestTimelineAllocatesNothing(t *testing.T) {
	l := newTimeline(10 * time.Second)
	now := int64(1e9)
	if n := testing.AllocsPerRun(1000, func() {
		now += 333_333
		l.at(now, 1e9)
		for i := range 20 {
			l.add(int64(100_000+i*5000), 4096)
		}
	}); n != 0 {
		t.Errorf("%g allocations a batch", n)
	}
}

func BenchmarkTimeline(b *testing.B) {
	l := newTimeline(time.Hour)
	now := int64(1e9)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%32 == 0 {
			now += 100_000
			l.at(now, 1e9)
		}
		l.add(int64(i&0xffff)<<6, 4096)
	}
}

func TestDurable(t *testing.T) {
	d := newDurable(2, 4)
	d.write()
	if d.due() {
		t.Error("due after one write of two")
	}
	d.write()
	if !d.due() {
		t.Fatal("not due once two writes have begun, though none has ended")
	}
	none := d.begin()
	d.wrote(100)
	d.wrote(150)
	d.write()
	d.write()
	if !d.due() {
		t.Fatal("a sync in flight holds back the next one")
	}
	two := d.begin()
	d.wrote(200) // ended while the syncs ran: none of them covers it
	d.end(1000, 120, 130, none)
	if d.took.TotalCount() != 0 || d.synced.TotalCount() != 1 {
		t.Errorf("%d durable writes by a sync that began before any had ended, %d syncs", d.took.TotalCount(),
			d.synced.TotalCount())
	}
	d.end(1100, 120, 160, two) // 100 began before the measured time
	if d.took.TotalCount() != 1 || d.took.Max() < 949 || d.took.Max() > 951 || d.synced.Max() < 939 ||
		d.synced.Max() > 941 {
		t.Errorf("%d durable writes, the longest of %d; syncs of %d", d.took.TotalCount(), d.took.Max(), d.synced.Max())
	}
	first, second := d.begin(), int64(0)
	d.wrote(300)
	second = d.begin()
	d.end(1200, 120, 310, second) // overtakes the first, which then covers nothing more
	d.end(1300, 120, 305, first)
	if d.took.TotalCount() != 3 || d.syncs != 4 || len(d.waiting) != 0 {
		t.Errorf("%d durable writes, %d syncs, %d left", d.took.TotalCount(), d.syncs, len(d.waiting))
	}
	if off := newDurable(0, 4); off.due() || off.took != nil {
		t.Error("syncs that nobody asked for")
	}
}

func TestRoom(t *testing.T) {
	j := jobOf(params(t, record.Params{"size": "1GiB", "jobs": "2"}))
	for _, c := range []struct {
		free, all int64
		want      string
	}{
		{4 << 30, 10 << 30, ""},
		{3 << 30, 10 << 30, ""},
		{3<<30 - 1, 10 << 30, "disk: 2 jobs of 1GiB need 2.15 GB, and 2.15 GB may be taken in /d: 3.22 GB of 10.74 GB are " +
			"free, and 1.07 GB must stay so (5% of the file system, at least 1 GiB)\nhint: --set disk.size=1073MB would fit"},
		{100 << 30, 1000 << 30, ""},
		{51 << 30, 1000 << 30, "53.69 GB must stay so"},
		{50 << 20, 60 << 20, "and 0.00 GB may be taken in /d: 0.05 GB of 0.06 GB are free, and 1.07 GB must " +
			"stay so (5% of " +
			"the file system, at least 1 GiB)\nhint: --set disk.path=DIRECTORY on another file system"},
		{1 << 30, 2 << 30, "hint: --set disk.path=DIRECTORY on another file system"},
	} {
		err := room("/d", workload.Space{All: c.all, Free: c.free}, j)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d of %d free: %v, want %q", c.free, c.all, err, c.want)
		}
	}
}

// TestALaneThatLooksLate: a stretch without a look counts as unseen, by step, and over two lanes half as much; none of
// it before the window, and none in a timeline that was always watched.
func TestALaneThatLooksLate(t *testing.T) {
	late, watched := newTimeline(10*time.Millisecond), newTimeline(10*time.Millisecond)
	const start = int64(1e9)
	late.away(start-2e6, start-1e6, start)
	late.away(start+2_500_000, start+6e6, start)
	late.away(start+9_500_000, start+20e6, start)
	got := tracks([]*timeline{late, watched})
	want := []int64{0, 0, 250_000, 500_000, 500_000, 500_000, 0, 0, 0, 250_000}
	if len(got) != 4 || got[3].Name != record.SeriesUnseen || !slices.Equal(got[3].Values, want) {
		t.Errorf("%+v", got)
	}
	if got := tracks([]*timeline{watched}); len(got) != 3 {
		t.Errorf("%+v", got)
	}
	l := &ringLane{outcome: outcome{time: watched}}
	for _, at := range []int64{0, 1, 3, 6} { // ms: the first is late for nothing, and 1 ms late is as late as timers are
		l.seen(start+at*1e6, look, start)
	}
	if got := tracks([]*timeline{watched}); len(got) != 4 || got[3].Values[4] != 1e6 || got[3].Values[2] != 0 {
		t.Errorf("%+v", got)
	}
}

const mountinfo = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 7:3 / /mnt/with\040space rw - ext4 /dev/loop3 rw
`

func TestMounts(t *testing.T) {
	for numbers, want := range map[string]string{"7:3": `/mnt/with\040space`, "254:0": "/", "7:30": "", "254": ""} {
		if got := mountedAt([]byte(mountinfo), []string{"1:1", numbers}); got != want {
			t.Errorf("%s is mounted at %q, want %q", numbers, got, want)
		}
	}
	swaps := "Filename\t\tType\t\tSize\tUsed\tPriority\n/dev/zram0  partition 100 0 -2\n/swapfile file 5 0 -3\n"
	if got := swapNames([]byte(swaps)); strings.Join(got, " ") != "/dev/zram0 /swapfile" {
		t.Errorf("swap on %q", got)
	}
}

// FuzzUse reads any bytes as the kernel's lists.
func FuzzUse(f *testing.F) {
	f.Add([]byte(mountinfo))
	own, _ := os.ReadFile("/proc/self/mountinfo")
	f.Add(own)
	f.Fuzz(func(t *testing.T, text []byte) {
		if at := mountedAt(text, []string{"7:3"}); at != "" && !strings.Contains(string(text), "7:3") {
			t.Errorf("mounted at %q", at)
		}
		for _, name := range swapNames(text) {
			if !strings.HasPrefix(name, "/") {
				t.Errorf("swap on %q", name)
			}
		}
	})
}
