package bottleneck

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// DiskWorkload is the workload whose figures are what a disk carries.
const DiskWorkload = "disk"

// diskDirection is the key of what that workload did: read, write, randread, randwrite or rw.
const diskDirection = "disk.rw"

// atMostMeasured is the share of the most that was measured of a device, over which it carries more than that, and what it can is not known.
const atMostMeasured = 1.1

// muchSmaller is how many times smaller than those that were measured I/Os must be for their number to be no share of a device's most.
const muchSmaller = 4

// EvidenceOf returns what the trials say was in use, against what their disks were measured to move.
func EvidenceOf(t record.Trial, disks map[DeviceKey]DiskMost) Evidence {
	e := Evidence{Waits: map[string]float64{}, Open: t.Load.Kind == record.Open, watched: watched(t), fullLoad: trialset.WorkloadOf(t) == DiskWorkload}
	e.serves = e.Open || t.Load.Unit == record.ParamClients
	for _, class := range record.WaitClasses() {
		if v, ok := t.Value(record.WaitShare(class)); ok {
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
		useful := 100 * g.Useful // hosts of their own made the load
		e.Generator = &useful
	}
	if u := t.CPU; u != nil && !u.Split && e.CPU != nil && e.Generator != nil && u.GeneratorCPUs > 0 {
		e.Together = true
		both := *e.CPU + *e.Generator
		e.CPU = &both
	}
	if u := t.CPU; u != nil && u.WindowS > 0 && u.Machine > 0 {
		machine := min(100, 100*u.Machine/(u.WindowS*float64(trialset.Usable(*u))))
		e.Machine = &machine
	}
	e.disks(t, disks)
	return e
}

// DeviceKey is a device of a machine.
type DeviceKey struct{ machine, device string }

// DiskMost is the most that workload disk moved on a device, each the mean of some trial.
type DiskMost struct {
	readBytes, writeBytes, ios float64
	size                       float64 // bytes of an I/O where most of them were done, on average
}

// DisksMeasured are the devices that a session's trials of workload disk used most: also those of extra pairs and the probes of searches, which
// moved what they moved.
func DisksMeasured(trials []record.Trial) map[DeviceKey]DiskMost {
	out := map[DeviceKey]DiskMost{}
	for _, t := range trialset.WithExtras(trialset.Valid(trials)) {
		if trialset.WorkloadOf(t) != DiskWorkload || t.Disk == nil || t.DurationS <= 0 {
			continue
		}
		at := DeviceKey{t.Keys[record.KeyMachine], t.Disk.Device}
		m := out[at]
		// What others moved the other way meanwhile is no measure of the device.
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

// disks holds what the trial's device moved against the most that was measured of it: whichever of bytes read, bytes written and I/Os comes nearest; nothing
// where it carried more than that.
func (e *Evidence) disks(t record.Trial, measured map[DeviceKey]DiskMost) {
	if t.Disk == nil || t.DurationS <= 0 || e.CPU == nil { // a server that is elsewhere has other disks
		return
	}
	e.Device, e.Busy = t.Disk.Device, &t.Disk.BusyPct
	most, ok := measured[DeviceKey{t.Keys[record.KeyMachine], t.Disk.Device}]
	if !ok || e.fullLoad { // a full load of its own is no measure of itself
		return
	}
	if meanIO(*t.Disk) < most.size/muchSmaller {
		most.ios = 0 // of much smaller ones the device may carry more
	}
	for _, c := range []struct {
		of       string
		was, can float64
	}{
		{"bytes read a second", float64(t.Disk.ReadBytes), most.readBytes}, {"bytes written a second", float64(t.Disk.WriteBytes), most.writeBytes},
		{"I/Os a second", float64(t.Disk.Reads + t.Disk.Writes), most.ios},
	} {
		use := trialset.Part(c.was/t.DurationS, c.can)
		if use > atMostMeasured {
			e.Use, e.UseOf = nil, ""
			return
		}
		if use > 0 && (e.Use == nil || use > *e.Use) {
			e.Use, e.UseOf = &use, c.of
		}
	}
}

// meanIO is the bytes of an I/O on average.
func meanIO(u record.DiskUse) float64 {
	return trialset.Part(float64(u.ReadBytes+u.WriteBytes), float64(u.Reads+u.Writes))
}

// meanEvidence is the mean of the figures that all trials have.
func meanEvidence(all []Evidence) Evidence {
	out := all[0]
	out.Waits = map[string]float64{}
	for _, e := range all {
		for class, share := range e.Waits {
			out.Waits[class] += share / float64(len(all))
		}
		out.Open, out.Together = out.Open && e.Open, out.Together && e.Together
		switch {
		case e.Device != out.Device || e.Use == nil:
			out.Use, out.UseOf = nil, ""
		case out.Use != nil && e.UseOf != out.UseOf:
			out.UseOf = "bytes or I/Os a second"
		}
	}
	out.CPU = meanOf(all, func(e Evidence) *float64 { return e.CPU })
	out.Generator = meanOf(all, func(e Evidence) *float64 { return e.Generator })
	out.Machine = meanOf(all, func(e Evidence) *float64 { return e.Machine })
	out.Busy = meanOf(all, func(e Evidence) *float64 { return e.Busy })
	out.networkEvidence = meanNetwork(all)
	if out.Use != nil {
		out.Use = meanOf(all, func(e Evidence) *float64 { return e.Use })
	}
	return out
}

// meanOf is nil where any of them is, or where they are not numbers.
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
