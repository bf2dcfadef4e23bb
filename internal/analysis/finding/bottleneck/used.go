package bottleneck

import (
	"fmt"
	"strings"

	"plimsoll/internal/record/figure"
)

// busyDisk is the utilization, %, from which a disk is the bottleneck of its own full load.
const busyDisk = 90.

// usedRules returns the rules by use of resources, for servers whose waits are unknown.
func usedRules() []rule {
	return []rule{
		{CPU, Evidence.serverFull, Evidence.full},
		{Disk, Evidence.diskFull, Evidence.deviceText},
		{Network, Evidence.networkFull, Evidence.network},
		{Client, Evidence.loadLimited, Evidence.loadText},
	}
}

// diskFull judges a disk's own full load by its throttling, which may hold operations above an idle device, or by its
// utilization, as a load cannot be its own reference.
func (e Evidence) diskFull() bool {
	if e.fullLoad {
		return !e.Open && (e.held != "" || e.Busy != nil && *e.Busy >= busyDisk)
	}
	return e.DeviceFull()
}

// diskIdle reports whether no disk is known to be the bottleneck: its capacity was not measured, and it was mostly
// idle.
func (e Evidence) diskIdle() bool {
	switch {
	case e.Use != nil:
		return !e.DeviceFull()
	case e.Busy != nil:
		return *e.Busy < 100*halfOfTime
	}
	return e.CPU != nil // no disk did I/O
}

// loadLimited reports whether the load generator or the offered rate is the limit.
func (e Evidence) loadLimited() bool { return e.generatorFull() || e.Open && !e.serverFull() }

func (e Evidence) loadText() string {
	if e.generatorFull() {
		return "the generator's CPUs are " + Pct(*e.Generator/100) + " in use: this machine cannot generate more load"
	}
	return "the offered rate is handled, and no more was offered"
}

// judgeUsed applies the rules by use of resources.
func (e Evidence) judgeUsed() (resource string, reasons []string) {
	held, reasons := e.matching(usedRules())
	waits, why := e.matching(serviceRules())
	if e.crowded() && len(held) == 0 && e.Service != nil && !e.Service.held() {
		if len(waits) == 0 && !e.Open && e.Service.waiting() >= halfOfTime {
			why = []string{e.Service.waitsText()}
		}
		return Unknown, append(why, e.others())
	}
	if len(held) == 0 && len(waits) > 0 {
		held, reasons = waits[:1], why
	}
	switch {
	case len(held) > 1:
		return Unknown,
			append(reasons, "this points to "+strings.Join(bottleneckNames(held), " and to ")+": which is the limit is unknown")
	case e.crowded() && len(held) == 0:
		return Unknown, []string{e.others()}
	case len(held) == 1 && e.crowded():
		return held[0].resource, append(reasons, e.others())
	case len(held) == 1:
		return held[0].resource, append(reasons, e.rest(held[0].resource)...)
	}
	reasons = e.rest("")
	if e.heldBack() != "" { // never "nothing" beside a finding that something was throttled
		return Unknown, append(reasons, e.heldBack())
	}
	if e.CPU != nil && e.diskIdle() && (!e.serves || e.networkIdle()) {
		if s := e.Service; s != nil && s.waiting() >= halfOfTime {
			return Waits, append([]string{s.waitsText()}, reasons...)
		}
		return Nothing, append(reasons, "none of these is saturated: the limit is latency or contention")
	}
	return Unknown, reasons
}

// heldBack states what was throttled, though not enough for a bottleneck, or not as one.
func (e Evidence) heldBack() string {
	switch {
	case e.held != "":
		return "the disk is throttled to " + e.held
	case e.Throttled > 0:
		return fmt.Sprintf("the CPU quota of its control group kept %s CPUs from running on average, which is "+
			"too little for "+
			"a bottleneck", figure.Exact(figure.RoundTo(e.Throttled, 2)))
	}
	return ""
}

// rest lists the resources that are not the bottleneck, or not known to be.
func (e Evidence) rest(full string) []string {
	var out []string
	if full != CPU {
		text := "the CPU use of the work is unknown"
		if e.CPU != nil {
			text = fmt.Sprintf("the %s are %s in use", e.whoseCPUs(), Pct(*e.CPU/100))
		}
		out = append(out, text)
	}
	if full != Disk && e.CPU != nil {
		out = append(out, e.deviceText())
	}
	if !e.serves {
		return out
	}
	if full != Network {
		out = append(out, e.network())
	}
	if full != Client && e.Generator != nil && !e.Together {
		out = append(out, "the generator's CPUs are "+Pct(*e.Generator/100)+" in use")
	}
	return out
}

// deviceText states the use of the busiest disk.
func (e Evidence) deviceText() string {
	switch {
	case e.held != "":
		return "the disk is throttled to " + e.held
	case e.Device == "":
		return "no disk did anything"
	case e.fullLoad && e.Busy != nil:
		return fmt.Sprintf("%s had I/O in flight %s of the time", e.Device, Pct(*e.Busy/100))
	}
	return strings.TrimPrefix(e.device(), "; ")
}
