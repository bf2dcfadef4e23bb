package agent

import (
	"os"
	"slices"
	"time"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
	"plimsoll/internal/workload"
)

// diskMeter reads the target's disks over the measured window.
type diskMeter struct {
	trial   *trial
	sampler *host.DiskSampler // nil where there is nothing to sample
	began   bool
	tl      host.DiskTimeline
	broken  error

	work   func() (int64, error) // what this process and all that it started have moved; nil not known
	before int64                 // when the window began
	moved  *int64                // in the window; nil not known
}

// newDiskMeter is a meter that reads nothing where the window belongs to several sides, whose I/Os no
// counter tells apart, and on a host that only makes the load.
func newDiskMeter(t *trial) *diskMeter {
	m := &diskMeter{trial: t}
	if len(t.sides) != 1 || t.target != "" {
		return m
	}
	s, err := host.NewDiskSampler(t.agent.Root, seconds(t.order.DurationS)+time.Second)
	if err == nil {
		m.sampler = s
	} else if !host.NotHere(err) {
		m.broken = err
	}
	return m
}

func (m *diskMeter) begin() {
	if m.sampler == nil {
		return
	}
	m.work = m.trial.storageBytes()
	var err error
	if m.before, err = m.work(); err != nil {
		m.work = nil // a kernel without such an account, or processes of another user's
	}
	m.sampler.Start()
	m.began = true
}

// storageBytes reads what the work has moved. Where nothing is started it is this process's alone: looking for children in
// all of /proc would take time from lanes that hold every CPU.
func (t *trial) storageBytes() func() (int64, error) {
	if t.sides[0].spec.Charge == workload.Lanes {
		return func() (int64, error) { return host.StorageBytes(t.agent.Root, os.Getpid()) }
	}
	return host.NewTree(t.agent.Root, os.Getpid()).StorageBytes
}

// end may be called again.
func (m *diskMeter) end() {
	s := m.sampler
	m.sampler = nil
	switch {
	case s == nil:
	case m.began:
		m.tl, m.broken = s.Stop()
		if m.work == nil {
			return
		}
		if after, err := m.work(); err == nil {
			moved := max(0, after-m.before)
			m.moved = &moved
		}
	default:
		_ = s.Close()
	}
}

// share states what the disk of the side's data did, or where these are on none that is seen, the busiest; nothing where
// that did nothing.
func (m *diskMeter) share(sides []*side) {
	s := sides[0]
	if m.broken != nil {
		s.doubt("the disks' counters could not all be read: " + m.broken.Error())
	}
	steps := len(m.tl.AtNs) - 1
	if steps < 1 {
		return
	}
	where, err := host.StorageOf(m.trial.agent.Root, s.data)
	known := s.data != "" && err == nil
	at, others := busiest(m.tl, where.Disks)
	use := diskUse(m.tl, at)
	if use.Reads+use.Writes == 0 {
		return
	}
	use.OthersBytes, use.WorkBytes = others, m.moved
	use.LargestIO = host.LargestIO(m.trial.agent.Root, use.Device)
	for _, d := range m.trial.machine.Disks {
		if d.Name == use.Device {
			use.Kind = d.Kind
		}
	}
	if known {
		use.Data = where.Through
		if len(where.Disks) > 0 {
			on := slices.Contains(where.Disks, use.Device)
			use.OnData = &on
		}
	}
	s.trial.Disk = &use
	s.diskSeries(m.tl, at)
}

// busiest is the disk that moved most bytes, or of equal ones did most I/Os, and what all others moved: of those that hold
// the data where any of them was sampled, else of all.
func busiest(tl host.DiskTimeline, holding []string) (at int, others int64) {
	isHere := func(name string) bool { return slices.Contains(tl.Devices, name) }
	narrowed := slices.ContainsFunc(holding, isHere)
	sum, found := int64(0), false
	best := record.DiskUse{}
	for i, name := range tl.Devices {
		u := diskUse(tl, i)
		sum += u.ReadBytes + u.WriteBytes
		if narrowed && !slices.Contains(holding, name) {
			continue
		}
		bytes, most := u.ReadBytes+u.WriteBytes, best.ReadBytes+best.WriteBytes
		if !found || bytes > most || bytes == most && u.Reads+u.Writes > best.Reads+best.Writes {
			at, best, found = i, u, true
		}
	}
	return at, sum - best.ReadBytes - best.WriteBytes
}

