// Package forecast estimates how long a plan takes and how much disk it fills, before anything runs: workloads state
// the work of their steps beside warm-up and measurement, and a host's measured speed turns work into seconds.
package forecast

// Speed is the speed of a host, measured for a forecast.
type Speed struct {
	Thread float64 `json:"thread"` // of one thread, relative to a thread of the reference machine
	All    float64 `json:"all"`    // of all usable CPUs together, likewise
	Disks  []Disk  `json:"disks"`  // that hold the data
}

// Disk is a file system that holds data of a plan.
type Disk struct {
	Path   string  `json:"path"`   // as the plan states it; "" for the scratch
	Mount  string  `json:"device"` // identity of the file system: equal for paths on one
	Free   int64   `json:"free_bytes"`
	Write  float64 `json:"write_bytes_per_s"` // sequential, synced
	SyncS  float64 `json:"sync_s"`            // of one small synced write
	Clones bool    `json:"clones"`            // files are copied by reflink
}

// Work is an amount of work. The reference machine is an EPYC 9R14 (Zen 4) guest of 2 vCPUs.
type Work struct {
	CPU     float64 // seconds of one thread of the reference machine
	Threads int     // that share CPU at most; 0: one
	Write   int64   // bytes written and synced
	Copy    int64   // bytes copied, without any writing if the file system clones
	Syncs   int     // small synced writes
	Wait    float64 // seconds that no faster machine shortens
}

// Seconds returns the duration of work on a host, whose data lie on a disk.
func (s Speed) Seconds(w Work, d Disk) float64 {
	out := w.Wait + float64(w.Syncs)*d.SyncS
	if rate := min(s.Thread*float64(max(w.Threads, 1)), s.All); rate > 0 {
		out += w.CPU / rate
	}
	write := w.Write
	if !d.Clones {
		write += w.Copy
	}
	if d.Write > 0 {
		out += float64(write) / d.Write
	}
	return out
}

// DiskAt returns the file system of a path; the zero Disk if unknown.
func (s Speed) DiskAt(path string) Disk {
	for _, d := range s.Disks {
		if d.Path == path {
			return d
		}
	}
	return Disk{}
}
