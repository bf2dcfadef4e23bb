package forecast

import (
	"slices"

	"plimsoll/internal/base/list"
)

// Use is the use of one host over a session, added up run by run.
type Use struct {
	Speed Speed
	Steps []StepSeconds // in the order of their first appearance
	Open  []string      // durations that are not in Steps, each once
	Disks []DiskUse
	made  map[string]bool
}

// StepSeconds is the time that all steps of one name take together.
type StepSeconds struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// DiskUse is the space that a session takes on one file system at its peak.
type DiskUse struct {
	Disk
	Kept int64 `json:"kept_bytes"` // data that stay until the session ends
	Peak int64 `json:"peak_bytes"` // with the files of the largest run
	run  int64
}

// Add adds a run of that cost, and returns its seconds besides warm-up and measurement.
func (u *Use) Add(c Cost) float64 {
	disk := u.Speed.DiskAt(c.Path)
	sum := 0.0
	for _, d := range c.Data {
		if key := c.Path + "\x00" + d.Key; !u.made[key] {
			if u.made == nil {
				u.made = map[string]bool{}
			}
			u.made[key] = true
			sum += u.add(d.Steps, disk)
			u.occupy(disk, d.Bytes, 0)
		}
	}
	if c.Disk > 0 {
		u.occupy(disk, 0, c.Disk)
	}
	if c.Open != "" && !slices.Contains(u.Open, c.Open) {
		u.Open = append(u.Open, c.Open)
	}
	return sum + u.add(c.Steps, disk)
}

func (u *Use) add(steps []Step, disk Disk) float64 {
	sum := 0.0
	for _, s := range steps {
		seconds := u.Speed.Seconds(s.Work, disk)
		at := slices.IndexFunc(u.Steps, func(t StepSeconds) bool { return t.Name == s.Name })
		if at < 0 {
			u.Steps, at = append(u.Steps, StepSeconds{Name: s.Name}), len(u.Steps)
		}
		u.Steps[at].Seconds += seconds
		sum += seconds
	}
	return sum
}

func (u *Use) occupy(disk Disk, kept, run int64) {
	at := slices.IndexFunc(u.Disks, func(d DiskUse) bool { return d.Mount == disk.Mount })
	if at < 0 {
		u.Disks, at = append(u.Disks, DiskUse{Disk: disk}), len(u.Disks)
	}
	d := &u.Disks[at]
	d.Kept, d.run = d.Kept+kept, max(d.run, run)
	d.Peak = d.Kept + d.run
}

// Seconds returns the time of all steps together.
func (u Use) Seconds() float64 {
	return list.Sum(u.Steps, func(s StepSeconds) float64 { return s.Seconds })
}