// diskUse is what a disk did from the first sample to the last.
func diskUse(tl host.DiskTimeline, i int) record.DiskUse {
	last := len(tl.AtNs) - 1
	a, b := tl.Disks[i][0], tl.Disks[i][last]
	u := record.DiskUse{
		Device: tl.Devices[i], Reads: rise(a.Reads, b.Reads), Writes: rise(a.Writes, b.Writes),
		ReadBytes:  rise(a.ReadSectors, b.ReadSectors) * record.SectorBytes,
		WriteBytes: rise(a.WriteSectors, b.WriteSectors) * record.SectorBytes,
		Merges:     rise(a.ReadMerges, b.ReadMerges) + rise(a.WriteMerges, b.WriteMerges),
		Steps:      last, CostS: tl.CostS,
	}
	if ms := float64(tl.AtNs[last]-tl.AtNs[0]) / 1e6; ms > 0 {
		u.BusyPct = min(100, 100*float64(riseOf32(a.BusyMs, b.BusyMs))/ms)
	}
	if cpu := rise(tl.CPU[0], tl.CPU[last]); cpu > 0 {
		u.IowaitPct = 100 * float64(rise(tl.Iowait[0], tl.Iowait[last])) / float64(cpu)
	}
	return u
}

// rise is by how much a counter rose. One that went back rose by nothing: a disk that was taken out and put in, and
// the kernel's iowait, which can (proc_stat(5)).
func rise(a, b uint64) int64 {
	if b < a {
		return 0
	}
	return int64(b - a)
}

// riseOf32 is that of a counter that the kernel keeps in 32 bits.
func riseOf32(a, b uint64) int64 { return int64(uint32(b) - uint32(a)) }

// diskSeries makes the timeline's series: a column each, without those that are 0 throughout.
func (s *side) diskSeries(tl host.DiskTimeline, i int) {
	disk := tl.Disks[i]
	n := len(tl.AtNs) - 1
	column := func(device, name, unit string, of func(i int) int64) {
		values := make([]int64, n)
		any := false
		for i := range values {
			values[i] = of(i + 1)
			any = any || values[i] != 0
		}
		if !any {
			return
		}
		data, err := session.EncodeWindows(values)
		s.keep(record.Series{Name: record.DiskSeries(device, name), Unit: unit, StepNs: record.DiskStepNs, Enc: record.EncWindows, Data: data}, err)
	}
	risen := func(name, unit string, of func(host.DiskCounters) uint64) {
		column(tl.Devices[i], name, unit, func(k int) int64 { return rise(of(disk[k-1]), of(disk[k])) })
	}
	column("", record.DiskStep, "ns", func(k int) int64 { return tl.AtNs[k] - tl.AtNs[k-1] })
	column("", record.DiskIowait, "tick", func(k int) int64 { return rise(tl.Iowait[k-1], tl.Iowait[k]) })
	column("", record.DiskCPU, "tick", func(k int) int64 { return rise(tl.CPU[k-1], tl.CPU[k]) })
	risen(record.DiskReadIOs, "op", func(c host.DiskCounters) uint64 { return c.Reads })
	risen(record.DiskReadMerges, "op", func(c host.DiskCounters) uint64 { return c.ReadMerges })
	risen(record.DiskReadSectors, "sector", func(c host.DiskCounters) uint64 { return c.ReadSectors })
	risen(record.DiskWriteIOs, "op", func(c host.DiskCounters) uint64 { return c.Writes })
	risen(record.DiskWriteMerges, "op", func(c host.DiskCounters) uint64 { return c.WriteMerges })
	risen(record.DiskWriteSectors, "sector", func(c host.DiskCounters) uint64 { return c.WriteSectors })
	column(tl.Devices[i], record.DiskInFlight, "op", func(k int) int64 { return int64(min(disk[k].InFlight, 1<<32)) })
	column(tl.Devices[i], record.DiskBusyMs, "ms", func(k int) int64 { return riseOf32(disk[k-1].BusyMs, disk[k].BusyMs) })
}
