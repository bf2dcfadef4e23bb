package judge

import (
	"math"

	"plimsoll/internal/record"
)

// generatorCPU is the value of how busy a generator kept its CPUs.
const generatorCPU = "generator_cpu"

func evidenceOf(t record.Trial, disks map[deviceKey]diskMost) Evidence {
	e := Evidence{Waits: map[string]float64{}, Open: t.Load.Kind == record.Open}
	for _, class := range record.WaitClasses() {
		if v, ok := t.Value(record.WaitShare(class)); ok {
			e.Waits[class] = v.Value / 100
		}
	}
	if v, ok := t.Value(record.CPUPercent); ok {
		e.CPU = &v.Value
	}
	if v, ok := t.Value(generatorCPU); ok {
		e.Generator = &v.Value
	}
	if u := t.CPU; u != nil && !u.Split && e.CPU != nil && e.Generator != nil && u.GeneratorCPUs > 0 {
		e.Together = true
		both := *e.CPU + *e.Generator
		e.CPU = &both
	}
	if u := t.CPU; u != nil && u.WindowS > 0 && u.Machine > 0 {
		machine := min(100, 100*u.Machine/(u.WindowS*float64(usable(*u))))
		e.Machine = &machine
	}
	e.disks(t, disks)
	return e
}

// deviceKey is a device of a machine.
type deviceKey struct{ machine, device string }

// diskMost is the most that workload disk moved on a device, each the mean of some trial.
type diskMost struct{ readBytes, writeBytes, ios float64 }

// disksMeasured are the devices that a session's trials of workload disk used most.
func disksMeasured(trials []record.Trial) map[deviceKey]diskMost {
	out := map[deviceKey]diskMost{}
	for _, t := range measuring(valid(trials)) {
		if workloadOf(t) != "disk" || t.Disk == nil || t.DurationS <= 0 {
			continue
		}
		at := deviceKey{t.Keys[record.KeyMachine], t.Disk.Device}
		m := out[at]
		m.readBytes = max(m.readBytes, float64(t.Disk.ReadBytes)/t.DurationS)
		m.writeBytes = max(m.writeBytes, float64(t.Disk.WriteBytes)/t.DurationS)
		m.ios = max(m.ios, float64(t.Disk.Reads+t.Disk.Writes)/t.DurationS)
		out[at] = m
	}
	return out
}

// disks holds what the trial's device moved against the most that was measured of it: whichever of bytes read, bytes written and I/Os comes nearest.
func (e *Evidence) disks(t record.Trial, measured map[deviceKey]diskMost) {
	if t.Disk == nil || t.DurationS <= 0 || e.CPU == nil { // a server that is elsewhere has other disks
		return
	}
	e.Device, e.Busy = t.Disk.Device, &t.Disk.BusyPct
	most, ok := measured[deviceKey{t.Keys[record.KeyMachine], t.Disk.Device}]
	if !ok {
		return
	}
	for _, c := range []struct {
		of       string
		was, can float64
	}{
		{"bytes read a second", float64(t.Disk.ReadBytes), most.readBytes}, {"bytes written a second", float64(t.Disk.WriteBytes), most.writeBytes},
		{"I/Os a second", float64(t.Disk.Reads + t.Disk.Writes), most.ios},
	} {
		if use := part(c.was/t.DurationS, c.can); use > 0 && (e.Use == nil || use > *e.Use) {
			e.Use, e.UseOf = &use, c.of
		}
	}
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
		if e.Device != out.Device || e.UseOf != out.UseOf {
			out.Use, out.UseOf = nil, ""
		}
	}
	out.CPU = meanOf(all, func(e Evidence) *float64 { return e.CPU })
	out.Generator = meanOf(all, func(e Evidence) *float64 { return e.Generator })
	out.Machine = meanOf(all, func(e Evidence) *float64 { return e.Machine })
	out.Busy = meanOf(all, func(e Evidence) *float64 { return e.Busy })
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
