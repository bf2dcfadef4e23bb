package forecast

import (
	"math"
	"slices"
	"testing"
)

func TestSeconds(t *testing.T) {
	s := Speed{Thread: .5, All: 1.5}
	d := Disk{Write: 1e9, SyncS: .001}
	cloning := d
	cloning.Clones = true
	for name, c := range map[string]struct {
		work Work
		disk Disk
		want float64
	}{
		"one thread":              {Work{CPU: 3}, d, 6},
		"two":                     {Work{CPU: 3, Threads: 2}, d, 3},
		"more than all CPUs":      {Work{CPU: 3, Threads: 8}, d, 2},
		"disk":                    {Work{Write: 2e9, Copy: 1e9, Syncs: 100}, d, 3.1},
		"reflinks":                {Work{Write: 2e9, Copy: 1e9, Syncs: 100}, cloning, 2.1},
		"waiting":                 {Work{Wait: 10}, d, 10},
		"a disk of unknown speed": {Work{CPU: 1, Write: 1e12}, Disk{}, 2},
	} {
		if got := s.Seconds(c.work, c.disk); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g s, want %g", name, got, c.want)
		}
	}
}

// TestUse: data are made once and stay, files of runs do not; paths on one file system share its space.
func TestUse(t *testing.T) {
	u := Use{Speed: Speed{Thread: 1, All: 2, Disks: []Disk{
		{Path: "/a", Mount: "1:0", Free: 500}, {Path: "/b", Mount: "1:0", Free: 500}, {Path: "/c", Mount: "2:0"}}}}
	set := func(key string, bytes int64) Data {
		return Data{Key: key, Bytes: bytes, Steps: []Step{{Fill, Work{CPU: 5}}}}
	}
	run := Cost{Data: []Data{set("x", 100)}, Steps: []Step{{Start, Work{CPU: 1}}}, Disk: 100}
	both := Cost{Data: []Data{set("x", 100), set("y", 50)}, Steps: run.Steps, Disk: 80, Open: "the commands"}
	at := func(c Cost, path string) float64 {
		c.Path = path
		return u.Add(c)
	}
	took := []float64{at(run, "/a"), at(run, "/a"), at(both, "/a"), at(both, "/a"), at(run, "/b"), at(Cost{Disk: 7}, "/c")}
	if want := []float64{6, 1, 6, 1, 6, 0}; !slices.Equal(took, want) {
		t.Errorf("%v, want %v", took, want)
	}
	if want := []StepSeconds{{Fill, 15}, {Start, 5}}; !slices.Equal(u.Steps, want) || u.Seconds() != 20 {
		t.Errorf("%v, want %v", u.Steps, want)
	}
	if len(u.Disks) != 2 || u.Disks[0].Kept != 250 || u.Disks[0].Peak != 350 || u.Disks[1].Kept != 0 ||
		u.Disks[1].Peak != 7 {
		t.Errorf("%+v", u.Disks)
	}
	if !slices.Equal(u.Open, []string{"the commands"}) {
		t.Errorf("%q", u.Open)
	}
}
