package bottleneck

import (
	"fmt"
	"strings"
)

// busyDisk is the share of the time, %, in which a disk must have had something in flight for its own full load to be bound by it.
const busyDisk = 90.

// usedRules say what is full, where nobody knows what a server waits for.
func usedRules() []rule {
	return []rule{
		{CPU, Evidence.serverFull, func(e Evidence) string { return "the " + e.whoseCPUs() + " are " + Pct(*e.CPU/100) + " in use" }},
		{Disk, Evidence.diskFull, Evidence.deviceText},
		{Network, Evidence.networkFull, Evidence.network},
		{Client, Evidence.asked, Evidence.askedText},
	}
}

// diskFull is of the disk's own full load how long it had something to do: a load cannot be held against itself.
func (e Evidence) diskFull() bool {
	if e.fullLoad {
		return !e.Open && e.Busy != nil && *e.Busy >= busyDisk
	}
	return e.DeviceFull()
}

// diskIdle says that no disk is known to bind anything: what it could carry was not measured, and it mostly had nothing to do.
func (e Evidence) diskIdle() bool {
	switch {
	case e.Use != nil:
		return !e.DeviceFull()
	case e.Busy != nil:
		return *e.Busy < 100*halfOfTime
	}
	return e.CPU != nil // none did anything
}

// asked says that it is the load that is at its end.
func (e Evidence) asked() bool { return e.generatorFull() || e.Open && !e.serverFull() }

func (e Evidence) askedText() string {
	if e.generatorFull() {
		return "the generator's CPUs are " + Pct(*e.Generator/100) + " in use: the load cannot be made faster here"
	}
	return "the offered rate is handled, and no more was offered"
}

// judgeUsed applies the rules of what is full.
func (e Evidence) judgeUsed() (what string, reasons []string) {
	held, reasons := e.heldBy(usedRules())
	switch {
	case len(held) > 1:
		return Unknown, append(reasons, "these speak for "+strings.Join(whats(held), " and for ")+": which of them limits the others is unknown")
	case e.crowded() && len(held) == 0:
		return Unknown, []string{e.others()}
	case len(held) == 1 && e.crowded():
		return held[0].what, append(reasons, e.others())
	case len(held) == 1:
		return held[0].what, append(reasons, e.rest(held[0].what)...)
	}
	reasons = e.rest("")
	if e.CPU != nil && e.diskIdle() && (!e.serves || e.networkIdle()) {
		return Nothing, append(reasons, "none of these is full: what is waited for is an answer, or each other")
	}
	return Unknown, reasons
}

// rest is what there is to say of what does not bind, or is not known to.
func (e Evidence) rest(full string) []string {
	var out []string
	if full != CPU {
		text := "the CPU use of what does the work is not known"
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

// deviceText says what is known of the disk that did most.
func (e Evidence) deviceText() string {
	switch {
	case e.Device == "":
		return "no disk did anything"
	case e.fullLoad && e.Busy != nil:
		return fmt.Sprintf("%s had something in flight %s of the time", e.Device, Pct(*e.Busy/100))
	}
	return strings.TrimPrefix(e.device(), "; ")
}
