package bottleneck

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// DiskWorkload is the workload that measures the throughput of disks.
const DiskWorkload = throttling.DiskWorkload

// diskDirection is the key of that workload's direction: read, write, randread, randwrite or rw.
const diskDirection = "disk.rw"

// atMostMeasured is the ratio to a device's measured maximum above which the maximum does not hold.
const atMostMeasured = 1.1

// muchSmaller is the factor between I/O sizes above which the measured IOPS are no limit.
const muchSmaller = 4

// EvidenceOf returns the use of resources in a trial, that of disks against their measured maximum.
func EvidenceOf(t record.Trial, disks map[DeviceKey]DiskMost) Evidence {
	e := Evidence{Open: t.Load.Kind == record.Open, watched: watched(t), fullLoad: trialset.WorkloadOf(t) == DiskWorkload}
	e.serves = e.Open || t.Load.Unit == record.ParamClients
	for _, class := range record.WaitClasses() {
		if v, ok := t.Value(record.WaitShare(class)); ok {
			if e.Waits == nil {
				e.Waits = map[string]float64{}
			}
			e.Waits[class] = v.Value / 100
		}
	}
	if v, ok := t.Value(record.CPUPercent); ok {
		e.CPU = &v.Value
	}
	if u := t.CPU; e.CPU == nil && u != nil && u.Source == record.ChargedThreads && u.WindowS > 0 && u.CPUs > 0 {
		own := min(100, 100*u.Work/(u.WindowS*float64(u.CPUs)))
		e.CPU, e.serves = &own, false
	}
	if v, ok := t.Value(record.GeneratorCPU); ok {
		e.Generator = &v.Value
	} else if g, u := t.Generator, t.CPU; g != nil && u != nil && u.GeneratorCPUs == 0 {
		useful := 100 * g.Useful // the load came from hosts of their own
		e.Generator = &useful
	}
	if u := t.CPU; u != nil && !u.Split && e.CPU != nil && e.Generator != nil && u.GeneratorCPUs > 0 {
		e.Together = true
		both := *e.CPU + *e.Generator
		e.CPU = &both
	}
	e.withBehind(t)
	if u := t.CPU; u != nil && u.WindowS > 0 && u.Machine > 0 {
		machine := min(100, 100*u.Machine/(u.WindowS*float64(trialset.Usable(*u))))
		e.Machine = &machine
	}
	// The quota is that of the agent's own group, in which a server that it did not start is not.
	elsewhere := []string{record.ChargedNone, record.ChargedFound, record.ChargedMachine}
	if l, u := t.Ledger, t.CPU; l != nil && l.ThrottledS != nil && u != nil && u.WindowS > 0 &&
		!slices.Contains(elsewhere, u.Source) {
		e.Throttled = *l.ThrottledS / u.WindowS
	}
	e.disks(t, disks)
	e.Others, e.Service = othersOf(t), serviceOf(t)
	return e
}

// withBehind counts what works for the server. It is kept to no CPUs: unless those of the server are full, all of them
// are shared.
func (e *Evidence) withBehind(t record.Trial) {
	u := t.CPU
	if u == nil || u.Behind <= 0 || u.WindowS <= 0 {
		return
	}
	e.Behind = t.Keys[record.KeyServerBehind]
	if u.Split && !e.serverFull() && !e.generatorFull() {
		all := min(100, 100*(u.Work+u.Generator)/(u.WindowS*float64(trialset.Usable(*u))))
		e.CPU, e.Together = &all, true
	}
}

// DeviceKey is a device of a machine.
type DeviceKey struct{ machine, device string }

// DiskMost is the highest throughput of workload disk on a device, each the mean of some trial.
type DiskMost struct {
	readBytes, writeBytes, ios float64
	size                       float64 // bytes of an I/O in the trial with most of them, on average
}

// DisksMeasured returns the devices that trials of workload disk used most, with their maxima; extra pairs and probes
// of searches count.
func DisksMeasured(trials []record.Trial) map[DeviceKey]DiskMost {
	out := map[DeviceKey]DiskMost{}
	for _, t := range trialset.WithExtras(trialset.Valid(trials)) {
		if trialset.WorkloadOf(t) != DiskWorkload || t.Disk == nil || t.DurationS <= 0 {
			continue
		}
		at := DeviceKey{t.Keys[record.KeyMachine], t.Disk.Device}
		m := out[at]
		// The other direction's traffic belongs to other programs and does not measure the device.
		if rw := t.Keys[diskDirection]; rw != "write" && rw != "randwrite" {
			m.readBytes = max(m.readBytes, float64(t.Disk.ReadBytes)/t.DurationS)
		}
		if rw := t.Keys[diskDirection]; rw != "read" && rw != "randread" {
			m.writeBytes = max(m.writeBytes, float64(t.Disk.WriteBytes)/t.DurationS)
		}
		if ios := float64(t.Disk.Reads+t.Disk.Writes) / t.DurationS; ios > m.ios {
			m.ios, m.size = ios, meanIO(*t.Disk)
		}
		out[at] = m
	}
	return out
}

