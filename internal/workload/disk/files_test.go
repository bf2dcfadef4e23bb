package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/ring"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func small(more record.Params) record.Params {
	p := record.Params{"block": "4KiB", "size": "1MiB", "jobs": "2", "depth": "4"}
	for name, v := range more {
		p[name] = v
	}
	return p
}

// prepared is a driver whose data is there.
func prepared(t *testing.T, set record.Params) *driver {
	t.Helper()
	onDisk(t)
	p := params(t, small(set))
	d, err := newDriver(workload.Env{Scratch: t.TempDir(), Seed: 11, Lanes: lanes(p, record.LoadPoint{}, 2)}, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d.(*driver)
}

// TestNothingToFind: the files have no name, so nothing can be left of them.
func TestNothingToFind(t *testing.T) {
	d := prepared(t, nil)
	entries, err := os.ReadDir(d.env.Scratch)
	if err != nil || len(entries) > 0 {
		t.Errorf("%v in the directory: %v", entries, err)
	}
}

// TestEveryByteIsWritten: the load meets neither holes nor zeros.
func TestEveryByteIsWritten(t *testing.T) {
	for _, layout := range []string{layoutOwn, layoutShared} {
		d := prepared(t, record.Params{"layout": layout, "size": "2560KiB"})
		buffers, all, err := ring.Map(1, 4096)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ring.Unmap(all) })
		seen := map[string]bool{}
		for _, p := range d.data.parts {
			for at := p.start; at < p.start+d.job.size(); at += 4096 {
				if _, err := unix.Pread(p.fd, buffers[0], at); err != nil {
					t.Fatal(err)
				}
				sequence, ok := stamped(buffers[0], p.key, at)
				if !ok || sequence != 0 || seen[string(buffers[0])] {
					t.Fatalf("%s: block at %d of %s: stamp %t, sequence %d, seen before: %t", layout, at, p.name, ok, sequence,
						seen[string(buffers[0])])
				}
				seen[string(buffers[0])] = true
			}
		}
		if len(seen) != 2*2560/4 {
			t.Errorf("%s: %d blocks", layout, len(seen))
		}
	}
}

// runLane runs lane 0 for a moment, as the agent does.
func runLane(t *testing.T, d *driver) (load.Result, error) {
	t.Helper()
	g, err := load.New(load.Config{Load: closed(4), Lanes: 1, Seed: 1, Duration: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer g.Lane(0).Leave()
		l, err := d.Lane(0)
		if err == nil {
			err = l.Run(t.Context(), g.Lane(0))
		}
		errs <- err
	}()
	g.Start(g.Clock().Now())
	err = <-errs
	return g.Result(), err
}

// TestLatencyOfThreads: in a closed loop a write's latency has neither the pause before it nor the sync of the one
// before.
func TestLatencyOfThreads(t *testing.T) {
	d := prepared(t, record.Params{"engine": "threads", "jobs": "1", "depth": "1", "rw": "randwrite", "fdatasync": "1",
		"bandwidth": "40KiB"})
	r, err := runLane(t, d)
	if err != nil || r.Ops < 2 {
		t.Fatalf("%d operations: %v", r.Ops, err)
	}
	if p50 := time.Duration(r.Latency.ValueAtQuantile(50)); p50 > 60*time.Millisecond {
		t.Errorf("half of the writes, one in 100 ms, took %v", p50)
	}
}

// TestTruncated: data that disappear under the load end it, with an error.
func TestTruncated(t *testing.T) {
	for name, c := range map[string]struct {
		set  record.Params
		want string
	}{
		"read":           {record.Params{"rw": "randread"}, "was truncated"},
		"write":          {record.Params{"rw": "write"}, "was truncated"},
		"read, threads":  {record.Params{"rw": "read", "engine": "threads", "depth": "1"}, "was truncated"},
		"write, threads": {record.Params{"rw": "write", "engine": "threads", "depth": "1"}, "was truncated"},
		"past the end":   {record.Params{"rw": "randread"}, "it has become shorter"},
		"past the end, threads": {record.Params{"rw": "randread", "engine": "threads", "depth": "1"},
			"it has become shorter"},
		"foreign content": {record.Params{"rw": "read"}, "differ from those written there"},
	} {
		d := prepared(t, c.set)
		if err := unix.Ftruncate(d.data.fds[0], 0); err != nil {
			t.Fatal(err)
		}
		if name == "foreign content" || strings.HasPrefix(name, "past") {
			d.data.sizes[0], d.data.blocks[0] = 0, 0 // so that only the data reveal it
		}
		if name == "foreign content" {
			if err := unix.Ftruncate(d.data.fds[0], d.job.size()); err != nil {
				t.Fatal(err)
			}
		}
		_, err := runLane(t, d)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestVerify: a last block without its writer's stamp voids the trial.
func TestVerify(t *testing.T) {
	d := prepared(t, nil)
	r, err := runLane(t, d)
	if err != nil || r.Ops == 0 {
		t.Fatalf("%d operations, %v", r.Ops, err)
	}
	if err := d.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	lost := d.outcomes()[0].last
	if err := d.data.prefill(t.Context(), &d.job, 11); err != nil { // as if the load had never written
		t.Fatal(err)
	}
	if err := d.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "differ from those written there") {
		t.Errorf("the write at %d is lost, and Verify says %v", lost, err)
	}
}

// TestTimelineCountsAll: the timeline has the generator's counts, except for the operations at its ends.
func TestTimelineCountsAll(t *testing.T) {
	d := prepared(t, nil)
	r, err := runLane(t, d)
	if err != nil {
		t.Fatal(err)
	}
	ios, bytes := int64(0), int64(0)
	tracks := d.Timeline(r)
	for i, n := range tracks[1].Values {
		ios += n
		bytes += tracks[0].Values[i]
	}
	latencies := int64(0)
	for _, s := range tracks[2].Spreads {
		latencies += s.Total()
	}
	if ios > r.Ops || ios < r.Ops-int64(d.job.depth)-1 || bytes != ios*4096 || latencies != ios {
		t.Errorf("%d operations of %d bytes and %d latencies in the timeline, %d were done", ios, bytes, latencies, r.Ops)
	}
}

func TestPlaces(t *testing.T) {
	onDisk(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{"path": filepath.Join(dir, "none")}, "no such file or directory\nhint: mkdir -p "},
		{record.Params{"path": file}, "is not a directory"},
		{record.Params{"path": "/dev/null"}, "is not a disk"},
		{record.Params{"path": "/dev/nonesuch"}, "hint: lsblk"},
		{record.Params{"size": "60TiB", "jobs": "1000", "depth": "1"}, "may be taken in"},
	} {
		_, err := newDriver(workload.Env{Scratch: dir}, params(t, small(c.set)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
	var fs unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &fs); err == nil && uint32(fs.Type) == unix.TMPFS_MAGIC {
		_, err := newDriver(workload.Env{Scratch: "/dev/shm"}, params(t, small(nil)))
		if err == nil || !strings.Contains(err.Error(), "is in memory (tmpfs)") {
			t.Error(err)
		}
	}
}
