package agent

import (
	"os"
	"slices"
	"time"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/workload"
)

// diskMeter samples the target's disks over the measured window.
type diskMeter struct {
	trial   *trial
	sampler *storage.Sampler // nil if nothing can be sampled
	tl      storage.Timeline
	broken  error

	work   func() (int64, error) // bytes moved so far by this process and all that it started; nil unknown
	before int64                 // at the start of the window
	moved  *int64                // in the window; nil unknown
}

// newDiskMeter returns a meter that reads nothing if several sides share the window, because disk counters cannot tell
// their I/Os apart, or if this host only generates the load.
func newDiskMeter(t *trial) *diskMeter {
	m := &diskMeter{trial: t}
	if len(t.sides) != 1 || t.target != "" {
		return m
	}
	s, err := storage.NewSampler(t.agent.Root, storage.Step, seconds(t.order.DurationS)+time.Second, t.sides[0].data)
	if err == nil {
		m.sampler = s
	} else if !hostfs.NotHere(err) {
		m.broken = err
	}
	return m
}

func (m *diskMeter) begin(beats *pulse.Pulse) {
	if m.sampler == nil {
		return
	}
	m.work = m.trial.storageBytes()
	var err error
	if m.before, err = m.work(); err != nil {
		m.work = nil // a kernel without this accounting, or processes of another user
	}
	m.sampler.Start(beats)
}

// storageBytes returns a function that reads the bytes moved by the work. If nothing is started, it reads this process
// alone: searching all of /proc for children would take time from lanes that occupy every CPU.
func (t *trial) storageBytes() func() (int64, error) {
	if found, ok := t.sides[0].group.(account.Found); ok {
		return found.StorageBytes
	}
	if t.sides[0].spec.Charge == workload.Lanes {
		return func() (int64, error) { return account.StorageBytes(t.agent.Root, os.Getpid()) }
	}
	return account.NewTree(t.agent.Root, os.Getpid()).StorageBytes
}

// end stops sampling. It may be called more than once.
func (m *diskMeter) end() {
	s := m.sampler
	m.sampler = nil
	if s == nil {
		return
	}
	m.tl, m.broken = s.Stop()
	if m.work == nil {
		return
	}
	if after, err := m.work(); err == nil {
		moved := max(0, after-m.before)
		m.moved = &moved
	}
}

// share records the activity of the disk that holds the side's data or, if none of those was sampled, of the busiest
// disk; nothing if that was idle.
func (m *diskMeter) share(sides []*side) {
	s := sides[0]
	if m.broken != nil {
		s.doubt("the disks' counters could not all be read: " + m.broken.Error())
	}
	steps := len(m.tl.AtNs) - 1
	if steps < 1 {
		return
	}
	where, err := storage.Of(m.trial.agent.Root, s.data)
	known := s.data != "" && err == nil
	at, others := busiest(m.tl, where.Disks)
	use := diskUse(m.tl, at)
	if use.Reads+use.Writes == 0 {
		return
	}
	use.OthersBytes, use.WorkBytes = others, m.moved
	use.LargestIO = storage.LargestIO(m.trial.agent.Root, use.Device)
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
		use.Members = arrayMembers(m.tl, where.Disks)
	}
	s.trial.Disk = &use
	s.diskSeries(m.tl, at)
}

// busiest returns the disk that moved the most bytes, ties broken by I/Os, and the bytes that all others moved. It
// considers the disks that hold the data, or all disks if none of those was sampled.
func busiest(tl storage.Timeline, holding []string) (at int, others int64) {
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

// arrayMembers returns the activity of the disks that hold the data, by name, if several of them were sampled.
func arrayMembers(tl storage.Timeline, holding []string) []record.DiskMember {
	var out []record.DiskMember
	for _, name := range slices.Sorted(slices.Values(holding)) {
		if i := slices.Index(tl.Devices, name); i >= 0 && len(out) < record.MostMembers {
			u := diskUse(tl, i)
			out = append(out, record.DiskMember{Device: name, Reads: u.Reads, Writes: u.Writes, ReadBytes: u.ReadBytes,
				WriteBytes: u.WriteBytes, Merges: u.Merges, BusyPct: u.BusyPct, QueueDepth: u.QueueDepth, WaitS: u.WaitS})
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// diskUse returns the activity of a disk from the first sample to the last.
func diskUse(tl storage.Timeline, i int) record.DiskUse {
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
		u.QueueDepth = float64(riseOf32(a.QueueMs, b.QueueMs)) / ms
	}
	if n := u.Reads + u.Writes; n > 0 {
		u.WaitS = float64(riseOf32(a.RequestMs, b.RequestMs)) / 1e3 / float64(n)
	}
	if cpu := rise(tl.CPU[0], tl.CPU[last]); cpu > 0 {
		u.IowaitPct = 100 * float64(rise(tl.Iowait[0], tl.Iowait[last])) / float64(cpu)
	}
	return u
}

// rise returns the increase of a counter, or 0 if it went back, as when a disk is removed and reinserted, or as the
// kernel's iowait can (proc_stat(5)).
func rise(a, b uint64) int64 {
	if b < a {
		return 0
	}
	return int64(b - a)
}

// riseOf32 returns the increase of a counter that the kernel keeps in 32 bits, which may wrap.
func riseOf32(a, b uint64) int64 { return int64(uint32(b) - uint32(a)) }

// diskSeries records the timeline, one series a column, without columns that are 0 throughout.
func (s *side) diskSeries(tl storage.Timeline, i int) {
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
		s.keep(record.Series{Name: record.DiskSeries(device, name), Unit: unit, StepNs: record.DiskStepNs,
			Enc: record.EncWindows, Data: data}, err)
	}
	risen := func(name, unit string, of func(storage.Counters) uint64) {
		column(tl.Devices[i], name, unit, func(k int) int64 { return rise(of(disk[k-1]), of(disk[k])) })
	}
	column("", record.DiskStep, "ns", func(k int) int64 { return tl.AtNs[k] - tl.AtNs[k-1] })
	column("", record.DiskIowait, "tick", func(k int) int64 { return rise(tl.Iowait[k-1], tl.Iowait[k]) })
	column("", record.DiskCPU, "tick", func(k int) int64 { return rise(tl.CPU[k-1], tl.CPU[k]) })
	risen(record.DiskReadIOs, "op", func(c storage.Counters) uint64 { return c.Reads })
	risen(record.DiskReadMerges, "op", func(c storage.Counters) uint64 { return c.ReadMerges })
	risen(record.DiskReadSectors, "sector", func(c storage.Counters) uint64 { return c.ReadSectors })
	risen(record.DiskWriteIOs, "op", func(c storage.Counters) uint64 { return c.Writes })
	risen(record.DiskWriteMerges, "op", func(c storage.Counters) uint64 { return c.WriteMerges })
	risen(record.DiskWriteSectors, "sector", func(c storage.Counters) uint64 { return c.WriteSectors })
	column(tl.Devices[i], record.DiskInFlight, "op", func(k int) int64 { return int64(min(disk[k].InFlight, 1<<32)) })
	column(tl.Devices[i], record.DiskBusyMs, "ms", func(k int) int64 { return riseOf32(disk[k-1].BusyMs, disk[k].BusyMs) })
}