// disks relates the trial's disk traffic to the device's measured maximum: the highest use of bytes read, bytes written
// and I/Os; none if traffic exceeded the maximum.
func (e *Evidence) disks(t record.Trial, measured map[DeviceKey]DiskMost) {
	if t.Disk == nil || t.DurationS <= 0 || e.CPU == nil { // a remote server has other disks
		return
	}
	e.Device, e.Busy = ofBusiest(t, t.Disk.Device), &t.Disk.BusyPct
	most, ok := measured[DeviceKey{cmp.Or(t.Disk.Host, t.Keys[record.KeyMachine]), t.Disk.Device}]
	if !ok || e.fullLoad { // a full load cannot serve as its own reference
		return
	}
	if meanIO(*t.Disk) < most.size/muchSmaller {
		most.ios = 0 // IOPS may be higher with much smaller I/Os
	}
	e.UseOf, e.Use = highest(t.DurationS, []measure{
		{"bytes read a second", float64(t.Disk.ReadBytes), most.readBytes},
		{"bytes written a second", float64(t.Disk.WriteBytes), most.writeBytes},
		{"I/Os a second", float64(t.Disk.Reads + t.Disk.Writes), most.ios},
	})
}

// measure is a count of a run, and the most that was measured of it in a second; 0: unknown.
type measure struct {
	of        string
	count     float64
	perSecond float64
}

// highest returns the largest share of a maximum that a run of so many seconds reached, and of which measure. It is nil
// without a share above 0, or if the run exceeded a maximum, which then isn't one.
func highest(seconds float64, all []measure) (of string, share *float64) {
	for _, m := range all {
		use := trialset.Part(m.count/seconds, m.perSecond)
		if use > atMostMeasured {
			return "", nil
		}
		if use > 0 && (share == nil || use > *share) {
			of, share = m.of, &use
		}
	}
	return of, share
}

// ofBusiest says of a device that it is one of several hosts'.
func ofBusiest(t record.Trial, device string) string {
	if t.Keys[record.KeyHosts] != "" && device != "" {
		device += " of the cluster's busiest host"
	}
	return device
}

// meanIO returns the mean I/O size in bytes.
func meanIO(u record.DiskUse) float64 {
	return trialset.Part(float64(u.ReadBytes+u.WriteBytes), float64(u.Reads+u.Writes))
}

// meanEvidence returns the means of the figures that all trials have.
func meanEvidence(all []Evidence) Evidence {
	out := all[0]
	out.Waits, out.Throttled = map[string]float64{}, 0
	for _, e := range all {
		out.Throttled += e.Throttled / float64(len(all))
		for class, share := range e.Waits {
			out.Waits[class] += share / float64(len(all))
		}
		out.Open, out.Together = out.Open && e.Open, out.Together && e.Together
	}
	out.CPU = meanOf(all, func(e Evidence) *float64 { return e.CPU })
	out.Generator = meanOf(all, func(e Evidence) *float64 { return e.Generator })
	out.Machine = meanOf(all, func(e Evidence) *float64 { return e.Machine })
	out.networkEvidence, out.Others, out.Service = meanNetwork(all), meanOthers(all), meanService(all)
	out.meanDisks(all)
	return out
}

// meanDisks sets the mean use of the busiest disk. In a run whose disks did nothing that disk was idle, too.
func (e *Evidence) meanDisks(all []Evidence) {
	active := list.Filter(all, func(e Evidence) bool { return e.Device != "" })
	devices, of := list.Map(active, func(e Evidence) string { return e.Device }), list.Map(active,
		func(e Evidence) string { return e.UseOf })
	slices.Sort(devices)
	devices = slices.Compact(devices)
	e.Device, e.Busy, e.Use, e.UseOf = strings.Join(devices, " or "), nil, nil, ""
	if len(active) == 0 {
		return
	}
	share := float64(len(active)) / float64(len(all))
	if busy := meanOf(active, func(e Evidence) *float64 { return e.Busy }); busy != nil {
		*busy *= share
		e.Busy = busy
	}
	if use := meanOf(active, func(e Evidence) *float64 { return e.Use }); use != nil && len(devices) == 1 {
		*use *= share
		e.Use, e.UseOf = use, of[0]
		if slices.ContainsFunc(of, func(o string) bool { return o != of[0] }) {
			e.UseOf = "bytes or I/Os a second"
		}
	}
}

// meanOf returns nil if any of them is nil or no number.
func meanOf(all []Evidence, of func(Evidence) *float64) *float64 {
	sum := 0.0
	for _, e := range all {
		v := of(e)
		if v == nil || math.IsNaN(*v) {
			return nil
		}
		sum += *v / float64(len(all))
	}
	return &sum
}
